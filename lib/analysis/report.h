/* report.h: what dg_analyse does to a report besides what analyses do.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_H
#define DG_REPORT_H

#include "dg_analysis.h"

/* Whom dg_report_pace tells; NULL: nobody.  */
void dg_report_set_progress (struct dg_report *report, dg_progress_fn progress,
                             void *user);

/* How many items there are, and putting those from `first' up to `end' behind
   all others but notes.  */
size_t dg_report_n_items (const struct dg_report *report);
void dg_report_put_last (struct dg_report *report, size_t first, size_t end);

/* Puts those from `first' on before item `place'.  */
void dg_report_put_at (struct dg_report *report, size_t place, size_t first);
/* Item i, and other items of the report, or the same ones, from item `first'
   on; those that are no longer there have been emptied.  */
struct dg_rows *dg_report_rows (const struct dg_report *report, size_t i);
void dg_report_reorder (struct dg_report *report, size_t first,
                        struct dg_rows *const *items, size_t n);
/* Another value for a figure.  */
void dg_report_replace (struct dg_rows *rows, const struct dg_cell *cells);
/* Puts the rows of a table in another order: order[i] is which one comes as
   row i, each of them once.  n: the rows of the table, unless some were lost
   for lack of memory.  The order becomes the table's; nothing is added
   afterwards.  */
void dg_report_arrange (struct dg_rows *rows, uint32_t *order, size_t n);
/* Adds, for JSON, the least and the most that the total before may be:
   KEY_least and KEY_most.  */
void dg_report_bounds (struct dg_report *report, const char *key,
                       enum dg_unit unit, uint64_t least, uint64_t most);
/* Adds a real figure for JSON.  */
struct dg_rows *dg_report_silent (struct dg_report *report, const char *key,
                                  struct dg_cell value);
/* Files that are written to the report go nowhere.  */
void dg_report_set_apart (struct dg_report *report);

/* At the end, after success only: DG_ERR_NOMEM if something was left out,
   DG_ERR_IO if a file could not be written.  Files take their places.  Without
   it, dg_report_free removes them.  */
int dg_report_finish (struct dg_report *report, struct dg_error *err);

#endif /* DG_REPORT_H */
