/* alike.c: the runs of a chunk, those that are alike once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "base/error.h"
#include "feed.h"
#include "log/log.h"

struct dg_alike {
  struct dg_feed_plan plan;
  struct dg_feeder *feeder;
  struct dg_batch batch;
  size_t at;               /* the batch's next run */
};

struct dg_alike *
dg_alike_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_alike *alike;

  if (!log->is_loaded) {
    dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
    return NULL;
  }
  alike = g_try_new0 (struct dg_alike, 1);
  if (!alike) {
    dg_error_nomem (err);
    return NULL;
  }
  alike->plan = (struct dg_feed_plan) { .log = log, .end_icount = DG_NEVER,
                                        .needs_contexts = true,
                                        .takes_alike = true };
  alike->feeder = dg_feeder_new (&alike->plan, err);
  if (!alike->feeder) {
    g_free (alike);
    return NULL;
  }
  return alike;
}

void
dg_alike_free (struct dg_alike *alike)
{
  if (!alike)
    return;
  dg_feeder_free (alike->feeder);
  g_free (alike);
}

int
dg_alike_open (struct dg_alike *alike, size_t chunk, struct dg_error *err)
{
  alike->batch.n_runs = alike->at = 0;
  return dg_feeder_open (alike->feeder, chunk, err);
}

int
dg_alike_next (struct dg_alike *alike, struct dg_run *run, uint64_t *times,
               struct dg_error *err)
{
  if (alike->at == alike->batch.n_runs) {
    int code;

    alike->batch.n_runs = alike->at = 0;
    code = dg_feeder_next (alike->feeder, &alike->batch, err);
    if (code <= 0)
      return code;
  }
  *run = alike->batch.runs[alike->at];
  *times = alike->batch.times ? alike->batch.times[alike->at] : 1;
  alike->at++;
  return 1;
}
