/* compare_tables.h: what is in the view of two logs, before and after:
   functions, memory by owner, and the flame graph coloured by change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPARE_TABLES_H
#define DV_COMPARE_TABLES_H

#include <gtk/gtk.h>

#include "model/pair/pair_rows.h"

struct dv_compare_tables;

/* What they tell.  */
struct dv_compare_tables_listener {
  /* The user has selected a row of the memory; DG_NONE: none.  */
  void (*selected) (void *user, uint32_t owner);
  /* Wants to see all of it.  */
  void (*go_to) (void *user, uint32_t owner);
  /* Wants to see a place in the source.  */
  void (*edit) (void *user, const char *file, unsigned line);
  void *user;
};

struct dv_compare_tables *
dv_compare_tables_new (const struct dv_compare_tables_listener *listener);
/* The widgets may be gone.  */
void dv_compare_tables_free (struct dv_compare_tables *tables);
GtkWidget *dv_compare_tables_widget (const struct dv_compare_tables *tables);
/* NULL: nothing is known (yet).  */
void dv_compare_tables_set (struct dv_compare_tables *tables,
                            struct dv_pair_rows *rows);
/* Selects the row of an owner, without telling; DG_NONE: none.  */
void dv_compare_tables_select (struct dv_compare_tables *tables,
                               uint32_t owner);

#endif /* DV_COMPARE_TABLES_H */
