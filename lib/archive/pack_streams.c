/* pack_streams.c: the streams of a packed chunk, compressed and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_code.h"

#include <glib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"
#include "base/varint.h"

/* Shorter ones are not worth a frame.  */
#define COMPRESS_MIN 32

struct dg_streams_coder {
  ZSTD_CCtx *compress;
  ZSTD_DCtx *decompress;
  int level;
};

bool
dg_pack_stream_reserve (struct dg_pack_stream *stream, size_t n)
{
  size_t used = stream->at - stream->bytes, room = stream->end - stream->bytes;
  uint8_t *bytes;

  if (stream->bytes && n + DG_STREAM_SLACK <= room - used)
    return true;
  room = used + n + DG_STREAM_SLACK;
  room += room / 2;
  bytes = g_try_realloc (stream->bytes, room);
  if (!bytes)
    return false;
  stream->bytes = bytes;
  stream->at = bytes + used;
  stream->end = bytes + room;
  return true;
}

struct dg_streams_coder *
dg_streams_coder_new (int level, struct dg_error *err)
{
  struct dg_streams_coder *coder = g_try_new0 (struct dg_streams_coder, 1);

  if (coder) {
    coder->level = level;
    coder->compress = ZSTD_createCCtx ();
    coder->decompress = ZSTD_createDCtx ();
  }
  if (!coder || !coder->compress || !coder->decompress) {
    dg_streams_coder_free (coder);
    dg_error_nomem (err);
    return NULL;
  }
  return coder;
}

void
dg_streams_coder_free (struct dg_streams_coder *coder)
{
  if (!coder)
    return;
  ZSTD_freeCCtx (coder->compress);
  ZSTD_freeDCtx (coder->decompress);
  g_free (coder);
}

/* ---- Writing ---- */

/* The stream's bytes at `out`, which has room for them in any form; how many.
   As they are when that is no more.  SIZE_MAX: zstd has no memory.  */
static size_t
put_stream (struct dg_streams_coder *coder, const uint8_t *bytes, size_t n,
            uint8_t *out, size_t room)
{
  size_t size = 0;

  if (n >= COMPRESS_MIN)
    size =
      ZSTD_compressCCtx (coder->compress, out, room, bytes, n, coder->level);
  if (n >= COMPRESS_MIN && ZSTD_isError (size))
    return SIZE_MAX;
  if (n < COMPRESS_MIN || size >= n) {
    if (n > 0)
      memcpy (out, bytes, n);
    return n;
  }
  return size;
}

int
dg_streams_write (struct dg_streams_coder *coder, unsigned n_streams,
                  const struct dg_pack_stream *streams, struct dg_table *out,
                  struct dg_error *err)
{
  size_t sizes[DG_STREAMS][2], room = 0, start = out->n, table;
  uint8_t head[DG_STREAMS * 2 * DG_VARINT_MAX], *at;

  for (unsigned i = 0; i < n_streams; i++)
    room += ZSTD_compressBound (streams[i].at - streams[i].bytes);
  if (dg_table_reserve (out, 1, start + sizeof head + room) < 0)
    return dg_error_nomem (err);
  /* The sizes stand before the streams, but are known behind them.  */
  at = (uint8_t *) out->items + start + sizeof head;
  for (unsigned i = 0; i < n_streams; i++) {
    sizes[i][0] = streams[i].at - streams[i].bytes;
    sizes[i][1] = put_stream (coder, streams[i].bytes, sizes[i][0], at,
                              (uint8_t *) out->items + out->room - at);
    if (sizes[i][1] == SIZE_MAX)
      return dg_error_nomem (err);
    at += sizes[i][1];
  }
  room = at - ((uint8_t *) out->items + start + sizeof head);
  at = head;
  for (unsigned i = 0; i < n_streams; i++) {
    at = dg_varint_put (at, sizes[i][0]);
    at = dg_varint_put (at, sizes[i][1]);
  }
  table = at - head;
  memcpy ((uint8_t *) out->items + start, head, table);
  memmove ((uint8_t *) out->items + start + table,
           (uint8_t *) out->items + start + sizeof head, room);
  out->n = start + table + room;
  return 0;
}

/* ---- Reading ---- */

static int
damaged (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED, "packed runs are damaged");
}

static int
make_room (struct dg_pack_stream *all, size_t room, struct dg_error *err)
{
  if (all->bytes && room <= (size_t) (all->end - all->bytes))
    return 0;
  g_free (all->bytes);
  all->bytes = g_try_malloc0 (room);
  all->end = all->bytes ? all->bytes + room : NULL;
  return all->bytes ? 0 : dg_error_nomem (err);
}

static int
get_stream (struct dg_streams_coder *coder, const uint8_t *bytes,
            size_t stored, size_t n, uint8_t *out, struct dg_error *err)
{
  if (stored < n) {
    if (ZSTD_decompressDCtx (coder->decompress, out, n, bytes, stored) != n)
      return damaged (err);
  } else if (n > 0) {
    memcpy (out, bytes, n);
  }
  return 0;
}

int
dg_streams_read (struct dg_streams_coder *coder, unsigned n_streams,
                 const uint8_t *bytes, size_t n, size_t max, size_t slack,
                 unsigned wanted,
                 struct dg_pack_stream *all, struct dg_pack_stream *streams,
                 size_t *sizes, struct dg_error *err)
{
  const uint8_t *at = bytes, *end = bytes + n;
  uint64_t raw[DG_STREAMS], stored[DG_STREAMS];
  size_t room = slack;

  for (unsigned i = 0; i < n_streams; i++) {
    if (!dg_varint_get (&at, end, &raw[i])
        || !dg_varint_get (&at, end, &stored[i]) || raw[i] > max
        || stored[i] > raw[i])
      return damaged (err);
    max -= raw[i];
    if (wanted >> i & 1)
      room += raw[i];
  }
  if (make_room (all, room, err) < 0)
    return DG_ERR_NOMEM;
  /* Those of before may be in memory that is gone.  */
  memset (streams, 0, DG_STREAMS * sizeof *streams);
  memset (sizes, 0, DG_STREAMS * sizeof *sizes);
  all->at = all->bytes;
  for (unsigned i = 0; i < n_streams; i++) {
    int code = 0;

    if (stored[i] > (size_t) (end - at))
      return damaged (err);
    if (wanted >> i & 1) {
      code = get_stream (coder, at, stored[i], raw[i], all->at, err);
      streams[i]
        = (struct dg_pack_stream){ all->at, all->at, all->at + raw[i] };
      all->at += raw[i];
    }
    if (code < 0)
      return code;
    sizes[i] = raw[i];
    at += stored[i];
  }
  return at == end ? 0 : damaged (err);
}
