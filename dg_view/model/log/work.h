/* work.h: many like tasks on some threads, with progress and a way to stop.
   Knows nothing of logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_WORK_H
#define DV_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a long call has come, `done` of `total`; told on the thread that
   called it.  Non-zero stops it.  As dg_progress_fn.  */
typedef int (*dv_progress_fn) (void *user, uint64_t done, uint64_t total);

/* Task `task` of the call, on worker `worker`.  One worker runs its tasks
   one after another, so what belongs to a worker needs no lock.  Non-zero
   stops everything and is what dv_work_run returns.  */
typedef int (*dv_task_fn) (void *user, size_t task, unsigned worker);

/* As many workers as there are processors, at most 16.  */
unsigned dv_work_default_workers (void);

/* Runs tasks 0 .. n - 1, begun in that order.  Returns 0; or what the first
   failing task gave; or `stopped`, when progress (may be NULL) asked to.  All
   workers have ended when it returns.  */
int dv_work_run (size_t n, unsigned workers, dv_task_fn task, void *user,
                 dv_progress_fn progress, void *progress_user, int stopped);

#endif /* DV_WORK_H */
