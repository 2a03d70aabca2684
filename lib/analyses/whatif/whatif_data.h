/* whatif_data.h: counts of instructions as those of the variables that they
   access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_DATA_H
#define DG_WHATIF_DATA_H

#include "analysis/breakdown.h"

/* Counts of instructions until they are given to variables.  What belongs to
   an instruction after its run, as the cycles of a branch, is given when it
   runs again.  */
struct dg_whatif_data {
  struct dg_breakdown_sums *code;
};

/* 0 or DG_ERR_NOMEM.  All zero is none, which can be ended.  */
int dg_whatif_data_init (struct dg_whatif_data *data,
                         const struct dg_log *log);
void dg_whatif_data_fini (struct dg_whatif_data *data);

/* Where the DG_TIME_COUNTS counts of the instructions of a run are to be
   added, one after the other.  */
uint64_t *dg_whatif_data_rows (struct dg_whatif_data *data,
                               const struct dg_run *run);
/* Gives them to what each instruction accesses first, with the addresses of
   the log; those of instructions without accesses are of unknown data.
   first: of the counters of `sums`.  */
void dg_whatif_data_give (struct dg_whatif_data *data,
                          const struct dg_run *run,
                          struct dg_breakdown_sums *sums, size_t first);
/* Gives the rest, after the last run.  */
void dg_whatif_data_end (struct dg_whatif_data *data,
                         struct dg_breakdown_sums *sums, size_t first);

#endif /* DG_WHATIF_DATA_H */
