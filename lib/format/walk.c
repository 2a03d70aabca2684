/* walk.c: one pass over the records of a log or of a part of it.

   Most of a log is runs, which dg_decode_runs adds up without looking
   elsewhere; the walk takes up each record at which that stops.  What other
   records mean is the hooks' business.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "walk.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

#define PACE_BYTES ((uint64_t) 256 << 10)

void
dg_walk_init (struct dg_walk *walk, const struct dg_format *format,
              const struct dg_source *source, uint64_t start, uint64_t end)
{
  memset (walk, 0, sizeof *walk);
  walk->format = format;
  walk->last_chunk = start;
  dg_position_init (&walk->position);
  dg_stream_init (&walk->stream, source, start, end);
}

void
dg_walk_fini (struct dg_walk *walk)
{
  dg_stream_fini (&walk->stream);
}

static int
truncated (const struct dg_walk *walk, const struct dg_head *head,
           struct dg_error *err)
{
  uint64_t offset = walk->stream.offset;
  const char *name = head ? dg_record_name (head->type) : NULL;

  if (!head)
    return dg_error_at (err, DG_ERR_TRUNCATED, offset,
                        "the log ends within a record's length");
  if (name)
    return dg_error_at (err, DG_ERR_TRUNCATED, offset,
                        "the log ends within %s of %" PRIu64 " bytes", name,
                        head->length);
  return dg_error_at (err, DG_ERR_TRUNCATED, offset,
                      "the log ends within a record of type %u and %" PRIu64
                      " bytes", head->type, head->length);
}

/* A run that is there as a whole, where take_runs stopped: because it was
   cut by the window's end then, or because it is bad.  */
static int
take_run (struct dg_walk *walk, const struct dg_head *head,
          struct dg_error *err)
{
  const struct dg_stream *stream = &walk->stream;
  int code;

  if (!walk->position.recording)
    return dg_error_at (err, DG_ERR_DAMAGED, stream->offset,
                        "BBRUN while nothing is recorded");
  if (dg_decode_runs (walk->format, &walk->contexts, stream->at,
                      head->size + head->length, 1, &walk->position.totals)
      > 0)
    return 0;
  code = dg_decode_check_run (walk->format, &walk->contexts,
                              stream->at + head->size, head->length,
                              stream->offset, err);
  g_assert (code < 0);
  return code;
}

/* The record at the stream's offset, which is not a run that could be taken
   as it stood.  */
static int
step (struct dg_walk *walk, struct dg_error *err)
{
  struct dg_stream *stream = &walk->stream;
  uint64_t left = stream->end - stream->offset;
  struct dg_head head;
  int code = dg_stream_fill (stream, DG_HEAD_MAX, err);

  if (code < 0)
    return code;
  if (!dg_decode_head (walk->format, stream->at, stream->avail, &head))
    return truncated (walk, NULL, err);
  if (head.type == DG_R_HEADER)
    return dg_error_at (err, DG_ERR_DAMAGED, stream->offset,
                        "there is a second HEADER");
  if (head.length > left - head.size)
    return truncated (walk, &head, err);
  if (!dg_decode_is_known (head.type)) {
    walk->unknown++;
  } else {
    code = dg_stream_fill (stream, head.size + head.length, err);
    if (code == 0)
      code = head.type == DG_R_BBRUN ? take_run (walk, &head, err)
                                     : walk->record (walk, &head, err);
    if (code < 0)
      return code;
  }
  if (head.type == DG_R_CHUNK)
    walk->last_chunk = stream->offset;
  dg_stream_skip (stream, head.size + head.length);
  return 0;
}

/* Adds up the runs that are there, up to where the next chunk is due.  */
static void
take_runs (struct dg_walk *walk, uint64_t chunk_end)
{
  struct dg_stream *stream = &walk->stream;
  size_t limit = MIN (stream->avail, chunk_end - stream->offset);

  dg_stream_skip (stream, dg_decode_runs (walk->format, &walk->contexts,
                                          stream->at, stream->avail, limit,
                                          &walk->position.totals));
}

int
dg_walk_run (struct dg_walk *walk, struct dg_error *err)
{
  struct dg_stream *stream = &walk->stream;
  int code = 0;

  while (code == 0 && stream->offset < stream->end) {
    uint64_t chunk_end = walk->last_chunk + DG_WALK_CHUNK_BYTES;

    if (walk->pace && stream->offset >= walk->next_pace) {
      walk->next_pace = stream->offset + PACE_BYTES;
      code = walk->pace (walk, err);
      if (code < 0)
        break;
    }
    if (stream->offset >= chunk_end) {
      walk->last_chunk = stream->offset;
      code = walk->chunk (walk, err);
      continue;
    }
    if (walk->position.recording)
      take_runs (walk, chunk_end);
    if (stream->offset < stream->end && stream->offset < chunk_end)
      code = step (walk, err);
  }
  return code;
}
