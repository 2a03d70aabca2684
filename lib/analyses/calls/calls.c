/* calls.c: "dg calls": which function was called how often, from where, and
   what it and its callees did.

   The threads of the program are the shards: their calls are followed one by
   one (calls_stack.c), and added to those of all threads when a thread is
   over.  Call paths, where they are asked for, are counted aside and added up
   at the end (calls_tree.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include <string.h>

#include "calls_stack.h"
#include "analysis/analysis.h"
#include "base/bisect.h"
#include "base/error.h"

/* Of files over time.  */
#define SPANS_DEFAULT 100000

static const struct dg_option options[] = {
  { "sort", DG_OPTION_CHOICE, "WHAT", "self", "self,inclusive,calls,longest",
    "sort the functions by this" },
  { "callers", DG_OPTION_TEXT, "FUNCTION", NULL, NULL,
    "show the callers of this function" },
  { "callees", DG_OPTION_TEXT, "FUNCTION", NULL, NULL,
    "show the callees of this function" },
  { "edges", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show all pairs of caller and callee" },
  { "inlined", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show inlined functions as functions; their calls are not counted" },
  { "outliers", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show calls longer than mean + 2 standard deviations of the function" },
  { "folded", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write folded stacks for flamegraph.pl" },
  { "pprof", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write call stacks and their costs for pprof" },
  { "weight", DG_OPTION_CHOICE, "WHAT", "instructions", CALLS_WEIGHTS,
    "count this, also cycles and misses by the model of dg time" },
  { "machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
    "the processor of these, as for dg time" },
  { "sample", DG_OPTION_NUMBER, "N", "1", NULL,
    "execute one stretch in N for these" },
  { "dot", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write the call graph for Graphviz" },
  { "chrome", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write calls and events over time for Chrome's viewer and Perfetto" },
  { "firefox", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write calls over time for the Firefox Profiler" },
  { "perfetto", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write calls and events over time in Perfetto's own format" },
  { "speedscope", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write calls over time for speedscope" },
  { "spans", DG_OPTION_NUMBER, "N", G_STRINGIFY (SPANS_DEFAULT), NULL,
    "write only the N longest calls and events to these" },
  { "shortest", DG_OPTION_NUMBER, "N", "0", NULL,
    "omit calls of fewer instructions in these" },
  { "clock", DG_OPTION_FLAG, NULL, NULL, NULL,
    "use the log's clock in --chrome; else an instruction takes 1 us" },
  { NULL }
};

/* Of a thread; with the time model, which executes all threads in turn, of
   all: then it only has those of the threads.  */
struct shard {
  struct calls *calls;
  GPtrArray *threads;      /* struct shard; NULL: it is one thread's */
  struct calls_time_thread *time;
  struct calls_stack *stack;
  struct calls_spans spans;
  uint32_t thread;
  /* What snapshots have told: */
  uint64_t told_calls;
  struct calls_cost told;
  uint64_t *told_self;     /* of each function of its sums */
  uint32_t n_told_self;
};

/* ---- The analysis ---- */

static void
run_counts_free (gpointer counts)
{
  dg_run_counts_free (counts);
}

static void
calls_free (void *self)
{
  struct calls *calls = self;

  g_ptr_array_unref (calls->run_counts);
  g_mutex_clear (&calls->lock);
  calls_tree_free (calls->tree);
  calls_time_free (calls->time);
  dg_time_meter_free (calls->meter);
  calls_spans_fini (&calls->spans);
  calls_sums_fini (&calls->sums);
  calls_code_free (calls->code);
  g_free (calls);
}

/* Options of files that are not asked for would change nothing.  */
static int
check_files (const struct calls *calls, const char *weight,
             struct dg_error *err)
{
  const char *option = calls->spans.shortest > 0             ? "shortest"
                       : calls->spans.limit != SPANS_DEFAULT ? "spans"
                                                             : NULL;

  if (calls->chrome == NULL && calls->has_clock)
    return dg_error_set (err, DG_ERR_INVALID, "--clock needs --chrome");
  if (!calls_has_spans (calls) && option != NULL)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--%s needs --chrome, --firefox, --perfetto or "
                         "--speedscope",
                         option);
  if (calls->folded == NULL && calls->pprof == NULL
      && calls->weight != CALLS_INSTRUCTIONS
      && !calls_weight_is_time (calls->weight))
    return dg_error_set (err, DG_ERR_INVALID,
                         "--weight=%s needs --folded or --pprof", weight);
  return 0;
}

/* The tree of call paths and the time model, if they are asked for.  */
static int
make_parts (struct calls *calls, struct dg_setup *setup,
            struct dg_symbols *symbols, struct dg_error *err)
{
  bool is_timed = calls_weight_is_time (calls->weight);

  if (calls->folded != NULL || calls->pprof != NULL || calls->has_inlined) {
    calls->tree = calls_tree_new (calls->log, calls->code,
                                  calls->has_inlined, is_timed);
    if (calls->tree == NULL)
      return dg_error_nomem (err);
  }
  if (!is_timed)
    return 0;
  calls->meter = dg_time_meter_new (calls->log, symbols,
                                    dg_setup_text (setup, "machine"),
                                    dg_setup_number (setup, "sample"), err);
  if (calls->meter == NULL)
    return err->code;
  calls->time = calls_time_new (calls->meter, calls->tree, err);
  return calls->time != NULL ? 0 : DG_ERR_NOMEM;
}

/* A curve of the heap is above the calls.  */
static bool
needs_blocks (const struct dg_setup *setup)
{
  return dg_setup_text (setup, "chrome") != NULL;
}

static void *
calls_create (struct dg_setup *setup, struct dg_error *err)
{
  struct calls *calls = g_new0 (struct calls, 1);
  struct dg_symbols *symbols = dg_setup_symbols (setup, err);
  size_t n_clock;

  calls->log = dg_setup_log (setup);
  calls->has_ranges = dg_setup_has_ranges (setup);
  calls->run_counts = g_ptr_array_new_with_free_func (run_counts_free);
  g_mutex_init (&calls->lock);
  calls->sort = dg_setup_text (setup, "sort");
  calls->callers = dg_setup_text (setup, "callers");
  calls->callees = dg_setup_text (setup, "callees");
  calls->is_sampled = dg_setup_is_sampled (setup);
  calls->has_edges = dg_setup_flag (setup, "edges");
  calls->has_inlined = dg_setup_flag (setup, "inlined");
  calls->has_outliers = dg_setup_flag (setup, "outliers");
  calls->folded = dg_setup_text (setup, "folded");
  calls->pprof = dg_setup_text (setup, "pprof");
  calls->weight = calls_weight_parse (dg_setup_text (setup, "weight"));
  calls->dot = dg_setup_text (setup, "dot");
  calls->chrome = dg_setup_text (setup, "chrome");
  calls->firefox = dg_setup_text (setup, "firefox");
  calls->perfetto = dg_setup_text (setup, "perfetto");
  calls->speedscope = dg_setup_text (setup, "speedscope");
  calls->has_clock = dg_setup_flag (setup, "clock");
  calls->top = dg_setup_top (setup);
  calls_spans_init (&calls->spans, MIN (dg_setup_number (setup, "spans"),
                                        (uint64_t) 1 << 24),
                    dg_setup_number (setup, "shortest"));
  calls_sums_init (&calls->sums, calls->has_outliers);
  dg_log_clock (calls->log, &n_clock);
  if (symbols != NULL
      && check_files (calls, dg_setup_text (setup, "weight"), err) < 0)
    symbols = NULL;
  if (symbols != NULL && calls->has_clock && n_clock == 0)
    dg_error_set (err, DG_ERR_INVALID, "--clock: the log has no clock");
  else if (symbols != NULL)
    calls->code = calls_code_new (calls->log, symbols, err);
  if (calls->code != NULL && make_parts (calls, setup, symbols, err) == 0)
    return calls;
  calls_free (calls);
  return NULL;
}

static int
calls_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct calls *calls = self;

  plan->view = DG_VIEW_RUNS;
  plan->shard = calls->time != NULL ? DG_SHARD_WHOLE : DG_SHARD_THREAD;
  plan->needs_addresses = calls->time != NULL;
  return 0;
}

/* ---- Shards ---- */

static void
keep_span (void *user, const struct calls_span *span)
{
  struct shard *shard = user;
  const struct calls_kept_span kept = {
    span->start_icount, span->end_icount, span->start_own, span->end_own,
    span->function, span->depth, shard->thread
  };

  calls_spans_add (&shard->spans, &kept);
}

static void
shard_free (void *self, void *data)
{
  struct shard *shard = data;

  if (shard->threads != NULL)
    g_ptr_array_unref (shard->threads);
  calls_time_thread_free (shard->time);
  calls_stack_free (shard->stack);
  calls_spans_fini (&shard->spans);
  g_free (shard->told_self);
  g_free (shard);
}

static void
thread_free (gpointer data)
{
  shard_free (NULL, data);
}

static struct shard *
thread_new (struct calls *calls, uint32_t thread, struct dg_error *err)
{
  struct shard *shard = g_new0 (struct shard, 1);

  shard->calls = calls;
  shard->thread = thread;
  calls_spans_init (&shard->spans, calls->spans.limit,
                    calls->spans.shortest);
  shard->stack = calls_stack_new (
    calls->code, thread, calls->has_outliers, calls->weight,
    calls_has_spans (calls) ? keep_span : NULL, shard, err);
  if (shard->stack != NULL && calls->time != NULL)
    shard->time = calls_time_thread_new (calls->time, err);
  if (shard->stack != NULL && (calls->time == NULL || shard->time != NULL))
    return shard;
  shard_free (calls, shard);
  return NULL;
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  struct calls *calls = self;
  struct shard *shard;

  if (calls->time == NULL)
    return thread_new (calls, feed->thread, err);
  shard = g_new0 (struct shard, 1);
  shard->calls = calls;
  shard->threads = g_ptr_array_new_with_free_func (thread_free);
  return shard;
}

/* The shard of a thread, which is made if need be, in the order of their
   numbers.  NULL: no memory.  */
static struct shard *
thread_of (struct shard *shard, uint32_t thread, struct dg_error *err)
{
  GPtrArray *all = shard->threads;
  struct shard *const *threads = (struct shard *const *) all->pdata;
  guint i = DG_BISECT (0, all->len, k, threads[k]->thread < thread);
  struct shard *new;

  if (i < all->len && threads[i]->thread == thread)
    return threads[i];
  new = thread_new (shard->calls, thread, err);
  if (new != NULL)
    g_ptr_array_insert (all, (gint) i, new);
  return new;
}

/* What is counted aside does not depend on the thread, nor on the order.  */
static int
count_runs (struct calls *calls, const struct dg_batch *batch,
            struct dg_error *err)
{
  struct dg_run_counts *counts = NULL;

  g_mutex_lock (&calls->lock);
  if (calls->run_counts->len > 0)
    counts = g_ptr_array_steal_index_fast (calls->run_counts,
                                           calls->run_counts->len - 1);
  g_mutex_unlock (&calls->lock);
  if (counts == NULL)
    counts = dg_run_counts_new (calls->log, true, err);
  if (counts == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < batch->n_runs; i++)
    dg_run_counts_add (counts, &batch->runs[i]);
  g_mutex_lock (&calls->lock);
  g_ptr_array_add (calls->run_counts, counts);
  g_mutex_unlock (&calls->lock);
  return 0;
}

static int
feed_timed (struct shard *shard, const struct dg_batch *batch,
            struct dg_error *err)
{
  struct shard *thread;
  int code = 0;

  if (batch->n_runs == 0)
    return 0;
  thread = thread_of (shard, batch->runs[0].thread, err);
  if (thread == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < batch->n_runs && code == 0; i++)
    code = calls_time_feed (thread->time, thread->stack, &batch->runs[i],
                            err);
  return code;
}

static int
shard_feed (void *self, void *data, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct calls *calls = self;
  struct shard *shard = data;

  if (calls->time == NULL)
    calls_stack_feed (shard->stack, batch->runs, batch->n_runs);
  else if (feed_timed (shard, batch, err) < 0)
    return err->code;
  return calls->tree != NULL ? count_runs (calls, batch, err) : 0;
}

static uint64_t
count_calls (const struct calls_sums *sums)
{
  uint64_t n = 0;

  for (uint32_t i = 0; i < sums->n_functions; i++)
    n += sums->functions[i].calls;
  return n;
}

/* Adds what a thread did to what all did.  The sum does not depend on the
   order of threads.  With the lock.  */
static bool
add_thread (struct calls *calls, const struct shard *shard)
{
  const struct calls_sums *sums = calls_stack_sums (shard->stack);

  calls_sums_add (&calls->sums, sums);
  calls_spans_join (&calls->spans, &shard->spans);
  calls_cost_add (&calls->totals, calls_stack_cost (shard->stack));
  calls->deepest = MAX (calls->deepest,
                        calls_stack_deepest_ever (shard->stack));
  calls->n_calls += count_calls (sums);
  return !calls->sums.has_failed && !calls->spans.has_failed;
}

/* Nothing of the thread is kept, since there may be many.  */
static int
shard_end (void *self, void *data, const struct dg_feed *feed,
           struct dg_error *err)
{
  struct calls *calls = self;
  struct shard *shard = data;
  int code = 0;

  if (shard->threads == NULL) {
    bool is_added;

    if (calls_stack_end (shard->stack, err) < 0)
      return DG_ERR_NOMEM;
    g_mutex_lock (&calls->lock);
    is_added = add_thread (calls, shard);
    g_mutex_unlock (&calls->lock);
    g_clear_pointer (&shard->stack, calls_stack_free);
    g_clear_pointer (&shard->told_self, g_free);
    calls_spans_fini (&shard->spans);
    return is_added ? 0 : dg_error_nomem (err);
  }
  for (guint i = 0; i < shard->threads->len && code == 0; i++)
    code = shard_end (self, shard->threads->pdata[i], feed, err);
  return code;
}

/* ---- Intervals ---- */

/* The weight of a function in the interval.  */
struct weight {
  uint64_t self;
  uint32_t function;
};

/* weights: of functions that have one.  */
struct snapshot {
  struct dg_snapshot base;
  uint64_t calls;
  struct calls_cost cost;
  uint32_t deepest;
  uint32_t n;
  struct weight *weights;
};

static void
release (void *self, struct dg_snapshot *base)
{
  struct snapshot *snapshot = (struct snapshot *) (void *) base;

  g_free (snapshot->weights);
  g_free (snapshot);
}

/* What each function did since the latest snapshot.  */
static bool
take_weights (struct snapshot *snapshot, struct shard *shard)
{
  const struct calls_sums *sums = calls_stack_sums (shard->stack);
  uint64_t *told = g_try_renew (uint64_t, shard->told_self,
                                sums->n_functions + 1);

  snapshot->weights = g_try_new (struct weight, sums->n_functions + 1);
  if (told != NULL)
    shard->told_self = told;
  if (told == NULL || snapshot->weights == NULL)
    return false;
  for (uint32_t i = 0; i < sums->n_functions; i++) {
    uint64_t now = calls_cost_of (&sums->functions[i].self,
                                  shard->calls->weight);
    uint64_t before = i < shard->n_told_self ? told[i] : 0;

    told[i] = now;
    if (now != before)
      snapshot->weights[snapshot->n++] = (struct weight){
        now - before, sums->functions[i].function };
  }
  shard->n_told_self = sums->n_functions;
  return true;
}

static struct dg_snapshot *
snapshot_of (void *self, struct shard *shard, struct dg_error *err)
{
  struct snapshot *snapshot = g_new0 (struct snapshot, 1);
  const struct calls_sums *sums = calls_stack_sums (shard->stack);

  calls_stack_settle (shard->stack);
  if (!take_weights (snapshot, shard)) {
    release (self, &snapshot->base);
    dg_error_nomem (err);
    return NULL;
  }
  snapshot->calls = count_calls (sums) - shard->told_calls;
  calls_cost_add_between (&snapshot->cost, &shard->told,
                          calls_stack_cost (shard->stack));
  snapshot->deepest = calls_stack_deepest (shard->stack);
  shard->told_calls += snapshot->calls;
  shard->told = *calls_stack_cost (shard->stack);
  return &snapshot->base;
}

/* By function first: places has the index of each function, plus 1.  */
static bool
add_weights (struct snapshot *all, uint32_t *room, uint32_t *places,
             const struct snapshot *part)
{
  for (uint32_t i = 0; i < part->n; i++) {
    uint32_t *place = &places[part->weights[i].function];

    if (*place == 0) {
      if (!DG_ARRAY_ROOM (all->weights, *room, all->n))
        return false;
      all->weights[all->n] = (struct weight){
        0, part->weights[i].function };
      *place = ++all->n;
    }
    all->weights[*place - 1].self += part->weights[i].self;
  }
  return true;
}

static struct dg_snapshot *
combine (void *self, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  const struct calls *calls = self;
  struct snapshot *all = g_new0 (struct snapshot, 1);
  uint32_t room = 0;
  uint32_t *places = g_try_new0 (uint32_t,
                                 calls_code_n_functions (calls->code) + 1);
  bool is_whole = places != NULL;

  for (size_t i = 0; i < n && is_whole; i++) {
    const struct snapshot *part = (const struct snapshot *) (void *) parts[i];
    all->calls += part->calls;
    calls_cost_add (&all->cost, &part->cost);
    all->deepest = MAX (all->deepest, part->deepest);
    is_whole = add_weights (all, &room, places, part);
  }
  g_free (places);
  if (is_whole)
    return &all->base;
  release (self, &all->base);
  dg_error_nomem (err);
  return NULL;
}

/* With the time model, the threads are parts of the one shard.  */
static struct dg_snapshot *
snapshot (void *self, void *data, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct shard *shard = data;
  struct dg_snapshot *all = NULL, **parts;
  guint n = 0;

  if (shard->threads == NULL)
    return snapshot_of (self, shard, err);
  parts = g_new0 (struct dg_snapshot *, shard->threads->len + 1);
  while (n < shard->threads->len
         && (parts[n] = snapshot_of (self, shard->threads->pdata[n], err))
              != NULL)
    n++;
  if (n == shard->threads->len)
    all = combine (self, parts, n, NULL, 0, err);
  while (n > 0)
    release (self, parts[--n]);
  g_free (parts);
  return all;
}

/* The function that did most, by name where several did the same.  */
static struct calls_function
hottest (const struct calls *calls, const struct snapshot *snapshot,
         uint64_t *most)
{
  struct calls_function best = { 0 };

  *most = 0;
  for (uint32_t i = 0; i < snapshot->n; i++) {
    uint64_t weight = snapshot->weights[i].self;
    struct calls_function function;
    if (weight == 0 || weight < *most)
      continue;
    function = calls_code_function (calls->code,
                                    snapshot->weights[i].function);
    if (weight > *most || calls_function_compare (&function, &best) < 0)
      best = function;
    *most = weight;
  }
  return best;
}

static int
print (void *self, struct dg_snapshot *const *snapshots, size_t n,
       struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "interval", "Interval", DG_UNIT_NUMBER, 0 },
    { "end_icount", "Ends at", DG_UNIT_COUNT, 0 },
    { "end_ns", "Time", DG_UNIT_NS, 0 },
    { "calls", "Calls", DG_UNIT_COUNT, 0 },
    { "instructions", "Instructions", DG_UNIT_COUNT, 0 },
    { "accesses", "Accesses", DG_UNIT_COUNT, 0 },
    { "deepest", "Deepest", DG_UNIT_COUNT, 0 },
    { "share", "Share", DG_UNIT_PERCENT, 0 },
    { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "name", "Most by", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  const struct calls *calls = self;
  struct dg_rows *rows = dg_report_table (report, "intervals", "Over time",
                                          columns, G_N_ELEMENTS (columns));

  dg_rows_show_all (rows);
  for (size_t i = 0; i < n; i++) {
    const struct snapshot *snapshot
      = (const struct snapshot *) (void *) snapshots[i];
    uint64_t most;
    struct calls_function function = hottest (self, snapshot, &most);
    struct dg_cell cells[] = {
      DG_CELL_NUMBER (snapshot->base.interval),
      DG_CELL_NUMBER (snapshot->base.end_icount),
      DG_CELL_NUMBER (snapshot->base.end_ns),
      DG_CELL_NUMBER (snapshot->calls),
      DG_CELL_NUMBER (snapshot->cost.instructions),
      DG_CELL_NUMBER (snapshot->cost.accesses),
      DG_CELL_NUMBER (snapshot->deepest),
      DG_CELL_REAL ((double) most
                    / (double) MAX (calls_cost_of (&snapshot->cost,
                                                   calls->weight),
                                    1)),
      DG_CELL_TEXT (function.name), DG_CELL_TEXT (function.module),
      DG_CELL_TEXT (function.label),
    };
    cells[2].is_empty = snapshot->base.end_ns == 0;
    dg_rows_add (rows, cells);
  }
  return 0;
}

const struct dg_analysis dg_analysis_calls = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "calls",
  .summary = "Counts calls, and the cost of functions and their callees",
  .details =
    "Inclusive figures count a function and all that it called; in "
    "recursion,\n"
    "only the outermost call.  A jump from one function to the start of "
    "another\n"
    "is a call.",
  .options = options,
  .needs_blocks = needs_blocks,
  .create = calls_create,
  .plan = calls_plan,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .shard_end = shard_end,
  .shard_free = shard_free,
  .snapshot = snapshot,
  .combine = combine,
  .print = print,
  .release = release,
  .report = calls_report,
  .free = calls_free,
};
