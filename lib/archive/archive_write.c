/* archive_write.c: writing an archive, chunk by chunk, and its footer.

   The file grows only: each chunk goes to it in one piece, and what could
   not be written whole is cut off again, so that at any moment it is an
   archive that readers can open.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_write.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "archive_file.h"
#include "archive_pieces.h"
#include "archive_summary.h"
#include "base/error.h"
#include "base/replace.h"
#include "bundle.h"

/* ---- The file ---- */

static void
writer_free (struct dg_archive_writer *writer)
{
  for (unsigned i = 0; i < DG_PIECES_MAX; i++)
    dg_table_fini (&writer->buffers[i]);
  dg_table_fini (&writer->archive.chunks);
  dg_table_fini (&writer->archive.lines);
  dg_table_fini (&writer->archive.tail);
  dg_table_fini (&writer->archive.process);
  dg_bundle_fini (&writer->archive.files);
  dg_compressor_free (writer->compressor);
  g_free (writer);
}

/* Takes the descriptor, unless it fails.  */
static struct dg_archive_writer *
writer_new (int fd, int level, struct dg_error *err)
{
  struct dg_archive_writer *writer = g_try_new0 (struct dg_archive_writer, 1);

  if (writer)
    writer->compressor = dg_compressor_new (level, err);
  if (!writer || !writer->compressor) {
    if (!writer)
      dg_error_nomem (err);
    g_free (writer);
    return NULL;
  }
  writer->fd = fd;
  return writer;
}

/* The descriptor becomes the writer's.  */
static int
create (struct dg_archive_file *opened, const struct dg_archive_head *head,
        int level, struct dg_archive_writer **out, struct dg_error *err)
{
  struct dg_archive_writer *writer;
  uint8_t bytes[DG_ARCHIVE_HEAD_BYTES];
  struct iovec vec = { bytes, sizeof bytes };
  int code;

  *out = NULL;
  writer = writer_new (opened->fd, level, err);
  if (!writer) {
    code = dg_archive_file_settle (opened, DG_ERR_NOMEM, err);
    close (opened->fd);
    return code;
  }
  writer->is_named = opened->path != NULL;
  writer->archive.head = *head;
  writer->archive.head.version = head->origin == DG_ORIGIN_SIDECAR
                                   ? DG_SIDECAR_VERSION
                                 : head->has_values ? DG_VALUES_VERSION
                                                    : DG_ARCHIVE_VERSION;
  dg_archive_head_put (bytes, &writer->archive.head);
  code = dg_pieces_put (writer, &vec, 1, err);
  code = dg_archive_file_settle (opened, code, err);
  if (code < 0)
    dg_archive_abandon (writer);
  else
    *out = writer;
  return code;
}

int
dg_archive_create (const char *path, const struct dg_archive_head *head,
                   int level, struct dg_archive_writer **out,
                   struct dg_error *err)
{
  struct dg_archive_file opened = { .fd = -1 };
  int code = dg_archive_file_open (path, &opened, err);

  *out = NULL;
  if (code < 0)
    return code;
  opened.path = g_strdup (path);
  return create (&opened, head, level, out, err);
}

int
dg_archive_create_in (int fd, const struct dg_archive_head *head, int level,
                      struct dg_archive_writer **out, struct dg_error *err)
{
  /* One description of the file: its lock stays.  */
  struct dg_archive_file opened = { .fd = fcntl (fd, F_DUPFD_CLOEXEC, 0) };

  *out = NULL;
  if (opened.fd < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return create (&opened, head, level, out, err);
}

int
dg_archive_continue_in (int fd, const struct dg_archive *archive,
                        uint64_t size, int level,
                        struct dg_archive_writer **out, struct dg_error *err)
{
  int own = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  struct dg_archive_writer *writer;
  struct dg_archive *to;

  *out = NULL;
  if (own < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  writer = writer_new (own, level, err);
  if (!writer) {
    close (own);
    return DG_ERR_NOMEM;
  }
  to = &writer->archive;
  to->head = archive->head;
  writer->size = size;
  if (dg_table_copy (&to->chunks, &archive->chunks,
                     sizeof (struct dg_chunk_entry)) < 0
      || dg_table_copy (&to->lines, &archive->lines,
                        sizeof (struct dg_archive_lines)) < 0
      || dg_table_copy (&to->tail, &archive->tail, sizeof (struct dg_part))
           < 0) {
    dg_archive_abandon (writer);
    return dg_error_nomem (err);
  }
  *out = writer;
  return 0;
}

void
dg_archive_limit (struct dg_archive_writer *writer, uint64_t bytes)
{
  writer->limit = bytes;
}

uint64_t
dg_archive_size (const struct dg_archive_writer *writer)
{
  return writer->size;
}

/* ---- Chunks ---- */

/* Streams are compressed one by one; the list of files is found from its
   end.  */
static uint8_t
codec_of (uint8_t type)
{
  return type == DG_PART_RUNS || type == DG_PART_VALUES
             || type == DG_PART_BUNDLE
           ? DG_CODEC_STORED
           : DG_CODEC_ZSTD;
}

/* A part that may be missing.  compressed: NULL, or what was made of it.  */
static int
add_optional (struct dg_archive_writer *writer, uint8_t type,
              const void *bytes, size_t n,
              const struct dg_compressed *compressed, struct dg_part *part,
              struct dg_error *err)
{
  const struct dg_part_head head = { .type = type, .codec = codec_of (type),
                                     .number = writer->archive.chunks.n };
  int code;

  if (n == 0)
    return 0;
  if (compressed && compressed->raw_size == n)
    code = dg_pieces_add_compressed (writer, head, compressed, bytes, err);
  else
    code = dg_pieces_add (writer, head, bytes, n, err);
  if (code == 0)
    *part = writer->pieces[writer->n_pieces - 1].part;
  return code;
}

static int
add_runs (struct dg_archive_writer *writer,
          const struct dg_archive_chunk *chunk, struct dg_part *part,
          struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_RUNS,
                                     .codec = codec_of (DG_PART_RUNS),
                                     .number = writer->archive.chunks.n };
  struct dg_table *buffer = &writer->buffers[writer->n_pieces];
  int code;

  if (chunk->runs_size > DG_PART_RAW_MAX
      || dg_table_reserve (buffer, 1, DG_RUNS_HEAD + chunk->runs_size) < 0)
    return dg_error_nomem (err);
  dg_chunk_put (buffer->items, &chunk->start, &chunk->totals);
  if (chunk->runs_size > 0)
    memcpy ((uint8_t *) buffer->items + DG_RUNS_HEAD, chunk->runs,
            chunk->runs_size);
  code = dg_pieces_add (writer, head, buffer->items,
                    DG_RUNS_HEAD + chunk->runs_size, err);
  if (code == 0)
    *part = writer->pieces[writer->n_pieces - 1].part;
  return code;
}

int
dg_archive_add_chunk (struct dg_archive_writer *writer,
                      const struct dg_archive_chunk *chunk,
                      struct dg_error *err)
{
  struct dg_table *chunks = &writer->archive.chunks;
  struct dg_chunk_entry entry = { .start = chunk->start,
                                  .totals = chunk->totals };
  struct dg_chunk_entry *place;
  int code;

  g_assert (chunk->values_size == 0 || writer->archive.head.has_values);
  if (writer->failed.code < 0)
    return dg_pieces_failed (writer, err);
  dg_pieces_begin (writer);
  code = add_optional (writer, DG_PART_DEFINITIONS, chunk->definitions,
                       chunk->definitions_size, NULL, &entry.definitions,
                       err);
  if (code == 0)
    code = add_optional (writer, DG_PART_RECORDS, chunk->records,
                         chunk->records_size, chunk->compressed_records,
                         &entry.records, err);
  if (code == 0)
    code = add_optional (writer, DG_PART_LINES, chunk->lines,
                         chunk->lines_size, chunk->compressed_lines,
                         &entry.lines, err);
  if (code == 0)
    code = add_optional (writer, DG_PART_VALUES, chunk->values,
                         chunk->values_size, NULL, &entry.values, err);
  if (code == 0)
    code = add_runs (writer, chunk, &entry.runs, err);
  if (code == 0 && writer->limit > 0
      && entry.runs.offset + DG_PART_HEAD_BYTES + entry.runs.size
           > writer->limit)
    return 1;
  if (code < 0)
    return code;
  place = dg_table_add (chunks, sizeof *place);
  if (!place)
    return dg_error_nomem (err);
  *place = entry;
  code = dg_pieces_write (writer, err);
  if (code < 0)
    chunks->n--;
  return code;
}

int
dg_archive_add_lines (struct dg_archive_writer *writer, unsigned level,
                      uint64_t first, const void *bytes, size_t n,
                      struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_LINES,
                                     .codec = DG_CODEC_ZSTD,
                                     .level = level, .number = first };
  struct dg_table *table = &writer->archive.lines;
  struct dg_archive_lines *lines;
  int code;

  if (writer->failed.code < 0)
    return dg_pieces_failed (writer, err);
  if (n == 0 || level > UINT8_MAX)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%zu bytes of lines at level %u", n, level);
  lines = dg_table_add (table, sizeof *lines);
  if (!lines)
    return dg_error_nomem (err);
  lines->level = level;
  lines->first = first;
  code = dg_pieces_write_one (writer, head, bytes, n, &lines->part, err);
  if (code < 0)
    table->n--;
  return code;
}

int
dg_archive_add_tail (struct dg_archive_writer *writer, const void *bytes,
                     size_t n, struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_TAIL,
                                     .codec = DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };
  struct dg_part *part;
  int code;

  if (writer->failed.code < 0)
    return dg_pieces_failed (writer, err);
  if (n == 0)
    return 0;
  part = dg_table_add (&writer->archive.tail, sizeof *part);
  if (!part)
    return dg_error_nomem (err);
  code = dg_pieces_write_one (writer, head, bytes, n, part, err);
  if (code < 0)
    writer->archive.tail.n--;
  return code;
}

int
dg_archive_add_part (struct dg_archive_writer *writer, enum dg_part_type type,
                     const void *bytes, size_t n, struct dg_part *part,
                     struct dg_error *err)
{
  const struct dg_part_head head = { .type = type, .codec = codec_of (type),
                                     .number = writer->archive.chunks.n };

  if (writer->failed.code < 0)
    return dg_pieces_failed (writer, err);
  return dg_pieces_write_one (writer, head, bytes, n, part, err);
}

void
dg_archive_set_level (struct dg_archive_writer *writer, int level)
{
  dg_compressor_set_level (writer->compressor, level);
}

struct dg_table *
dg_archive_files (struct dg_archive_writer *writer)
{
  return &writer->archive.files;
}

/* ---- The end ---- */

/* The list of files ends where SUMMARY begins.  */
static int
write_bundle (struct dg_archive_writer *writer, struct dg_error *err)
{
  struct dg_table bytes = { 0 };
  int code = dg_bundle_put (&writer->archive.files, &bytes, err);

  if (code == 0)
    code = dg_archive_add_part (writer, DG_PART_BUNDLE, bytes.items, bytes.n,
                                &writer->archive.bundle_part, err);
  dg_table_fini (&bytes);
  return code;
}

/* SUMMARY and the footer, in one piece.  */
static int
write_end (struct dg_archive_writer *writer, struct dg_error *err)
{
  const struct dg_part_head head = { .type = DG_PART_SUMMARY,
                                     .codec = DG_CODEC_ZSTD,
                                     .number = writer->archive.chunks.n };
  struct dg_table bytes = { 0 };
  uint8_t footer[DG_ARCHIVE_FOOTER_BYTES];
  struct dg_archive_piece *piece = &writer->pieces[0];
  int code = dg_archive_summary_put (&writer->archive, &bytes, err);

  dg_pieces_begin (writer);
  if (code == 0)
    code = dg_pieces_add (writer, head, bytes.items, bytes.n, err);
  if (code == 0) {
    struct iovec vec[] = {{piece->head, DG_PART_HEAD_BYTES},
                          {(void *) piece->bytes, piece->part.size},
                          {footer, sizeof footer}};

    dg_archive_footer_put (footer, piece->part.offset,
                           piece->part.offset + DG_PART_HEAD_BYTES
                             + piece->part.size + sizeof footer);
    code = dg_pieces_put (writer, vec, G_N_ELEMENTS (vec), err);
  }
  dg_table_fini (&bytes);
  return code;
}

/* The disk may have later writes without earlier ones: what says that all is
   there comes when it is.  Who names the file when it is complete sees to that
   himself.  */
static int
sync_named (struct dg_archive_writer *writer, struct dg_error *err)
{
  return !writer->is_named || dg_replace_sync (writer->fd) == 0
           ? 0
           : dg_error_set (err, DG_ERR_IO, "%s", dg_output_error (errno));
}

int
dg_archive_finish (struct dg_archive_writer *writer,
                   const struct dg_summary *summary,
                   const struct dg_chunk_start *end, const void *process,
                   size_t process_size, struct dg_error *err)
{
  struct dg_archive *archive = &writer->archive;
  int code = writer->failed.code < 0 ? dg_pieces_failed (writer, err) : 0;

  if (summary)
    archive->summary = *summary;
  archive->end = end ? *end : (struct dg_chunk_start) { .thread = 1 };
  if (code == 0 && process_size > 0) {
    if (dg_table_reserve (&archive->process, 1, process_size) < 0) {
      code = dg_error_nomem (err);
    } else {
      memcpy (archive->process.items, process, process_size);
      archive->process.n = process_size;
    }
  }
  if (code == 0 && archive->files.n > 0)
    code = write_bundle (writer, err);
  if (code == 0)
    code = sync_named (writer, err);
  if (code == 0)
    code = write_end (writer, err);
  if (code == 0)
    code = sync_named (writer, err);
  if (close (writer->fd) < 0 && code == 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  writer_free (writer);
  return code;
}

void
dg_archive_abandon (struct dg_archive_writer *writer)
{
  if (!writer)
    return;
  close (writer->fd);
  writer_free (writer);
}
