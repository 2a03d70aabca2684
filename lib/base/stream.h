/* stream.h: a log's bytes, a window at a time.

   Files are read with pread into a buffer, even if they are mapped: what
   decodes a raw log relies on bytes that do not change between two looks at
   them, and no checksum would say so afterwards.  It is not slower, as the
   buffer stays in the cache (docs/decisions.md has the figures).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_STREAM_H
#define DG_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"
#include "byte_source.h"

struct dg_stream {
  const struct dg_source *source;
  uint64_t end;            /* reads stop before this offset */
  uint64_t offset;         /* in the file, of `at` */
  const uint8_t *at;       /* the next byte */
  size_t avail;            /* bytes that are there */
  uint8_t *buffer;         /* NULL for memory */
  size_t room;             /* of buffer */
};

/* Starts before offset `start`; nothing is read yet.  */
void dg_stream_init (struct dg_stream *stream, const struct dg_source *source,
                     uint64_t start, uint64_t end);
void dg_stream_fini (struct dg_stream *stream);

/* Goes elsewhere in the same source, and keeps the buffer.  */
void dg_stream_move (struct dg_stream *stream, uint64_t start, uint64_t end);

/* Makes at least `need` bytes available, or all there are before the end:
   0, DG_ERR_IO or DG_ERR_NOMEM.  Moves `at`.  The caller bounds `need` by
   what is left, so memory is bounded by the file's size.  */
int dg_stream_fill (struct dg_stream *stream, uint64_t need,
                    struct dg_error *err);

/* Passes over n bytes, which may reach beyond what is available but not
   beyond the end.  */
static inline void
dg_stream_skip (struct dg_stream *stream, uint64_t n)
{
  stream->offset += n;
  if (n <= stream->avail) {
    stream->at += n;
    stream->avail -= n;
  } else {
    /* In a file only: of memory, everything is available.  */
    stream->at += stream->avail;
    stream->avail = 0;
  }
}

#endif /* DG_STREAM_H */
