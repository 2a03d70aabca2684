/* calibrate_cores.c: figures of the core.

   The formulas say what the time model adds to each figure for the same loop
   (docs/time.md).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate.h"

#include <math.h>

#include "base/error.h"
#include "calibrate_core.h"
#include "calibrate_memory.h"

static bool
measure (struct dg_calibration *calibration, enum dg_calibrate_core which,
         struct dg_calibrate_sample *sample)
{
  return dg_calibrate_core_measure (&calibration->clock, which, sample);
}

/* A figure that is a loop's value less what else is in the loop.  */
static void
measure_less (struct dg_calibration *calibration, const char *name,
              enum dg_calibrate_core which, double less)
{
  struct dg_calibrate_sample sample;

  if (measure (calibration, which, &sample))
    dg_calibration_measured (calibration, name, sample.value - less,
                             sample.spread, DG_CALIBRATE_STEADY);
}

static void
measure_work (struct dg_calibration *calibration)
{
  struct dg_calibrate_sample sample;

  if (measure (calibration, DG_CALIBRATE_WIDTH, &sample))
    dg_calibration_measured (calibration, "width", 1 / sample.value,
                             sample.spread, DG_CALIBRATE_STEADY);
  measure_less (calibration, "multiply-latency", DG_CALIBRATE_MULTIPLY, 0);
  measure_less (calibration, "divide-latency", DG_CALIBRATE_DIVIDE, 1);
  measure_less (calibration, "float-add-latency", DG_CALIBRATE_FLOAT_ADD, 0);
  measure_less (calibration, "float-multiply-latency",
                DG_CALIBRATE_FLOAT_MULTIPLY, 0);
  measure_less (calibration, "float-divide-latency",
                DG_CALIBRATE_FLOAT_DIVIDE, 0);
  measure_less (calibration, "root-latency", DG_CALIBRATE_ROOT,
                (double) dg_calibration_value (calibration,
                                               "float-add-latency"));
}

/* Half of the branches are predicted wrongly.  After one, its successor needs
   three cycles until it is done: the shift, the test, and the jump.  */
static void
measure_branches (struct dg_calibration *calibration)
{
  struct dg_calibrate_sample random, known;

  if (measure (calibration, DG_CALIBRATE_BRANCH_RANDOM, &random)
      && measure (calibration, DG_CALIBRATE_BRANCH_KNOWN, &known))
    dg_calibration_measured (calibration, "mispredicted",
                             2 * random.value - known.value - 3,
                             random.spread, DG_CALIBRATE_STEADY);
}

/* Loops have the addition, and in the model a store's data are there three
   cycles before a load that forwards them begins to count.  Cores foresee
   which of the last stores a load reads, and are quick then; programs have
   both kinds of loads, so the figure is the mean.  */
static void
measure_forwarding (struct dg_calibration *calibration)
{
  struct dg_calibrate_sample apart, either, same;

  if (!measure (calibration, DG_CALIBRATE_FORWARD, &apart)
      || !measure (calibration, DG_CALIBRATE_FORWARD_EITHER, &either)
      || !measure (calibration, DG_CALIBRATE_FORWARD_SAME, &same))
    return;
  dg_calibration_measured (calibration, "renames-memory", same.value < 3,
                           same.spread, DG_CALIBRATE_STEADY);
  dg_calibration_measured (calibration, "forward",
                           MAX ((apart.value + either.value) / 2 - 1, 0) + 3,
                           MAX (apart.spread, either.spread),
                           DG_CALIBRATE_STEADY);
}

/* Copies of several lengths, which are a straight line.  */
static void
measure_repeat (struct dg_calibration *calibration)
{
  static const size_t sizes[] = {512, 1024, 1536, 2048, 3072, 4096};
  struct dg_calibrate_point points[G_N_ELEMENTS (sizes)];
  struct dg_calibrate_sample sample;
  double start, slope, spread = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    if (!dg_calibrate_core_repeat (&calibration->clock, sizes[i], &sample))
      return;
    points[i] = (struct dg_calibrate_point) {(double) sizes[i], sample.value};
    spread = MAX (spread, sample.spread);
  }
  dg_calibrate_line (points, G_N_ELEMENTS (points), &start, &slope);
  dg_calibration_measured (calibration, "repeat-start", start, spread,
                           DG_CALIBRATE_STEADY);
  dg_calibration_measured (calibration, "repeat-bytes", 1 / slope, spread,
                           DG_CALIBRATE_STEADY);
}

int
dg_calibration_cores (struct dg_calibration *calibration, struct dg_error *err)
{
  struct dg_calibrate_sample sample;

  measure_work (calibration);
  /* The loops before have made the core leave its rest.  */
  sample = dg_calibrate_cycle (&calibration->clock);
  dg_calibration_measured (calibration, "mhz", 1e3 / sample.value,
                           sample.spread, DG_CALIBRATE_STEADY);
  if (dg_calibration_tell (calibration, 50, err) < 0)
    return DG_ERR_CANCELLED;
  measure_branches (calibration);
  measure_forwarding (calibration);
  /* Less the addition, and the load that is a part of it.  */
  measure_less (calibration, "forward-fails", DG_CALIBRATE_FORWARD_FAILS, 1);
  if (measure (calibration, DG_CALIBRATE_LOCKED, &sample))
    dg_calibration_measured (
      calibration, "locked",
      MAX (sample.value
             - (double) dg_calibration_value (calibration, "l1-latency"), 0),
      sample.spread, DG_CALIBRATE_STEADY_MEMORY);
  measure_repeat (calibration);
  if (dg_calibrate_touch (&calibration->clock, &sample))
    dg_calibration_measured (calibration, "page", sample.value, sample.spread,
                             DG_CALIBRATE_STEADY_MEMORY);
  return dg_calibration_tell (calibration, 100, err);
}
