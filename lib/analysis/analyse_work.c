/* analyse_work.c: what a worker of dg_analyse does with a chunk: feeding its
   batches to shards.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_work.h"

#include "dg_record.h"
#include "base/error.h"

int
dg_worker_init (struct dg_worker *worker, struct dg_pass *pass,
                struct dg_error *err)
{
  *worker = (struct dg_worker) { .pass = pass };
  worker->data = g_try_new0 (void *, pass->n);
  if (!worker->data)
    return dg_error_nomem (err);
  worker->feeder = dg_feeder_new (&pass->feed, err);
  return worker->feeder ? 0 : err->code;
}

void
dg_worker_end (struct dg_worker *worker)
{
  dg_feeder_free (worker->feeder);
  worker->feeder = NULL;
  g_clear_pointer (&worker->accesses, g_free);
  worker->room = 0;
}

void
dg_worker_drop (struct dg_worker *worker, size_t i)
{
  const struct dg_member *member = &worker->pass->members[i];

  if (worker->data[i] && member->analysis->worker_free)
    member->analysis->worker_free (member->self, worker->data[i]);
  worker->data[i] = NULL;
}

void
dg_worker_fini (struct dg_worker *worker)
{
  struct dg_pass *pass = worker->pass;

  for (size_t i = 0; worker->data && i < pass->n; i++)
    dg_worker_drop (worker, i);
  dg_worker_end (worker);
  g_free (worker->data);
  *worker = (struct dg_worker) { .pass = pass };
}

/* Makes the worker's data for a member when it is first needed.  */
static int
make_data (struct dg_worker *worker, size_t i, struct dg_error *err)
{
  struct dg_member *member = &worker->pass->members[i];
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

  if (worker->data[i] || !member->analysis->worker_new)
    return 0;
  worker->data[i] = member->analysis->worker_new (member->self, &error);
  if (worker->data[i])
    return 0;
  /* Which chunk is a worker's first is chance.  */
  worker->place = (struct dg_pass_step) { .member = i };
  return dg_member_error (member, NULL, error.code, &error, err);
}

/* The batch's accesses, in the worker's memory.  */
static int
expand (struct dg_worker *worker, struct dg_batch *batch,
        struct dg_error *err)
{
  ptrdiff_t n = dg_batch_expand (batch, &worker->accesses, &worker->room,
                                 err);

  if (n < 0)
    return n;
  batch->accesses = worker->accesses;
  batch->n_accesses = n;
  return 0;
}

/* ---- Chunks ---- */

void
dg_worker_begin_chunk (struct dg_worker *worker, size_t chunk,
                       struct dg_shard *shards)
{
  struct dg_pass *pass = worker->pass;
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (pass->log, &n);
  struct dg_feed feed = dg_pass_feed (
    pass, DG_SHARD_CHUNK, chunk, chunks[chunk].icount,
    chunk + 1 < n ? chunks[chunk + 1].icount : DG_NEVER);

  feed.n_shards = n;
  for (size_t i = 0; i < pass->n; i++)
    shards[i] = (struct dg_shard) { .member = &pass->members[i],
                                    .feed = feed, .all = DG_NEVER };
}

/* Feeds a batch to a member's shard of the chunk, or to its others.  */
static int
feed_member (struct dg_worker *worker, size_t i, struct dg_shard *shards,
             const struct dg_batch *batch, const struct dg_amount *amount,
             struct dg_error *err)
{
  struct dg_member *member = &worker->pass->members[i];
  struct dg_shard *shard;
  int code = 0;

  switch (member->plan.shard) {
  case DG_SHARD_CHUNK:
    code = make_data (worker, i, err);
    return code < 0 ? code : dg_shard_feed (&shards[i], worker->data[i],
                                            batch, amount, err);
  case DG_SHARD_THREAD:
    shard = dg_member_thread (worker->pass, member, batch->runs[0].thread,
                              err);
    return shard ? dg_shard_feed (shard, NULL, batch, amount, err)
                 : DG_ERR_DAMAGED;
  default:
    for (uint32_t k = 0; k < member->n_shards && code == 0; k++)
      code = dg_shard_feed (&member->shards[k], NULL, batch, amount, err);
    return code;
  }
}

int
dg_worker_feed (struct dg_worker *worker, struct dg_batch *batch,
                const struct dg_amount *amount, struct dg_shard *shards,
                bool in_order, struct dg_error *err)
{
  struct dg_pass *pass = worker->pass;
  int group = dg_sampled_take (&pass->sampled, batch), code = 0;
  const struct dg_batch plain = *batch;

  for (size_t i = 0; i < pass->n && code == 0; i++) {
    const struct dg_member *member = &pass->members[i];
    const struct dg_plan *plan = &member->plan;
    bool has_accesses = plan->view == DG_VIEW_ACCESSES;
    struct dg_batch given;

    if (plan->view == DG_VIEW_RECORDS
        || (plan->shard != DG_SHARD_CHUNK && !in_order)
        || (member->group >= 0 && member->group != group))
      continue;
    worker->place.member = i;
    if (has_accesses && !batch->accesses)
      code = expand (worker, batch, err);
    given = has_accesses ? *batch : plain;
    if (member->group >= 0)
      given.interval = 0;
    if (code == 0)
      code = feed_member (worker, i, shards, &given, amount, err);
  }
  return code;
}

int
dg_worker_end_chunk (struct dg_worker *worker, struct dg_shard *shards,
                     struct dg_error *err)
{
  int code = 0;

  worker->place.step = DG_STEP_END;
  for (size_t i = 0; i < worker->pass->n && code == 0; i++) {
    worker->place.member = i;
    code = dg_shard_end (&shards[i], err);
  }
  return code;
}

int
dg_worker_chunk (struct dg_worker *worker, size_t chunk,
                 struct dg_shard *shards, struct dg_error *err)
{
  struct dg_pass *pass = worker->pass;
  bool all_made = dg_pass_all_made (pass, chunk);
  struct dg_batch batch;
  struct dg_amount amount;
  int code;

  worker->place.chunk = chunk;
  dg_worker_begin_chunk (worker, chunk, shards);
  code = dg_feeder_open (worker->feeder, chunk, err);
  while (code == 0
         && (code = dg_feeder_next (worker->feeder, &batch, err)) > 0) {
    amount = dg_amount_of_latest (worker->feeder, &batch, all_made);
    code = dg_worker_feed (worker, &batch, &amount, shards, true, err);
    if (code == 0)
      code = worker->pace (worker, err);
  }
  if (code == 0)
    code = dg_worker_end_chunk (worker, shards, err);
  for (size_t i = 0; i < pass->n && code == 0; i++)
    code = dg_shard_merge (&shards[i], err);
  for (size_t i = 0; i < pass->n; i++)
    dg_shard_fini (&shards[i]);
  return code < 0 ? code : worker->pace (worker, err);
}

/* ---- In-order shards ---- */

int
dg_worker_feed_shard (struct dg_worker *worker, struct dg_shard *shard,
                      const struct dg_batch *batch,
                      const struct dg_amount *amount, struct dg_error *err)
{
  struct dg_batch expanded = *batch;
  int group = dg_sampled_take (&worker->pass->sampled, &expanded), code = 0;

  if (shard->member->group >= 0) {
    if (shard->member->group != group)
      return 0;
    expanded.interval = 0;
  }
  if (shard->member->plan.view == DG_VIEW_ACCESSES)
    code = expand (worker, &expanded, err);
  return code < 0 ? code
                  : dg_shard_feed (shard, NULL, &expanded, amount, err);
}

/* What a record is of the program's work.  */
static struct dg_amount
record_amount (const struct dg_log *log, const struct dg_record *record)
{
  struct dg_amount amount = { 0 };
  const struct dg_bbdef *bbdef;

  /* word context; byte n_instrs; word addresses[] */
  if (record->type != DG_R_BBRUN || record->n_words < 2)
    return amount;
  bbdef = dg_log_bbdef (log, dg_log_context (log, record->words[0]).bbdef);
  amount.runs = 1;
  amount.instructions = record->words[1];
  for (size_t i = 0; i < bbdef->n_slots; i++)
    amount.accesses += 2u + bbdef->slots[i].entry < record->n_words
                       && record->words[2 + bbdef->slots[i].entry] != 0;
  return amount;
}

int
dg_worker_feed_records (struct dg_worker *worker, size_t member,
                        struct dg_error *err)
{
  struct dg_pass *pass = worker->pass;
  const struct dg_intervals *intervals = &pass->intervals;
  struct dg_shard *shard = &pass->members[member].shards[0];
  struct dg_reader *reader;
  struct dg_record record;
  struct dg_batch batch = { .record = &record };
  struct dg_amount amount;
  size_t n;
  int code;

  dg_log_chunks (pass->log, &n);
  worker->place = (struct dg_pass_step) { .chunk = n, .member = member };
  reader = dg_reader_new (pass->log, 0, SIZE_MAX, err);
  if (!reader)
    return err->code;
  if (intervals->ends)
    batch.interval = 1;
  while ((code = dg_reader_record (reader, &record, err)) > 0) {
    while (intervals->ends && batch.interval <= intervals->n
           && record.icount >= intervals->ends[batch.interval - 1])
      batch.interval++;
    amount = record_amount (pass->log, &record);
    code = dg_shard_feed (shard, NULL, &batch, &amount, err);
    if (code == 0)
      code = worker->pace (worker, err);
    if (code < 0)
      break;
  }
  dg_reader_free (reader);
  return code;
}
