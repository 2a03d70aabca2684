/* dg_time.h: what the code of a log takes on each call path, by the model of a
   processor that `dg time` has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   The rules of libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_TIME_H
#define LIBDATAGRIND_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dg_filter.h"
#include "dg_log.h"
#include "dg_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of dg_time_find.  Zero is the default of each.  */
struct dg_time_options {
  size_t size;             /* sizeof (struct dg_time_options) */
  const char *machine;     /* as dg time --machine; NULL: the usual one */
  uint64_t sample;         /* N: execute one stretch of 2^20 instructions
                              in N; 0, 1: all of them */
  /* As struct dg_analyse_options.  */
  const struct dg_filter *filter;
  uint64_t start_icount, end_icount;
  struct dg_symbols *symbols;
};

/* What the runs of a context take.  */
struct dg_time_sum {
  uint32_t context;        /* of dg_log_context */
  uint64_t icount;         /* of its first run that was counted */
  uint64_t cycles;         /* with those for new pages */
  uint64_t memory_cycles;  /* of them, waits for caches and memory */
  uint64_t l1_misses, l2_misses, l3_misses;
};

/* *all receives *n of them, by context, those that are not all 0; free it with
   free.  *knows_code, if it is not NULL: whether the model understands the
   machine code of the log.  Takes some 40 ns for each instruction; progress
   may be NULL.  0, DG_ERR_CANCELLED, DG_ERR_INVALID (the machine) and so
   on.  */
DG_API int dg_time_find (const struct dg_log *log,
                         const struct dg_time_options *options,
                         dg_progress_fn progress, void *user,
                         struct dg_time_sum **all, size_t *n,
                         bool *knows_code, struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_TIME_H */
