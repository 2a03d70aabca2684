/* load.c: dg_log_load: gathers what a log holds.  Here is what raw logs and
   archives have in common; the rest is in load_raw.c and load_archive.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "load.h"

#include <glib.h>

#include "base/error.h"
#include "base/progress.h"
#include "growth.h"
#include "repeats.h"

int
dg_load_pace (struct dg_load *load, uint64_t done, struct dg_error *err)
{
  return dg_progress_pace (&load->progress, done, load->log->source.size,
                           err);
}

int
dg_load_finish (struct dg_load *load, uint64_t offset, int code,
                struct dg_error *err)
{
  struct dg_contents *contents = load->contents;
  struct dg_summary *summary = &contents->summary;

  if (dg_repeats_note (load->log, err) < 0)
    return DG_ERR_NOMEM;
  summary->good_bytes = offset;
  load->log->is_loaded = true;
  if (code < 0) {
    summary->complete = DG_COMPLETE_NO;
  } else if (summary->end_why >= 0) {
    summary->complete = summary->end_why == DG_END_OUTPUT ? DG_COMPLETE_NO
                                                          : DG_COMPLETE_YES;
  } else if (contents->has_process) {
    summary->complete = DG_COMPLETE_NO;
    code = dg_error_at (err, DG_ERR_TRUNCATED, offset,
                        "the log has no end record: it was cut short");
  } else {
    summary->complete = DG_COMPLETE_UNKNOWN;
  }
  contents->load_code = code;
  return code;
}

int
dg_log_set_blocks (struct dg_log *log, enum dg_blocks blocks,
                   struct dg_error *err)
{
  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  log->blocks = blocks;
  log->blocks_icount = DG_NEVER;
  return 0;
}

int
dg_log_set_live_blocks (struct dg_log *log, uint64_t icount,
                        struct dg_error *err)
{
  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  log->blocks = DG_BLOCKS_LIVE;
  log->blocks_icount = icount;
  return 0;
}

int
dg_load_begin (struct dg_load *load, struct dg_error *err)
{
  struct dg_growth *growth = load->log->growth;

  if (!growth || !growth->has_begun)
    return dg_timeline_init (&load->timeline, load->contents,
                             load->log->blocks, load->log->blocks_icount,
                             err);
  if (dg_growth_resume (growth, load->contents, &load->timeline) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_load_end (struct dg_load *load, const struct dg_position *position,
             uint64_t offset, struct dg_error *err)
{
  struct dg_growth *growth = load->log->growth;

  if (growth && dg_growth_note (growth, &load->timeline, position) < 0)
    return dg_error_nomem (err);
  if (dg_timeline_heap_finish (&load->timeline.heap) < 0)
    return dg_error_nomem (err);
  dg_timeline_finish (&load->timeline, position, offset);
  if (dg_timeline_threads_order (&load->contents->threads,
                                 &load->contents->thread_order) < 0)
    return dg_error_nomem (err);
  return 0;
}

static int
load_any (struct dg_log *log, unsigned workers, dg_progress_fn progress,
          void *user, struct dg_error *err)
{
  struct dg_load load = { .log = log, .contents = &log->contents,
                       .progress = dg_progress_start (progress, user) };
  int code;

  log->load_called = true;
  /* Of archives it is known when they are opened.  */
  if (log->blocks == DG_BLOCKS_PASSING && !log->header.is_archive)
    log->blocks = DG_BLOCKS_ALL;
  if (workers == 0)
    workers = g_get_num_processors ();
  code = log->ops->load (&load, workers, err);
  dg_fields_fini (&load.fields);
  if (log->growth && log->is_loaded)
    dg_growth_keep (log->growth, &load.timeline);
  dg_timeline_fini (&load.timeline);
  if (log->shared)
    dg_growth_shared_take_back (log->shared, &log->contents);
  if (!log->is_loaded)
    dg_contents_fini (&log->contents);
  return code;
}

/* Behind damage, and behind the end, there is nothing more to come.  */
int
dg_load_growing (struct dg_log *log, unsigned workers,
                 dg_progress_fn progress, void *user, struct dg_error *err)
{
  int code;

  dg_growth_shared_lend (log->shared, &log->contents);
  code = load_any (log, workers, progress, user, err);
  if (code != DG_ERR_TRUNCATED
      && (code < 0 || log->contents.summary.complete == DG_COMPLETE_YES)) {
    dg_growth_free (log->growth);
    log->growth = NULL;
  }
  return code;
}

int
dg_log_load (struct dg_log *log, unsigned workers, dg_progress_fn progress,
             void *user, struct dg_error *err)
{
  if (log->summary_loaded) {
    /* All of it was done already.  */
    log->summary_loaded = false;
    if (log->load_error.code < 0)
      return dg_error_copy (err, &log->load_error);
    return 0;
  }
  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  dg_contents_fini (&log->contents);
  return load_any (log, workers, progress, user, err);
}

int
dg_log_load_summary (struct dg_log *log, unsigned workers,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  struct dg_error why = { 0 };
  int code = 0;

  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  if (log->ops->load_summary) {
    code = log->ops->load_summary (log, &why);
    if (code == 0)
      dg_contents_fini (&log->contents);
  }
  if (code == 0) {
    why = (struct dg_error) { 0 };
    code = load_any (log, workers, progress, user, &why);
    log->summary_loaded = log->is_loaded;
    log->load_error = why;
  }
  if (code < 0)
    dg_error_copy (err, &why);
  return code < 0 ? code : 0;
}
