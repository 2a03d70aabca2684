/* stream.c: a log's bytes, a window at a time.  What the bytes mean is not
   known here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stream.h"

#include <glib.h>
#include <string.h>

#include "error.h"

/* Small enough to stay in a core's second-level cache, large enough that the
   system calls do not count.  */
#define WINDOW_BYTES ((size_t) 256 << 10)

void
dg_stream_init (struct dg_stream *stream, const struct dg_source *source,
                uint64_t start, uint64_t end)
{
  memset (stream, 0, sizeof *stream);
  stream->source = source;
  dg_stream_move (stream, start, end);
}

void
dg_stream_move (struct dg_stream *stream, uint64_t start, uint64_t end)
{
  const struct dg_source *source = stream->source;

  stream->offset = start;
  stream->end = end;
  stream->at = (const uint8_t *) "";
  stream->avail = 0;
  if (source->fd < 0 && start < end) {
    stream->at = source->memory + start;
    stream->avail = end - start;
  }
}

void
dg_stream_fini (struct dg_stream *stream)
{
  g_free (stream->buffer);
  memset (stream, 0, sizeof *stream);
}

/* Room for `need` bytes with what is available at the buffer's beginning.  */
static int
make_room (struct dg_stream *stream, size_t need, struct dg_error *err)
{
  uint8_t *buffer;
  size_t room = WINDOW_BYTES;

  if (need <= stream->room) {
    memmove (stream->buffer, stream->at, stream->avail);
    stream->at = stream->buffer;
    return 0;
  }
  if (need > room)
    room = need + (need < G_MAXSIZE / 2 ? need / 4 : 0);
  if (room > stream->end - stream->offset)
    room = stream->end - stream->offset;
  buffer = g_try_malloc (room);
  if (!buffer)
    return dg_error_nomem (err);
  memcpy (buffer, stream->at, stream->avail);
  g_free (stream->buffer);
  stream->buffer = buffer;
  stream->at = buffer;
  stream->room = room;
  return 0;
}

int
dg_stream_fill (struct dg_stream *stream, uint64_t need, struct dg_error *err)
{
  uint64_t left = stream->end - stream->offset;
  ptrdiff_t got;
  int code;

  if (need > left)
    need = left;
  if (stream->avail >= need)
    return 0;
  if (need > G_MAXSIZE)
    return dg_error_nomem (err);
  code = make_room (stream, need, err);
  if (code < 0)
    return code;
  got = dg_source_read (stream->source, stream->offset + stream->avail,
                        stream->buffer + stream->avail, need - stream->avail,
                        MIN (stream->room, left) - stream->avail, err);
  if (got < 0)
    return got;
  stream->avail += got;
  return 0;
}
