/* bundle_write.c: files are added to an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundle_write.h"

#include <string.h>

#include "base/error.h"

/* Zeros that are left out, at least; and how much of a file is a part, at
   most.  */
#define GAP_BYTES  256
#define PART_BYTES ((size_t) 16 << 20)

/* Of a file whose bytes are being written.  */
struct adding {
  struct dg_archive_writer *writer;
  struct dg_bundle_file *file;
  struct dg_table bytes;   /* of the next part */
};

static int
write_part (struct adding *adding, struct dg_error *err)
{
  struct dg_part *part;

  if (adding->bytes.n == 0)
    return 0;
  part = dg_table_add (&adding->file->parts, sizeof *part);
  if (part == NULL)
    return dg_error_nomem (err);
  int code = dg_archive_add_part (adding->writer, DG_PART_FILE,
                                  adding->bytes.items, adding->bytes.n, part,
                                  err);
  adding->bytes.n = 0;
  return code;
}

static int
add_extent (struct adding *adding, uint64_t offset, const uint8_t *bytes,
            uint64_t size, struct dg_error *err)
{
  struct dg_bundle_extent *extent
    = dg_table_add (&adding->file->extents, sizeof *extent);
  int code = 0;

  if (extent == NULL
      || dg_table_reserve (&adding->bytes, 1, PART_BYTES) < 0)
    return dg_error_nomem (err);
  *extent = (struct dg_bundle_extent) { offset, size };
  while (size > 0 && code == 0) {
    size_t n = (size_t) MIN (size, PART_BYTES - adding->bytes.n);

    memcpy ((uint8_t *) adding->bytes.items + adding->bytes.n, bytes, n);
    adding->bytes.n += n;
    bytes += n;
    size -= n;
    if (adding->bytes.n == PART_BYTES)
      code = write_part (adding, err);
  }
  return code;
}

/* How many zeros there are from here on.  */
static uint64_t
zeros_at (const uint8_t *bytes, uint64_t at, uint64_t size)
{
  uint64_t begin = at;

  while (at < size && bytes[at] == 0)
    at++;
  return at - begin;
}

/* The end of the extent that begins here.  */
static uint64_t
end_of_extent (const uint8_t *bytes, uint64_t at, uint64_t size)
{
  while (at < size) {
    const uint8_t *zero = memchr (bytes + at, 0, size - at);
    uint64_t n;

    if (zero == NULL)
      return size;
    at = (uint64_t) (zero - bytes);
    n = zeros_at (bytes, at, size);
    if (n >= GAP_BYTES || at + n == size)
      return at;
    at += n;
  }
  return size;
}

static int
add_bytes (struct adding *adding, const uint8_t *bytes, uint64_t size,
           struct dg_error *err)
{
  uint64_t at = zeros_at (bytes, 0, size);
  int code = 0;

  while (at < size && code == 0) {
    uint64_t end = end_of_extent (bytes, at, size);

    code = add_extent (adding, at, bytes + at, end - at, err);
    at = end + zeros_at (bytes, end, size);
  }
  return code == 0 ? write_part (adding, err) : code;
}

/* A new file in the writer's list, like another one, without its bytes.  */
static struct dg_bundle_file *
new_file (struct dg_archive_writer *writer, const struct dg_bundle_file *like)
{
  struct dg_bundle_file *file
    = dg_table_add (dg_archive_files (writer), sizeof *file);

  if (file == NULL)
    return NULL;
  *file = *like;
  file->name = g_strdup (like->name);
  file->extents = file->parts = (struct dg_table) { 0 };
  return file;
}

int
dg_bundle_add (struct dg_archive_writer *writer,
               const struct dg_bundle_file *file, const uint8_t *bytes,
               uint64_t size, struct dg_error *err)
{
  struct adding adding = { .writer = writer, .file = new_file (writer, file) };
  int code;

  if (adding.file == NULL)
    return dg_error_nomem (err);
  adding.file->size = size;
  code = add_bytes (&adding, bytes, size, err);
  dg_table_fini (&adding.bytes);
  return code;
}

static int
copy_parts (struct dg_archive_writer *writer, const struct dg_source *source,
            const struct dg_bundle_file *from, struct dg_bundle_file *to,
            struct dg_error *err)
{
  const struct dg_part *parts = from->parts.items;
  struct dg_table bytes = { 0 };
  int code = 0;

  if (dg_table_copy (&to->extents, &from->extents,
                     sizeof (struct dg_bundle_extent)) < 0)
    return dg_error_nomem (err);
  for (size_t i = 0; i < from->parts.n && code == 0; i++) {
    struct dg_part *part = dg_table_add (&to->parts, sizeof *part);

    if (part == NULL)
      code = dg_error_nomem (err);
    if (code == 0)
      code = dg_archive_read (source, &parts[i], DG_PART_FILE, &bytes, err);
    if (code == 0)
      code = dg_archive_add_part (writer, DG_PART_FILE, bytes.items, bytes.n,
                                  part, err);
  }
  dg_table_fini (&bytes);
  return code;
}

int
dg_bundle_copy (struct dg_archive_writer *writer,
                const struct dg_source *source, const struct dg_table *files,
                struct dg_error *err)
{
  const struct dg_bundle_file *all = files->items;
  int code = 0;

  for (size_t i = 0; i < files->n && code == 0; i++) {
    struct dg_bundle_file *file = new_file (writer, &all[i]);

    code = file == NULL
             ? dg_error_nomem (err)
             : copy_parts (writer, source, &all[i], file, err);
  }
  return code;
}
