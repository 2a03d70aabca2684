/* job.c: background calls on GTask's threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "job.h"

#include <gio/gio.h>

#define FRACTION_ONE 1000000

struct dv_job {
  const struct dv_job_class *class;
  void *input;
  dv_job_done done;
  void *user;
  void *result;
  struct dg_error error;
  gint64 started;
  gint dropped;        /* atomic */
  gint fraction;       /* atomic: of FRACTION_ONE */
};

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct dv_job *job = user;
  if (total > 0)
    g_atomic_int_set (&job->fraction,
                      (gint) ((double) MIN (done, total) / (double) total
                              * FRACTION_ONE));
  return g_atomic_int_get (&job->dropped);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancel)
{
  struct dv_job *job = data;
  job->result = job->class->run (job->input, note_progress, job,
                                 &job->error);
  g_task_return_boolean (task, TRUE);
}

static void
job_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  struct dv_job *job = data;
  if (g_atomic_int_get (&job->dropped)) {
    if (job->result != NULL && job->class->free_result != NULL)
      job->class->free_result (job->result);
  } else {
    job->done (job->user, job->result, &job->error);
  }
  job->class->free_input (job->input);
  g_free (job);
}

struct dv_job *
dv_job_start (const struct dv_job_class *class, void *input,
              dv_job_done done, void *user)
{
  struct dv_job *job = g_new0 (struct dv_job, 1);
  job->class = class;
  job->input = input;
  job->done = done;
  job->user = user;
  job->started = g_get_monotonic_time ();
  GTask *task = g_task_new (NULL, NULL, job_ready, job);
  g_task_set_task_data (task, job, NULL);
  g_task_run_in_thread (task, run_job);
  g_object_unref (task);
  return job;
}

void
dv_job_drop (struct dv_job *job)
{
  if (job != NULL)
    g_atomic_int_set (&job->dropped, 1);
}

double
dv_job_fraction (const struct dv_job *job)
{
  return (double) g_atomic_int_get (&job->fraction) / FRACTION_ONE;
}

double
dv_job_seconds (const struct dv_job *job)
{
  return (double) (g_get_monotonic_time () - job->started) / 1e6;
}
