/* calibrate_clock.h: how many cycles of the core a loop takes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_CLOCK_H
#define DG_CALIBRATE_CLOCK_H

#include <stdbool.h>

#include "calibrate_estimate.h"

/* Runs of a loop, at most.  */
#define DG_CALIBRATE_RUNS 64

struct dg_calibrate_clock {
  /* Nanoseconds of processor time of this thread.  */
  double (*now) (void *user);
  /* Additions that follow one another, each of which takes a cycle.  */
  void (*add) (void *user, unsigned additions);
  void *user;
  unsigned runs;           /* of each loop, up to DG_CALIBRATE_RUNS */
  double cost;             /* ns of reading the clock */
  int64_t hurry_us;        /* monotonic time from which on each loop has a
                              quarter of the runs, once; 0: never */
};

/* A loop that is measured.  */
struct dg_calibrate_loop {
  void (*prepare) (void *user);   /* before each run, not counted; or NULL */
  void (*run) (void *user);
  void *user;
  double operations;       /* of a run */
};

/* The clock of this thread.  */
void dg_calibrate_clock_init (struct dg_calibrate_clock *clock, unsigned runs);
/* What reading the clock costs, of a clock whose functions are set.  */
void dg_calibrate_clock_start (struct dg_calibrate_clock *clock);

/* Cycles of an operation.  Of several attempts, that with the least spread is
   taken, if the first is not good enough.  The length of a cycle is measured
   between the runs, so that a frequency that changes does not matter; no time
   is counted in which the thread does not run.  */
struct dg_calibrate_sample
dg_calibrate_measure (struct dg_calibrate_clock *clock,
                      const struct dg_calibrate_loop *loop);

/* Nanoseconds of a cycle.  */
struct dg_calibrate_sample
dg_calibrate_cycle (struct dg_calibrate_clock *clock);

#endif /* DG_CALIBRATE_CLOCK_H */
