/* analyse_tasks.c: the pass over the log with several workers.

   A worker that has nothing better to do decodes the next chunk.  Shards of
   chunks are fed there and then.  If there are in-order shards, the chunk is
   kept, and each of those gets a task for it; tasks are done in the order of
   analyse_lanes.h.  Workers take ready tasks of the oldest chunk first.
   Chunks that are in work are in a ring of workers + 2 places, which bounds
   the memory.  A chunk that is too large to be kept is fed to all shards as it
   is decoded, while no other is in work; nor is any while heap blocks pass.

   One mutex guards all of this; it is taken some times for each chunk.  What
   a task needs of its chunk was written before the task was put in its lane
   and is not changed.

   Errors have a place in the order of the log; the first one counts, so what
   stands before it is still done, and nothing else.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_tasks.h"

#include "analyse_lanes.h"

#include "base/error.h"
#include "base/progress.h"

/* Between two batches.  */
static int
pace (struct dg_worker *worker, struct dg_error *err)
{
  size_t limit = atomic_load_explicit (&worker->pass->limit,
                                       memory_order_relaxed);

  return worker->place.chunk < limit
           ? 0 : dg_progress_cancelled (err);
}

/* ---- Decoding ---- */

/* Feeds a chunk to its shards as it is decoded.  */
static int
feed_as_decoded (struct dg_worker *worker, struct dg_ahead *ahead,
                 struct dg_error *err)
{
  bool all_made = dg_pass_all_made (worker->pass, ahead->chunk);
  struct dg_amount amount;
  struct dg_batch batch;
  int code = dg_feeder_open (worker->feeder, ahead->chunk, err);

  while (code == 0
         && (code = dg_feeder_next (worker->feeder, &batch, err)) > 0) {
    amount = dg_amount_of_latest (worker->feeder, &batch, all_made);
    code = dg_worker_feed (worker, &batch, &amount, ahead->shards, false, err);
    if (code == 0)
      code = pace (worker, err);
    if (code == 0)
      worker->place.step++;
  }
  return code;
}

/* The same with a chunk that was kept.  */
static int
feed_as_kept (struct dg_worker *worker, struct dg_ahead *ahead,
              struct dg_error *err)
{
  int code = 0;

  for (size_t i = 0; i < ahead->n_batches && code == 0; i++) {
    struct dg_batch batch = dg_kept_batch (ahead->kept, i);

    worker->place.step = i;
    code = dg_worker_feed (worker, &batch, &ahead->amounts[i], ahead->shards,
                           false, err);
    if (code == 0)
      code = pace (worker, err);
  }
  return code;
}

/* Decodes a chunk and keeps it.  What was decoded before an error is there,
   and counts.  */
static int
keep (struct dg_worker *worker, struct dg_ahead *ahead, struct dg_error *err)
{
  int code = 0;

  if (!ahead->kept)
    ahead->kept = dg_kept_new (err);
  if (!ahead->kept)
    return DG_ERR_NOMEM;
  code = dg_feeder_open (worker->feeder, ahead->chunk, err);
  if (code < 0)
    return code;
  code = dg_feeder_keep (worker->feeder, ahead->kept, err);
  ahead->n_batches = worker->place.step = dg_kept_batches (ahead->kept);
  return code;
}

/* Notes the error of what the worker does.  */
static int
note (struct dg_tasks *tasks, const struct dg_worker *worker, int code,
      const struct dg_error *error)
{
  if (code < 0) {
    g_mutex_lock (&tasks->mutex);
    dg_tasks_fail (tasks, &worker->place, error);
    g_mutex_unlock (&tasks->mutex);
  }
  return code;
}

/* Decodes the chunk, makes its tasks, feeds its shards.  */
static void
do_chunk (struct dg_tasks *tasks, struct dg_worker *worker,
          struct dg_ahead *ahead)
{
  const struct dg_pass_step place = { .chunk = ahead->chunk };
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  int decoded = 0, code;

  dg_ahead_clear (ahead);
  worker->place = place;
  if (tasks->has_in_order)
    decoded = note (tasks, worker, keep (worker, ahead, &error), &error);
  worker->place = place;
  code = note (tasks, worker, dg_ahead_make (tasks, ahead, &error), &error);
  g_mutex_lock (&tasks->mutex);
  ahead->open += ahead->tasks.n;
  ahead->is_decoded = true;
  tasks->done += dg_pass_offset (tasks->pass, ahead->chunk + 1)
                 - dg_pass_offset (tasks->pass, ahead->chunk);
  dg_tasks_publish (tasks);
  g_cond_broadcast (&tasks->work);
  g_mutex_unlock (&tasks->mutex);
  if (code == 0) {
    dg_worker_begin_chunk (worker, ahead->chunk, ahead->shards);
    code = tasks->has_in_order ? feed_as_kept (worker, ahead, &error)
                               : feed_as_decoded (worker, ahead, &error);
    if (code == 0 && decoded == 0)
      code = dg_worker_end_chunk (worker, ahead->shards, &error);
    note (tasks, worker, code, &error);
  }
  g_mutex_lock (&tasks->mutex);
  ahead->is_fed = true;
  dg_tasks_publish (tasks);
  dg_tasks_close (tasks, ahead);
  g_cond_broadcast (&tasks->work);
  g_mutex_unlock (&tasks->mutex);
}

/* A chunk that was not kept is done.  */
static void
leave_alone (struct dg_tasks *tasks, struct dg_ahead *ahead)
{
  g_mutex_lock (&tasks->mutex);
  ahead->is_decoded = ahead->is_fed = true;
  tasks->is_alone = false;
  tasks->done += dg_pass_offset (tasks->pass, ahead->chunk + 1)
                 - dg_pass_offset (tasks->pass, ahead->chunk);
  dg_tasks_publish (tasks);
  dg_tasks_close (tasks, ahead);
  g_cond_broadcast (&tasks->work);
  g_mutex_unlock (&tasks->mutex);
}

/* A chunk that may not be kept, while no other is in work.  */
static void
do_chunk_alone (struct dg_tasks *tasks, struct dg_worker *worker,
                struct dg_ahead *ahead)
{
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

  dg_ahead_clear (ahead);
  worker->place = (struct dg_pass_step) { .chunk = ahead->chunk };
  note (tasks, worker,
        dg_worker_chunk (worker, ahead->chunk, ahead->shards, &error),
        &error);
  leave_alone (tasks, ahead);
}

/* ---- Doing tasks ---- */

static int
feed_shard (struct dg_tasks *tasks, struct dg_worker *worker,
            const struct dg_task *task, struct dg_error *err)
{
  const struct dg_ahead *ahead = task->ahead;
  struct dg_shard *shard = task->lane->shard;
  bool by_turns = shard->feed.kind == DG_SHARD_THREAD;
  int code = 0;

  for (uint32_t i = 0; i < task->n && code == 0; i++) {
    size_t b = by_turns ? ahead->turns[task->first + i].batch : i;
    struct dg_batch batch = dg_kept_batch (ahead->kept, b);

    worker->place.step = b;
    code = dg_worker_feed_shard (worker, shard, &batch, &ahead->amounts[b],
                                 err);
    if (code == 0)
      code = pace (worker, err);
  }
  return code;
}

static int
perform (struct dg_tasks *tasks, struct dg_worker *worker,
         const struct dg_task *task, struct dg_error *err)
{
  switch (task->kind) {
  case DG_TASK_FEED:
    return feed_shard (tasks, worker, task, err);
  case DG_TASK_MERGE:
    return dg_shard_merge (&task->ahead->shards[task->lane->member], err);
  case DG_TASK_RECORDS:
    return dg_worker_feed_records (worker, task->lane->member, err);
  case DG_TASK_END:
    return dg_shard_end (task->lane->shard, err);
  }
  return 0;
}

/* With the mutex held, which is released meanwhile.  */
static void
do_task (struct dg_tasks *tasks, struct dg_worker *worker,
         struct dg_task *task)
{
  const struct dg_lane *lane = task->lane;
  struct dg_pass_step place = { .chunk = task->ahead->chunk,
                            .member = lane->member };
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  int code;

  if (lane->shard)
    place.shard = lane->shard->feed.index;
  if (task->kind == DG_TASK_MERGE)
    place.step = DG_STEP_MERGE;
  else if (task->kind == DG_TASK_END)
    place.step = DG_STEP_END;
  if (!dg_tasks_is_behind (tasks, &place)) {
    g_mutex_unlock (&tasks->mutex);
    worker->place = place;
    code = perform (tasks, worker, task, &error);
    g_mutex_lock (&tasks->mutex);
    if (code < 0)
      dg_tasks_fail (tasks, &worker->place, &error);
  }
  dg_task_leave (task);
  dg_tasks_close (tasks, task->ahead);
  g_cond_broadcast (&tasks->work);
}

/* ---- Workers; with the mutex held ---- */

/* Chunks that are still to be read: those up to the first error.  */
static size_t
end_of_chunks (const struct dg_tasks *tasks)
{
  return tasks->failed ? MIN (tasks->end, tasks->place.chunk + 1)
                       : tasks->end;
}

/* A place for the next chunk, if it may be decoded.  */
static struct dg_ahead *
take_chunk (struct dg_tasks *tasks)
{
  struct dg_ahead *ahead = dg_tasks_ahead (tasks, tasks->next);
  bool is_alone, passes_blocks;

  if (tasks->next >= end_of_chunks (tasks) || ahead->is_used
      || tasks->is_alone)
    return NULL;
  is_alone = tasks->has_in_order
             && !dg_kept_may_hold (tasks->pass->log, tasks->next);
  passes_blocks = dg_pass_has_blocks_before (tasks->pass, tasks->next);
  if ((is_alone || passes_blocks) && tasks->in_work > 0)
    return NULL;
  tasks->is_alone = is_alone || passes_blocks;
  ahead->may_be_kept = !is_alone;
  ahead->passes_blocks = passes_blocks;
  ahead->chunk = tasks->next++;
  ahead->is_used = true;
  ahead->is_decoded = ahead->is_fed = false;
  ahead->open = 3;         /* to be worked on, and to be put in lanes twice */
  tasks->in_work++;
  return ahead;
}

static void
put_all (struct dg_ahead *ahead)
{
  ahead->open = ahead->tasks.n;
  for (size_t i = 0; i < ahead->tasks.n; i++)
    dg_task_put ((struct dg_task *) ahead->tasks.items + i);
}

/* One task for each in-order shard that was begun.  */
static int
put_ends (struct dg_tasks *tasks, struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  struct dg_ahead *around = &tasks->around;
  int code = 0;

  around->tasks.n = 0;
  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++)
      if (pass->members[i].shards[k].data)
        code = dg_ahead_add (around, &(struct dg_task) {
                                   .kind = DG_TASK_END,
                                   .lane = &tasks->lanes[i][k] }, err);
  if (code == 0)
    put_all (around);
  return code;
}

/* When there is nothing to do and nobody does anything: what comes then.  */
static void
go_on (struct dg_tasks *tasks)
{
  const struct dg_pass_step place = { .chunk = tasks->n_chunks,
                                  .step = DG_STEP_END };
  struct dg_error error = { 0 };

  if (tasks->failed || tasks->is_ending)
    tasks->is_over = true;
  else if (put_ends (tasks, &error) < 0)
    dg_tasks_fail (tasks, &place, &error);
  tasks->is_ending = true;
  g_cond_broadcast (&tasks->work);
}

/* While no other chunk is in work: < 0, and the chunk is not fed.  */
static int
pass_blocks (struct dg_tasks *tasks, struct dg_worker *worker,
             struct dg_ahead *ahead)
{
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  int code;

  worker->place = (struct dg_pass_step) { .chunk = ahead->chunk };
  code = note (tasks, worker,
               dg_pass_blocks (tasks->pass, ahead->chunk, &error), &error);
  if (code < 0) {
    dg_ahead_clear (ahead);
    leave_alone (tasks, ahead);
  } else if (ahead->may_be_kept) {
    g_mutex_lock (&tasks->mutex);
    tasks->is_alone = false;
    g_cond_broadcast (&tasks->work);
    g_mutex_unlock (&tasks->mutex);
  }
  return code;
}

static void
work_on_chunk (struct dg_tasks *tasks, struct dg_worker *worker,
               struct dg_ahead *ahead)
{
  if (ahead->passes_blocks && pass_blocks (tasks, worker, ahead) < 0)
    return;
  if (ahead->may_be_kept)
    do_chunk (tasks, worker, ahead);
  else
    do_chunk_alone (tasks, worker, ahead);
}

struct hand {
  struct dg_tasks *tasks;
  struct dg_worker *worker;
};

static gpointer
work (gpointer data)
{
  const struct hand *hand = data;
  struct dg_tasks *tasks = hand->tasks;

  g_mutex_lock (&tasks->mutex);
  while (!tasks->is_over) {
    struct dg_task *task = dg_tasks_take (tasks);
    struct dg_ahead *ahead = task ? NULL : take_chunk (tasks);

    if (task) {
      do_task (tasks, hand->worker, task);
    } else if (ahead) {
      g_mutex_unlock (&tasks->mutex);
      work_on_chunk (tasks, hand->worker, ahead);
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

/* Says how far it has come until all workers have ended.  */
static int
watch (struct dg_tasks *tasks, struct dg_error *err)
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
                         g_get_monotonic_time () + DG_PROGRESS_US);
  }
  g_mutex_unlock (&tasks->mutex);
  return code;
}

static int
init_lanes (struct dg_tasks *tasks, size_t i, struct dg_error *err)
{
  struct dg_member *member = &tasks->pass->members[i];
  struct dg_ahead *around = &tasks->around;
  uint32_t n = MAX (member->n_shards, 1);
  int code = 0;

  tasks->lanes[i] = g_try_new0 (struct dg_lane, n);
  if (!tasks->lanes[i])
    return dg_error_nomem (err);
  for (uint32_t k = 0; k < n; k++) {
    struct dg_lane *lane = &tasks->lanes[i][k];

    lane->member = i;
    lane->last = &lane->first;
    if (member->plan.shard != DG_SHARD_CHUNK)
      lane->shard = &member->shards[k];
  }
  if (member->plan.view == DG_VIEW_RECORDS) {
    code = dg_ahead_add (around, &(struct dg_task) { .kind = DG_TASK_RECORDS,
                                              .lane = tasks->lanes[i] }, err);
  } else {
    tasks->end = tasks->n_chunks;
    tasks->has_in_order |= member->plan.shard != DG_SHARD_CHUNK;
    tasks->has_threads |= member->plan.shard == DG_SHARD_THREAD;
  }
  return code;
}

static int
init_tasks (struct dg_tasks *tasks, unsigned n, struct dg_error *err)
{
  struct dg_ahead *around = &tasks->around;
  int code = 0;

  dg_log_chunks (tasks->pass->log, &tasks->n_chunks);
  tasks->n_slots = (size_t) n + 2;
  tasks->slots = g_new0 (struct dg_ahead, tasks->n_slots);
  tasks->lanes = g_new0 (struct dg_lane *, tasks->pass->n);
  for (size_t i = 0; i < tasks->n_slots; i++) {
    tasks->slots[i].shards = g_new0 (struct dg_shard, tasks->pass->n);
    tasks->slots[i].last_ready = &tasks->slots[i].ready;
  }
  around->chunk = tasks->n_chunks;
  around->last_ready = &around->ready;
  for (size_t i = 0; i < tasks->pass->n && code == 0; i++)
    code = init_lanes (tasks, i, err);
  if (code == 0)
    put_all (around);
  return code;
}

static void
fini_tasks (struct dg_tasks *tasks)
{
  for (size_t i = 0; i < tasks->n_slots; i++) {
    struct dg_ahead *ahead = &tasks->slots[i];

    dg_ahead_clear (ahead);
    for (size_t k = 0; k < tasks->pass->n; k++)
      if (ahead->shards[k].member)
        dg_shard_fini (&ahead->shards[k]);
    dg_kept_free (ahead->kept);
    dg_table_fini (&ahead->tasks);
    g_free (ahead->shards);
  }
  for (size_t i = 0; i < tasks->pass->n; i++)
    g_free (tasks->lanes[i]);
  dg_table_fini (&tasks->around.tasks);
  g_free (tasks->lanes);
  g_free (tasks->slots);
}

/* Runs the workers: how many there were.  */
static unsigned
run (struct dg_tasks *tasks, struct dg_worker *workers, unsigned n, int *code,
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
  struct dg_tasks tasks = { .pass = pass };
  bool has_run = true;

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
