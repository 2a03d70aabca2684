/* work.c: a parallel loop.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "work.h"

#include <glib.h>

#define MAX_WORKERS 16
/* Between two calls of the progress function.  */
#define PROGRESS_US (30 * 1000)

struct work {
  dv_task_fn task;
  void *user;
  size_t n;
  gsize next;           /* atomic: the first task not begun */
  gint result;          /* atomic: not 0 stops everybody */
  GMutex lock;          /* guards the two below */
  GCond ended;
  size_t done;
  unsigned running;
};

struct worker {
  struct work *work;
  unsigned number;
};

unsigned
dv_work_default_workers (void)
{
  return CLAMP (g_get_num_processors (), 1, MAX_WORKERS);
}

static gpointer
worker_main (gpointer data)
{
  struct worker *self = data;
  struct work *work = self->work;
  for (;;) {
    size_t task = g_atomic_pointer_add (&work->next, 1);
    if (task >= work->n || g_atomic_int_get (&work->result) != 0)
      break;
    int result = work->task (work->user, task, self->number);
    if (result != 0)
      g_atomic_int_compare_and_exchange (&work->result, 0, result);
    g_mutex_lock (&work->lock);
    work->done++;
    g_mutex_unlock (&work->lock);
  }
  g_mutex_lock (&work->lock);
  work->running--;
  g_cond_signal (&work->ended);
  g_mutex_unlock (&work->lock);
  return NULL;
}

/* Until every worker has ended.  */
static void
watch (struct work *work, dv_progress_fn progress, void *user, int stopped)
{
  g_mutex_lock (&work->lock);
  while (work->running > 0) {
    gint64 until = g_get_monotonic_time () + PROGRESS_US;
    if (g_cond_wait_until (&work->ended, &work->lock, until)
        || progress == NULL)
      continue;
    size_t done = work->done;
    g_mutex_unlock (&work->lock);
    if (progress (user, done, work->n) != 0)
      g_atomic_int_compare_and_exchange (&work->result, 0, stopped);
    g_mutex_lock (&work->lock);
  }
  g_mutex_unlock (&work->lock);
}

int
dv_work_run (size_t n, unsigned workers, dv_task_fn task, void *user,
             dv_progress_fn progress, void *progress_user, int stopped)
{
  workers = CLAMP (workers, 1, MAX_WORKERS);
  if (workers > n)
    workers = n > 0 ? (unsigned) n : 1;
  struct work work = { .task = task, .user = user, .n = n };
  g_mutex_init (&work.lock);
  g_cond_init (&work.ended);
  work.running = workers;

  struct worker self[MAX_WORKERS];
  GThread *threads[MAX_WORKERS];
  for (unsigned i = 0; i < workers; i++) {
    self[i] = (struct worker){ &work, i };
    threads[i] = g_thread_try_new ("dg_view-work", worker_main, &self[i],
                                   NULL);
  }
  /* Those that the system does not give: the others do their part; without
     any, this one does.  */
  for (unsigned i = 0; i < workers; i++)
    if (threads[i] == NULL)
      worker_main (&self[i]);
  watch (&work, progress, progress_user, stopped);
  for (unsigned i = 0; i < workers; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  g_mutex_clear (&work.lock);
  g_cond_clear (&work.ended);
  return work.result;
}
