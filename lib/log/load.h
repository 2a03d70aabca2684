/* load.h: loading a log, for those who know its format.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOAD_H
#define DG_LOAD_H

#include "base/progress.h"
#include "format/decode.h"
#include "log.h"
#include "timeline.h"

struct dg_load {
  struct dg_log *log;
  struct dg_contents *contents;
  struct dg_timeline timeline;
  struct dg_fields fields;
  struct dg_progress progress;
};

/* Tells the caller how many bytes are done: 0 or DG_ERR_CANCELLED.  */
int dg_load_pace (struct dg_load *load, uint64_t done, struct dg_error *err);
/* The timeline from its beginning, or from where it was left.  */
int dg_load_begin (struct dg_load *load, struct dg_error *err);
/* The log ends at `offset` of the timeline, for now.  */
int dg_load_end (struct dg_load *load, const struct dg_position *position,
                 uint64_t offset, struct dg_error *err);
/* The contents are there, with their paths.  The log's records are good up to
   its end, or up to a bad one with `code`, which is at `offset`.  */
int dg_load_finish (struct dg_load *load, uint64_t offset, int code,
                    struct dg_error *err);

/* Loads what is behind log->growth; 0, or as dg_log_load.  */
int dg_load_growing (struct dg_log *log, unsigned workers,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err);

#endif /* DG_LOAD_H */
