/* archive_pieces.c: parts of an archive, written in one piece.

   What could not be written whole is cut off again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_pieces.h"

#include <errno.h>
#include <glib.h>
#include <unistd.h>

#include "archive_part.h"
#include "base/error.h"
#include "base/replace.h"

/* ---- The file ---- */

int
dg_pieces_failed (struct dg_archive_writer *writer, struct dg_error *err)
{
  return dg_error_copy (err, &writer->failed);
}

/* The system said no: the file ends where it was good.  */
static int
cut_back (struct dg_archive_writer *writer, int number, struct dg_error *err)
{
  dg_error_set (&writer->failed, DG_ERR_IO, "%s", dg_output_error (number));
  if (ftruncate (writer->fd, writer->size) < 0)
    dg_error_set (&writer->failed, DG_ERR_IO,
                  "%s (and the file cannot be truncated: %s)",
                  dg_output_error (number), g_strerror (errno));
  return dg_pieces_failed (writer, err);
}

int
dg_pieces_put (struct dg_archive_writer *writer, struct iovec *at,
               unsigned n, struct dg_error *err)
{
  uint64_t size = 0;

  for (unsigned i = 0; i < n; i++)
    size += at[i].iov_len;
  while (n > 0) {
    ssize_t got = writev (writer->fd, at, n);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return cut_back (writer, got < 0 ? errno : ENOSPC, err);
    for (; n > 0 && (size_t) got >= at->iov_len; at++, n--)
      got -= at->iov_len;
    if (n > 0) {
      at->iov_base = (char *) at->iov_base + got;
      at->iov_len -= got;
    }
  }
  writer->size += size;
  return 0;
}

/* ---- Parts ---- */

/* Compresses the next part's bytes, or leaves them as they are.  */
static int
compress (struct dg_archive_writer *writer, struct dg_part_head *head,
          const void **bytes, struct dg_error *err)
{
  struct dg_table *buffer = &writer->buffers[writer->n_pieces];
  size_t size;
  int code = dg_compressor_run (writer->compressor, head->type, *bytes,
                                head->raw_size, buffer, &size, err);

  if (code <= 0)
    return code;
  head->codec = DG_CODEC_ZSTD;
  head->size = size;
  *bytes = buffer->items;
  return 0;
}

void
dg_pieces_begin (struct dg_archive_writer *writer)
{
  writer->n_pieces = 0;
}

/* All of the head but its checksum is known.  */
static void
add (struct dg_archive_writer *writer, struct dg_part_head *head,
     const void *bytes)
{
  struct dg_archive_piece *piece = &writer->pieces[writer->n_pieces];
  uint64_t offset = writer->size;

  head->checksum = dg_archive_checksum (bytes, head->size);
  if (writer->n_pieces > 0)
    offset = piece[-1].part.offset + DG_PART_HEAD_BYTES + piece[-1].part.size;
  dg_part_head_put (piece->head, head);
  piece->bytes = bytes;
  piece->part = (struct dg_part) { offset, head->size, head->raw_size };
  writer->n_pieces++;
}

static int
check_size (const struct dg_part_head *head, size_t n, struct dg_error *err)
{
  if (n <= DG_PART_RAW_MAX)
    return 0;
  return dg_error_set (err, DG_ERR_LIMIT,
                       "%s of %zu bytes is too large for an archive",
                       dg_part_name (head->type), n);
}

int
dg_pieces_add (struct dg_archive_writer *writer, struct dg_part_head head,
               const void *bytes, size_t n, struct dg_error *err)
{
  int code = check_size (&head, n, err);

  if (code < 0)
    return code;
  head.size = head.raw_size = n;
  if (head.codec == DG_CODEC_ZSTD) {
    head.codec = DG_CODEC_STORED;
    code = compress (writer, &head, &bytes, err);
  }
  if (code < 0)
    return code;
  add (writer, &head, bytes);
  return 0;
}

int
dg_pieces_add_compressed (struct dg_archive_writer *writer,
                          struct dg_part_head head,
                          const struct dg_compressed *compressed,
                          const void *bytes, struct dg_error *err)
{
  bool is_stored = compressed->codec == DG_CODEC_STORED;
  int code = check_size (&head, compressed->raw_size, err);

  if (code < 0)
    return code;
  head.codec = compressed->codec;
  head.raw_size = compressed->raw_size;
  head.size = is_stored ? compressed->raw_size : compressed->bytes.n;
  add (writer, &head, is_stored ? bytes : compressed->bytes.items);
  return 0;
}

int
dg_pieces_write (struct dg_archive_writer *writer, struct dg_error *err)
{
  struct iovec vec[2 * DG_PIECES_MAX];

  for (unsigned i = 0; i < writer->n_pieces; i++) {
    struct dg_archive_piece *piece = &writer->pieces[i];

    vec[2 * i] = (struct iovec) { piece->head, DG_PART_HEAD_BYTES };
    vec[2 * i + 1] = (struct iovec) { (void *) piece->bytes,
                                      piece->part.size };
  }
  return dg_pieces_put (writer, vec, 2 * writer->n_pieces, err);
}

int
dg_pieces_write_one (struct dg_archive_writer *writer,
                     struct dg_part_head head, const void *bytes, size_t n,
                     struct dg_part *part, struct dg_error *err)
{
  int code;

  dg_pieces_begin (writer);
  code = dg_pieces_add (writer, head, bytes, n, err);
  if (code == 0)
    code = dg_pieces_write (writer, err);
  if (code == 0)
    *part = writer->pieces[0].part;
  return code;
}
