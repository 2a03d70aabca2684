/* time.c: `dg time`: how long a processor would take, and what for.

   The model is in lib/time.  Runs are executed in the order of the log, each
   thread on a core of its own; the last-level cache is common to all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_core.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/breakdown.h"
#include "base/error.h"

static const struct dg_option options[] = {
  { "machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
    "the processor (default: zen5, neoverse-v2 for arm64)" },
  { "by", DG_OPTION_CHOICE, "WHAT", "function",
    "thread,function,line,module,instruction",
    "one row per function, line ... or thread" },
  DG_MINE_OPTIONS,
  { NULL }
};

/* A thread's.  */
struct lane {
  struct dg_time_core *core;
  uint64_t totals[DG_TIME_COUNTS];       /* of all instructions, by thread */
};

struct time {
  struct dg_setup *setup;
  struct dg_time_machine machine;
  struct dg_time_code *code;
  struct dg_time_shared shared;
  GHashTable *lanes;                     /* by thread */
  struct dg_breakdown *groups;
  struct dg_breakdown_sums *sums;
  enum dg_by by;
};

static void
lane_free (void *data)
{
  struct lane *lane = data;

  dg_time_core_free (lane->core);
  g_free (lane);
}

static void
time_free (void *data)
{
  struct time *self = data;

  g_hash_table_unref (self->lanes);
  dg_time_code_free (self->code);
  dg_time_shared_fini (&self->shared);
  dg_breakdown_sums_free (self->sums);
  dg_breakdown_free (self->groups);
  g_free (self);
}

/* ---- Options ---- */

static int
choose_machine (struct time *self, struct dg_error *err)
{
  const char *arch = dg_insn_arch_name (dg_setup_log (self->setup));
  int code = dg_time_machine_parse (dg_setup_text (self->setup, "machine"),
                                    arch, &self->machine, err);

  if (code == 0 && dg_setup_has (self->setup, "machine")
      && strcmp (arch, "x86") != 0 && strcmp (self->machine.arch, arch) != 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--machine=%s executes %s, but the program is of %s",
                         self->machine.name, self->machine.arch, arch);
  return code;
}

static int
start (struct time *self, struct dg_error *err)
{
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  if (dg_time_shared_init (&self->shared, &self->machine) < 0)
    return dg_error_nomem (err);
  self->code = dg_time_code_new (dg_setup_log (self->setup), symbols,
                                 &self->machine, err);
  if (self->code == NULL)
    return DG_ERR_NOMEM;
  self->groups
    = dg_breakdown_open (self->setup, self->by, DG_TIME_COUNTS, err);
  if (self->groups == NULL)
    return DG_ERR_NOMEM;
  self->sums = dg_breakdown_sums_new (self->groups, err);
  return self->sums == NULL ? DG_ERR_NOMEM : 0;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct time *self = g_new0 (struct time, 1);

  self->setup = setup;
  self->lanes = g_hash_table_new_full (NULL, NULL, NULL, lane_free);
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  if (dg_breakdown_check_mine (setup, self->by, err) == 0
      && choose_machine (self, err) == 0 && start (self, err) == 0)
    return self;
  time_free (self);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  return 0;
}

/* ---- Runs ---- */

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  (void) feed;
  (void) worker;
  (void) err;
  return self;
}

static void
shard_free (void *self, void *shard)
{
  (void) self;
  (void) shard;
}

static struct lane *
lane_of (struct time *self, uint32_t thread)
{
  struct lane *lane
    = g_hash_table_lookup (self->lanes, GUINT_TO_POINTER (thread));

  if (lane != NULL)
    return lane;
  lane = g_try_new0 (struct lane, 1);
  if (lane == NULL)
    return NULL;
  lane->core = dg_time_core_new (&self->shared);
  if (lane->core == NULL) {
    lane_free (lane);
    return NULL;
  }
  g_hash_table_insert (self->lanes, GUINT_TO_POINTER (thread), lane);
  return lane;
}

static int
feed_run (struct time *self, struct lane *lane, const struct dg_run *run,
          struct dg_error *err)
{
  const struct dg_time_block *block
    = dg_time_code_block (self->code, run->bbdef, run->icount);

  if (block == NULL)
    return dg_error_nomem (err);
  if (self->by == DG_BY_THREAD)
    dg_time_core_run (lane->core, block, run,
                      dg_sums_number (self->sums, run->thread), 0);
  else
    dg_time_core_run (lane->core, block, run,
                      dg_sums_code (self->sums, run->bbdef->number,
                                    run->context, run->icount),
                      DG_TIME_COUNTS);
  return 0;
}

static int
shard_feed (void *data, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct time *self = data;
  struct lane *lane;

  (void) shard;
  (void) feed;
  if (batch->n_runs == 0)
    return 0;
  lane = lane_of (self, batch->runs[0].thread);
  if (lane == NULL)
    return dg_error_nomem (err);
  for (size_t i = 0; i < batch->n_runs; i++) {
    int code = feed_run (self, lane, &batch->runs[i], err);

    if (code < 0)
      return code;
  }
  return 0;
}

/* ---- Report ---- */

static uint64_t
cycles_of (const uint64_t *counts, const void *user)
{
  const struct time *self = user;

  return counts[DG_TIME_CYCLES]
         + counts[DG_TIME_PAGES] * self->machine.page;
}

/* What a row of counts is shown as.  */
struct shown {
  const struct time *self;
  uint64_t total;
};

static const struct dg_column columns[] = {
  { "cycles_share", "Share", DG_UNIT_PERCENT, 0 },
  { "cycles", "Cycles", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "memory_cycles", "Memory", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "branch_cycles", "Branches", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "fetch_cycles", "Fetching", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "forward_cycles", "Forwarding", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "page_cycles", "Pages", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "instructions", "Instructions", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "code_misses", "Code misses", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
  { "l1_misses", "L1 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l2_misses", "L2 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l3_misses", "L3 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "page_walks", "Page walks", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
  { "branches", "Branches executed", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
  { "mispredictions", "Mispredicted", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "forward_fails", "Forwarding failed", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
  { "first_touches", "Pages touched", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
};

static void
fill (const uint64_t *counts, struct dg_cell *cells, const void *user)
{
  const struct shown *shown = user;
  const struct time *self = shown->self;
  uint64_t cycles = cycles_of (counts, self),
           numbers[] = {
             cycles,
             counts[DG_TIME_MEMORY_CYCLES],
             counts[DG_TIME_BRANCH_CYCLES],
             counts[DG_TIME_FETCH_CYCLES],
             counts[DG_TIME_FORWARD_CYCLES],
             counts[DG_TIME_PAGES] * self->machine.page,
             counts[DG_TIME_INSTRUCTIONS],
             counts[DG_TIME_CODE_MISSES],
             counts[DG_TIME_L1_MISSES],
             counts[DG_TIME_L2_MISSES],
             counts[DG_TIME_L3_MISSES],
             counts[DG_TIME_WALKS],
             counts[DG_TIME_BRANCHES],
             counts[DG_TIME_MISPREDICTED],
             counts[DG_TIME_FORWARD_FAILS],
             counts[DG_TIME_PAGES]
           };

  G_STATIC_ASSERT (G_N_ELEMENTS (numbers) + 1 == G_N_ELEMENTS (columns));
  *cells++ = DG_CELL_REAL (
    shown->total > 0 ? (double) cycles / (double) shown->total : 0);
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    *cells++ = DG_CELL_NUMBER (numbers[i]);
}

static uint64_t
weigh (const uint64_t *counts, const void *user)
{
  const struct shown *shown = user;

  return cycles_of (counts, shown->self);
}

static void
tell_totals (const struct time *self, const uint64_t *totals,
             struct dg_report *report)
{
  const struct dg_time_machine *machine = &self->machine;
  uint64_t cycles = cycles_of (totals, self);
  struct dg_cell cells[G_N_ELEMENTS (columns)];
  const struct shown shown = { self, cycles };

  dg_report_value (report, "machine", "Processor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (machine->name));
  dg_report_total (report, "estimated_ns", "Estimated time", DG_UNIT_NS,
                   (uint64_t) ((double) cycles / machine->ghz));
  fill (totals, cells, &shown);
  for (size_t i = 1; i < G_N_ELEMENTS (columns); i++)
    dg_report_total (report, columns[i].key, columns[i].title,
                     DG_UNIT_COUNT, cells[i].number);
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct time *self = data;
  uint64_t totals[DG_TIME_COUNTS] = { 0 };
  struct shown shown = { self, 0 };
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

  if (dg_breakdown_take (self->groups, self->sums, err) < 0)
    return DG_ERR_NOMEM;
  rows = dg_breakdown_rows (self->groups, weigh, &shown, NULL, NULL, &n, err);
  if (rows == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < DG_TIME_COUNTS; k++)
      totals[k] += rows[i].sums[k];
  shown.total = cycles_of (totals, self);
  tell_totals (self, totals, report);
  if (!dg_time_code_is_known (self->code))
    dg_report_note (report,
                    "Machine code of %s is not understood: instructions "
                    "wait for no registers, and no branch is predicted.",
                    dg_insn_arch_name (dg_setup_log (self->setup)));
  return dg_breakdown_report (self->groups, &table, report, err);
}

const struct dg_analysis dg_analysis_time = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "time",
  .summary = "Estimates how long a processor takes, and what for",
  .options = options,
  .create = create,
  .plan = plan,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .shard_free = shard_free,
  .report = report,
  .free = time_free
};
