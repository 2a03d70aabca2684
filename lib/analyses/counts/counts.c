/* counts.c: "dg counts": instructions, reads, writes and their bytes, of all
   and by what they are about.

   By code and by thread, runs that are alike are counted and added up at the
   end, without looking at addresses.  By variable and site, each access is
   looked up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "counts.h"

#include <string.h>

#include <dg_record.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "feed/run_counts.h"
#include "variables/variables.h"

static const struct dg_option options[] = {
  { "by", DG_OPTION_CHOICE, "WHAT", NULL, DG_BY_CHOICES,
    "one row per thread, function ... or allocation site" },
  DG_MINE_OPTIONS,
  { NULL }
};

/* An instruction counts once for each variable that it touches.  */
struct touched {
  uint64_t *rows[16];
  unsigned n;
};

/* An instruction that repeats itself, and the rows of the variables that its
   latest repetition touched.  */
struct repeated {
  uint64_t instruction;
  uint32_t thread;
  struct touched touched;  /* n 0: the thread executes no such instruction */
};

/* So many threads can be within such an instruction at the same time.  */
#define REPEATED 8

struct worker {
  struct counts *counts;
  struct dg_run_counts *runs;          /* NULL: by variable or site */
  struct dg_breakdown_sums *sums;                /* NULL: by nothing */
  uint32_t thread;                     /* of `runs`, by thread */
  uint32_t shard;                      /* the latest */
  bool is_following;                   /* its finder is told of all runs */
  struct repeated repeated[REPEATED];  /* of threads in turn */
  uint64_t totals[COUNTS_N];
  uint64_t told[COUNTS_N];             /* of them, in snapshots */
};

static void
counts_free (void *data)
{
  struct counts *counts = data;

  dg_breakdown_free (counts->groups);
  g_free (counts);
}

static void *
counts_create (struct dg_setup *setup, struct dg_error *err)
{
  struct counts *counts = g_new0 (struct counts, 1);
  const struct dg_summary *summary;

  counts->log = dg_setup_log (setup);
  counts->by_name = dg_setup_text (setup, "by");
  counts->by = dg_by_parse (counts->by_name);
  if (dg_breakdown_check_mine (setup, counts->by, err) < 0) {
    g_free (counts);
    return NULL;
  }
  if (counts->by != DG_BY_NOTHING) {
    counts->groups = dg_breakdown_open (setup, counts->by, COUNTS_N, err);
    if (counts->groups == NULL) {
      g_free (counts);
      return NULL;
    }
  }
  summary = dg_log_summary (counts->log);
  counts->is_whole =
    !dg_setup_is_filtered (setup) && !dg_setup_has_intervals (setup)
    && !dg_setup_is_sampled (setup);
  if (!dg_setup_is_filtered (setup)) {
    counts->kernel_reads = summary->kernel_reads;
    counts->kernel_writes = summary->kernel_writes;
  }
  return counts;
}

static int
counts_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  const struct counts *counts = self;

  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  plan->needs_addresses = dg_by_is_data (counts->by);
  plan->needs_contexts =
    dg_by_is_data (counts->by)
    || (counts->groups != NULL && dg_breakdown_units (counts->groups) != NULL);
  plan->takes_alike = !dg_by_is_data (counts->by);
  return 0;
}

static void
worker_free (void *self, void *data)
{
  struct worker *worker = data;

  dg_run_counts_free (worker->runs);
  dg_breakdown_sums_free (worker->sums);
  g_free (worker);
}

static void *
worker_new (void *self, struct dg_error *err)
{
  struct counts *counts = self;
  bool by_context =
    counts->groups != NULL && dg_breakdown_units (counts->groups) != NULL;
  struct worker *worker = g_new0 (struct worker, 1);

  worker->counts = counts;
  if (counts->groups != NULL)
    worker->sums = dg_breakdown_sums_new (counts->groups, err);
  if (!dg_by_is_data (counts->by))
    worker->runs = dg_run_counts_new (counts->log, by_context, err);
  if ((counts->groups == NULL || worker->sums != NULL)
      && (dg_by_is_data (counts->by) || worker->runs != NULL))
    return worker;
  worker_free (self, worker);
  return NULL;
}

/* ---- Runs that are alike ---- */

static void
add_slot (uint64_t *sums, const struct dg_slot *slot, uint64_t times)
{
  bool is_write = slot->kind == DG_ACC_WRITE;

  sums[is_write ? COUNTS_WRITES : COUNTS_READS] += times;
  sums[is_write ? COUNTS_WRITE_BYTES : COUNTS_READ_BYTES]
    += times * slot->size;
}

static void
take_runs (void *user, const struct dg_run_sum *sum)
{
  struct worker *worker = user;
  const struct dg_bbdef *block
    = dg_log_bbdef (worker->counts->log, sum->bbdef);
  const unsigned end = sum->end - dg_run_sum_is_repetition (block, sum);
  uint64_t totals[COUNTS_N] = { 0 };

  totals[COUNTS_INSTRUCTIONS] = sum->times * (end - sum->first);
  for (unsigned i = sum->first_slot; i < sum->end_slot; i++)
    add_slot (totals, &block->slots[i], sum->times);
  for (unsigned i = 0; i < COUNTS_N; i++)
    worker->totals[i] += totals[i];
  if (worker->counts->by == DG_BY_THREAD) {
    uint64_t *row = dg_sums_number (worker->sums, worker->thread);
    for (unsigned i = 0; i < COUNTS_N; i++)
      row[i] += totals[i];
  } else if (worker->sums != NULL) {
    uint64_t *rows = dg_sums_code (worker->sums, sum->bbdef, sum->context,
                                   sum->icount);
    for (unsigned i = sum->first; i < end; i++)
      rows[i * COUNTS_N + COUNTS_INSTRUCTIONS] += sum->times;
    for (unsigned i = sum->first_slot; i < sum->end_slot; i++)
      add_slot (&rows[block->slots[i].iseq * COUNTS_N], &block->slots[i],
                sum->times);
  }
}

/* The opposite: sums wrap, and come out right when all is added.  */
static void
take_unmade (void *user, uint32_t bbdef, uint32_t context, unsigned slot,
             uint64_t times)
{
  struct worker *worker = user;
  const struct dg_slot *unmade
    = &dg_log_bbdef (worker->counts->log, bbdef)->slots[slot];

  add_slot (worker->totals, unmade, -times);
  if (worker->counts->by == DG_BY_THREAD)
    add_slot (dg_sums_number (worker->sums, worker->thread), unmade, -times);
  else if (worker->sums != NULL)
    add_slot (dg_sums_code (worker->sums, bbdef, context, UINT64_MAX)
                + unmade->iseq * COUNTS_N,
              unmade, -times);
}

static int
flush (struct worker *worker, struct dg_error *err)
{
  const struct dg_run_visitor visitor = { take_runs, take_unmade, worker };

  return worker->runs != NULL
         ? dg_run_counts_take (worker->runs, &visitor, err) : 0;
}

/* ---- Each access ---- */

static bool
is_first_touch (struct touched *touched, uint64_t *row)
{
  for (unsigned i = 0; i < touched->n; i++)
    if (touched->rows[i] == row)
      return false;
  if (touched->n < G_N_ELEMENTS (touched->rows))
    touched->rows[touched->n++] = row;
  return true;
}

/* The run that ends an instruction which repeats itself makes no access: it
   counts for what the repetition before touched.  touched: by the last
   instruction of the run.  */
static void
feed_repeated (struct repeated *repeated, const struct dg_run *run,
               bool is_repetition, const struct touched *touched)
{
  uint64_t instruction = run->bbdef->instrs[run->n_instrs - 1].address;

  if (is_repetition) {
    *repeated = (struct repeated) { instruction, run->thread, *touched };
    return;
  }
  if (run->n_instrs < run->bbdef->n_instrs
      || repeated->instruction != instruction
      || repeated->thread != run->thread)
    return;
  for (unsigned i = 0; i < repeated->touched.n; i++)
    repeated->touched.rows[i][COUNTS_INSTRUCTIONS]++;
  repeated->touched.n = 0;
}

static void
feed_accesses (struct worker *worker, const struct dg_run *run)
{
  const bool is_repetition
    = dg_is_repetition (run->bbdef, run->n_instrs, run->n_slots);
  const unsigned end = run->n_instrs - is_repetition;
  struct dg_access access = { .context = run->context,
                              .thread = run->thread };
  struct touched touched;
  unsigned iseq = UINT_MAX;

  touched.n = 0;
  worker->totals[COUNTS_INSTRUCTIONS] += dg_run_instructions (run);
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];

    access.address = run->addresses[slot->entry];
    if (access.address == 0 || slot->iseq < run->first_instr)
      continue;
    access.icount = run->icount + slot->iseq;
    access.instruction = run->bbdef->instrs[slot->iseq].address;
    access.size = slot->size;
    access.kind = slot->kind;
    uint64_t *row = dg_breakdown_sums_access (worker->sums, &access);
    if (slot->iseq != iseq)
      touched.n = 0;
    iseq = slot->iseq;
    row[COUNTS_INSTRUCTIONS]
      += is_first_touch (&touched, row) && slot->iseq < end;
    add_slot (row, slot, 1);
    add_slot (worker->totals, slot, 1);
  }
  if (run->bbdef->repeats == DG_REPEATS_TO_ZERO)
    feed_repeated (&worker->repeated[run->thread % REPEATED], run,
                   is_repetition, &touched);
}

/* ---- Shards ---- */

/* Earlier chunks than before: what was met is no longer the earliest.  */
static void *
shard_new (void *self, const struct dg_feed *feed, void *data,
           struct dg_error *err)
{
  struct worker *worker = data;

  if (feed->index < worker->shard && flush (worker, err) < 0)
    return NULL;
  worker->shard = feed->index;
  for (unsigned i = 0; i < REPEATED; i++)
    worker->repeated[i].touched.n = 0;
  worker->is_following =
    worker->counts->is_whole && worker->counts->by == DG_BY_VARIABLE;
  if (worker->is_following)
    dg_finder_begin_chunk (worker->sums->finder, feed->index);
  return worker;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct worker *worker = shard;

  if (worker->runs == NULL) {
    for (size_t i = 0; i < batch->n_runs; i++) {
      if (worker->is_following)
        dg_finder_begin_run (worker->sums->finder, &batch->runs[i]);
      feed_accesses (worker, &batch->runs[i]);
      if (worker->is_following)
        dg_finder_end_run (worker->sums->finder);
    }
    return 0;
  }
  if (worker->counts->by == DG_BY_THREAD && batch->n_runs > 0
      && batch->runs[0].thread != worker->thread) {
    if (flush (worker, err) < 0)
      return DG_ERR_NOMEM;
    worker->thread = batch->runs[0].thread;
  }
  dg_run_counts_add_batch (worker->runs, batch);
  return 0;
}

static int
worker_merge (void *self, void *data, struct dg_error *err)
{
  struct counts *counts = self;
  struct worker *worker = data;
  int result = flush (worker, err);

  for (unsigned i = 0; i < COUNTS_N; i++)
    counts->totals[i] += worker->totals[i];
  if (result == 0 && worker->sums != NULL)
    result = dg_breakdown_take (counts->groups, worker->sums, err);
  return result;
}

/* ---- Intervals ---- */

static struct dg_snapshot *
snapshot (void *self, void *shard, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct worker *worker = shard;
  struct counts_snapshot *snapshot;

  if (flush (worker, err) < 0)
    return NULL;
  snapshot = g_new0 (struct counts_snapshot, 1);
  for (unsigned i = 0; i < COUNTS_N; i++)
    snapshot->sums[i] = worker->totals[i] - worker->told[i];
  memcpy (worker->told, worker->totals, sizeof worker->told);
  return &snapshot->base;
}

static struct dg_snapshot *
combine (void *self, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  struct counts_snapshot *snapshot = g_new0 (struct counts_snapshot, 1);

  for (size_t k = 0; k < n; k++) {
    const struct counts_snapshot *part
      = (const struct counts_snapshot *) (const void *) parts[k];
    for (unsigned i = 0; i < COUNTS_N; i++)
      snapshot->sums[i] += part->sums[i];
  }
  return &snapshot->base;
}

static void
release (void *self, struct dg_snapshot *snapshot)
{
  g_free (snapshot);
}

const struct dg_analysis dg_analysis_counts = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "counts",
  .summary = "Counts instructions, reads, writes and their bytes",
  .details =
    "With --by=variable or site, instructions are those that accessed it.\n"
    "Accesses by the kernel in system calls are counted separately, in no "
    "row.",
  .options = options,
  .needs_blocks = dg_breakdown_needs_blocks,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = counts_create,
  .plan = counts_plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .worker_merge = worker_merge,
  .worker_free = worker_free,
  .snapshot = snapshot,
  .combine = combine,
  .print = counts_print,
  .release = release,
  .report = counts_report,
  .free = counts_free,
};
