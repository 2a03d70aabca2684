/* time.c: `dg time`: how long a processor would take, and what for.

   The model is in lib/time.  Runs are executed in the order of the log, each
   thread on a core of its own; the last-level cache is common to all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_figures.h"
#include "time/time_meter.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/breakdown.h"
#include "base/error.h"

static const struct dg_option options[] = {
  { "machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
    "the processor, or 'host' (default: zen5, neoverse-v2 for arm64)" },
  { "by", DG_OPTION_CHOICE, "WHAT", "function",
    "thread,function,line,module,instruction",
    "one row per function, line ... or thread" },
  DG_MINE_OPTIONS,
  { "sample", DG_OPTION_NUMBER, "N", "1", NULL,
    "execute one stretch in N, and estimate the error" },
  { NULL }
};

struct time {
  struct dg_setup *setup;
  struct dg_time_meter *meter;
  struct dg_breakdown *groups;
  struct dg_breakdown_sums *sums;      /* by thread, else: */
  struct dg_breakdown_direct *direct;
  enum dg_by by;
};

static void
time_free (void *data)
{
  struct time *self = data;

  dg_time_meter_free (self->meter);
  dg_breakdown_sums_free (self->sums);
  dg_breakdown_free (self->groups);
  g_free (self);
}

static int
start (struct time *self, struct dg_error *err)
{
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  self->meter = dg_time_meter_new (dg_setup_log (self->setup), symbols,
                                   dg_setup_text (self->setup, "machine"),
                                   dg_setup_number (self->setup, "sample"),
                                   err);
  if (self->meter == NULL)
    return err->code;
  self->groups
    = dg_breakdown_open (self->setup, self->by, DG_TIME_COUNTS, err);
  if (self->groups == NULL)
    return DG_ERR_NOMEM;
  if (self->by == DG_BY_THREAD)
    self->sums = dg_breakdown_sums_new (self->groups, err);
  else
    self->direct = dg_breakdown_direct (self->groups, err);
  return self->sums == NULL && self->direct == NULL ? DG_ERR_NOMEM : 0;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct time *self = g_new0 (struct time, 1);

  self->setup = setup;
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  if (dg_breakdown_check_mine (setup, self->by, err) == 0
      && start (self, err) == 0)
    return self;
  time_free (self);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct time *time = self;

  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  return dg_time_meter_plan (time->meter, time->setup, plan, err);
}

/* ---- Runs ---- */

static int
feed_run (struct time *self, const struct dg_run *run, struct dg_error *err)
{
  int take = dg_time_meter_take (self->meter, run, err);
  uint64_t *const *rows;

  if (take <= DG_TIME_SKIP)
    return take;
  if (take != DG_TIME_COUNT || self->direct == NULL)
    return dg_time_meter_run (
      self->meter, run, take,
      take == DG_TIME_COUNT ? dg_sums_number (self->sums, run->thread) : NULL,
      0, err);
  rows = dg_direct_code (self->groups, self->direct, run->bbdef->number,
                         run->context, run->icount);
  return rows == NULL ? dg_error_nomem (err)
                      : dg_time_meter_run_each (self->meter, run, take, rows,
                                                err);
}

static int
shard_feed (void *data, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct time *self = data;
  int code = 0;

  (void) shard;
  (void) feed;
  for (size_t i = 0; i < batch->n_runs && code == 0; i++)
    code = feed_run (self, &batch->runs[i], err);
  return code;
}

/* ---- Report ---- */

static uint64_t
figure_of (const struct time *self, const uint64_t *counts,
           enum dg_time_figure figure)
{
  return dg_time_meter_scaled (
    self->meter,
    dg_time_figure (counts, dg_time_meter_machine (self->meter), figure));
}

static uint64_t
cycles_of (const struct time *self, const uint64_t *counts)
{
  return figure_of (self, counts, DG_TIME_FIGURE_CYCLES);
}

/* What a row of counts is shown as.  */
struct shown {
  const struct time *self;
  uint64_t total;          /* cycles of all rows */
};

static void
fill (const uint64_t *counts, struct dg_cell *cells, const void *user)
{
  const struct shown *shown = user;
  double cycles = (double) cycles_of (shown->self, counts);

  *cells++ = DG_CELL_REAL (
    shown->total > 0 ? cycles / (double) shown->total : 0);
  for (unsigned i = 0; i < DG_TIME_FIGURES; i++)
    *cells++ = DG_CELL_NUMBER (
      figure_of (shown->self, counts, (enum dg_time_figure) i));
}

static uint64_t
weigh (const uint64_t *counts, const void *user)
{
  const struct shown *shown = user;

  return cycles_of (shown->self, counts);
}

static void
tell_totals (const struct time *self, const uint64_t *totals,
             struct dg_report *report)
{
  const struct dg_time_machine *machine
    = dg_time_meter_machine (self->meter);

  dg_report_value (report, "machine", "Processor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (machine->name));
  dg_report_total (report, "estimated_ns", "Estimated time", DG_UNIT_NS,
                   (uint64_t) ((double) cycles_of (self, totals)
                               / machine->ghz));
  for (unsigned i = 0; i < DG_TIME_FIGURES; i++)
    dg_report_total (report, dg_time_columns[i].key, dg_time_columns[i].title,
                     DG_UNIT_COUNT,
                     figure_of (self, totals, (enum dg_time_figure) i));
}

/* Rows by code do not say which thread takes how long.  */
static void
tell_threads (const struct time *self, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "thread", "Thread", DG_UNIT_NUMBER, 0 },
    { "cycles", "Cycles", DG_UNIT_COUNT, DG_COLUMN_TOTAL }
  };
  struct dg_rows *rows =
    dg_report_table (report, "thread_cycles", NULL, columns,
                     G_N_ELEMENTS (columns));
  size_t n;
  const struct dg_thread *threads =
    dg_log_threads (dg_setup_log (self->setup), &n);

  for (size_t i = 0; i < n; i++) {
    uint64_t cycles = dg_time_meter_thread (self->meter, threads[i].number);
    const struct dg_cell cells[] = { DG_CELL_NUMBER (threads[i].number),
                                     DG_CELL_NUMBER (cycles) };

    if (cycles > 0)
      dg_rows_add (rows, cells);
  }
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct time *self = data;
  uint64_t totals[DG_TIME_COUNTS] = { 0 };
  struct shown shown = { self, 0 };
  struct dg_column columns[1 + DG_TIME_FIGURES] = {
    { "cycles_share", "Share", DG_UNIT_PERCENT, 0 } };
  const struct dg_breakdown_table table = {
    .key = "rows",
    .title = "Where the cycles are",
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .fill = fill,
    .weigh = weigh,
    .user = &shown
  };
  const struct dg_breakdown_group *rows;
  size_t n;

  memcpy (&columns[1], dg_time_columns, sizeof dg_time_columns);
  if (self->sums != NULL
      && dg_breakdown_take (self->groups, self->sums, err) < 0)
    return DG_ERR_NOMEM;
  rows = dg_breakdown_rows (self->groups, weigh, &shown, NULL, NULL, &n, err);
  if (rows == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < DG_TIME_COUNTS; k++)
      totals[k] += rows[i].sums[k];
  if (dg_time_meter_end (self->meter, report, err) < 0)
    return err->code;
  shown.total = cycles_of (self, totals);
  tell_totals (self, totals, report);
  tell_threads (self, report);
  dg_time_meter_note (self->meter, dg_setup_has_ranges (self->setup), report);
  return dg_breakdown_report (self->groups, &table, report, err);
}

const struct dg_analysis dg_analysis_time = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "time",
  .summary = "Estimates how long a processor takes, and what for",
  .options = options,
  .needs_blocks = dg_setup_needs_no_blocks,
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = time_free
};
