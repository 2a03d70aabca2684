/* ordered.h: jobs that several threads work on and whose results are taken in
   order, so that what comes of them does not depend on how many there are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ORDERED_H
#define DG_ORDERED_H

#include <stddef.h>

#include "libdatagrind.h"

struct dg_ordered {
  size_t jobs;
  unsigned workers;        /* 0: one per processor */
  const char *name;        /* of their threads; NULL: dg-worker */
  size_t result_size;      /* bytes; results are zero at first, and used again
                              as they are */
  void *user;

  /* What a worker needs for itself: one for each, made and freed on the
     calling thread.  NULL: an error.  Both may be NULL: nothing.  */
  void *(*state_new) (void *user, struct dg_error *err);
  void (*state_free) (void *state);
  /* Does a job: 0 or an error, of which that of the first job counts.  Any
     thread; jobs are begun in order.  */
  int (*work) (void *user, void *state, size_t job, void *result,
               struct dg_error *err);
  /* Takes a result, in the order of the jobs, on the calling thread.  0, an
     error, or more: then that is the last, and what dg_ordered_run gives.  */
  int (*take) (void *user, size_t job, void *result, struct dg_error *err);
  void (*result_fini) (void *result);
  /* Called on the calling thread some 25 times a second; < 0 ends all.  May
     be NULL.  */
  int (*pace) (void *user, struct dg_error *err);
};

/* Does all jobs.  With one worker everything is done on the calling thread.
   0, or the error of the first job that has one, or of take or pace.  */
int dg_ordered_run (const struct dg_ordered *ordered, struct dg_error *err);

#endif /* DG_ORDERED_H */
