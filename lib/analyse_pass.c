/* analyse_pass.c: the pass over the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse.h"

#include <string.h>

#include "error.h"

#define PACE_US 40000

struct worker {
  struct dg_pass *pass;
  struct dg_feeder *feeder;
  void **data;             /* of each member, what worker_new made */
  struct dg_shard *chunks; /* of each member, the chunk's shard */
  struct dg_access *accesses;
  size_t room;
  bool wants_accesses;
  gint64 next_pace;
};

/* ---- Shards ---- */

static struct dg_feed
feed_of (const struct dg_pass *pass, enum dg_shard_kind kind, uint32_t index,
         uint64_t first, uint64_t end)
{
  first = CLAMP (first, pass->start_icount, pass->end_icount);
  end = CLAMP (end, first, pass->end_icount);
  return (struct dg_feed) {
    .log = pass->log, .kind = kind, .index = index,
    .page_size = dg_log_page_size (pass->log),
    .line_size = dg_log_line_size (pass->log),
    .first_icount = first, .end_icount = end,
    .first_ns = dg_clock_at (pass->log, first),
    .end_ns = dg_clock_at (pass->log, end)
  };
}

struct dg_feed
dg_pass_chunk_feed (const struct dg_pass *pass, size_t chunk)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);
  struct dg_feed feed
    = feed_of (pass, DG_SHARD_CHUNK, chunk, chunks[chunk].icount,
               chunk + 1 < n ? chunks[chunk + 1].icount : DG_NEVER);

  feed.n_shards = n;
  return feed;
}

static int
thread_shards (struct dg_pass *pass, struct dg_member *member)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (pass->log, &n);

  for (size_t i = 0; i < pass->n_threads; i++) {
    uint64_t first = DG_NEVER, end = 0;

    for (size_t k = 0; k < n; k++)
      if (threads[k].number == pass->threads[i]) {
        first = MIN (first, threads[k].start_icount);
        end = MAX (end, threads[k].end_icount);
      }
    member->shards[i].feed = feed_of (pass, DG_SHARD_THREAD, i, first, end);
    member->shards[i].feed.thread = pass->threads[i];
  }
  return 0;
}

int
dg_pass_shards (struct dg_pass *pass, struct dg_member *member,
                struct dg_error *err)
{
  enum dg_shard_kind kind = member->plan.shard;
  uint32_t n = kind == DG_SHARD_CHUNK ? 0
               : kind == DG_SHARD_THREAD ? pass->n_threads
               : kind == DG_SHARD_PART ? member->plan.parts : 1;

  member->shards = g_try_new0 (struct dg_shard, n + 1);
  if (!member->shards)
    return dg_error_nomem (err);
  member->n_shards = n;
  if (kind == DG_SHARD_THREAD) {
    thread_shards (pass, member);
  } else {
    for (uint32_t i = 0; i < n; i++)
      member->shards[i].feed = feed_of (pass, kind, i, 0, DG_NEVER);
  }
  for (uint32_t i = 0; i < n; i++) {
    member->shards[i].member = member;
    member->shards[i].feed.n_shards = n;
  }
  return 0;
}

/* ---- Feeding ---- */

static int
worker_data (struct worker *worker, size_t i, struct dg_error *err)
{
  const struct dg_member *member = &worker->pass->members[i];
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

  if (worker->data[i] || !member->analysis->worker_new)
    return 0;
  worker->data[i] = member->analysis->worker_new (member->self, &error);
  return worker->data[i]
           ? 0
           : dg_member_error (member, NULL, error.code, &error, err);
}

/* The shard of a thread.  */
static struct dg_shard *
thread_shard (const struct dg_pass *pass, struct dg_member *member,
              uint32_t thread)
{
  size_t low = 0, high = pass->n_threads;

  while (low < high) {
    size_t middle = low + (high - low) / 2;

    if (pass->threads[middle] < thread)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pass->n_threads && pass->threads[low] == thread
           ? &member->shards[low] : NULL;
}

static int
feed_member (struct worker *worker, size_t i, const struct dg_batch *batch,
             const struct dg_amount *amount, struct dg_error *err)
{
  struct dg_member *member = &worker->pass->members[i];
  struct dg_shard *shard;
  int code = 0;

  switch (member->plan.shard) {
  case DG_SHARD_CHUNK:
    code = worker_data (worker, i, err);
    worker->chunks[i].feed.thread = batch->runs[0].thread;
    return code < 0 ? code
           : dg_shard_feed (&worker->chunks[i], worker->data[i], batch,
                            amount, err);
  case DG_SHARD_THREAD:
    shard = thread_shard (worker->pass, member, batch->runs[0].thread);
    return shard ? dg_shard_feed (shard, NULL, batch, amount, err)
                 : dg_error_set (err, DG_ERR_DAMAGED,
                                 "thread %u is not among those of the log",
                                 batch->runs[0].thread);
  default:
    for (uint32_t k = 0; k < member->n_shards && code == 0; k++)
      code = dg_shard_feed (&member->shards[k], NULL, batch, amount, err);
    return code;
  }
}

static int
pace (struct worker *worker, uint64_t done, struct dg_error *err)
{
  const struct dg_pass *pass = worker->pass;
  gint64 now;

  if (!pass->progress)
    return 0;
  now = g_get_monotonic_time ();
  if (now < worker->next_pace)
    return 0;
  worker->next_pace = now + PACE_US;
  if (pass->progress (pass->user, done, pass->bytes))
    return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
  return 0;
}

static int
feed_batch (struct worker *worker, struct dg_batch *batch,
            struct dg_error *err)
{
  const struct dg_pass *pass = worker->pass;
  struct dg_batch plain = *batch;
  struct dg_amount amount = dg_batch_amount (batch, false);
  int code = 0;

  if (worker->wants_accesses) {
    ptrdiff_t n = dg_batch_expand (batch, &worker->accesses, &worker->room,
                                   err);

    if (n < 0)
      return n;
    batch->accesses = worker->accesses;
    batch->n_accesses = n;
  }
  for (size_t i = 0; i < pass->n && code == 0; i++)
    if (pass->members[i].plan.view != DG_VIEW_RECORDS)
      code = feed_member (worker, i,
                          pass->members[i].plan.view == DG_VIEW_ACCESSES
                            ? batch : &plain,
                          &amount, err);
  return code;
}

static int
run_chunk (struct worker *worker, size_t chunk, uint64_t offset,
           struct dg_error *err)
{
  struct dg_pass *pass = worker->pass;
  struct dg_batch batch;
  int code, ended = 0;

  for (size_t i = 0; i < pass->n; i++)
    worker->chunks[i] = (struct dg_shard) {
      .member = &pass->members[i], .feed = dg_pass_chunk_feed (pass, chunk)
    };
  code = dg_feeder_open (worker->feeder, chunk, err);
  while (code == 0
         && (code = dg_feeder_next (worker->feeder, &batch, err)) > 0) {
    code = feed_batch (worker, &batch, err);
    if (code == 0)
      code = pace (worker, offset, err);
  }
  for (size_t i = 0; i < pass->n && code == 0; i++)
    code = dg_shard_end (&worker->chunks[i], err);
  for (size_t i = 0; i < pass->n && code == 0; i++)
    ended = code = dg_shard_merge (&worker->chunks[i], err);
  (void) ended;
  for (size_t i = 0; i < pass->n; i++)
    dg_shard_fini (&worker->chunks[i]);
  return code;
}

/* ---- Records ---- */

static int
run_records (struct dg_pass *pass, struct dg_member *member,
             struct dg_error *err)
{
  struct dg_shard *shard = &member->shards[0];
  struct dg_reader *reader = dg_reader_new (pass->log, 0, SIZE_MAX, err);
  const struct dg_amount amount = { 0 };
  struct dg_record record;
  struct dg_batch batch = { .record = &record };
  int code;

  if (!reader)
    return err ? err->code : DG_ERR_NOMEM;
  if (pass->intervals.ends)
    batch.interval = 1;
  while ((code = dg_reader_record (reader, &record, err)) > 0) {
    while (pass->intervals.ends && batch.interval <= pass->intervals.n
           && record.icount >= pass->intervals.ends[batch.interval - 1])
      batch.interval++;
    code = dg_shard_feed (shard, NULL, &batch, &amount, err);
    if (code < 0)
      break;
  }
  dg_reader_free (reader);
  return code;
}

/* ---- All ---- */

static int
finish (struct dg_pass *pass, struct worker *worker, struct dg_error *err)
{
  int code = 0;

  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++)
      code = dg_shard_end (&pass->members[i].shards[k], err);
  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++)
      code = dg_shard_merge (&pass->members[i].shards[k], err);
  for (size_t i = 0; i < pass->n && code == 0; i++) {
    const struct dg_member *member = &pass->members[i];
    struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

    if (worker->data[i] && member->analysis->worker_merge)
      code = member->analysis->worker_merge (member->self, worker->data[i],
                                             &error);
    if (code < 0)
      dg_member_error (member, NULL, code, &error, err);
  }
  return code;
}

int
dg_pass_run (struct dg_pass *pass, struct dg_error *err)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);
  struct worker worker = { .pass = pass };
  int code = 0;

  worker.data = g_new0 (void *, pass->n);
  worker.chunks = g_new0 (struct dg_shard, pass->n);
  for (size_t i = 0; i < pass->n; i++)
    worker.wants_accesses
      |= pass->members[i].plan.view == DG_VIEW_ACCESSES;
  worker.feeder = dg_feeder_new (&pass->feed, err);
  if (!worker.feeder)
    code = DG_ERR_NOMEM;
  for (size_t i = 0; i < n && code == 0; i++)
    code = run_chunk (&worker, i, chunks[i].offset, err);
  for (size_t i = 0; i < pass->n && code == 0; i++)
    if (pass->members[i].plan.view == DG_VIEW_RECORDS)
      code = run_records (pass, &pass->members[i], err);
  if (code == 0)
    code = finish (pass, &worker, err);
  for (size_t i = 0; i < pass->n; i++)
    if (worker.data[i] && pass->members[i].analysis->worker_free)
      pass->members[i].analysis->worker_free (pass->members[i].self,
                                              worker.data[i]);
  dg_feeder_free (worker.feeder);
  g_free (worker.accesses);
  g_free (worker.chunks);
  g_free (worker.data);
  return code;
}
