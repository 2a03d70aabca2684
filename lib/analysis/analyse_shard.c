/* analyse_shard.c: the life of a shard: begun by its first batch, fed, asked
   for snapshots, ended, merged.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_shard.h"

#include "base/error.h"

/* What a callback is given, in case that it fails without a word.  */
#define NO_MESSAGE                       \
  {                                      \
    DG_ERR_NOMEM, 0, "not enough memory" \
  }

int
dg_member_error (const struct dg_member *member,
                 const struct dg_shard *shard, int code,
                 const struct dg_error *from, struct dg_error *err)
{
  const char *name = member->analysis->name;
  uint64_t offset = from->offset;

  if (!shard || member->plan.shard == DG_SHARD_WHOLE)
    dg_error_set (err, code, "%s: %s", name, from->message);
  else if (member->plan.shard == DG_SHARD_THREAD)
    dg_error_set (err, code, "%s: shard %u (thread %u): %s", name,
                  shard->feed.index, shard->feed.thread, from->message);
  else
    dg_error_set (err, code, "%s: shard %u (%s): %s", name, shard->feed.index,
                  member->plan.shard == DG_SHARD_CHUNK ? "chunk" : "part",
                  from->message);
  if (err)
    err->offset = offset;
  return code;
}

static int
shard_error (const struct dg_shard *shard, int code,
             const struct dg_error *from, struct dg_error *err)
{
  return dg_member_error (shard->member, shard, code < 0 ? code : from->code,
                          from, err);
}

/* Accesses of a run that were made and are asked for.  */
static size_t
count_made (const struct dg_run *run, bool all_made)
{
  const struct dg_slot *slot = run->bbdef->slots;
  const struct dg_slot *end = slot + run->n_slots;
  size_t n = 0;

  while (slot < end && slot->iseq < run->first_instr)
    slot++;
  if (all_made)
    return end - slot;
  for (; slot < end; slot++)
    n += run->addresses[slot->entry] != 0;
  return n;
}

struct dg_amount
dg_amount_of_batch (const struct dg_batch *batch, bool all_made)
{
  struct dg_amount amount = { 0 };

  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];
    uint64_t times = batch->times ? batch->times[i] : 1;
    bool all = all_made || !run->addresses;

    amount.runs += times;
    amount.instructions += times * (run->n_instrs - run->first_instr);
    amount.accesses += times
                       * (all && run->first_instr == 0
                            ? run->n_slots : count_made (run, all));
  }
  return amount;
}

struct dg_amount
dg_amount_of_latest (const struct dg_feeder *feeder,
                     const struct dg_batch *batch, bool all_made)
{
  uint64_t slots = dg_feeder_slots (feeder);

  /* Batches of an archive have the addresses of all runs, or of none.  */
  if (slots == DG_NEVER || (!all_made && batch->runs[0].addresses))
    return dg_amount_of_batch (batch, all_made);
  return (struct dg_amount) { batch->n_runs, dg_feeder_instructions (feeder),
                              slots };
}

/* ---- Snapshots ---- */

/* That of an interval which the shard has left.  */
static int
take_snapshot (struct dg_shard *shard, uint64_t interval,
               struct dg_error *err)
{
  const struct dg_member *member = shard->member;
  const struct dg_intervals *intervals = member->intervals;
  struct dg_snapshot **place = dg_table_add (&shard->snapshots,
                                             sizeof (struct dg_snapshot *));
  struct dg_error error = NO_MESSAGE;
  struct dg_snapshot *snapshot;

  if (!place)
    return shard_error (shard, DG_ERR_NOMEM, &error, err);
  snapshot = member->analysis->snapshot (member->self, shard->data,
                                         &shard->feed, &error);
  if (!snapshot) {
    shard->snapshots.n--;
    return shard_error (shard, 0, &error, err);
  }
  *snapshot = (struct dg_snapshot) {
    .shard = shard->feed.index,
    .interval = interval,
    .end_icount = intervals->ends[interval - 1],
    .end_ns = intervals->ends_ns[interval - 1],
    .instructions = shard->feed.instructions,
    .instructions_delta = shard->feed.instructions - shard->told
  };
  *place = snapshot;
  shard->told = shard->feed.instructions;
  return 0;
}

/* Those of the intervals from the shard's up to `next`, without it.  A chunk
   has part in those only in which it was given something.  */
static int
leave_intervals (struct dg_shard *shard, uint64_t next, struct dg_error *err)
{
  int code = 0;

  if (shard->interval == 0 || !shard->data)
    return 0;
  if (shard->feed.kind == DG_SHARD_CHUNK)
    return take_snapshot (shard, shard->interval, err);
  for (uint64_t i = shard->interval; i < next && code == 0; i++)
    code = take_snapshot (shard, i, err);
  return code;
}

/* ---- Life ---- */

void *
dg_shard_self (void *self, const struct dg_feed *feed, void *worker,
               struct dg_error *err)
{
  (void) feed;
  (void) worker;
  (void) err;
  return self;
}

static int
begin (struct dg_shard *shard, void *worker, struct dg_error *err)
{
  const struct dg_member *member = shard->member;
  struct dg_error error = NO_MESSAGE;

  shard->data = member->analysis->shard_new (member->self, &shard->feed,
                                             worker, &error);
  if (!shard->data)
    return shard_error (shard, 0, &error, err);
  shard->is_workers = shard->data == worker;
  return 0;
}

/* All that the log says of its thread has come: only runs without instructions
   may come yet, which say nothing.  */
static int
feed_ended (const struct dg_shard *shard, const struct dg_amount *amount,
            struct dg_error *err)
{
  struct dg_error error;

  if (amount->instructions == 0)
    return 0;
  dg_error_set (&error, DG_ERR_DAMAGED,
                "the thread has more instructions than its sum in the log");
  return shard_error (shard, DG_ERR_DAMAGED, &error, err);
}

int
dg_shard_feed (struct dg_shard *shard, void *worker,
               const struct dg_batch *batch, const struct dg_amount *amount,
               struct dg_error *err)
{
  const struct dg_member *member = shard->member;
  struct dg_error error = NO_MESSAGE;
  int code;

  if (shard->has_ended)
    return feed_ended (shard, amount, err);
  if (batch->interval != shard->interval) {
    code = leave_intervals (shard, batch->interval, err);
    if (code < 0)
      return code;
    shard->interval = batch->interval;
  }
  if (!shard->data) {
    code = begin (shard, worker, err);
    if (code < 0)
      return code;
  }
  code = member->analysis->shard_feed (member->self, shard->data,
                                       &shard->feed, batch, &error);
  if (code < 0)
    return shard_error (shard, code, &error, err);
  shard->feed.runs += amount->runs;
  shard->feed.instructions += amount->instructions;
  shard->feed.accesses += amount->accesses;
  return shard->feed.instructions == shard->all ? dg_shard_end (shard, err)
                                                : 0;
}

int
dg_shard_end (struct dg_shard *shard, struct dg_error *err)
{
  const struct dg_member *member = shard->member;
  struct dg_error error = NO_MESSAGE;
  int code;

  if (!shard->data || shard->has_ended)
    return 0;
  shard->has_ended = true;
  code = leave_intervals (shard, member->intervals->n + 2, err);
  if (code < 0)
    return code;
  if (member->analysis->shard_end) {
    code = member->analysis->shard_end (member->self, shard->data,
                                        &shard->feed, &error);
    if (code < 0)
      return shard_error (shard, code, &error, err);
  }
  return 0;
}

int
dg_shard_merge (struct dg_shard *shard, struct dg_error *err)
{
  struct dg_member *member = shard->member;
  struct dg_error error = NO_MESSAGE;
  int code = 0;

  if (!shard->data)
    return 0;
  for (size_t i = 0; i < shard->snapshots.n; i++) {
    struct dg_snapshot **place = dg_table_add (&member->snapshots,
                                               sizeof *place);

    if (!place)
      return shard_error (shard, DG_ERR_NOMEM, &error, err);
    *place = ((struct dg_snapshot **) shard->snapshots.items)[i];
    ((struct dg_snapshot **) shard->snapshots.items)[i] = NULL;
  }
  if (member->analysis->merge)
    code = member->analysis->merge (member->self, shard->data, &shard->feed,
                                    &error);
  if (code < 0)
    return shard_error (shard, code, &error, err);
  dg_shard_fini (shard);
  return 0;
}

void
dg_shard_fini (struct dg_shard *shard)
{
  const struct dg_member *member = shard->member;

  for (size_t i = 0; i < shard->snapshots.n; i++) {
    struct dg_snapshot *snapshot
      = ((struct dg_snapshot **) shard->snapshots.items)[i];

    if (snapshot)
      member->analysis->release (member->self, snapshot);
  }
  dg_table_fini (&shard->snapshots);
  if (shard->data && !shard->is_workers && member->analysis->shard_free)
    member->analysis->shard_free (member->self, shard->data);
  shard->data = NULL;
}
