/* analyse_tasks.c: the pass over the log with several workers.

   A worker that has nothing better to do decodes the next chunk.  Shards of
   chunks are fed there and then.  If there are in-order shards, the chunk is
   kept, and each of those gets a task for it.  So that everything is done in
   order, tasks stand in lanes: one for each in-order shard, one for the merges
   of each analysis with shards of chunks.  The tasks of a chunk are put in
   their lanes when all chunks before it were decoded; the first task of a
   lane is ready, or somebody is at it.  Workers take ready tasks of the oldest
   chunk first.  Chunks that are in work are in a ring of workers + 2 places,
   which bounds the memory.

   One mutex guards all of this; it is taken some times for each chunk.  What
   a task needs of its chunk was written before the task was put in its lane
   and is not changed.

   Errors have a place in the order of the log; the first one counts, so what
   stands before it is still done, and nothing else.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse.h"

#include "error.h"

#define PACE_US 40000

enum task_kind {
  TASK_FEED,               /* a chunk's batches to an in-order shard */
  TASK_MERGE,              /* a chunk's shard to its member */
  TASK_RECORDS,            /* all records to a shard */
  TASK_END                 /* of an in-order shard */
};

struct lane {
  struct dg_shard *shard;  /* NULL: of merges */
  size_t member;
  struct task *first, **last;  /* that are not done */
};

struct task {
  enum task_kind kind;
  struct lane *lane;
  struct slot *slot;
  struct task *next;       /* in its lane */
  struct task *next_ready; /* of its chunk */
  uint32_t first, n;       /* FEED to a thread: turns; else: all batches */
};

/* A batch of a chunk, and whose it is.  */
struct turn {
  uint32_t thread;         /* index of its shard */
  uint32_t batch;
};

/* A chunk that is in work, or what comes before and behind them all.  */
struct slot {
  size_t chunk;
  bool is_used;
  bool is_decoded, is_fed; /* in-order tasks, merges can be put in lanes */
  size_t open;             /* jobs and tasks that are not done */
  struct task *ready, **last_ready;
  struct dg_kept *kept;
  size_t n_batches;        /* in it */
  struct dg_table tasks;   /* struct task; FEED, then MERGE */
  size_t n_feeds;
  struct dg_amount *amounts;   /* of each batch */
  struct turn *turns;      /* batches by thread; NULL: nobody asks */
  struct dg_shard *shards; /* of each member, the chunk's */
};

struct tasks {
  struct dg_pass *pass;
  struct dg_worker *workers;
  size_t n_chunks;
  size_t end;              /* chunks to be read: all, or none */
  bool has_in_order, has_threads;      /* shards that want runs */
  struct lane **lanes;     /* of each member: of its in-order shards, or else
                              the one of its merges */
  struct slot *slots;      /* chunk i has slot i % n_slots */
  size_t n_slots;
  struct slot around;      /* records and ends */
  GMutex mutex;
  GCond work;              /* for workers */
  GCond changed;           /* for the calling thread */
  /* Guarded by the mutex.  */
  size_t next;             /* chunk to be decoded */
  size_t in_work;          /* slots that are used */
  size_t decoded, fed;     /* chunks whose tasks were put in lanes */
  bool is_ending;          /* ends were put in lanes */
  bool is_over;
  uint64_t done;           /* twice the bytes: decoded, and done */
  unsigned running;        /* workers */
  bool failed;
  struct dg_place place;   /* of the error */
  struct dg_error error;
};

/* ---- Errors ---- */

static int
compare_places (const struct dg_place *a, const struct dg_place *b)
{
  if (a->chunk != b->chunk)
    return a->chunk < b->chunk ? -1 : 1;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  if (a->member != b->member)
    return a->member < b->member ? -1 : 1;
  return (a->shard > b->shard) - (a->shard < b->shard);
}

/* With the mutex held.  */
static void
fail (struct tasks *tasks, const struct dg_place *place,
      const struct dg_error *error)
{
  if (tasks->is_over
      || (tasks->failed && compare_places (&tasks->place, place) <= 0))
    return;
  tasks->failed = true;
  tasks->place = *place;
  tasks->error = *error;
  atomic_store (&tasks->pass->limit, place->chunk + 1);
}

/* Likewise: whether nothing from there on is to be done.  */
static bool
is_behind_error (const struct tasks *tasks, const struct dg_place *place)
{
  return tasks->failed && compare_places (&tasks->place, place) <= 0;
}

/* Between two batches.  */
static int
pace (struct dg_worker *worker, struct dg_error *err)
{
  size_t limit = atomic_load_explicit (&worker->pass->limit,
                                       memory_order_relaxed);

  return worker->place.chunk < limit
           ? 0 : dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
}

/* ---- Lanes; with the mutex held ---- */

static void
make_ready (struct task *task)
{
  struct slot *slot = task->slot;

  task->next_ready = NULL;
  *slot->last_ready = task;
  slot->last_ready = &task->next_ready;
}

static void
put (struct task *task)
{
  struct lane *lane = task->lane;

  task->next = NULL;
  *lane->last = task;
  lane->last = &task->next;
  if (lane->first == task)
    make_ready (task);
}

/* The first task of its lane is done.  */
static void
leave (struct task *task)
{
  struct lane *lane = task->lane;

  lane->first = task->next;
  if (lane->first)
    make_ready (lane->first);
  else
    lane->last = &lane->first;
}

static struct slot *
slot_of (const struct tasks *tasks, size_t chunk)
{
  return &tasks->slots[chunk % tasks->n_slots];
}

static bool
has_chunk (const struct slot *slot, size_t chunk)
{
  return slot->is_used && slot->chunk == chunk;
}

/* Puts tasks in their lanes, as far as that can be done in order.  */
static void
publish (struct tasks *tasks)
{
  struct slot *slot;
  struct task *task;

  for (; slot = slot_of (tasks, tasks->decoded),
         has_chunk (slot, tasks->decoded) && slot->is_decoded;
       tasks->decoded++) {
    task = slot->tasks.items;
    for (size_t i = 0; i < slot->n_feeds; i++)
      put (&task[i]);
  }
  for (; slot = slot_of (tasks, tasks->fed),
         has_chunk (slot, tasks->fed) && slot->is_fed;
       tasks->fed++) {
    task = slot->tasks.items;
    for (size_t i = slot->n_feeds; i < slot->tasks.n; i++)
      put (&task[i]);
  }
}

/* A job or task of a slot is done.  */
static void
close_one (struct tasks *tasks, struct slot *slot)
{
  if (--slot->open > 0 || !slot->is_used)
    return;
  slot->is_used = false;
  tasks->in_work--;
  tasks->done += dg_pass_offset (tasks->pass, slot->chunk + 1)
                 - dg_pass_offset (tasks->pass, slot->chunk);
}

static struct task *
take_from (struct slot *slot)
{
  struct task *task = slot->ready;

  if (!task)
    return NULL;
  slot->ready = task->next_ready;
  if (!slot->ready)
    slot->last_ready = &slot->ready;
  return task;
}

/* A ready task, of the oldest chunk; NULL: there is none.  */
static struct task *
take_task (struct tasks *tasks)
{
  struct task *task = take_from (&tasks->around);
  size_t first = tasks->next > tasks->n_slots ? tasks->next - tasks->n_slots
                                              : 0;

  for (size_t i = first; i < tasks->next && !task; i++)
    if (has_chunk (slot_of (tasks, i), i))
      task = take_from (slot_of (tasks, i));
  return task;
}

/* ---- Making tasks ---- */

static int
by_thread (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct turn *x = a, *y = b;

  return x->thread != y->thread ? (x->thread > y->thread) * 2 - 1
         : (x->batch > y->batch) - (x->batch < y->batch);
}

/* Sorts the batches of a chunk by thread.  */
static int
make_turns (struct tasks *tasks, struct slot *slot, size_t n,
            struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  struct dg_member *member = NULL;

  slot->turns = g_try_new (struct turn, n + 1);
  if (!slot->turns)
    return dg_error_nomem (err);
  for (size_t i = 0; i < pass->n && !member; i++)
    if (pass->members[i].plan.shard == DG_SHARD_THREAD)
      member = &pass->members[i];
  for (size_t i = 0; i < n; i++) {
    struct dg_batch batch = dg_kept_batch (slot->kept, i);
    struct dg_shard *shard = dg_member_thread (pass, member,
                                               batch.runs[0].thread, err);

    if (!shard)
      return DG_ERR_DAMAGED;
    slot->turns[i] = (struct turn) { shard->feed.index, i };
  }
  if (n > 0)
    g_qsort_with_data (slot->turns, n, sizeof *slot->turns, by_thread, NULL);
  return 0;
}

static int
add_task (struct slot *slot, const struct task *task, struct dg_error *err)
{
  struct task *place = dg_table_add (&slot->tasks, sizeof *place);

  if (!place)
    return dg_error_nomem (err);
  *place = *task;
  place->slot = slot;
  return 0;
}

/* Those of one member for n batches.  */
static int
add_feeds (struct tasks *tasks, struct slot *slot, size_t member, size_t n,
           struct dg_error *err)
{
  const struct dg_member *of = &tasks->pass->members[member];
  struct lane *lanes = tasks->lanes[member];
  uint32_t next;
  int code = 0;

  if (of->plan.shard == DG_SHARD_THREAD) {
    const struct turn *turns = slot->turns;

    for (uint32_t i = 0; i < n && code == 0; i = next) {
      for (next = i + 1; next < n && turns[next].thread == turns[i].thread;
           next++)
        ;
      code = add_task (slot, &(struct task) { .kind = TASK_FEED,
                                              .lane = &lanes[turns[i].thread],
                                              .first = i, .n = next - i },
                       err);
    }
    return code;
  }
  for (uint32_t i = 0; i < of->n_shards && code == 0; i++)
    code = add_task (slot, &(struct task) { .kind = TASK_FEED,
                                            .lane = &lanes[i], .n = n },
                     err);
  return code;
}

/* Makes the tasks of a chunk that was kept, if somebody needs that.  Tasks do
   not move any more when this is done.  */
static int
make_tasks (struct tasks *tasks, struct slot *slot, struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  bool all_made = dg_pass_all_made (pass, slot->chunk);
  size_t n = slot->n_batches;
  int code = 0;

  if (n > 0) {
    slot->amounts = g_try_new (struct dg_amount, n);
    if (!slot->amounts)
      return dg_error_nomem (err);
    for (size_t i = 0; i < n; i++) {
      struct dg_batch batch = dg_kept_batch (slot->kept, i);

      slot->amounts[i] = dg_batch_amount (&batch, all_made);
    }
    if (tasks->has_threads)
      code = make_turns (tasks, slot, n, err);
  }
  for (size_t i = 0; i < pass->n && n > 0 && code == 0; i++)
    if (pass->members[i].plan.shard != DG_SHARD_CHUNK
        && pass->members[i].plan.view != DG_VIEW_RECORDS)
      code = add_feeds (tasks, slot, i, n, err);
  slot->n_feeds = slot->tasks.n;
  for (size_t i = 0; i < pass->n && code == 0; i++)
    if (pass->members[i].plan.shard == DG_SHARD_CHUNK)
      code = add_task (slot, &(struct task) { .kind = TASK_MERGE,
                                              .lane = tasks->lanes[i] },
                       err);
  if (code < 0)
    slot->tasks.n = slot->n_feeds = 0;
  return code;
}

/* ---- Decoding ---- */

/* Feeds a chunk to its shards as it is decoded.  */
static int
feed_as_decoded (struct dg_worker *worker, struct slot *slot,
                 struct dg_error *err)
{
  bool all_made = dg_pass_all_made (worker->pass, slot->chunk);
  struct dg_amount amount;
  struct dg_batch batch;
  int code = dg_feeder_open (worker->feeder, slot->chunk, err);

  while (code == 0
         && (code = dg_feeder_next (worker->feeder, &batch, err)) > 0) {
    amount = dg_batch_amount (&batch, all_made);
    code = dg_worker_feed (worker, &batch, &amount, slot->shards, false, err);
    if (code == 0)
      code = pace (worker, err);
    if (code == 0)
      worker->place.step++;
  }
  return code;
}

/* The same with a chunk that was kept.  */
static int
feed_as_kept (struct dg_worker *worker, struct slot *slot,
              struct dg_error *err)
{
  int code = 0;

  for (size_t i = 0; i < slot->n_batches && code == 0; i++) {
    struct dg_batch batch = dg_kept_batch (slot->kept, i);

    worker->place.step = i;
    code = dg_worker_feed (worker, &batch, &slot->amounts[i], slot->shards,
                           false, err);
    if (code == 0)
      code = pace (worker, err);
  }
  return code;
}

/* Decodes a chunk and keeps it.  What was decoded before an error is there,
   and counts.  */
static int
keep (struct dg_worker *worker, struct slot *slot, struct dg_error *err)
{
  int code = 0;

  if (!slot->kept)
    slot->kept = dg_kept_new (err);
  if (!slot->kept)
    return DG_ERR_NOMEM;
  code = dg_feeder_open (worker->feeder, slot->chunk, err);
  if (code < 0)
    return code;
  code = dg_feeder_keep (worker->feeder, slot->kept, err);
  slot->n_batches = worker->place.step = dg_kept_batches (slot->kept);
  return code;
}

/* Notes the error of what the worker does.  */
static int
note (struct tasks *tasks, const struct dg_worker *worker, int code,
      const struct dg_error *error)
{
  if (code < 0) {
    g_mutex_lock (&tasks->mutex);
    fail (tasks, &worker->place, error);
    g_mutex_unlock (&tasks->mutex);
  }
  return code;
}

static void
clear_slot (struct slot *slot)
{
  slot->tasks.n = slot->n_feeds = slot->n_batches = 0;
  g_free (slot->amounts);
  g_free (slot->turns);
  slot->amounts = NULL;
  slot->turns = NULL;
}

/* Decodes the slot's chunk, makes its tasks, feeds its shards.  */
static void
do_chunk (struct tasks *tasks, struct dg_worker *worker, struct slot *slot)
{
  const struct dg_place place = { .chunk = slot->chunk };
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  int decoded = 0, code;

  clear_slot (slot);
  worker->place = place;
  if (tasks->has_in_order)
    decoded = note (tasks, worker, keep (worker, slot, &error), &error);
  worker->place = place;
  code = note (tasks, worker, make_tasks (tasks, slot, &error), &error);
  g_mutex_lock (&tasks->mutex);
  slot->open += slot->tasks.n;
  slot->is_decoded = true;
  tasks->done += dg_pass_offset (tasks->pass, slot->chunk + 1)
                 - dg_pass_offset (tasks->pass, slot->chunk);
  publish (tasks);
  g_cond_broadcast (&tasks->work);
  g_mutex_unlock (&tasks->mutex);
  if (code == 0) {
    dg_worker_begin_chunk (worker, slot->chunk, slot->shards);
    code = tasks->has_in_order ? feed_as_kept (worker, slot, &error)
                               : feed_as_decoded (worker, slot, &error);
    if (code == 0 && decoded == 0)
      code = dg_worker_end_chunk (worker, slot->shards, &error);
    note (tasks, worker, code, &error);
  }
  g_mutex_lock (&tasks->mutex);
  slot->is_fed = true;
  publish (tasks);
  close_one (tasks, slot);
  g_cond_broadcast (&tasks->work);
  g_mutex_unlock (&tasks->mutex);
}

/* ---- Doing tasks ---- */

static int
feed_shard (struct tasks *tasks, struct dg_worker *worker,
            const struct task *task, struct dg_error *err)
{
  const struct slot *slot = task->slot;
  struct dg_shard *shard = task->lane->shard;
  bool by_turns = shard->feed.kind == DG_SHARD_THREAD;
  int code = 0;

  for (uint32_t i = 0; i < task->n && code == 0; i++) {
    size_t b = by_turns ? slot->turns[task->first + i].batch : i;
    struct dg_batch batch = dg_kept_batch (slot->kept, b);

    worker->place.step = b;
    code = dg_worker_feed_shard (worker, shard, &batch, &slot->amounts[b],
                                 err);
    if (code == 0)
      code = pace (worker, err);
  }
  return code;
}

static int
perform (struct tasks *tasks, struct dg_worker *worker,
         const struct task *task, struct dg_error *err)
{
  switch (task->kind) {
  case TASK_FEED:
    return feed_shard (tasks, worker, task, err);
  case TASK_MERGE:
    return dg_shard_merge (&task->slot->shards[task->lane->member], err);
  case TASK_RECORDS:
    return dg_worker_feed_records (worker, task->lane->member, err);
  case TASK_END:
    return dg_shard_end (task->lane->shard, err);
  }
  return 0;
}

/* With the mutex held, which is released meanwhile.  */
static void
do_task (struct tasks *tasks, struct dg_worker *worker, struct task *task)
{
  const struct lane *lane = task->lane;
  struct dg_place place = { .chunk = task->slot->chunk,
                            .member = lane->member };
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  int code;

  if (lane->shard)
    place.shard = lane->shard->feed.index;
  if (task->kind == TASK_MERGE)
    place.step = DG_STEP_MERGE;
  else if (task->kind == TASK_END)
    place.step = DG_STEP_END;
  if (!is_behind_error (tasks, &place)) {
    g_mutex_unlock (&tasks->mutex);
    worker->place = place;
    code = perform (tasks, worker, task, &error);
    g_mutex_lock (&tasks->mutex);
    if (code < 0)
      fail (tasks, &worker->place, &error);
  }
  leave (task);
  close_one (tasks, task->slot);
  g_cond_broadcast (&tasks->work);
}

/* ---- Workers; with the mutex held ---- */

/* Chunks that are still to be read: those up to the first error.  */
static size_t
end_of_chunks (const struct tasks *tasks)
{
  return tasks->failed ? MIN (tasks->end, tasks->place.chunk + 1)
                       : tasks->end;
}

/* A place for the next chunk, if it may be decoded.  */
static struct slot *
take_chunk (struct tasks *tasks)
{
  struct slot *slot = slot_of (tasks, tasks->next);

  if (tasks->next >= end_of_chunks (tasks) || slot->is_used)
    return NULL;
  slot->chunk = tasks->next++;
  slot->is_used = true;
  slot->is_decoded = slot->is_fed = false;
  slot->open = 1;
  tasks->in_work++;
  return slot;
}

/* One task for each in-order shard that was begun.  */
static int
put_ends (struct tasks *tasks, struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  struct slot *around = &tasks->around;
  int code = 0;

  around->tasks.n = 0;
  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++)
      if (pass->members[i].shards[k].data)
        code = add_task (around, &(struct task) {
                                   .kind = TASK_END,
                                   .lane = &tasks->lanes[i][k] }, err);
  if (code < 0)
    return code;
  around->open = around->tasks.n;
  for (size_t i = 0; i < around->tasks.n; i++)
    put ((struct task *) around->tasks.items + i);
  return 0;
}

/* When there is nothing to do and nobody does anything: what comes then.  */
static void
go_on (struct tasks *tasks)
{
  const struct dg_place place = { .chunk = tasks->n_chunks,
                                  .step = DG_STEP_END };
  struct dg_error error = { 0 };

  if (tasks->failed || tasks->is_ending)
    tasks->is_over = true;
  else if (put_ends (tasks, &error) < 0)
    fail (tasks, &place, &error);
  tasks->is_ending = true;
  g_cond_broadcast (&tasks->work);
}

struct hand {
  struct tasks *tasks;
  struct dg_worker *worker;
};

static gpointer
work (gpointer data)
{
  const struct hand *hand = data;
  struct tasks *tasks = hand->tasks;

  g_mutex_lock (&tasks->mutex);
  while (!tasks->is_over) {
    struct task *task = take_task (tasks);
    struct slot *slot = task ? NULL : take_chunk (tasks);

    if (task) {
      do_task (tasks, hand->worker, task);
    } else if (slot) {
      g_mutex_unlock (&tasks->mutex);
      do_chunk (tasks, hand->worker, slot);
      g_mutex_lock (&tasks->mutex);
    } else if (tasks->in_work == 0 && tasks->around.open == 0) {
      go_on (tasks);
    } else {
      g_cond_wait (&tasks->work, &tasks->mutex);
    }
  }
  tasks->running--;
  g_cond_signal (&tasks->changed);
  g_mutex_unlock (&tasks->mutex);
  return NULL;
}

/* ---- The calling thread ---- */

/* Tells how far it has come until all workers have ended.  */
static int
watch (struct tasks *tasks, struct dg_error *err)
{
  int code = 0;

  g_mutex_lock (&tasks->mutex);
  while (tasks->running > 0) {
    uint64_t done = tasks->done / 2;

    g_mutex_unlock (&tasks->mutex);
    if (code == 0)
      code = dg_pass_pace (tasks->pass, done, err);
    g_mutex_lock (&tasks->mutex);
    if (code < 0 && !tasks->is_over) {
      tasks->is_over = true;
      atomic_store (&tasks->pass->limit, 0);
      g_cond_broadcast (&tasks->work);
    }
    if (tasks->running > 0)
      g_cond_wait_until (&tasks->changed, &tasks->mutex,
                         g_get_monotonic_time () + PACE_US);
  }
  g_mutex_unlock (&tasks->mutex);
  return code;
}

static int
init_lanes (struct tasks *tasks, size_t i, struct dg_error *err)
{
  struct dg_member *member = &tasks->pass->members[i];
  struct slot *around = &tasks->around;
  uint32_t n = MAX (member->n_shards, 1);
  int code = 0;

  tasks->lanes[i] = g_try_new0 (struct lane, n);
  if (!tasks->lanes[i])
    return dg_error_nomem (err);
  for (uint32_t k = 0; k < n; k++) {
    struct lane *lane = &tasks->lanes[i][k];

    lane->member = i;
    lane->last = &lane->first;
    if (member->plan.shard != DG_SHARD_CHUNK)
      lane->shard = &member->shards[k];
  }
  if (member->plan.view == DG_VIEW_RECORDS) {
    code = add_task (around, &(struct task) { .kind = TASK_RECORDS,
                                              .lane = tasks->lanes[i] }, err);
  } else {
    tasks->end = tasks->n_chunks;
    tasks->has_in_order |= member->plan.shard != DG_SHARD_CHUNK;
    tasks->has_threads |= member->plan.shard == DG_SHARD_THREAD;
  }
  return code;
}

static int
init_tasks (struct tasks *tasks, unsigned n, struct dg_error *err)
{
  struct slot *around = &tasks->around;
  int code = 0;

  dg_log_chunks (tasks->pass->log, &tasks->n_chunks);
  tasks->n_slots = (size_t) n + 2;
  tasks->slots = g_new0 (struct slot, tasks->n_slots);
  tasks->lanes = g_new0 (struct lane *, tasks->pass->n);
  for (size_t i = 0; i < tasks->n_slots; i++) {
    tasks->slots[i].shards = g_new0 (struct dg_shard, tasks->pass->n);
    tasks->slots[i].last_ready = &tasks->slots[i].ready;
  }
  around->chunk = tasks->n_chunks;
  around->last_ready = &around->ready;
  for (size_t i = 0; i < tasks->pass->n && code == 0; i++)
    code = init_lanes (tasks, i, err);
  if (code < 0)
    return code;
  around->open = around->tasks.n;
  for (size_t i = 0; i < around->tasks.n; i++)
    put ((struct task *) around->tasks.items + i);
  return 0;
}

static void
fini_tasks (struct tasks *tasks)
{
  for (size_t i = 0; i < tasks->n_slots; i++) {
    struct slot *slot = &tasks->slots[i];

    clear_slot (slot);
    for (size_t k = 0; k < tasks->pass->n; k++)
      if (slot->shards[k].member)
        dg_shard_fini (&slot->shards[k]);
    dg_kept_free (slot->kept);
    dg_table_fini (&slot->tasks);
    g_free (slot->shards);
  }
  for (size_t i = 0; i < tasks->pass->n; i++)
    g_free (tasks->lanes[i]);
  dg_table_fini (&tasks->around.tasks);
  g_free (tasks->lanes);
  g_free (tasks->slots);
}

/* Runs the workers: how many there were.  */
static unsigned
run (struct tasks *tasks, struct dg_worker *workers, unsigned n, int *code,
     struct dg_error *err)
{
  struct hand *hands = g_new0 (struct hand, n);
  GThread **threads = g_new0 (GThread *, n);
  unsigned started = 0;

  tasks->running = n;
  for (; started < n; started++) {
    hands[started] = (struct hand) { tasks, &workers[started] };
    workers[started].pace = pace;
    threads[started] = g_thread_try_new ("dg-analyse", work, &hands[started],
                                         NULL);
    if (!threads[started])
      break;
  }
  if (started < n) {
    g_mutex_lock (&tasks->mutex);
    tasks->running -= n - started;
    g_mutex_unlock (&tasks->mutex);
  }
  if (started > 0)
    *code = watch (tasks, err);
  for (unsigned i = 0; i < started; i++)
    g_thread_join (threads[i]);
  if (*code == 0 && tasks->failed)
    *code = dg_error_copy (err, &tasks->error);
  g_free (threads);
  g_free (hands);
  return started;
}

bool
dg_pass_together (struct dg_pass *pass, struct dg_worker *workers, unsigned n,
                  int *code, struct dg_error *err)
{
  struct tasks tasks = { .pass = pass };
  bool has_run = true;

  atomic_store (&pass->limit, SIZE_MAX);
  g_mutex_init (&tasks.mutex);
  g_cond_init (&tasks.work);
  g_cond_init (&tasks.changed);
  *code = init_tasks (&tasks, n, err);
  if (*code == 0)
    has_run = run (&tasks, workers, n, code, err) > 0;
  fini_tasks (&tasks);
  g_mutex_clear (&tasks.mutex);
  g_cond_clear (&tasks.work);
  g_cond_clear (&tasks.changed);
  return has_run;
}
