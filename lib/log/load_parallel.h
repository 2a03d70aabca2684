/* load_parallel.h: loading a log with several workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOAD_PARALLEL_H
#define DG_LOAD_PARALLEL_H

#include "log.h"
#include "timeline.h"

/* Told how many bytes are done, on the calling thread; < 0 cancels.  */
typedef int (*dg_load_pace_fn) (void *user, uint64_t done,
                                struct dg_error *err);

/* Gathers the log's contents into the timeline's, and *position, as one walk
   would.  Returns 1 on success; 0 if the log cannot be split or is anything
   but good, of which a walk will find the place; < 0 if it was cancelled.
   After the last two the contents are not to be used.  */
int dg_load_parallel (struct dg_log *log, unsigned workers,
                      struct dg_timeline *timeline,
                      struct dg_position *position, dg_load_pace_fn pace,
                      void *user, struct dg_error *err);

#endif /* DG_LOAD_PARALLEL_H */
