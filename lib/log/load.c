/* load.c: dg_log_load: gathers what a log holds, by one walk over it here or
   by several workers in load_parallel.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "grow.h"
#include "log.h"
#include "packed.h"
#include "load_parallel.h"
#include "timeline.h"
#include "format/walk.h"

/* How often the caller is told of progress.  */
#define PROGRESS_US 40000

struct load {
  struct dg_log *log;
  struct dg_contents *contents;
  struct dg_timeline timeline;
  struct dg_fields fields;
  dg_progress_fn progress;
  void *user;
  gint64 last_progress;    /* monotonic time, us */
};

static int
tell_progress (struct load *load, uint64_t done, struct dg_error *err)
{
  uint64_t total = load->log->source.size;
  gint64 now = g_get_monotonic_time ();

  if (!load->progress
      || (done < total && now - load->last_progress < PROGRESS_US))
    return 0;
  load->last_progress = now;
  if (load->progress (load->user, done, total) != 0)
    return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
  return 0;
}

/* ---- One walk ---- */

static int
pace (struct dg_walk *walk, struct dg_error *err)
{
  return tell_progress (walk->user, walk->stream.offset, err);
}

static int
add_chunk (struct dg_walk *walk, struct dg_error *err)
{
  struct load *load = walk->user;

  return dg_timeline_add_chunk (&load->timeline, &walk->position,
                                walk->stream.offset, err);
}

static int
take_record (struct dg_walk *walk, const struct dg_head *head,
             struct dg_error *err)
{
  struct load *load = walk->user;
  struct dg_contents *contents = load->contents;
  struct dg_position *position = &walk->position;
  uint64_t offset = walk->stream.offset;
  int code;

  code = dg_decode_fields (walk->format, head, walk->stream.at + head->size,
                           offset, &load->fields, err);
  if (code < 0)
    return code;
  switch (head->type) {
  case DG_R_BBDEF:
    code = dg_defs_add_bbdef (&contents->defs, &contents->arena,
                              &load->fields, offset, err);
    position->bbdefs += code == 0;
    return code;
  case DG_R_CONTEXT:
    code = dg_defs_add_context (&contents->defs, &contents->raw_paths,
                                &load->fields, offset, err);
    position->contexts += code == 0;
    walk->contexts = dg_defs_run_contexts (&contents->defs);
    return code;
  default:
    return dg_timeline_apply (&load->timeline, position, head->type,
                              &load->fields, offset,
                              offset + head->size + head->length, err);
  }
}

/* The log's records are good up to its end, or up to a bad one with `code`,
   which is at `offset`.  */
static int
finish (struct load *load, uint64_t offset, int code, struct dg_error *err)
{
  struct dg_contents *contents = load->contents;
  struct dg_summary *summary = &contents->summary;

  summary->good_bytes = offset;
  load->log->is_loaded = true;
  if (contents->packed) {
    contents->paths = contents->packed->view;
  } else {
    if (contents->raw_paths.program.n_nodes == 0
        && dg_program_init (&contents->raw_paths.program, err) < 0)
      return DG_ERR_NOMEM;
    contents->paths = dg_program_view (&contents->raw_paths.program);
    /* Nothing will be added.  */
    if (!load->log->growth)
      dg_pairs_fini (&contents->raw_paths.children);
  }
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

/* The timeline from its beginning, or from where it was left.  */
static int
begin_timeline (struct load *load, struct dg_error *err)
{
  struct dg_growth *growth = load->log->growth;

  if (!growth || !growth->has_begun)
    return dg_timeline_init (&load->timeline, load->contents, err);
  if (dg_growth_resume (growth, load->contents, &load->timeline) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* The log ends at `offset` of it, for now.  */
static int
finish_timeline (struct load *load, const struct dg_position *position,
                 uint64_t offset, struct dg_error *err)
{
  struct dg_growth *growth = load->log->growth;

  if (growth && dg_growth_note (growth, &load->timeline, position) < 0)
    return dg_error_nomem (err);
  dg_timeline_finish (&load->timeline, position, offset);
  if (dg_threads_order (&load->contents->threads,
                        &load->contents->thread_order) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* Where the walk begins: at the first record, or where one that was not there
   as a whole stood the last time.  */
static int
begin_walk (struct load *load, struct dg_walk *walk, struct dg_error *err)
{
  const struct dg_source *source = &load->log->source;
  const struct dg_growth *growth = load->log->growth;
  bool goes_on = growth && growth->has_begun;

  dg_walk_init (walk, &load->log->format, source,
                goes_on ? growth->offset : DG_HEADER_SIZE, source->size);
  walk->record = take_record;
  walk->chunk = add_chunk;
  walk->pace = pace;
  walk->user = load;
  if (!goes_on)
    return add_chunk (walk, err);
  walk->position = growth->position;
  walk->last_chunk = growth->last_chunk;
  walk->unknown = load->contents->summary.unknown_records;
  walk->contexts = dg_defs_run_contexts (&load->contents->defs);
  return 0;
}

static int
load_in_one (struct load *load, struct dg_error *err)
{
  const struct dg_source *source = &load->log->source;
  struct dg_growth *growth = load->log->growth;
  struct dg_walk walk = { 0 };
  int code;

  code = begin_timeline (load, err);
  if (code == 0)
    code = begin_walk (load, &walk, err);
  if (code == 0)
    code = dg_walk_run (&walk, err);
  if (code == 0)
    code = tell_progress (load, source->size, err);
  load->contents->summary.unknown_records = walk.unknown;
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    int finished = finish_timeline (load, &walk.position, walk.stream.offset,
                                    err);

    code = finished < 0 ? finished
                        : finish (load, walk.stream.offset, code, err);
  }
  if (growth && load->log->is_loaded) {
    growth->offset = walk.stream.offset;
    growth->last_chunk = walk.last_chunk;
  }
  dg_walk_fini (&walk);
  return code;
}

/* ---- In parts ---- */

static int
pace_parts (void *user, uint64_t done, struct dg_error *err)
{
  return tell_progress (user, done, err);
}

/* 1 if it is done, 0 if the log has to be walked in one, < 0 an error.  */
static int
load_in_parts (struct load *load, unsigned workers, struct dg_error *err)
{
  struct dg_position position;
  int code = dg_timeline_init (&load->timeline, load->contents, err);

  if (code == 0)
    code = dg_load_parallel (load->log, workers, &load->timeline, &position,
                             pace_parts, load, err);
  if (code > 0) {
    /* What looked like the end record may have been something else's.  */
    code = finish_timeline (load, &position, load->log->source.size, err);
    if (code == 0)
      code = finish (load, load->log->source.size, 0, err);
    return code < 0 ? code : 1;
  }
  /* Nothing is left of it for the walk in one.  */
  dg_timeline_fini (&load->timeline);
  dg_contents_fini (load->contents);
  return code;
}

/* ---- Archives ---- */

/* What SUMMARY says must be what the archive holds.  */
static int
check_summary (struct load *load, int code, struct dg_error *err)
{
  const struct dg_archive *archive = load->contents->packed->archive;
  struct dg_summary *summary = &load->contents->summary;
  const char *what = dg_archive_summary_differs (&archive->summary, summary);

  if (!what)
    return code;
  summary->complete = DG_COMPLETE_NO;
  load->contents->load_code = DG_ERR_DAMAGED;
  summary->good_bytes = archive->summary_part.offset;
  return dg_error_at (err, DG_ERR_DAMAGED, summary->good_bytes,
                      "SUMMARY does not say what the archive holds: %s",
                      what);
}

static int
load_archive (struct load *load, unsigned workers, struct dg_error *err)
{
  struct dg_log *log = load->log;
  struct dg_growth *growth = log->growth;
  uint64_t offset = log->source.size, moment = 0;
  struct dg_position position;
  struct dg_error why = { 0 };
  bool is_whole;
  int code;

  code = begin_timeline (load, err);
  if (code < 0)
    return code;
  if (growth && growth->has_begun) {
    position = growth->position;
    moment = growth->moment;
  }
  code = dg_packed_load (log, workers, &load->timeline, &position, &moment,
                         pace_parts, load, &why);
  /* It could not even be opened.  */
  if (!log->contents.packed || !log->contents.packed->archive)
    return dg_error_copy (err, &why);
  if (code == 0)
    code = tell_progress (load, log->source.size, &why);
  is_whole = code == 0;
  if (is_whole || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    int finished = finish_timeline (load, &position, moment, &why);

    code = finished < 0 ? finished
                        : finish (load, is_whole ? offset : why.offset, code,
                                  &why);
    if (growth)
      growth->moment = moment;
  }
  if (is_whole && code != DG_ERR_NOMEM)
    code = check_summary (load, code, &why);
  if (code < 0)
    dg_error_copy (err, &why);
  return code;
}

static int
load_raw (struct load *load, unsigned workers, struct dg_error *err)
{
  int code = 0;

  /* Parts leave nothing that could go on.  */
  if (workers > 1 && !load->log->growth)
    code = load_in_parts (load, workers, err);
  if (code == 0)
    return load_in_one (load, err);
  return code < 0 ? code : 0;
}

static int
load_any (struct dg_log *log, unsigned workers, dg_progress_fn progress,
          void *user, struct dg_error *err)
{
  struct load load = { .log = log, .contents = &log->contents,
                       .progress = progress, .user = user };
  int code;

  log->load_called = true;
  load.last_progress = g_get_monotonic_time ();
  if (workers == 0)
    workers = g_get_num_processors ();
  if (log->header.is_archive)
    code = load_archive (&load, workers, err);
  else
    code = load_raw (&load, workers, err);
  dg_fields_fini (&load.fields);
  if (log->growth && log->is_loaded)
    dg_growth_keep (log->growth, &load.timeline);
  dg_timeline_fini (&load.timeline);
  if (log->hold)
    dg_hold_take_back (log);
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

  dg_hold_lend (log);
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
    return dg_error_set (err, DG_ERR_INVALID, "the log is loaded already");
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
    return dg_error_set (err, DG_ERR_INVALID, "the log is loaded already");
  if (log->header.is_archive) {
    code = dg_packed_load_summary (log, &why);
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
