/* time_meter.c: what the runs of a log take, all of them or those of a sample
   of stretches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_meter.h"

#include <glib.h>
#include <math.h>

#include "base/error.h"
#include "dg_analysis.h"

/* A sample is one stretch of so many instructions in N.  Its first WARM
   instructions fill the caches and do not count.  */
#define STRETCH ((uint64_t) 1 << 20)
#define WARM    (STRETCH / 4)

struct dg_time_meter {
  const struct dg_log *log;
  struct dg_time_machine machine;
  struct dg_time_model *model;
  uint64_t one_in;         /* N; 1: the whole log is executed */
  uint64_t stretch;        /* the number of the present stretch, from 0 */
  uint64_t instructions, cycles;         /* counted in this stretch */
  /* Cycles per instruction of the stretches before this one: how many there
     are, their sum and the sum of their squares.  */
  uint64_t n;
  double sum, squares;
  double scale;            /* of all counts */
  uint64_t spare[DG_TIME_METER_BLOCK * DG_TIME_COUNTS];
                           /* rows that nobody wants */
};

struct dg_time_meter *
dg_time_meter_new (const struct dg_log *log, struct dg_symbols *symbols,
                   const char *machine, uint64_t one_in, struct dg_error *err)
{
  struct dg_time_meter *meter = g_try_new0 (struct dg_time_meter, 1);

  if (meter == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  meter->log = log;
  meter->one_in = MAX (one_in, 1);
  meter->scale = 1;
  if (dg_time_machine_choose (machine, log, &meter->machine, err) == 0)
    meter->model = dg_time_model_new (log, symbols, &meter->machine, err);
  if (meter->model != NULL)
    return meter;
  dg_time_meter_free (meter);
  return NULL;
}

void
dg_time_meter_free (struct dg_time_meter *meter)
{
  if (meter == NULL)
    return;
  dg_time_model_free (meter->model);
  g_free (meter);
}

const struct dg_time_machine *
dg_time_meter_machine (const struct dg_time_meter *meter)
{
  return &meter->machine;
}

bool
dg_time_meter_knows_code (const struct dg_time_meter *meter)
{
  return dg_time_model_knows_code (meter->model);
}

/* ---- Runs ---- */

/* Adds the stretch that has ended to the sums.  */
static void
end_stretch (struct dg_time_meter *meter)
{
  if (meter->instructions > 0) {
    double mean = (double) meter->cycles / (double) meter->instructions;

    meter->n++;
    meter->sum += mean;
    meter->squares += mean * mean;
  }
  meter->instructions = meter->cycles = 0;
}

enum dg_time_turn
dg_time_meter_turn (struct dg_time_meter *meter, const struct dg_run *run)
{
  uint64_t stretch = run->icount / STRETCH;

  if (meter->one_in == 1)
    return DG_TIME_COUNTED;
  if (stretch != meter->stretch)
    end_stretch (meter);
  meter->stretch = stretch;
  if (stretch % meter->one_in != 0)
    return DG_TIME_SKIPPED;
  return run->icount % STRETCH >= WARM || stretch == 0 ? DG_TIME_COUNTED
                                                       : DG_TIME_WARMING;
}

int
dg_time_meter_run (struct dg_time_meter *meter, const struct dg_run *run,
                   enum dg_time_turn turn, uint64_t *rows, size_t stride,
                   struct dg_error *err)
{
  struct dg_time_core *core = dg_time_model_core (meter->model, run->thread);
  const struct dg_time_block *block = dg_time_model_block (meter->model, run);
  uint64_t before;

  if (core == NULL || block == NULL)
    return dg_error_nomem (err);
  g_assert (block->n <= DG_TIME_METER_BLOCK);
  before = dg_time_core_cycles (core);
  if (rows == NULL)
    dg_time_core_run (core, block, run, meter->spare, DG_TIME_COUNTS);
  else
    dg_time_core_run (core, block, run, rows, stride);
  if (turn == DG_TIME_COUNTED) {
    meter->instructions += run->n_instrs - run->first_instr;
    meter->cycles += dg_time_core_cycles (core) - before;
  }
  return 0;
}

/* ---- Report ---- */

void
dg_time_meter_end (struct dg_time_meter *meter, uint64_t counted,
                   uint64_t all, struct dg_report *report)
{
  double mean, error;

  dg_report_count (report, "sample",
                   meter->one_in > 1 ? "Of one stretch in" : NULL,
                   meter->one_in);
  meter->scale = 1;
  if (meter->one_in == 1 || counted == 0)
    return;
  end_stretch (meter);
  meter->scale = MAX ((double) all / (double) counted, 1);
  if (meter->n < 2)
    return;
  mean = meter->sum / (double) meter->n;
  error = sqrt (MAX (meter->squares / (double) meter->n - mean * mean, 0)
                / (double) (meter->n - 1));
  if (mean > 0)
    dg_report_value (report, "error_share", "Standard error of cycles",
                     DG_UNIT_PERCENT, DG_CELL_REAL (MIN (error / mean, 1)));
}

uint64_t
dg_time_meter_scaled (const struct dg_time_meter *meter, uint64_t count)
{
  return meter->scale == 1
           ? count : (uint64_t) ((double) count * meter->scale + 0.5);
}

void
dg_time_meter_note (const struct dg_time_meter *meter,
                    struct dg_report *report)
{
  if (!dg_time_meter_knows_code (meter))
    dg_report_note (report,
                    "Machine code of %s is not understood: instructions "
                    "wait for no registers, and no branch is predicted.",
                    dg_insn_arch_name (meter->log));
}
