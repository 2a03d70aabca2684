/* calls_job.h: the call tree of the latest tally, made in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLS_JOB_H
#define DV_CALLS_JOB_H

#include "model/calls/calltree.h"
#include "jobs/job.h"

/* On the main thread; the tree is the caller's, to reference if kept.  */
typedef void (*dv_calls_ready) (void *user, struct dv_calltree *tree);

/* There is none of the latest tally: what is shown stays, and `text', which
   is for people, says why.  */
typedef void (*dv_calls_failed) (void *user, const char *text);

struct dv_calls_job {
  dv_calls_ready ready;
  dv_calls_failed failed;
  void *user;
  struct dv_job *job;          /* NULL: nothing is going on */
  struct dv_tally *tally;      /* that the job is about, or that was last */
  struct dv_tally *next;       /* to be done after that; NULL: none */
};

/* To be zeroed but for `ready`, `failed` and `user`.  */

/* Trees of other tallies than the latest are made only if they were begun, so
   that something is shown while tallies come in quickly.  NULL: forgets
   all.  */
void dv_calls_job_set (struct dv_calls_job *calls, struct dv_tally *tally);
void dv_calls_job_fini (struct dv_calls_job *calls);

#endif /* DV_CALLS_JOB_H */
