/* progress.h: telling how far something is, and whether it is to go on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PROGRESS_H
#define DG_PROGRESS_H

#include <glib.h>

#include "libdatagrind.h"

/* Between two calls of a progress function: some 25 in a second.  */
#define DG_PROGRESS_US 40000

/* Whom to tell.  All zero: nobody.  */
struct dg_progress {
  dg_progress_fn tell;
  void *user;
  gint64 next;             /* when to tell again, in us */
};

/* DG_ERR_CANCELLED with its message.  */
int dg_progress_cancelled (struct dg_error *err) __attribute__ ((cold));

/* For dg_progress_pace, which first tells after some time.  */
struct dg_progress dg_progress_start (dg_progress_fn tell, void *user);

/* Tells, if there is somebody, and asks: 0, or DG_ERR_CANCELLED.  */
int dg_progress_tell (const struct dg_progress *progress, uint64_t done,
                      uint64_t total, struct dg_error *err);

/* The same some 25 times a second, of calls that come more often; in any case
   when all is done.  */
int dg_progress_pace (struct dg_progress *progress, uint64_t done,
                      uint64_t total, struct dg_error *err);

/* The part of a work from `first` to `end`, both 0 to 1, that a function does
   which knows nothing of the rest.  */
struct dg_progress_part {
  struct dg_progress whole;
  double first, end;
};

/* A dg_progress_fn for a function that does a part: `user` is the struct
   dg_progress_part.  */
int dg_progress_part_fn (void *part, uint64_t done, uint64_t total);

#endif /* DG_PROGRESS_H */
