/* time_meter.h: what the runs of a log take, all of them or those of a sample
   of stretches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_METER_H
#define DG_TIME_METER_H

#include "time_model.h"
#include "time_sample.h"
#include "time_skip.h"

/* Used by one thread at a time.  */
struct dg_time_meter;

/* The processor is chosen by `machine` (dg_time_machine_choose).  one_in: 1:
   all runs are executed; N: one stretch of 2^20 instructions in N.  log and
   symbols must outlive the meter.  NULL and *err: DG_ERR_INVALID, no
   memory.  */
struct dg_time_meter *dg_time_meter_new (const struct dg_log *log,
                                         struct dg_symbols *symbols,
                                         const char *machine, uint64_t one_in,
                                         struct dg_error *err);
void dg_time_meter_free (struct dg_time_meter *meter);

const struct dg_time_machine *
dg_time_meter_machine (const struct dg_time_meter *meter);
bool dg_time_meter_knows_code (const struct dg_time_meter *meter);

/* What the meter needs of the log: to be called by the plan of its
   analysis.  0 or an error.  */
int dg_time_meter_plan (struct dg_time_meter *meter,
                        const struct dg_setup *setup, struct dg_plan *plan,
                        struct dg_error *err);

/* Whether the sample has a run: enum dg_time_take, or an error.  Runs are
   asked for in the order of the log, each once, and those that are not skipped
   are then executed.  */
int dg_time_meter_take (struct dg_time_meter *meter, const struct dg_run *run,
                        struct dg_error *err);
/* Executes a run: as dg_time_core_run.  rows NULL: they are not wanted.  0 or
   DG_ERR_NOMEM.  */
int dg_time_meter_run (struct dg_time_meter *meter, const struct dg_run *run,
                       enum dg_time_take take, uint64_t *rows, size_t stride,
                       struct dg_error *err);
/* The same, as dg_time_core_run_each.  */
int dg_time_meter_run_each (struct dg_time_meter *meter,
                            const struct dg_run *run, enum dg_time_take take,
                            uint64_t *const *rows, struct dg_error *err);

/* After the last run.  Adds `sample` and `error_share` to a report.  0 or an
   error.  */
int dg_time_meter_end (struct dg_time_meter *meter, struct dg_report *report,
                       struct dg_error *err);
/* A count of the sample as one of all runs; after dg_time_meter_end.  */
uint64_t dg_time_meter_scaled (const struct dg_time_meter *meter,
                               uint64_t count);
/* The cycles of a thread, without those for pages; after
   dg_time_meter_end.  */
uint64_t dg_time_meter_thread (const struct dg_time_meter *meter,
                               uint32_t thread);
/* The notes of a report: about the processor that was chosen, machine code
   that is not understood, and what is left out.  has_ranges: instructions
   without an access to some memory were left out.  */
void dg_time_meter_note (const struct dg_time_meter *meter, bool has_ranges,
                         struct dg_report *report);

#endif /* DG_TIME_METER_H */
