/* time_sample.c: which stretches of a log the time model executes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_sample.h"

#include <glib.h>
#include <math.h>
#include <string.h>

void
dg_time_sample_init (struct dg_time_sample *sample, uint64_t one_in,
                     uint64_t length)
{
  memset (sample, 0, sizeof *sample);
  sample->one_in = MAX (one_in, 1);
  sample->length = length;
}

void
dg_time_sample_end (struct dg_time_sample *sample)
{
  if (sample->instructions > 0) {
    double mean
      = (double) sample->cycles / (double) sample->instructions;

    sample->n++;
    sample->sum += mean;
    sample->squares += mean * mean;
  }
  sample->instructions = sample->cycles = 0;
}

enum dg_time_take
dg_time_sample_take (struct dg_time_sample *sample, const struct dg_run *run)
{
  uint64_t stretch;

  if (sample->one_in == 1)
    return DG_TIME_COUNT;
  sample->fed += run->n_instrs - run->first_instr;
  stretch = run->icount / sample->length;
  if (stretch != sample->stretch)
    dg_time_sample_end (sample);
  sample->stretch = stretch;
  if (stretch % sample->one_in != 0)
    return DG_TIME_SKIP;
  return stretch == 0 || run->icount % sample->length >= sample->length / 4
           ? DG_TIME_COUNT : DG_TIME_WARM;
}

void
dg_time_sample_add (struct dg_time_sample *sample, const struct dg_run *run,
                    uint64_t cycles)
{
  sample->counted += run->n_instrs - run->first_instr;
  sample->instructions += run->n_instrs - run->first_instr;
  sample->cycles += cycles;
}

double
dg_time_sample_scale (const struct dg_time_sample *sample)
{
  if (sample->one_in == 1 || sample->counted == 0)
    return 1;
  return (double) sample->fed / (double) sample->counted;
}

double
dg_time_sample_error (const struct dg_time_sample *sample)
{
  double n = (double) sample->n, mean, variance;

  if (sample->n < 2 || sample->sum <= 0)
    return -1;
  mean = sample->sum / n;
  variance = MAX (sample->squares / n - mean * mean, 0);
  return MIN (sqrt (variance / (n - 1)) / mean, 1);
}

void
dg_time_sample_report (uint64_t one_in, double error,
                       struct dg_report *report)
{
  dg_report_count (report, "sample",
                   one_in > 1 ? "Executed: one stretch in" : NULL, one_in);
  if (one_in > 1 && error >= 0)
    dg_report_value (report, "error_share", "Standard error of cycles",
                     DG_UNIT_PERCENT, DG_CELL_REAL (error));
}
