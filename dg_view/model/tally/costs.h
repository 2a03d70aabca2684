/* costs.h: what functions, or lines of source, cost a processor: cycles and
   cache misses, by the time model.

   By the analysis time, of all instructions in the view's time, whatever
   memory they access.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COSTS_H
#define DV_COSTS_H

#include "rows.h"

struct dv_cost {
  uint64_t cycles, l1_misses, l3_misses;
};

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_costs {
  struct dv_tally *tally;      /* of which scene and time */
  enum dv_rows_kind kind;
  struct dg_report *report;    /* keeps the texts of `rows` */
  GHashTable *rows;            /* of costs.c */
  const char *machine;         /* "zen5", of the report */
  uint64_t sample;             /* one stretch of so many was executed */
};

/* kind: DV_ROWS_FUNCTIONS or DV_ROWS_SOURCE.  NULL and *err on failure, or
   when it was cancelled.  Takes some 40 ns for each instruction.  */
struct dv_costs *dv_costs_new (struct dv_tally *tally, enum dv_rows_kind kind,
                               dg_progress_fn progress, void *user,
                               struct dg_error *err);
struct dv_costs *dv_costs_ref (struct dv_costs *costs);
/* NULL is fine.  */
void dv_costs_unref (struct dv_costs *costs);

/* NULL: not known, as for code without a name, or without a line.  */
const struct dv_cost *dv_costs_find (const struct dv_costs *costs,
                                     const struct dv_row *row);

#endif /* DV_COSTS_H */
