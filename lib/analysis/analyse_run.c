/* analyse_run.c: a pass over the log: on one thread, or what comes before and
   after several work on it (analyse_tasks.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_run.h"

#include "analyse_tasks.h"
#include "analyse_work.h"
#include "base/error.h"
#include "base/progress.h"
#include "log/log.h"
#include "log/packed.h"

/* ---- One worker ---- */

/* Of a worker that has the calling thread.  */
static int
pace_alone (struct dg_worker *worker, struct dg_error *err)
{
  gint64 now = g_get_monotonic_time ();

  if (now < worker->next_pace)
    return 0;
  worker->next_pace = now + DG_PROGRESS_US;
  return dg_pass_pace (worker->pass,
                       dg_pass_offset (worker->pass, worker->place.chunk),
                       err);
}

static int
run_alone (struct dg_pass *pass, struct dg_worker *worker,
           struct dg_error *err)
{
  struct dg_shard *shards = g_new0 (struct dg_shard, pass->n);
  bool has_runs = false;
  size_t n;
  int code = 0;

  dg_log_chunks (pass->log, &n);
  for (size_t i = 0; i < pass->n; i++)
    has_runs |= pass->members[i].plan.view != DG_VIEW_RECORDS;
  worker->pace = pace_alone;
  for (size_t i = 0; has_runs && i < n && code == 0; i++) {
    if (dg_pass_has_blocks_before (pass, i))
      code = dg_pass_blocks (pass, i, err);
    if (code == 0)
      code = dg_worker_chunk (worker, i, shards, err);
  }
  g_free (shards);
  for (size_t i = 0; i < pass->n && code == 0; i++)
    if (pass->members[i].plan.view == DG_VIEW_RECORDS)
      code = dg_worker_feed_records (worker, i, err);
  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++) {
      code = dg_shard_end (&pass->members[i].shards[k], err);
      if (code == 0)
        code = worker->pace (worker, err);
    }
  return code;
}

/* ---- All ---- */

/* Merges in-order shards, then what workers hold.  */
static int
merge_all (struct dg_pass *pass, struct dg_worker *workers, unsigned n,
           struct dg_error *err)
{
  int code = 0;

  for (size_t i = 0; i < pass->n; i++)
    for (uint32_t k = 0; k < pass->members[i].n_shards && code == 0; k++) {
      code = dg_shard_merge (&pass->members[i].shards[k], err);
      if (code == 0)
        code = pace_alone (&workers[0], err);
    }
  for (size_t i = 0; i < pass->n; i++)
    for (unsigned k = 0; k < n && code == 0; k++) {
      const struct dg_member *member = &pass->members[i];
      struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };

      if (!workers[k].data[i] || !member->analysis->worker_merge)
        continue;
      code = member->analysis->worker_merge (member->self,
                                             workers[k].data[i], &error);
      if (code < 0)
        dg_member_error (member, NULL, code, &error, err);
      else
        code = pace_alone (&workers[0], err);
      /* Before the next one's has to be merged too.  */
      dg_worker_drop (&workers[k], i);
    }
  return code;
}

/* More workers than this would have nothing to do.  */
static size_t
most_workers (const struct dg_pass *pass)
{
  size_t n, most;

  dg_log_chunks (pass->log, &n);
  most = n;
  for (size_t i = 0; i < pass->n; i++)
    most += pass->members[i].n_shards;
  return MAX (most, 1);
}

int
dg_pass_run (struct dg_pass *pass, struct dg_error *err)
{
  unsigned workers = MIN (pass->workers, most_workers (pass)), n;
  struct dg_worker *all = g_new0 (struct dg_worker, workers);
  size_t n_chunks;
  int code = 0;

  dg_log_chunks (pass->log, &n_chunks);
  if (pass->log->contents.packed && !pass->feed.needs_contexts)
    dg_packed_spare (pass->log->contents.packed);
  for (n = 0; n < workers && code == 0; n++)
    code = dg_worker_init (&all[n], pass, err);
  if (code == 0
      && (workers == 1
          || !dg_pass_together (pass, all, workers, &code, err)))
    code = run_alone (pass, &all[0], err);
  all[0].place.chunk = n_chunks;
  for (unsigned i = 0; i < n; i++)
    dg_worker_end (&all[i]);
  if (pass->log->contents.packed)
    dg_packed_spare (pass->log->contents.packed);
  if (code == 0)
    code = merge_all (pass, all, workers, err);
  for (unsigned i = 0; i < n; i++)
    dg_worker_fini (&all[i]);
  g_free (all);
  return code;
}
