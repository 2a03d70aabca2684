/* ordered.c: jobs that several threads work on and whose results are taken in
   order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ordered.h"

#include <glib.h>

#include "error.h"
#include "progress.h"

#define WORKERS_MAX 64u
/* How far workers may be ahead of the calling thread.  */
#define AHEAD(workers) (2 * (size_t) (workers) + 1)

struct slot {
  size_t job;
  bool is_done;
  int code;
  struct dg_error error;
  void *result;
};

struct pool {
  const struct dg_ordered *ordered;
  unsigned workers;
  struct slot *slots;      /* job i is in slot i % n_slots */
  size_t n_slots;
  void **states;
  GMutex mutex;
  GCond work_changed;      /* for workers */
  GCond done_changed;      /* for the calling thread */
  /* Guarded by the mutex.  */
  size_t next;             /* job to be begun */
  size_t taken;            /* jobs whose results were taken */
  bool stop;
};

struct worker {
  struct pool *pool;
  void *state;
};

static void
slots_free (struct pool *pool)
{
  for (size_t i = 0; pool->slots && i < pool->n_slots; i++)
    if (pool->slots[i].result) {
      pool->ordered->result_fini (pool->slots[i].result);
      g_free (pool->slots[i].result);
    }
  g_free (pool->slots);
  for (unsigned i = 0; pool->states && i < pool->workers; i++)
    if (pool->states[i])
      pool->ordered->state_free (pool->states[i]);
  g_free (pool->states);
}

static int
slots_new (struct pool *pool, struct dg_error *err)
{
  const struct dg_ordered *ordered = pool->ordered;

  pool->slots = g_try_new0 (struct slot, pool->n_slots);
  pool->states = g_try_new0 (void *, pool->workers);
  if (!pool->slots || !pool->states)
    return dg_error_nomem (err);
  for (size_t i = 0; i < pool->n_slots; i++) {
    pool->slots[i].result = g_try_malloc0 (ordered->result_size);
    if (!pool->slots[i].result)
      return dg_error_nomem (err);
  }
  for (unsigned i = 0; ordered->state_new && i < pool->workers; i++) {
    struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

    pool->states[i] = ordered->state_new (ordered->user, &error);
    if (!pool->states[i])
      return dg_error_copy (err, &error);
  }
  return 0;
}

/* ---- One thread ---- */

static int
run_alone (struct pool *pool, struct dg_error *err)
{
  const struct dg_ordered *ordered = pool->ordered;
  void *result = pool->slots[0].result;
  gint64 next_pace = 0;
  int code = 0;

  for (size_t job = 0; job < ordered->jobs && code == 0; job++) {
    gint64 now = g_get_monotonic_time ();

    if (ordered->pace && now >= next_pace) {
      next_pace = now + DG_PROGRESS_US;
      code = ordered->pace (ordered->user, err);
    }
    if (code == 0)
      code = ordered->work (ordered->user, pool->states[0], job, result, err);
    if (code == 0)
      code = ordered->take (ordered->user, job, result, err);
  }
  return code;
}

/* ---- Several ---- */

static gpointer
work (gpointer data)
{
  const struct worker *worker = data;
  struct pool *pool = worker->pool;
  const struct dg_ordered *ordered = pool->ordered;

  g_mutex_lock (&pool->mutex);
  for (;;) {
    struct slot *slot;

    while (!pool->stop && pool->next < ordered->jobs
           && pool->next >= pool->taken + pool->n_slots)
      g_cond_wait (&pool->work_changed, &pool->mutex);
    if (pool->stop || pool->next == ordered->jobs)
      break;
    slot = &pool->slots[pool->next % pool->n_slots];
    slot->job = pool->next++;
    g_mutex_unlock (&pool->mutex);
    slot->code = ordered->work (ordered->user, worker->state, slot->job,
                                slot->result, &slot->error);
    g_mutex_lock (&pool->mutex);
    slot->is_done = true;
    g_cond_signal (&pool->done_changed);
  }
  g_mutex_unlock (&pool->mutex);
  return NULL;
}

/* Waits for a job's result.  */
static int
wait_for (struct pool *pool, struct slot *slot, gint64 *next_pace,
          struct dg_error *err)
{
  const struct dg_ordered *ordered = pool->ordered;
  bool is_done = false;

  while (!is_done) {
    gint64 now = g_get_monotonic_time ();

    if (ordered->pace && now >= *next_pace) {
      int code;

      *next_pace = now + DG_PROGRESS_US;
      code = ordered->pace (ordered->user, err);
      if (code < 0)
        return code;
    }
    g_mutex_lock (&pool->mutex);
    if (!slot->is_done)
      g_cond_wait_until (&pool->done_changed, &pool->mutex,
                         now + DG_PROGRESS_US);
    is_done = slot->is_done;
    g_mutex_unlock (&pool->mutex);
  }
  return slot->code < 0 ? dg_error_copy (err, &slot->error) : 0;
}

static int
take_all (struct pool *pool, struct dg_error *err)
{
  const struct dg_ordered *ordered = pool->ordered;
  gint64 next_pace = 0;
  int code = 0;

  for (size_t job = 0; job < ordered->jobs && code == 0; job++) {
    struct slot *slot = &pool->slots[job % pool->n_slots];

    code = wait_for (pool, slot, &next_pace, err);
    if (code == 0)
      code = ordered->take (ordered->user, job, slot->result, err);
    g_mutex_lock (&pool->mutex);
    slot->is_done = false;
    pool->taken = job + 1;
    g_cond_signal (&pool->work_changed);
    g_mutex_unlock (&pool->mutex);
  }
  return code;
}

static int
run_together (struct pool *pool, struct dg_error *err)
{
  struct worker *workers = g_new0 (struct worker, pool->workers);
  GThread **threads = g_new0 (GThread *, pool->workers);
  const char *name = pool->ordered->name ? pool->ordered->name : "dg-worker";
  unsigned n = 0;
  int code;

  g_mutex_init (&pool->mutex);
  g_cond_init (&pool->work_changed);
  g_cond_init (&pool->done_changed);
  for (; n < pool->workers; n++) {
    workers[n].pool = pool;
    workers[n].state = pool->states[n];
    threads[n] = g_thread_try_new (name, work, &workers[n], NULL);
    if (!threads[n])
      break;
  }
  code = n > 0 ? take_all (pool, err) : run_alone (pool, err);
  g_mutex_lock (&pool->mutex);
  pool->stop = true;
  g_cond_broadcast (&pool->work_changed);
  g_mutex_unlock (&pool->mutex);
  for (unsigned i = 0; i < n; i++)
    g_thread_join (threads[i]);
  g_mutex_clear (&pool->mutex);
  g_cond_clear (&pool->work_changed);
  g_cond_clear (&pool->done_changed);
  g_free (threads);
  g_free (workers);
  return code;
}

int
dg_ordered_run (const struct dg_ordered *ordered, struct dg_error *err)
{
  struct pool pool = { .ordered = ordered, .workers = ordered->workers };
  int code;

  if (pool.workers == 0)
    pool.workers = g_get_num_processors ();
  pool.workers = MIN (pool.workers, WORKERS_MAX);
  if (pool.workers > ordered->jobs)
    pool.workers = MAX (ordered->jobs, 1);
  pool.n_slots = pool.workers > 1 ? AHEAD (pool.workers) : 1;
  code = slots_new (&pool, err);
  if (code == 0)
    code = pool.workers > 1 ? run_together (&pool, err)
                            : run_alone (&pool, err);
  slots_free (&pool);
  return code;
}
