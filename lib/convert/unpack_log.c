/* unpack_log.c: dg_log_unpack: the raw log that an archive holds.  The bytes
   of its chunks are made in unpack_log_chunk.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "unpack_log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "format/encode.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/ordered.h"
#include "base/replace.h"

struct unpacking {
  struct dg_unpack_log unpack;   /* first: workers get its address */
  int fd;
  uint64_t offset;               /* bytes written */
  uint64_t last_marker;          /* offset of the last CHUNK; 0: none */
  struct dg_progress progress;
  uint64_t done;                 /* bytes of the archive */
};

static int
write_all (struct unpacking *unpacking, const uint8_t *at, size_t n,
           struct dg_error *err)
{
  unpacking->offset += n;
  return dg_replace_write (unpacking->fd, at, n, err);
}

/* ---- Chunks, in their order ---- */

static const struct dg_chunk_entry *
chunk_at (const struct unpacking *unpacking, size_t index)
{
  const struct dg_table *chunks = &unpacking->unpack.packed->archive->chunks;

  return (const struct dg_chunk_entry *) chunks->items + index;
}

/* Now that it is known where CHUNK and END records stand, they tell how far
   the marker before is.  */
static void
fill_backs (struct unpacking *unpacking, struct dg_unpack_result *result)
{
  const struct dg_format *format = &unpacking->unpack.log->format;
  const size_t *places = result->backs.items;

  for (size_t i = 0; i < result->backs.n; i++) {
    uint8_t *record = (uint8_t *) result->bytes.items + places[i];
    uint64_t at = unpacking->offset + places[i];
    struct dg_head head;

    dg_decode_head (format, record, result->bytes.n - places[i], &head);
    dg_encode_quad_at (record + head.size + (head.type == DG_R_END ? 2 : 0),
                       format, at - unpacking->last_marker);
    if (head.type == DG_R_CHUNK)
      unpacking->last_marker = at;
  }
}

static int
take (void *user, size_t job, void *out, struct dg_error *err)
{
  struct unpacking *unpacking = user;
  struct dg_unpack_result *result = out;
  const struct dg_part *runs = &chunk_at (unpacking, job)->runs;

  fill_backs (unpacking, result);
  unpacking->done = runs->offset + runs->size;
  return write_all (unpacking, result->bytes.items, result->bytes.n, err);
}

static void
result_fini (void *out)
{
  struct dg_unpack_result *result = out;

  dg_table_fini (&result->bytes);
  dg_table_fini (&result->backs);
}

static int
pace (void *user, struct dg_error *err)
{
  const struct unpacking *unpacking = user;

  return dg_progress_tell (&unpacking->progress, unpacking->done,
                           unpacking->unpack.log->source.size, err);
}

/* ---- The whole ---- */

/* The bytes behind the last good record of the log that was packed.  */
static int
write_tail (struct unpacking *unpacking, struct dg_error *err)
{
  const struct dg_log *log = unpacking->unpack.log;
  const struct dg_table *tail = &unpacking->unpack.packed->archive->tail;
  const struct dg_part *parts = tail->items;
  struct dg_table bytes = { 0 };
  int code = 0;

  for (size_t i = 0; i < tail->n && code == 0; i++) {
    code = dg_archive_read (&log->source, &parts[i], DG_PART_TAIL, &bytes,
                            err);
    if (code == 0)
      code = write_all (unpacking, bytes.items, bytes.n, err);
  }
  dg_table_fini (&bytes);
  return code;
}

static int
write_log (struct unpacking *unpacking, unsigned workers, struct dg_error *err)
{
  const struct dg_log *log = unpacking->unpack.log;
  const struct dg_ordered ordered = {
    .jobs = unpacking->unpack.packed->n_chunks,
    .workers = workers,
    .result_size = sizeof (struct dg_unpack_result),
    .user = unpacking,
    .state_new = dg_unpack_log_new,
    .state_free = dg_unpack_log_free,
    .work = dg_unpack_log_work,
    .take = take,
    .result_fini = result_fini,
    .pace = pace
  };
  uint8_t header[DG_HEADER_SIZE];
  int code;

  dg_encode_header (&log->format, header);
  code = write_all (unpacking, header, sizeof header, err);
  if (code == 0)
    code = dg_ordered_run (&ordered, err);
  return code < 0 ? code : write_tail (unpacking, err);
}

static int
unpack_to (struct unpacking *unpacking, const char *path, unsigned workers,
           struct dg_error *err)
{
  struct dg_replace replace;
  int code = dg_replace_begin (&replace, path, false,
                               &unpacking->unpack.log->source, err);

  if (code < 0)
    return code;
  unpacking->fd = replace.fd;
  code = write_log (unpacking, workers, err);
  if (code == 0)
    code = dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  return code;
}

int
dg_log_unpack (const struct dg_log *log, const char *path, unsigned workers,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct unpacking unpacking = { .unpack.log = log,
                                 .progress = { progress, user, 0 } };
  int code;

  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (!log->header.is_archive)
    return dg_error_set (err, DG_ERR_INVALID, "this is not an archive");
  unpacking.unpack.packed = log->contents.packed;
  unpacking.unpack.address_mask
    = log->header.word_size == 8 ? UINT64_MAX : UINT32_MAX;
  unpacking.unpack.is_live
    = log->contents.packed->archive->head.origin == DG_ORIGIN_LIVE;
  code = dg_packed_use (log->contents.packed, err);
  if (code == 0) {
    code = unpack_to (&unpacking, path, workers, err);
    dg_packed_leave (log->contents.packed);
  }
  return code;
}
