/* whatif_data.h: counts of instructions as those of the variables that they
   access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_DATA_H
#define DG_WHATIF_DATA_H

#include "analysis/breakdown.h"

/* Counts of instructions that no variable has got yet.  The model may add
   counts to an instruction after its run (the cycles of a branch): the
   variable gets these after the next run.  */
struct dg_whatif_data {
  struct dg_breakdown_sums *code;
};

/* 0 or DG_ERR_NOMEM.  All zero is none, which can be ended.  */
int dg_whatif_data_init (struct dg_whatif_data *data,
                         const struct dg_log *log);
void dg_whatif_data_fini (struct dg_whatif_data *data);

/* The rows of the instructions of a run's block, for dg_time_core_run: stride
   DG_TIME_COUNTS.  */
uint64_t *dg_whatif_data_rows (struct dg_whatif_data *data,
                               const struct dg_run *run);
/* Moves the counts of each instruction of a run to the variable that its first
   access is to, by the addresses of the log; counts of an instruction without
   accesses go to unknown data.  first: the index of the first counter in
   `sums`.  */
void dg_whatif_data_give (struct dg_whatif_data *data,
                          const struct dg_run *run,
                          struct dg_breakdown_sums *sums, size_t first);
/* Moves the counts that are left, after the last run.  */
void dg_whatif_data_end (struct dg_whatif_data *data,
                         struct dg_breakdown_sums *sums, size_t first);

#endif /* DG_WHATIF_DATA_H */
