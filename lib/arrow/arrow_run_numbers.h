/* arrow_run_numbers.h: the number of the run of each access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_RUN_NUMBERS_H
#define DG_ARROW_RUN_NUMBERS_H

#include "libdatagrind.h"

/* Reads the runs of the chunks once more.  The log must outlive it.  */
struct dg_arrow_run_numbers;
struct dg_arrow_run_numbers *
dg_arrow_run_numbers_new (const struct dg_log *log, struct dg_error *err);
void dg_arrow_run_numbers_free (struct dg_arrow_run_numbers *numbers);

/* The numbers, from 0 in the order of the log, of the runs with accesses at
   these moments, which ascend from call to call within a chunk.  */
int dg_arrow_run_numbers_fill (struct dg_arrow_run_numbers *numbers,
                               size_t chunk, const uint64_t *icount, size_t n,
                               uint64_t *out, struct dg_error *err);

#endif /* DG_ARROW_RUN_NUMBERS_H */
