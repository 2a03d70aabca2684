/* cache_run.c: a pass of a memory hierarchy over a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Workers beyond which the sets of data are simulated in two parts, in
   four.  */
#define WORKERS_2 3
#define WORKERS_4 6

uint32_t
dg_cache_cores_parse (const struct dg_log *log, const char *text,
                      struct dg_error *err)
{
  uint64_t n;
  size_t n_threads;

  if (strcmp (text, "threads") == 0) {
    dg_log_threads (log, &n_threads);
    return CLAMP (n_threads, 1, DG_CACHE_PRIVATE_CORES);
  }
  if (!dg_number_parse (text, DG_QUANTITY_COUNT, &n) || n < 1
      || n > DG_CACHE_PRIVATE_CORES) {
    dg_error_set (err, DG_ERR_INVALID,
                  "--cores=%s: must be a number from 1 to %d, or 'threads'",
                  text,
                  DG_CACHE_PRIVATE_CORES);
    return 0;
  }
  return n;
}

/* Threads take the cores in turn, in the order of their numbers.  */
static int
place_threads (struct dg_cache_run *run, struct dg_error *err)
{
  size_t n, i;
  const struct dg_thread *threads = dg_log_threads (run->log, &n);

  for (i = 0; i < n && run->made.n_cores > 1; i++)
    if (dg_pairs_add (&run->plan.core_of, threads[i].number, 0,
                      i % run->made.n_cores)
        < 0)
      return dg_error_nomem (err);
  return 0;
}

/* What an access counts as at most.  */
static uint32_t
smallest_line (const struct dg_cache_made *made)
{
  uint32_t line = MIN (made->instr.line, made->data.line);
  unsigned i;

  for (i = 0; i < made->n_lower; i++)
    line = MIN (line, made->lower[i].line);
  return MIN (line, UINT16_MAX + 1);
}

static unsigned
data_parts (const struct dg_cache_run *run)
{
  unsigned workers = dg_setup_workers (run->setup);
  uint64_t sets = dg_cache_shape_sets (&run->made.data);
  unsigned parts = workers >= WORKERS_4 ? 4 : workers >= WORKERS_2 ? 2 : 1;

  return run->plan.is_private || run->plan.is_windowed || run->is_chunked
           ? 1 : MIN (parts, sets);
}

/* Chunks need LRU, and caches that have nothing to do with one another.  */
static bool
can_be_chunked (const struct dg_cache_run *run)
{
  const struct dg_cache_made *made = &run->made;
  uint64_t lines = made->instr.size / made->instr.line
                   + made->data.size / made->data.line;

  return made->policy == DG_CACHE_LRU && !run->plan.is_private
         && lines * made->n_cores <= DG_CHUNK_LINES_MAX;
}

static int
make_parts (struct dg_cache_run *run, struct dg_error *err)
{
  unsigned i;

  for (i = 0; run->is_chunked && i < 2; i++) {
    run->parts[i] = dg_cache_part_new (&run->plan, i, true, err);
    if (run->parts[i] == NULL)
      return DG_ERR_NOMEM;
  }
  return 0;
}

static int
make_plan (struct dg_cache_run *run, struct dg_error *err)
{
  const struct dg_cache_made *made = &run->made;
  struct dg_cache_plan *plan = &run->plan;
  struct dg_sampling sampling;
  int code;

  plan->log = run->log;
  plan->instr = made->instr;
  plan->data = made->data;
  plan->data_bits = g_bit_nth_msf (made->data.line, -1);
  plan->policy = made->policy;
  plan->by = made->by;
  plan->by_context = made->by_context;
  plan->n_cores = made->n_cores;
  plan->has_prefetch = made->has_prefetch;
  plan->is_private
    = made->has_prefetch || (made->is_coherent && made->n_cores > 1);
  plan->is_windowed = dg_sampling_of (run->log, &sampling, NULL) > 0;
  run->is_chunked = plan->is_chunked = can_be_chunked (run);
  plan->data_parts = data_parts (run);
  run->n_parts = 1 + plan->data_parts;
  code = place_threads (run, err);
  if (code == 0)
    code = dg_cache_code_init (&plan->code, run->log,
                               g_bit_nth_msf (made->instr.line, -1),
                               dg_cache_shape_sets (&made->instr) - 1,
                               smallest_line (made), err);
  if (code < 0)
    return code;
  plan->lower = dg_cache_lower_new (made->lower, made->n_lower, made->policy,
                                    made->is_coherent ? 1 : made->n_cores,
                                    run->n_parts, err);
  if (plan->lower == NULL
      || (plan->is_windowed
          && dg_cache_lower_set_windows (plan->lower, err) < 0))
    return DG_ERR_NOMEM;
  code = dg_breakdown_check_mine (run->setup, made->by, err);
  if (code < 0)
    return code;
  if (made->by != DG_BY_NOTHING) {
    plan->groups = dg_breakdown_open (run->setup, made->by,
                                      dg_cache_plan_events (plan), err);
    if (plan->groups == NULL)
      return DG_ERR_NOMEM;
    if (dg_breakdown_units (plan->groups) != NULL)
      plan->found = dg_units_found (dg_breakdown_units (plan->groups));
  }
  return make_parts (run, err);
}

struct dg_cache_run *
dg_cache_run_new (struct dg_setup *setup, const struct dg_cache_made *made,
                  struct dg_error *err)
{
  struct dg_cache_run *run = g_try_new0 (struct dg_cache_run, 1);

  if (run == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  run->setup = setup;
  run->log = dg_setup_log (setup);
  run->made = *made;
  if (make_plan (run, err) < 0) {
    dg_cache_run_free (run);
    return NULL;
  }
  return run;
}

void
dg_cache_run_free (void *self)
{
  struct dg_cache_run *run = self;
  unsigned i;

  if (run == NULL)
    return;
  for (i = 0; i < DG_LOWER_PARTS; i++)
    dg_cache_part_free (run->parts[i]);
  dg_breakdown_free (run->plan.groups);
  dg_cache_lower_free (run->plan.lower);
  dg_cache_code_fini (&run->plan.code);
  dg_pairs_fini (&run->plan.core_of);
  g_free (run);
}

/* ---- The pass --------------------------------------------------------- */

int
dg_cache_run_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct dg_cache_run *run = self;

  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = run->is_chunked ? DG_SHARD_CHUNK : DG_SHARD_PART;
  plan->parts = run->n_parts;
  /* By nothing and by thread, nobody asks what called the code.  */
  plan->needs_contexts
    = run->plan.is_private || run->plan.by_context || run->plan.found != NULL
      || (run->made.by != DG_BY_NOTHING && run->made.by != DG_BY_THREAD);
  return 0;
}

void *
dg_cache_run_worker_new (void *self, struct dg_error *err)
{
  struct dg_cache_run *run = self;
  struct dg_cache_worker *none;

  if (run->is_chunked)
    return dg_cache_worker_new (&run->plan, err);
  none = g_try_new0 (struct dg_cache_worker, 1);
  if (none == NULL)
    dg_error_nomem (err);
  return none;
}

/* Parts are the run's, since the levels below add to their rows until the last
   of them has ended.  */
void *
dg_cache_run_shard_new (void *self, const struct dg_feed *feed, void *worker,
                        struct dg_error *err)
{
  struct dg_cache_run *run = self;

  if (run->is_chunked)
    return dg_cache_chunk_new (worker, err);
  return run->parts[feed->index]
         = dg_cache_part_new (&run->plan, feed->index, true, err);
}

int
dg_cache_run_shard_feed (void *self, void *shard, const struct dg_feed *feed,
                         const struct dg_batch *batch, struct dg_error *err)
{
  const struct dg_cache_run *run = self;

  (void) feed;
  return run->is_chunked ? dg_cache_chunk_feed (shard, batch, err)
                         : dg_cache_part_feed (shard, batch, err);
}

int
dg_cache_run_shard_end (void *self, void *shard, const struct dg_feed *feed,
                        struct dg_error *err)
{
  const struct dg_cache_run *run = self;

  (void) feed;
  return run->is_chunked ? dg_cache_chunk_end (shard, err)
                         : dg_cache_part_end (shard, err);
}

int
dg_cache_run_merge (void *self, void *shard, const struct dg_feed *feed,
                    struct dg_error *err)
{
  struct dg_cache_run *run = self;

  (void) feed;
  return run->is_chunked ? dg_cache_chunk_merge (shard, run->parts, err) : 0;
}

void
dg_cache_run_shard_free (void *self, void *shard)
{
  const struct dg_cache_run *run = self;

  if (run->is_chunked)
    dg_cache_chunk_free (shard);
}

int
dg_cache_run_worker_merge (void *self, void *worker, struct dg_error *err)
{
  struct dg_cache_run *run = self;
  struct dg_cache_worker *from = worker;
  int code = 0;
  unsigned i;

  for (i = 0; run->is_chunked && code == 0 && i < 2; i++) {
    code = dg_cache_part_add (run->parts[i], from->parts[i],
                              run->plan.groups, err);
    from->parts[i] = NULL;
  }
  return code;
}

void
dg_cache_run_worker_free (void *self, void *worker)
{
  (void) self;
  dg_cache_worker_free (worker);
}

/* ---- What was found --------------------------------------------------- */

void
dg_cache_run_counted (const struct dg_cache_run *run,
                      uint64_t totals[DG_EVENTS_ALL])
{
  const struct dg_cache_lower_counts *lower =
    dg_cache_lower_counts (run->plan.lower);
  unsigned i, j;

  memset (totals, 0, DG_EVENTS_ALL * sizeof *totals);
  for (i = 0; i < run->n_parts; i++)
    for (j = 0; run->parts[i] != NULL && j < DG_EVENTS_ALL; j++)
      totals[j] += run->parts[i]->before[j] + run->parts[i]->totals[j];
  dg_cache_add_lower (totals, lower, run->made.n_lower);
}

void
dg_cache_run_shares (const struct dg_cache_run *run,
                     struct dg_cache_shares *shares)
{
  dg_cache_shares_init (shares, &run->plan, run->parts, run->made.n_lower);
}

void
dg_cache_run_totals (const struct dg_cache_run *run,
                     uint64_t totals[DG_EVENTS])
{
  uint64_t counted[DG_EVENTS_ALL];
  struct dg_cache_shares shares;

  dg_cache_run_counted (run, counted);
  dg_cache_run_shares (run, &shares);
  dg_cache_shares_row (&shares, counted, totals);
}

const struct dg_cache_private *
dg_cache_run_private (const struct dg_cache_run *run)
{
  return run->parts[1] != NULL ? run->parts[1]->private_caches : NULL;
}

/* Of a block or unit, or of a context, whose code is given: all parts
   together.  */
static bool
read_parts (const struct dg_cache_run *run, uint32_t number,
            const struct dg_bbdef *bbdef, uint64_t *icount, uint64_t *rows)
{
  const struct dg_cache_part *part;
  bool has_run = false;
  unsigned i;

  *icount = UINT64_MAX;
  for (i = 0; i < run->n_parts; i++)
    for (part = run->parts[i]; part != NULL; part = part->next)
      if (dg_cache_part_code_read (part, number, bbdef, icount, rows))
        has_run = true;
  return has_run;
}

/* A dg_breakdown_read_fn.  */
static bool
read_code (void *user, uint32_t number, uint64_t *icount, uint64_t *rows)
{
  const struct dg_cache_run *run = user;
  struct dg_units *units = dg_breakdown_units (run->plan.groups);
  uint64_t block = units != NULL ? dg_units_at (units, number).block : number;

  return read_parts (run, number, dg_log_bbdef (run->log, block), icount,
                     rows);
}

/* Rows of a sample are made likely ones, whose rests go to the next ones, so
   that their sums are right.  */
struct rounding {
  struct dg_cache_shares shares;
  double rests[DG_EVENTS];
};

static void
make_likely (struct rounding *rounding, uint64_t *rows, unsigned n_instrs)
{
  unsigned i, event;

  if (!rounding->shares.is_windowed)
    return;
  for (i = 0; i < n_instrs; i++)
    for (event = 0; event < DG_EVENTS; event++) {
      const uint64_t *from = rows + i * DG_EVENTS_ALL;
      double more = rounding->rests[event]
                    + dg_cache_shares_more (&rounding->shares, from, event);

      rows[i * DG_EVENTS + event] = from[event] + (uint64_t) more;
      rounding->rests[event] = more - floor (more);
    }
}

static int
take_contexts (struct dg_cache_run *run, dg_context_visit_fn visit, void *user,
               struct dg_error *err)
{
  struct dg_breakdown *groups = run->plan.groups;
  struct dg_breakdown_sums *sums = dg_breakdown_sums_new (groups, err);
  uint64_t n = dg_log_summary (run->log)->contexts, rows[256 * DG_EVENTS_ALL];
  uint64_t icount, *to;
  struct rounding rounding = { .rests = { 0 } };
  size_t i, j, n_counters;
  int code;

  if (sums == NULL)
    return DG_ERR_NOMEM;
  dg_cache_run_shares (run, &rounding.shares);
  for (i = 0; i < n; i++) {
    uint32_t number = dg_log_context (run->log, i).bbdef;
    const struct dg_bbdef *bbdef = dg_log_bbdef (run->log, number);
    n_counters =
      (size_t) bbdef->n_instrs * dg_cache_plan_events (&run->plan);
    memset (rows, 0, n_counters * sizeof *rows);
    if (!read_parts (run, i, bbdef, &icount, rows))
      continue;
    to = dg_sums_code (sums, number, i, icount);
    for (j = 0; j < n_counters; j++)
      to[j] += rows[j];
    if (visit == NULL)
      continue;
    make_likely (&rounding, rows, bbdef->n_instrs);
    visit (user, i, icount, rows, bbdef->n_instrs);
  }
  code = dg_breakdown_take (groups, sums, err);
  dg_breakdown_sums_free (sums);
  return code;
}

int
dg_cache_run_take (struct dg_cache_run *run, dg_context_visit_fn visit,
                   void *user, struct dg_error *err)
{
  unsigned i;
  int code = 0;

  if (run->plan.groups == NULL)
    return 0;
  if (run->plan.by_context)
    return take_contexts (run, visit, user, err);
  if (dg_by_is_code (run->plan.by)) {
    dg_breakdown_set_source (run->plan.groups, read_code, run);
    return 0;
  }
  for (i = 0; code == 0 && i < run->n_parts; i++)
    if (run->parts[i] != NULL && run->parts[i]->sums != NULL)
      code = dg_breakdown_take (run->plan.groups, run->parts[i]->sums, err);
  return code;
}
