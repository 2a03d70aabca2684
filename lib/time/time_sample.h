/* time_sample.h: which stretches of a log the time model executes, if it shall
   not execute all of it, and how sure the result is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_SAMPLE_H
#define DG_TIME_SAMPLE_H

#include "dg_analysis.h"
#include "time_core.h"

/* Instructions of a block, at most.  */
#define DG_TIME_BLOCK 256

/* One thread.  */
struct dg_time_sample {
  uint64_t one_in;         /* one stretch of so many is executed; 1: the whole
                              log is */
  uint64_t length;         /* of a stretch, in instructions */
  uint64_t stretch;        /* the number of the present stretch, from 0 */
  uint64_t fed, counted;   /* instructions of all runs, and of those that
                              count */
  uint64_t instructions, cycles;         /* counted in this stretch */
  /* Cycles per instruction of the stretches before this one: how many there
     are, their sum and the sum of their squares.  */
  uint64_t n;
  double sum, squares;
  uint64_t spare[DG_TIME_BLOCK * DG_TIME_COUNTS]; /* rows for warming */
};

enum dg_time_take {
  DG_TIME_SKIP = 0,        /* not executed */
  DG_TIME_WARM,            /* executed to fill the caches, not counted: the
                              first quarter of a stretch */
  DG_TIME_COUNT
};

/* one_in: 0 is 1.  */
void dg_time_sample_init (struct dg_time_sample *sample, uint64_t one_in,
                          uint64_t length);

/* What to do with a run.  Call this for all runs, in their order.  */
enum dg_time_take dg_time_sample_take (struct dg_time_sample *sample,
                                       const struct dg_run *run);
/* Adds a run that was counted.  */
void dg_time_sample_add (struct dg_time_sample *sample,
                         const struct dg_run *run, uint64_t cycles);
/* Call this after the last run.  */
void dg_time_sample_end (struct dg_time_sample *sample);

/* The factor from counts of the sample to those of all runs.  */
double dg_time_sample_scale (const struct dg_time_sample *sample);
/* A count of the sample, times that factor.  */
static inline uint64_t
dg_time_scaled (uint64_t count, double scale)
{
  return scale == 1 ? count : (uint64_t) ((double) count * scale + 0.5);
}
/* The standard error of the cycles, as a share of them; below 0: unknown,
   since there are less than two stretches.  */
double dg_time_sample_error (const struct dg_time_sample *sample);

/* Says that one stretch in `one_in` was executed, and how sure its cycles are.
   error: of dg_time_sample_error.  */
void dg_time_sample_report (uint64_t one_in, double error,
                            struct dg_report *report);

#endif /* DG_TIME_SAMPLE_H */
