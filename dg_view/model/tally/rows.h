/* rows.h: the rows of the tables of what is in view: functions, lines of
   source, places of allocation, pages, cache lines, threads.

   Made from a tally; names are looked up, so that is for background threads.
   Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ROWS_H
#define DV_ROWS_H

#include "model/log/highlight.h"
#include "rows_state.h"

/* NULL and *err when it was cancelled, or when there is no memory.  */
struct dv_rows *dv_rows_new (struct dv_tally *tally, enum dv_rows_kind kind,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);
/* What stands out when row i is selected: its accesses, or where it is in the
   view.  May take a while (sites).  */
struct dv_highlight *dv_rows_highlight (const struct dv_rows *rows, guint i);
/* The part of the plot that row i is about; false: there is none.  */
bool dv_rows_view (const struct dv_rows *rows, guint i, struct dv_view *view);
/* The condition by which only the row is shown, such as "fn:sort_lines", new;
   NULL if there is none.  *is_range: it is one for the memory.  */
char *dv_rows_condition (const struct dv_rows *rows, guint i,
                         bool *is_range);

#endif /* DV_ROWS_H */
