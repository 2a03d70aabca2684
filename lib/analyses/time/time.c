/* time.c: `dg time`: how long a processor would take, and what for.

   The model is in lib/time.  Runs are executed in the order of the log, each
   thread on a core of its own; the last-level cache is common to all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_core.h"

#include <inttypes.h>
#include <math.h>
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
  { "sample", DG_OPTION_NUMBER, "N", "1", NULL,
    "execute one stretch in N, and estimate the error" },
  { NULL }
};

/* Instructions of stretches that are executed, or not; the first ones of those
   that are fill the caches and are not counted.  */
#define STRETCH ((uint64_t) 1 << 20)
#define WARM    (STRETCH / 4)
/* Instructions of a block, at most.  */
#define BLOCK   256

/* What is executed of a sample.  */
struct sample {
  uint64_t one_in;         /* 1: everything */
  uint64_t stretch;        /* the present one, from 0 */
  uint64_t instructions, cycles;         /* of it, counted */
  /* Of those before: cycles an instruction.  */
  uint64_t n;
  double sum, squares;
  uint64_t spare[BLOCK * DG_TIME_COUNTS]; /* counts that do not count */
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
  struct sample sample;
  double scale;                          /* of all counts */
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
  self->sample.one_in = MAX (dg_setup_number (setup, "sample"), 1);
  self->scale = 1;
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

/* A stretch ends: what an instruction takes in it.  */
static void
end_stretch (struct sample *sample)
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

/* Whether a run is executed, and counted.  */
static bool
is_executed (struct sample *sample, uint64_t icount, bool *is_counted)
{
  uint64_t stretch = icount / STRETCH;

  *is_counted = true;
  if (sample->one_in == 1)
    return true;
  if (stretch != sample->stretch)
    end_stretch (sample);
  sample->stretch = stretch;
  *is_counted = icount % STRETCH >= WARM || stretch == 0;
  return stretch % sample->one_in == 0;
}

static int
feed_run (struct time *self, struct lane *lane, const struct dg_run *run,
          struct dg_error *err)
{
  struct sample *sample = &self->sample;
  const struct dg_time_block *block;
  uint64_t before = dg_time_core_cycles (lane->core), *rows;
  size_t stride = self->by == DG_BY_THREAD ? 0 : DG_TIME_COUNTS;
  bool is_counted;

  if (!is_executed (sample, run->icount, &is_counted))
    return 0;
  block = dg_time_code_block (self->code, run->bbdef, run->icount);
  if (block == NULL)
    return dg_error_nomem (err);
  g_assert (block->n <= BLOCK);
  rows = !is_counted ? sample->spare
         : stride == 0
           ? dg_sums_number (self->sums, run->thread)
           : dg_sums_code (self->sums, run->bbdef->number, run->context,
                           run->icount);
  dg_time_core_run (lane->core, block, run, rows, stride);
  if (is_counted) {
    sample->instructions += run->n_instrs - run->first_instr;
    sample->cycles += dg_time_core_cycles (lane->core) - before;
  }
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
scaled (const struct time *self, uint64_t count)
{
  return self->scale == 1 ? count
                          : (uint64_t) ((double) count * self->scale + 0.5);
}

static uint64_t
cycles_of (const uint64_t *counts, const void *user)
{
  const struct time *self = user;

  return scaled (self, counts[DG_TIME_CYCLES]
                         + counts[DG_TIME_PAGES] * self->machine.page);
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
  *cells++ = DG_CELL_NUMBER (cycles);
  for (size_t i = 1; i < G_N_ELEMENTS (numbers); i++)
    *cells++ = DG_CELL_NUMBER (scaled (self, numbers[i]));
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

/* Counts of a sample stand for all instructions that the log has.  */
static void
tell_sample (struct time *self, const uint64_t *counted,
             struct dg_report *report)
{
  struct sample *sample = &self->sample;
  const struct dg_summary *summary
    = dg_log_summary (dg_setup_log (self->setup));
  double mean, error;

  dg_report_count (report, "sample",
                   sample->one_in > 1 ? "Of one stretch in" : NULL,
                   sample->one_in);
  self->scale = 1;
  if (sample->one_in == 1 || counted[DG_TIME_INSTRUCTIONS] == 0)
    return;
  end_stretch (sample);
  self->scale = MAX ((double) summary->instructions
                       / (double) counted[DG_TIME_INSTRUCTIONS], 1);
  if (sample->n < 2)
    return;
  mean = sample->sum / (double) sample->n;
  error = sqrt (MAX (sample->squares / (double) sample->n - mean * mean, 0)
                / (double) (sample->n - 1));
  if (mean > 0)
    dg_report_value (report, "error_share", "Standard error of cycles",
                     DG_UNIT_PERCENT, DG_CELL_REAL (MIN (error / mean, 1)));
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
  tell_sample (self, totals, report);
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
