/* time_meter.c: what the runs of a log take, all of them or those of a sample
   of stretches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_meter.h"

#include <glib.h>

#include "base/error.h"
#include "dg_analysis.h"
#include "time_choice.h"
#include "time_host.h"

/* Instructions of a stretch of a sample.  */
#define STRETCH ((uint64_t) 1 << 20)

struct dg_time_meter {
  const struct dg_log *log;
  struct dg_time_machine machine;
  struct dg_time_model *model;
  struct dg_time_sample sample;
  struct dg_time_skip skip;
  double scale;            /* of all counts */
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
  dg_time_sample_init (&meter->sample, one_in, STRETCH);
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
  dg_time_skip_fini (&meter->skip);
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

int
dg_time_meter_plan (struct dg_time_meter *meter, const struct dg_setup *setup,
                    struct dg_plan *plan, struct dg_error *err)
{
  dg_time_skip_plan (meter->sample.one_in, meter->sample.length,
                     &meter->machine, setup, plan);
  return plan->one_in > 1 ? dg_time_skip_init (&meter->skip, meter->log, err)
                          : 0;
}

int
dg_time_meter_take (struct dg_time_meter *meter, const struct dg_run *run,
                    struct dg_error *err)
{
  int code = dg_time_skip_to (&meter->skip, &meter->sample, meter->model,
                              run->icount, err);
  enum dg_time_take take;

  if (code < 0)
    return code;
  take = dg_time_sample_take (&meter->sample, run);
  if (take == DG_TIME_SKIP)
    dg_time_model_pass (meter->model, run);
  return take;
}

/* each NULL: those of instruction i are rows + i * stride.  */
static int
run_block (struct dg_time_meter *meter, const struct dg_run *run,
           enum dg_time_take take, uint64_t *const *each, uint64_t *rows,
           size_t stride, struct dg_error *err)
{
  struct dg_time_core *core = dg_time_model_core (meter->model, run->thread);
  const struct dg_time_block *block = dg_time_model_block (meter->model, run);
  uint64_t before;

  if (core == NULL || block == NULL)
    return dg_error_nomem (err);
  g_assert (block->n <= DG_TIME_BLOCK);
  before = dg_time_core_cycles (core);
  if (each != NULL)
    dg_time_core_run_each (core, block, run, each);
  else
    dg_time_core_run (core, block, run, rows, stride);
  if (take == DG_TIME_COUNT) {
    uint64_t cycles = dg_time_core_cycles (core) - before;

    dg_time_sample_add (&meter->sample, run, cycles);
    dg_time_model_count (meter->model, run->thread, cycles);
  }
  return 0;
}

int
dg_time_meter_run (struct dg_time_meter *meter, const struct dg_run *run,
                   enum dg_time_take take, uint64_t *rows, size_t stride,
                   struct dg_error *err)
{
  return rows == NULL ? run_block (meter, run, take, NULL,
                                   meter->sample.spare, DG_TIME_COUNTS, err)
                      : run_block (meter, run, take, NULL, rows, stride, err);
}

int
dg_time_meter_run_each (struct dg_time_meter *meter, const struct dg_run *run,
                        enum dg_time_take take, uint64_t *const *rows,
                        struct dg_error *err)
{
  return run_block (meter, run, take, rows, NULL, 0, err);
}

/* ---- Report ---- */

int
dg_time_meter_end (struct dg_time_meter *meter, struct dg_report *report,
                   struct dg_error *err)
{
  struct dg_time_sample *sample = &meter->sample;
  int code =
    dg_time_skip_to (&meter->skip, sample, meter->model, DG_NEVER, err);

  if (code < 0)
    return code;
  dg_time_sample_end (sample);
  meter->scale = dg_time_sample_scale (sample);
  dg_time_sample_report (sample->one_in, dg_time_sample_error (sample),
                         report);
  return 0;
}

uint64_t
dg_time_meter_scaled (const struct dg_time_meter *meter, uint64_t count)
{
  return dg_time_scaled (count, meter->scale);
}

uint64_t
dg_time_meter_thread (const struct dg_time_meter *meter, uint32_t thread)
{
  return dg_time_meter_scaled (meter,
                               dg_time_model_counted (meter->model, thread));
}

void
dg_time_meter_note (const struct dg_time_meter *meter, bool has_ranges,
                    struct dg_report *report)
{
  char *note = dg_time_host_note (&meter->machine);

  if (note != NULL)
    dg_report_note (report, "%s", note);
  g_free (note);
  if (has_ranges)
    dg_report_note (report,
                    "Only instructions that access the memory of --ranges "
                    "were executed: the program takes longer, and its "
                    "branches are missing.  --events selects code with all of "
                    "its instructions.");
  if (!dg_time_meter_knows_code (meter))
    dg_report_note (report,
                    "Machine code of %s is not understood: instructions "
                    "wait for no registers, and no branch is predicted.",
                    dg_insn_arch_name (meter->log));
}
