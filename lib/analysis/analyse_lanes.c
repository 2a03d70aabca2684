/* analyse_lanes.c: the tasks of dg_analyse with several workers, and their
   order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_lanes.h"

#include "base/compare.h"
#include "base/error.h"

/* ---- Errors ---- */

static int
compare_places (const struct dg_pass_step *a, const struct dg_pass_step *b)
{
  return DG_COMPARE (a->chunk, b->chunk) ?: DG_COMPARE (a->step, b->step)
           ?: DG_COMPARE (a->member, b->member)
           ?: DG_COMPARE (a->shard, b->shard);
}

void
dg_tasks_fail (struct dg_tasks *tasks, const struct dg_pass_step *place,
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

bool
dg_tasks_is_behind (const struct dg_tasks *tasks,
                    const struct dg_pass_step *place)
{
  return tasks->failed && compare_places (&tasks->place, place) <= 0;
}

/* ---- Lanes; with the mutex held ---- */

static void
make_ready (struct dg_task *task)
{
  struct dg_ahead *ahead = task->ahead;

  task->next_ready = NULL;
  *ahead->last_ready = task;
  ahead->last_ready = &task->next_ready;
}

void
dg_task_put (struct dg_task *task)
{
  struct dg_lane *lane = task->lane;

  task->next = NULL;
  *lane->last = task;
  lane->last = &task->next;
  if (lane->first == task)
    make_ready (task);
}

void
dg_task_leave (struct dg_task *task)
{
  struct dg_lane *lane = task->lane;

  lane->first = task->next;
  if (lane->first)
    make_ready (lane->first);
  else
    lane->last = &lane->first;
}

struct dg_ahead *
dg_tasks_ahead (const struct dg_tasks *tasks, size_t chunk)
{
  return &tasks->slots[chunk % tasks->n_slots];
}

static bool
has_chunk (const struct dg_ahead *ahead, size_t chunk)
{
  return ahead->is_used && ahead->chunk == chunk;
}

void
dg_tasks_close (struct dg_tasks *tasks, struct dg_ahead *ahead)
{
  if (--ahead->open > 0 || !ahead->is_used)
    return;
  ahead->is_used = false;
  tasks->in_work--;
  tasks->done += dg_pass_offset (tasks->pass, ahead->chunk + 1)
                 - dg_pass_offset (tasks->pass, ahead->chunk);
}

void
dg_tasks_publish (struct dg_tasks *tasks)
{
  struct dg_ahead *ahead;
  struct dg_task *task;

  for (; ahead = dg_tasks_ahead (tasks, tasks->decoded),
         has_chunk (ahead, tasks->decoded) && ahead->is_decoded;
       tasks->decoded++) {
    task = ahead->tasks.items;
    for (size_t i = 0; i < ahead->n_feeds; i++)
      dg_task_put (&task[i]);
    dg_tasks_close (tasks, ahead);
  }
  for (; ahead = dg_tasks_ahead (tasks, tasks->fed),
         has_chunk (ahead, tasks->fed) && ahead->is_fed;
       tasks->fed++) {
    task = ahead->tasks.items;
    for (size_t i = ahead->n_feeds; i < ahead->tasks.n; i++)
      dg_task_put (&task[i]);
    dg_tasks_close (tasks, ahead);
  }
}

static struct dg_task *
take_from (struct dg_ahead *ahead)
{
  struct dg_task *task = ahead->ready;

  if (!task)
    return NULL;
  ahead->ready = task->next_ready;
  if (!ahead->ready)
    ahead->last_ready = &ahead->ready;
  return task;
}

struct dg_task *
dg_tasks_take (struct dg_tasks *tasks)
{
  struct dg_task *task = take_from (&tasks->around);
  size_t first = tasks->next > tasks->n_slots ? tasks->next - tasks->n_slots
                                              : 0;

  for (size_t i = first; i < tasks->next && !task; i++)
    if (has_chunk (dg_tasks_ahead (tasks, i), i))
      task = take_from (dg_tasks_ahead (tasks, i));
  return task;
}

/* ---- Making tasks ---- */

static int
by_thread (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dg_turn *x = a, *y = b;

  return DG_COMPARE (x->thread, y->thread) ?: DG_COMPARE (x->batch, y->batch);
}

/* Sorts the batches of a chunk by thread.  */
static int
make_turns (struct dg_tasks *tasks, struct dg_ahead *ahead, size_t n,
            struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  struct dg_member *member = NULL;

  ahead->turns = g_try_new (struct dg_turn, n + 1);
  if (!ahead->turns)
    return dg_error_nomem (err);
  for (size_t i = 0; i < pass->n && !member; i++)
    if (pass->members[i].plan.shard == DG_SHARD_THREAD)
      member = &pass->members[i];
  for (size_t i = 0; i < n; i++) {
    struct dg_batch batch = dg_kept_batch (ahead->kept, i);
    struct dg_shard *shard = dg_member_thread (pass, member,
                                               batch.runs[0].thread, err);

    if (!shard)
      return DG_ERR_DAMAGED;
    ahead->turns[i] = (struct dg_turn) { shard->feed.index, i };
  }
  if (n > 0)
    g_qsort_with_data (ahead->turns, n, sizeof *ahead->turns, by_thread, NULL);
  return 0;
}

int
dg_ahead_add (struct dg_ahead *ahead, const struct dg_task *task,
              struct dg_error *err)
{
  struct dg_task *place = dg_table_add (&ahead->tasks, sizeof *place);

  if (!place)
    return dg_error_nomem (err);
  *place = *task;
  place->ahead = ahead;
  return 0;
}

/* Those of one member for n batches.  */
static int
add_feeds (struct dg_tasks *tasks, struct dg_ahead *ahead, size_t member,
           size_t n, struct dg_error *err)
{
  const struct dg_member *of = &tasks->pass->members[member];
  struct dg_lane *lanes = tasks->lanes[member];
  uint32_t next;
  int code = 0;

  if (of->plan.shard == DG_SHARD_THREAD) {
    const struct dg_turn *turns = ahead->turns;

    for (uint32_t i = 0; i < n && code == 0; i = next) {
      for (next = i + 1; next < n && turns[next].thread == turns[i].thread;
           next++)
        ;
      code = dg_ahead_add (ahead,
                           &(struct dg_task) { .kind = DG_TASK_FEED,
                                               .lane
                                               = &lanes[turns[i].thread],
                                               .first = i, .n = next - i },
                           err);
    }
    return code;
  }
  for (uint32_t i = 0; i < of->n_shards && code == 0; i++)
    code = dg_ahead_add (ahead,
                         &(struct dg_task) { .kind = DG_TASK_FEED,
                                             .lane = &lanes[i], .n = n },
                         err);
  return code;
}

int
dg_ahead_make (struct dg_tasks *tasks, struct dg_ahead *ahead,
               struct dg_error *err)
{
  struct dg_pass *pass = tasks->pass;
  bool all_made = dg_pass_all_made (pass, ahead->chunk);
  size_t n = ahead->n_batches;
  int code = 0;

  if (n > 0) {
    ahead->amounts = g_try_new (struct dg_amount, n);
    if (!ahead->amounts)
      return dg_error_nomem (err);
    for (size_t i = 0; i < n; i++) {
      struct dg_batch batch = dg_kept_batch (ahead->kept, i);

      ahead->amounts[i] = dg_amount_of_batch (&batch, all_made);
    }
    if (tasks->has_threads)
      code = make_turns (tasks, ahead, n, err);
  }
  for (size_t i = 0; i < pass->n && n > 0 && code == 0; i++)
    if (pass->members[i].plan.shard != DG_SHARD_CHUNK
        && pass->members[i].plan.view != DG_VIEW_RECORDS)
      code = add_feeds (tasks, ahead, i, n, err);
  ahead->n_feeds = ahead->tasks.n;
  for (size_t i = 0; i < pass->n && code == 0; i++)
    if (pass->members[i].plan.shard == DG_SHARD_CHUNK)
      code = dg_ahead_add (ahead,
                           &(struct dg_task) { .kind = DG_TASK_MERGE,
                                               .lane = tasks->lanes[i] },
                           err);
  if (code < 0)
    ahead->tasks.n = ahead->n_feeds = 0;
  return code;
}

void
dg_ahead_clear (struct dg_ahead *ahead)
{
  ahead->tasks.n = ahead->n_feeds = ahead->n_batches = 0;
  g_free (ahead->amounts);
  g_free (ahead->turns);
  ahead->amounts = NULL;
  ahead->turns = NULL;
}
