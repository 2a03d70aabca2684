/* job.h: one long call in the background, with progress and a way to drop it.

   For the main thread, over GTask.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_JOB_H
#define DV_JOB_H

#include <libdatagrind.h>

struct dv_job;

struct dv_job_class {
  /* On another thread.  NULL and *err on failure.  */
  void *(*run) (void *input, dg_progress_fn progress, void *user,
                struct dg_error *err);
  void (*free_input) (void *input);
  void (*free_result) (void *result); /* NULL: it is a part of the input */
};

/* On the main thread: the result is the callee's; NULL with err on failure.
   The job is gone afterwards.  */
typedef void (*dv_job_done) (void *user, void *result,
                             const struct dg_error *err);

/* Takes the input over.  */
struct dv_job *dv_job_start (const struct dv_job_class *class, void *input,
                             dv_job_done done, void *user);
/* Stops it as soon as it can; `done` will not be called.  The job is gone for
   the caller.  NULL is fine.  */
void dv_job_drop (struct dv_job *job);

/* How far it has come, 0 to 1, and its time in seconds.  Its progress may
   start again at 0 when it enters another phase.  */
double dv_job_fraction (const struct dv_job *job);
double dv_job_seconds (const struct dv_job *job);

#endif /* DV_JOB_H */
