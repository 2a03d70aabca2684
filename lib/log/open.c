/* open.c: opening logs, raw ones and archives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_part.h"
#include "base/error.h"
#include "base/regular.h"
#include "load_archive.h"
#include "load_raw.h"
#include "log.h"
#include "packed_summary.h"
#include "places.h"
#include "repeats.h"
#include "writer.h"

/* Less than that is not worth a worker's while.  */
#define PART_MIN_BYTES ((uint64_t) 1 << 20)
/* To keep so many takes some 200 MB, with what is made of them.  */
#define MANY_BLOCKS ((size_t) 1 << 20)

static const struct dg_log_ops raw_ops = { .load = dg_load_raw,
                                           .writer = dg_writer_of_raw };
static const struct dg_log_ops archive_ops = {
  .load = dg_load_archive,
  .load_summary = dg_packed_load_summary,
  .writer = dg_writer_of_archive
};

/* The format of a raw log or an archive, by its first bytes; its version is
   the header's.  */
static int
read_format (const uint8_t *bytes, size_t n, struct dg_format *format,
             struct dg_header *header, struct dg_error *err)
{
  struct dg_archive_head head;
  int code;

  header->is_archive = dg_archive_is (bytes, n);
  header->version = DG_VERSION;
  if (!header->is_archive)
    return dg_decode_header (bytes, n, format, err);
  code = dg_archive_head_get (bytes, n, &head, err);
  if (code < 0)
    return code;
  if (head.origin == DG_ORIGIN_SIDECAR)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "this is the index of a log, not a log");
  header->version = head.version;
  format->word_size = head.word_size;
  format->big_endian = head.big_endian;
  format->swap = head.big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  return 0;
}

/* An archive that has its footer does not grow.  */
static void
map_if_finished (struct dg_source *source)
{
  uint8_t footer[DG_ARCHIVE_FOOTER_BYTES];
  uint64_t summary;

  if (source->fd >= 0 && source->size >= sizeof footer
      && dg_archive_bytes (source, source->size - sizeof footer, footer,
                           sizeof footer, NULL) == 0
      && dg_archive_footer_get (footer, source->size, &summary))
    dg_source_map (source);
}

/* Reads the header and makes the log; takes the source over on success.  */
static int
open_source (const char *name, const struct dg_source *source,
             struct dg_log **log, struct dg_error *err)
{
  struct dg_stream stream;
  struct dg_format format = { 0 };
  struct dg_header header = { 0 };
  struct dg_log *new;
  int code;

  dg_stream_init (&stream, source, 0, source->size);
  code = dg_stream_fill (&stream, MAX (DG_HEADER_SIZE, DG_ARCHIVE_HEAD_BYTES),
                         err);
  if (code == 0)
    code = read_format (stream.at, stream.avail, &format, &header, err);
  dg_stream_fini (&stream);
  if (code < 0)
    return code;

  new = g_try_new0 (struct dg_log, 1);
  if (!new)
    return dg_error_nomem (err);
  new->ops = header.is_archive ? &archive_ops : &raw_ops;
  new->path = g_strdup (name);
  new->places = dg_places_new ();
  new->repetitions = dg_repeats_wanted ();
  new->source = *source;
  if (header.is_archive)
    map_if_finished (&new->source);
  new->format = format;
  new->part_min_bytes = PART_MIN_BYTES;
  new->piece_accesses = DG_PACK_ACCESSES;
  new->many_blocks = MANY_BLOCKS;
  new->header = header;
  new->header.big_endian = format.big_endian;
  new->header.word_size = format.word_size;
  new->header.file_size = source->size;
  *log = new;
  return 0;
}

int
dg_log_open (const char *path, struct dg_log **log, struct dg_error *err)
{
  struct dg_source source = { .fd = -1 };
  struct dg_error why;
  struct stat status;
  int code;

  *log = NULL;
  source.fd = dg_regular_open (path, &why);
  if (source.fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", why.message);
  if (fstat (source.fd, &status) < 0) {
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  } else {
    source.size = status.st_size;
    code = open_source (path, &source, log, err);
  }
  if (code < 0)
    close (source.fd);
  return code;
}

int
dg_log_open_memory (const char *name, const void *bytes, size_t n,
                    struct dg_log **log, struct dg_error *err)
{
  struct dg_source source = { .fd = -1, .memory = bytes, .size = n };

  *log = NULL;
  return open_source (name, &source, log, err);
}
