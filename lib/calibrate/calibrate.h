/* calibrate.h: a machine that is being measured.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_H
#define DG_CALIBRATE_H

#include <glib.h>

#include "base/progress.h"
#include "calibrate_clock.h"
#include "calibrate_system.h"
#include "libdatagrind.h"
#include "time/time_machine.h"

struct dg_calibration {
  struct dg_calibrated_figure *figures;
  size_t n;
  const struct dg_time_machine *nearest;
  char *processor;
  GString *text;

  /* While it is measured.  */
  struct dg_calibrate_clock clock;
  struct dg_calibrate_system system;
  struct dg_progress progress;
  bool is_quick;
  unsigned measured, unsteady;
  int64_t start_us;        /* monotonic; and the thread's time then, in ns */
  double start_ns, share;  /* share: of the result */
};

/* Runs of core loops, and those of memory, may spread so much.  */
#define DG_CALIBRATE_STEADY        0.1
#define DG_CALIBRATE_STEADY_MEMORY 0.3
/* A thread that ran less than this had the last cache with others: how much of
   it is left to it cannot be said.  */
#define DG_CALIBRATE_RAN           0.5

/* A figure that was measured; one that spreads more than `most` is not kept,
   nor is one outside of its bounds.  */
void dg_calibration_measured (struct dg_calibration *calibration,
                              const char *name, double value, double spread,
                              double most);
/* One that the system knows; 0: it does not.  */
void dg_calibration_known (struct dg_calibration *calibration,
                           const char *name, uint64_t value);
/* The value that a figure has now.  */
uint64_t dg_calibration_value (const struct dg_calibration *calibration,
                               const char *name);
/* The part of the time since the start in which this thread ran.  */
double dg_calibration_ran (const struct dg_calibration *calibration);
/* So many thousandths are done: 0, or DG_ERR_CANCELLED.  */
int dg_calibration_tell (struct dg_calibration *calibration, unsigned done,
                         struct dg_error *err);

/* Figures of the core; of caches and memory, whose figures of the core are
   known.  */
int dg_calibration_cores (struct dg_calibration *calibration,
                          struct dg_error *err);
int dg_calibration_levels (struct dg_calibration *calibration,
                           struct dg_error *err);

#endif /* DG_CALIBRATE_H */
