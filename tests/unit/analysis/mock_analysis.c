/* mock_analysis.c: an analysis that notes everything it is given.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "mock_analysis.h"

#include <string.h>

#include "analysis/analysis.h"

struct worker {
  struct mock *mock;
  GThread *thread;
  uint64_t instructions;
};

struct shard {
  struct mock *mock;
  struct worker *worker;   /* whose it is, or NULL */
  gint busy;
  bool has_ended;
  uint32_t index;
  uint64_t runs, instructions, accesses, since;
  uint64_t interval;
  GArray *items;
};

/* ---- Help ---- */

static bool
fails (const struct mock *mock, enum mock_callback callback, uint32_t shard,
       uint64_t instructions, struct dg_error *err)
{
  if (mock->fails != callback || instructions < mock->fails_after
      || (mock->fails_shard != DG_NONE && shard != mock->fails_shard))
    return false;
  err->code = DG_ERR_IO;
  err->offset = 7;
  g_snprintf (err->message, sizeof err->message, "callback %d says no",
              callback);
  return true;
}

static void
enter (gint *busy)
{
  g_assert_cmpint (g_atomic_int_add (busy, 1), ==, 0);
}

static void
leave (gint *busy)
{
  g_assert_cmpint (g_atomic_int_add (busy, -1), ==, 1);
}

static void *
make (struct mock *mock, size_t size)
{
  g_atomic_int_inc (&mock->live);
  return g_malloc0 (size);
}

static void
unmake (struct mock *mock, void *thing)
{
  g_atomic_int_add (&mock->live, -1);
  g_free (thing);
}

/* ---- Create and plan ---- */

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct mock *mock = (struct mock *) setup->analysis;

  if (mock->is_last) {
    g_assert_true (mock[-1].is_reported);
    g_assert_cmpint (mock[-1].live, ==, 0);
  }
  if (fails (mock, MOCK_CREATE, mock->fails_shard, mock->fails_after, err))
    return NULL;
  g_atomic_int_inc (&mock->live);
  return mock;
}

static int
plan (void *self, struct dg_plan *out, struct dg_error *err)
{
  struct mock *mock = self;

  g_assert_cmpint (out->view, ==, DG_VIEW_RUNS);
  g_assert_cmpint (out->shard, ==, DG_SHARD_CHUNK);
  g_assert_true (out->needs_addresses);
  g_assert_true (out->needs_contexts);
  *out = mock->plan;
  out->needs_contexts = true;
  return fails (mock, MOCK_PLAN, mock->fails_shard, mock->fails_after, err)
           ? err->code : 0;
}

/* ---- Workers and shards ---- */

static void *
worker_new (void *self, struct dg_error *err)
{
  struct mock *mock = self;
  struct worker *worker;

  g_assert_cmpint (mock->plan.shard, ==, DG_SHARD_CHUNK);
  if (fails (mock, MOCK_WORKER_NEW, mock->fails_shard, mock->fails_after,
             err))
    return NULL;
  worker = make (mock, sizeof *worker);
  worker->mock = mock;
  worker->thread = g_thread_self ();
  return worker;
}

static void
check_shard (struct mock *mock, const struct shard *shard,
             const struct dg_feed *feed)
{
  g_assert_cmpint (feed->kind, ==, mock->plan.shard);
  g_assert_cmpuint (feed->index, ==, shard->index);
  g_assert_cmpuint (feed->index, <, feed->n_shards);
  g_assert_cmpuint (feed->runs, ==, shard->runs);
  g_assert_cmpuint (feed->instructions, ==, shard->instructions);
  g_assert_cmpuint (feed->accesses, ==, shard->accesses);
  g_assert_cmpuint (feed->first_icount, <=, feed->end_icount);
  g_assert_true (feed->first_ns <= feed->end_ns || feed->end_ns == 0);
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker_data,
           struct dg_error *err)
{
  struct mock *mock = self;
  struct worker *worker = worker_data;
  struct shard *shard;

  g_assert_true ((worker != NULL) == (mock->analysis.worker_new
                                      && feed->kind == DG_SHARD_CHUNK));
  if (worker) {
    g_assert_true (worker->thread == g_thread_self ());
    g_assert_true (worker->mock == mock);
  }
  if (fails (mock, MOCK_SHARD_NEW, feed->index, mock->fails_after, err))
    return NULL;
  if (mock->shares_worker)
    return worker;
  shard = make (mock, sizeof *shard);
  shard->mock = mock;
  shard->worker = worker;
  shard->index = feed->index;
  shard->items = g_array_new (FALSE, FALSE, sizeof (struct mock_item));
  check_shard (mock, shard, feed);
  return shard;
}

static void
note_run (struct shard *shard, const struct dg_run *run, uint64_t interval)
{
  unsigned k = 0;

  while (k < run->n_slots && run->bbdef->slots[k].iseq < run->first_instr)
    k++;
  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    struct mock_item item = {
      .icount = run->icount + i, .interval = interval,
      .context = run->context, .thread = run->thread, .slot = -1
    };

    g_array_append_val (shard->items, item);
    for (; k < run->n_slots && run->bbdef->slots[k].iseq == i; k++) {
      item.slot = k;
      item.address = run->addresses
                       ? run->addresses[run->bbdef->slots[k].entry] : 1;
      if (item.address == 0)
        continue;
      g_array_append_val (shard->items, item);
      shard->accesses++;
    }
  }
  shard->runs++;
  shard->instructions += run->n_instrs - run->first_instr;
  shard->since += run->n_instrs - run->first_instr;
}

static void
check_accesses (const struct mock *mock, const struct shard *shard,
                const struct dg_batch *batch, guint first)
{
  size_t n = 0;

  if (mock->plan.view != DG_VIEW_ACCESSES) {
    g_assert_null (batch->accesses);
    return;
  }
  for (guint i = first; i < shard->items->len; i++) {
    const struct mock_item *item
      = &g_array_index (shard->items, struct mock_item, i);

    if (item->slot < 0)
      continue;
    g_assert_cmpuint (n, <, batch->n_accesses);
    g_assert_cmphex (batch->accesses[n].address, ==, item->address);
    g_assert_cmpuint (batch->accesses[n].icount, ==, item->icount);
    n++;
  }
  g_assert_cmpuint (n, ==, batch->n_accesses);
}

static void
note_record (struct mock *mock, struct shard *shard,
             const struct dg_batch *batch)
{
  const struct dg_record *record = batch->record;

  g_assert_cmpuint (batch->n_runs, ==, 0);
  g_assert_nonnull (record);
  mock->records = mock->records * 31 + record->type + 256 * record->icount
                  + record->n_words;
  shard->interval = batch->interval;
}

static int
shard_feed (void *self, void *data, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct mock *mock = self;
  struct shard *shard = data;

  if (mock->sleep_us > 0)
    g_usleep (mock->sleep_us);
  if (mock->shares_worker) {
    struct worker *worker = data;

    g_assert_true (worker->thread == g_thread_self ());
    for (size_t i = 0; i < batch->n_runs; i++)
      worker->instructions += batch->runs[i].n_instrs
                              - batch->runs[i].first_instr;
    return fails (mock, MOCK_SHARD_FEED, feed->index, feed->instructions, err)
             ? err->code : 0;
  }
  enter (&shard->busy);
  g_assert_false (shard->has_ended);
  g_atomic_int_set (&mock->n_ended_before,
                    g_atomic_int_get (&mock->n_ended));
  if (mock->plan.view == DG_VIEW_RECORDS) {
    note_record (mock, shard, batch);
  } else {
    guint first = shard->items->len;

    check_shard (mock, shard, feed);
    g_assert_cmpuint (batch->n_runs, >, 0);
    g_assert_cmpuint (batch->interval, >=, shard->interval);
    if (batch->interval != shard->interval
        && mock->analysis.snapshot)
      g_assert_cmpuint (shard->since, ==, 0);
    shard->interval = batch->interval;
    if (shard->worker)
      g_assert_true (shard->worker->thread == g_thread_self ());
    for (size_t i = 0; i < batch->n_runs; i++) {
      if (feed->kind == DG_SHARD_THREAD)
        g_assert_cmpuint (batch->runs[i].thread, ==, feed->thread);
      note_run (shard, &batch->runs[i], batch->interval);
    }
    check_accesses (mock, shard, batch, first);
    if (shard->worker)
      shard->worker->instructions += shard->instructions
                                     - feed->instructions;
  }
  leave (&shard->busy);
  return fails (mock, MOCK_SHARD_FEED, feed->index, feed->instructions, err)
           ? err->code : 0;
}

static int
shard_end (void *self, void *data, const struct dg_feed *feed,
           struct dg_error *err)
{
  struct mock *mock = self;
  struct shard *shard = data;

  if (!mock->shares_worker) {
    enter (&shard->busy);
    g_assert_false (shard->has_ended);
    shard->has_ended = true;
    g_atomic_int_inc (&mock->n_ended);
    if (mock->plan.view != DG_VIEW_RECORDS)
      check_shard (mock, shard, feed);
    leave (&shard->busy);
  }
  return fails (mock, MOCK_SHARD_END, feed->index, feed->instructions, err)
           ? err->code : 0;
}

static int
merge (void *self, void *data, const struct dg_feed *feed,
       struct dg_error *err)
{
  struct mock *mock = self;
  struct shard *shard = data;

  enter (&mock->in_one);
  g_assert_cmpint (feed->index, >, mock->merged);
  mock->merged = feed->index;
  if (!mock->shares_worker) {
    enter (&shard->busy);
    g_assert_true (shard->has_ended);
    while (mock->shards->len <= feed->index)
      g_ptr_array_add (mock->shards, NULL);
    mock->shards->pdata[feed->index] = g_array_ref (shard->items);
    leave (&shard->busy);
  }
  leave (&mock->in_one);
  return fails (mock, MOCK_MERGE, feed->index, feed->instructions, err)
           ? err->code : 0;
}

static void
shard_free (void *self, void *data)
{
  struct shard *shard = data;

  enter (&shard->busy);
  g_array_unref (shard->items);
  unmake (self, shard);
}

static int
worker_merge (void *self, void *data, struct dg_error *err)
{
  struct mock *mock = self;
  struct worker *worker = data;

  enter (&mock->in_one);
  mock->worker_sum += worker->instructions;
  leave (&mock->in_one);
  return fails (mock, MOCK_WORKER_MERGE, mock->fails_shard,
                mock->fails_after, err)
           ? err->code : 0;
}

static void
worker_free (void *self, void *worker)
{
  unmake (self, worker);
}

/* ---- Snapshots ---- */

static struct dg_snapshot *
snapshot (void *self, void *data, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct mock *mock = self;
  struct shard *shard = data;
  struct mock_snapshot *out;

  enter (&shard->busy);
  g_assert_false (shard->has_ended);
  if (mock->plan.view != DG_VIEW_RECORDS)
    check_shard (mock, shard, feed);
  leave (&shard->busy);
  if (fails (mock, MOCK_SNAPSHOT, feed->index, feed->instructions, err))
    return NULL;
  out = make (mock, sizeof *out);
  out->instructions = shard->since;
  shard->since = 0;
  return &out->base;
}

static struct dg_snapshot *
combine (void *self, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  struct mock *mock = self;
  struct mock_snapshot *out;

  if (fails (mock, MOCK_COMBINE, mock->fails_shard,
             parts[0]->interval, err))
    return NULL;
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n_latest, >=, n);
  out = make (mock, sizeof *out);
  for (size_t i = 0; i < n; i++) {
    const struct mock_snapshot *part = (const struct mock_snapshot *) parts[i];

    g_assert_cmpuint (parts[i]->interval, ==, parts[0]->interval);
    if (i > 0)
      g_assert_cmpuint (parts[i]->shard, >, parts[i - 1]->shard);
    if (mock->plan.view != DG_VIEW_RECORDS)
      g_assert_cmpuint (part->instructions, ==,
                        parts[i]->instructions_delta);
    out->instructions += part->instructions;
    g_array_append_val (mock->shard_snapshots, *parts[i]);
  }
  for (size_t i = 0; i < n_latest; i++) {
    g_assert_cmpuint (latest[i]->interval, <=, parts[0]->interval);
    if (i > 0)
      g_assert_cmpuint (latest[i]->shard, >, latest[i - 1]->shard);
    out->latest += latest[i]->instructions;
  }
  return &out->base;
}

static void
release (void *self, struct dg_snapshot *what)
{
  unmake (self, what);
}

/* Drops the second one.  */
static int
finalise (void *self, struct dg_snapshot **snapshots, size_t *n,
          struct dg_error *err)
{
  struct mock *mock = self;

  if (fails (mock, MOCK_FINALISE, mock->fails_shard, mock->fails_after, err))
    return err->code;
  if (*n > 2) {
    release (self, snapshots[1]);
    memmove (snapshots + 1, snapshots + 2,
             (*n - 2) * sizeof *snapshots);
    --*n;
  }
  return 0;
}

static int
print (void *self, struct dg_snapshot *const *snapshots, size_t n,
       struct dg_report *report, struct dg_error *err)
{
  struct mock *mock = self;

  g_assert_nonnull (report);
  g_array_set_size (mock->snapshots, 0);
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (snapshots[i]->shard, ==, DG_NEVER);
    g_array_append_val (mock->snapshots,
                        *(const struct mock_snapshot *) snapshots[i]);
  }
  return fails (mock, MOCK_PRINT, mock->fails_shard, mock->fails_after, err)
           ? err->code : 0;
}

/* ---- The end ---- */

static int
report_all (void *self, struct dg_report *report, struct dg_error *err)
{
  struct mock *mock = self;

  enter (&mock->in_one);
  mock->is_reported = true;
  leave (&mock->in_one);
  return fails (mock, MOCK_REPORT, mock->fails_shard, mock->fails_after, err)
           ? err->code : 0;
}

static void
free_mock (void *self)
{
  struct mock *mock = self;

  g_assert_cmpint (g_atomic_int_add (&mock->live, -1), ==, 1);
}

void
mock_init (struct mock *mock, const char *name)
{
  mock->analysis = (struct dg_analysis) {
    .version = DG_ANALYSIS_VERSION, .size = sizeof (struct dg_analysis),
    .name = name, .summary = "Notes everything", .create = create,
    .plan = plan, .shard_new = shard_new, .shard_feed = shard_feed,
    .shard_end = shard_end, .merge = merge, .shard_free = shard_free,
    .report = report_all, .free = free_mock
  };
  if (mock->has_worker || mock->shares_worker) {
    mock->analysis.worker_new = worker_new;
    mock->analysis.worker_merge = worker_merge;
    mock->analysis.worker_free = worker_free;
  }
  if (!mock->shares_worker) {
    mock->analysis.snapshot = snapshot;
    mock->analysis.combine = combine;
    mock->analysis.finalise = finalise;
    mock->analysis.print = print;
    mock->analysis.release = release;
  }
  mock->merged = -1;
  mock->shards = g_ptr_array_new ();
  mock->snapshots = g_array_new (FALSE, FALSE, sizeof (struct mock_snapshot));
  mock->shard_snapshots = g_array_new (FALSE, FALSE,
                                       sizeof (struct dg_snapshot));
}

void
mock_fini (struct mock *mock)
{
  g_assert_cmpint (mock->live, ==, 0);
  for (guint i = 0; i < mock->shards->len; i++)
    if (mock->shards->pdata[i])
      g_array_unref (mock->shards->pdata[i]);
  g_ptr_array_unref (mock->shards);
  g_array_unref (mock->snapshots);
  g_array_unref (mock->shard_snapshots);
}
