/* calls_view.h: the rows of call trees in a table that keeps what is expanded
   and selected when the tree is another one.

   Rows are remembered by the names on their paths.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLS_VIEW_H
#define DV_CALLS_VIEW_H

#include <stdbool.h>

#include <gtk/gtk.h>

#include "model/calls/callrows.h"

struct dv_calls_view {
  GtkWidget *table;            /* from calls_table.h */
  GtkWidget *scrolled;         /* around it */
  /* The user has selected a row, or none.  */
  void (*selected) (void *user);
  void *user;

  /* Of calls_view.c.  */
  GHashTable *expanded;        /* keys of rows, as gint64 */
  uint64_t key;                /* of the selected row; 0: none */
  bool is_fresh;               /* nobody has expanded, collapsed or selected
                                  a row */
  bool restoring;              /* what changes is not the user's doing */
  double scroll;               /* to be restored */
  guint scroll_source;
};

/* Makes the widgets around a table.  */
void dv_calls_view_init (struct dv_calls_view *view, GtkWidget *table);
/* The widgets may be gone.  */
void dv_calls_view_fini (struct dv_calls_view *view);

/* Shows rows, which it takes over; what was expanded and selected is again,
   as far as it is there.  At first, callees have their heaviest path
   expanded.  NULL: shows nothing.  */
void dv_calls_view_set (struct dv_calls_view *view, struct dv_callrows *rows);
/* What was expanded and selected means nothing for the next rows.  */
void dv_calls_view_start_afresh (struct dv_calls_view *view);

/* NULL: nothing is shown.  */
struct dv_callrows *dv_calls_view_rows (const struct dv_calls_view *view);
/* The selected row; 0: none.  */
uint32_t dv_calls_view_row (const struct dv_calls_view *view);
/* Selects a row, and scrolls to it if it is to be looked at.  */
void dv_calls_view_select (struct dv_calls_view *view, uint32_t row,
                           bool scroll);
/* From `row` down; returns where it ends.  */
uint32_t dv_calls_view_expand_heaviest (struct dv_calls_view *view,
                                        uint32_t row);
void dv_calls_view_collapse_all (struct dv_calls_view *view);
/* Where a row is in the table.  */
GdkRectangle dv_calls_view_place (const struct dv_calls_view *view,
                                  uint32_t row);

#endif /* DV_CALLS_VIEW_H */
