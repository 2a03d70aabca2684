/* load.c: dg_log_load, the walk over all records of a log.

   Most of a log is runs, which dg_decode_runs adds up without looking
   elsewhere; the walk takes up each record at which that stops.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "error.h"
#include "log.h"
#include "timeline.h"

/* Where the writer set no marker for so long, readers may begin all the
   same: a little more than its own distance.  */
#define CHUNK_BYTES ((uint64_t) 5 << 20)

/* How often the caller is told of progress.  */
#define PROGRESS_BYTES ((uint64_t) 1 << 20)
#define PROGRESS_US 40000

struct walk {
  struct dg_log *log;
  struct dg_contents *contents;
  struct dg_stream stream;
  struct dg_fields fields;
  struct dg_timeline timeline;
  struct dg_position position;
  dg_progress_fn progress;
  void *user;
  uint64_t next_progress;  /* offset at which to look at the clock */
  gint64 last_progress;    /* monotonic time, us */
};

static int
tell_progress (struct walk *walk, struct dg_error *err)
{
  gint64 now = g_get_monotonic_time ();
  uint64_t done = walk->stream.offset, total = walk->stream.end;

  walk->next_progress = done + PROGRESS_BYTES;
  if (!walk->progress
      || (done < total && now - walk->last_progress < PROGRESS_US))
    return 0;
  walk->last_progress = now;
  if (walk->progress (walk->user, done, total) != 0)
    return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
  return 0;
}

static int
truncated (struct walk *walk, const struct dg_head *head,
           struct dg_error *err)
{
  const char *name = head ? dg_record_name (head->type) : NULL;

  if (!head)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->stream.offset,
                        "the log ends within a record's length");
  if (name)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->stream.offset,
                        "the log ends within %s of %" PRIu64 " bytes", name,
                        head->length);
  return dg_error_at (err, DG_ERR_TRUNCATED, walk->stream.offset,
                      "the log ends within a record of type %u and %" PRIu64
                      " bytes", head->type, head->length);
}

/* A run that is there as a whole, where take_runs stopped: because it was
   cut by the window's end then, or because it is bad.  */
static int
take_run (struct walk *walk, const struct dg_head *head, struct dg_error *err)
{
  const struct dg_format *format = &walk->log->format;
  const uint8_t *at = walk->stream.at;
  struct dg_run_contexts contexts
    = dg_defs_run_contexts (&walk->contents->defs);
  int code;

  if (!walk->position.recording)
    return dg_error_at (err, DG_ERR_DAMAGED, walk->stream.offset,
                        "BBRUN where nothing is recorded");
  if (dg_decode_runs (format, &contexts, at, head->size + head->length, 1,
                      &walk->position.totals) > 0)
    return 0;
  code = dg_decode_check_run (format, &contexts, at + head->size,
                              head->length, walk->stream.offset, err);
  g_assert (code < 0);
  return code;
}

/* A record that is there as a whole.  */
static int
take_record (struct walk *walk, const struct dg_head *head,
             struct dg_error *err)
{
  struct dg_contents *contents = walk->contents;
  uint64_t offset = walk->stream.offset;
  int code;

  if (head->type == DG_R_BBRUN)
    return take_run (walk, head, err);
  code = dg_decode_fields (&walk->log->format, head,
                           walk->stream.at + head->size, offset,
                           &walk->fields, err);
  if (code < 0)
    return code;
  switch (head->type) {
  case DG_R_BBDEF:
    code = dg_defs_add_bbdef (&contents->defs, &contents->arena,
                              &walk->fields, offset, err);
    walk->position.bbdefs += code == 0;
    return code;
  case DG_R_CONTEXT:
    code = dg_defs_add_context (&contents->defs, &contents->arena,
                                &walk->fields, offset, err);
    walk->position.contexts += code == 0;
    return code;
  default:
    return dg_timeline_apply (&walk->timeline, &walk->position, head->type,
                              &walk->fields, offset,
                              offset + head->size + head->length, err);
  }
}

/* The record at the stream's offset, which is not a run that could be taken
   as it stood.  */
static int
step (struct walk *walk, struct dg_error *err)
{
  struct dg_stream *stream = &walk->stream;
  uint64_t left = stream->end - stream->offset;
  struct dg_head head;
  int code = dg_stream_fill (stream, DG_HEAD_MAX, err);

  if (code < 0)
    return code;
  if (!dg_decode_head (&walk->log->format, stream->at, stream->avail, &head))
    return truncated (walk, NULL, err);
  if (head.type == DG_R_HEADER)
    return dg_error_at (err, DG_ERR_DAMAGED, stream->offset,
                        "a second HEADER");
  if (head.length > left - head.size)
    return truncated (walk, &head, err);
  if (!dg_decode_is_known (head.type)) {
    walk->contents->summary.unknown_records++;
  } else {
    code = dg_stream_fill (stream, head.size + head.length, err);
    if (code == 0)
      code = take_record (walk, &head, err);
    if (code < 0)
      return code;
  }
  dg_stream_skip (stream, head.size + head.length);
  return 0;
}

/* Adds up the runs that are there, up to where the next chunk is due.  */
static void
take_runs (struct walk *walk, uint64_t chunk_end)
{
  struct dg_stream *stream = &walk->stream;
  struct dg_run_contexts contexts
    = dg_defs_run_contexts (&walk->contents->defs);
  size_t limit = MIN (stream->avail, chunk_end - stream->offset);

  dg_stream_skip (stream, dg_decode_runs (&walk->log->format, &contexts,
                                          stream->at, stream->avail, limit,
                                          &walk->position.totals));
}

static int
walk_records (struct walk *walk, struct dg_error *err)
{
  struct dg_stream *stream = &walk->stream;
  const struct dg_table *chunks = &walk->contents->chunks;
  int code = dg_timeline_add_chunk (&walk->timeline, &walk->position,
                                    stream->offset, err);

  while (code == 0 && stream->offset < stream->end) {
    const struct dg_chunk *last
      = (const struct dg_chunk *) chunks->items + chunks->n - 1;
    uint64_t chunk_end = last->offset + CHUNK_BYTES;

    if (stream->offset >= walk->next_progress) {
      code = tell_progress (walk, err);
      if (code < 0)
        return code;
    }
    if (stream->offset >= chunk_end) {
      code = dg_timeline_add_chunk (&walk->timeline, &walk->position,
                                    stream->offset, err);
      continue;
    }
    if (walk->position.recording)
      take_runs (walk, chunk_end);
    if (stream->offset < stream->end && stream->offset < chunk_end)
      code = step (walk, err);
  }
  return code;
}

/* The walk has come to the log's end, or to a bad record with `code`.  */
static int
finish (struct walk *walk, int code, struct dg_error *err)
{
  struct dg_contents *contents = walk->contents;
  struct dg_summary *summary = &contents->summary;

  dg_timeline_finish (&walk->timeline, &walk->position, walk->stream.offset);
  if (code < 0) {
    summary->complete = DG_COMPLETE_NO;
  } else if (summary->end_why >= 0) {
    summary->complete = summary->end_why == DG_END_OUTPUT ? DG_COMPLETE_NO
                                                          : DG_COMPLETE_YES;
  } else if (contents->has_process) {
    summary->complete = DG_COMPLETE_NO;
    code = dg_error_at (err, DG_ERR_TRUNCATED, walk->stream.offset,
                        "the log has no end record: it was cut short");
  } else {
    summary->complete = DG_COMPLETE_UNKNOWN;
  }
  return code;
}

static int
load (struct walk *walk, struct dg_error *err)
{
  int code = dg_timeline_init (&walk->timeline, walk->contents, err);

  if (code == 0)
    code = walk_records (walk, err);
  if (code == 0)
    code = tell_progress (walk, err);
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    code = finish (walk, code, err);
    walk->log->is_loaded = true;
  } else {
    dg_contents_fini (walk->contents);
  }
  return code;
}

int
dg_log_load (struct dg_log *log, unsigned workers, dg_progress_fn progress,
             void *user, struct dg_error *err)
{
  struct walk walk = { .log = log, .contents = &log->contents,
                       .progress = progress, .user = user };
  int code;

  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is loaded already");
  log->load_called = true;
  walk.last_progress = g_get_monotonic_time ();
  dg_position_init (&walk.position);
  dg_stream_init (&walk.stream, &log->source, DG_HEADER_SIZE,
                  log->source.size);
  code = load (&walk, err);
  dg_stream_fini (&walk.stream);
  dg_fields_fini (&walk.fields);
  dg_timeline_fini (&walk.timeline);
  return code;
}
