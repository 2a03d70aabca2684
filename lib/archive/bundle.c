/* bundle.c: the list of files in an archive, as bytes and back, and reading
   them.

   All of it are quads, but for ids and names, which end with zeros up to a
   whole quad.  The last one says how many bytes it has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundle.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* A file may not say that it is larger: no executable is.  */
#define SIZE_MAX_OF_FILE ((uint64_t) 1 << 40)
#define NAME_MAX_OF_FILE 65536

static void
file_fini (struct dg_bundle_file *file)
{
  g_free (file->name);
  dg_table_fini (&file->extents);
  dg_table_fini (&file->parts);
}

void
dg_bundle_fini (struct dg_table *files)
{
  struct dg_bundle_file *all = files->items;

  for (size_t i = 0; i < files->n; i++)
    file_fini (&all[i]);
  dg_table_fini (files);
}

/* ---- To bytes ---- */

static bool
put_bytes (struct dg_table *bytes, const void *from, size_t n)
{
  size_t padded = (n + 7) & ~(size_t) 7;

  if (dg_table_reserve (bytes, 1, bytes->n + padded) < 0)
    return false;
  memset ((uint8_t *) bytes->items + bytes->n, 0, padded);
  if (n > 0)
    memcpy ((uint8_t *) bytes->items + bytes->n, from, n);
  bytes->n += padded;
  return true;
}

static bool
put_quad (struct dg_table *bytes, uint64_t quad)
{
  quad = GUINT64_TO_LE (quad);
  return put_bytes (bytes, &quad, sizeof quad);
}

static bool
put_text (struct dg_table *bytes, const void *from, size_t n)
{
  return put_quad (bytes, n) && put_bytes (bytes, from, n);
}

static bool
put_file (struct dg_table *bytes, const struct dg_bundle_file *file)
{
  const struct dg_bundle_extent *extents = file->extents.items;
  const struct dg_part *parts = file->parts.items;
  bool done = put_quad (bytes, file->kind) && put_quad (bytes, file->size)
              && put_quad (bytes, (uint64_t) file->changed)
              && put_text (bytes, file->id, file->n_id)
              && put_text (bytes, file->name, strlen (file->name))
              && put_quad (bytes, file->extents.n);

  for (size_t i = 0; done && i < file->extents.n; i++)
    done = put_quad (bytes, extents[i].offset)
           && put_quad (bytes, extents[i].size);
  done = done && put_quad (bytes, file->parts.n);
  for (size_t i = 0; done && i < file->parts.n; i++)
    done = put_quad (bytes, parts[i].offset) && put_quad (bytes, parts[i].size)
           && put_quad (bytes, parts[i].raw_size);
  return done;
}

int
dg_bundle_put (const struct dg_table *files, struct dg_table *bytes,
               struct dg_error *err)
{
  const struct dg_bundle_file *all = files->items;
  bool done = put_quad (bytes, files->n);

  for (size_t i = 0; done && i < files->n; i++)
    done = put_file (bytes, &all[i]);
  done = done && put_quad (bytes, bytes->n + 8);
  return done ? 0 : dg_error_nomem (err);
}

/* ---- And back ---- */

struct cursor {
  const uint8_t *at;
  size_t left;
  uint64_t limit;
  uint64_t part_end;       /* of the last one so far */
  bool is_bad, is_short_of_memory;
};

static uint64_t
get_quad (struct cursor *cursor)
{
  uint64_t quad;

  if (cursor->is_bad || cursor->left < 8) {
    cursor->is_bad = true;
    return 0;
  }
  memcpy (&quad, cursor->at, 8);
  cursor->at += 8;
  cursor->left -= 8;
  return GUINT64_FROM_LE (quad);
}

/* How many of something that takes so many bytes each.  */
static size_t
get_count (struct cursor *cursor, size_t each)
{
  uint64_t n = get_quad (cursor);

  if (n > cursor->left / each)
    cursor->is_bad = true;
  return cursor->is_bad ? 0 : (size_t) n;
}

static const uint8_t *
get_text (struct cursor *cursor, size_t most, size_t *n)
{
  const uint8_t *text;
  size_t padded;

  *n = get_count (cursor, 1);
  padded = (*n + 7) & ~(size_t) 7;
  if (*n > most || padded > cursor->left) {
    cursor->is_bad = true;
    *n = 0;
    return cursor->at;
  }
  text = cursor->at;
  cursor->at += padded;
  cursor->left -= padded;
  return text;
}

static void *
get_items (struct cursor *cursor, struct dg_table *table, size_t item,
           size_t each)
{
  size_t n = get_count (cursor, each);

  if (!cursor->is_bad && dg_table_reserve (table, item, n) < 0)
    cursor->is_bad = cursor->is_short_of_memory = true;
  table->n = cursor->is_bad ? 0 : n;
  return table->items;
}

/* Returns how many bytes they have.  */
static uint64_t
get_extents (struct cursor *cursor, struct dg_bundle_file *file)
{
  struct dg_bundle_extent *extents
    = get_items (cursor, &file->extents, sizeof *extents, 16);
  uint64_t end = 0, sum = 0;

  for (size_t i = 0; i < file->extents.n; i++) {
    extents[i].offset = get_quad (cursor);
    extents[i].size = get_quad (cursor);
    if (extents[i].offset < end || extents[i].offset > file->size
        || extents[i].size == 0
        || extents[i].size > file->size - extents[i].offset)
      cursor->is_bad = true;
    if (cursor->is_bad)
      return 0;
    end = extents[i].offset + extents[i].size;
    sum += extents[i].size;
  }
  return sum;
}

static uint64_t
get_parts (struct cursor *cursor, struct dg_bundle_file *file)
{
  struct dg_part *parts
    = get_items (cursor, &file->parts, sizeof *parts, 24);
  uint64_t sum = 0;

  for (size_t i = 0; i < file->parts.n; i++) {
    parts[i].offset = get_quad (cursor);
    parts[i].size = get_quad (cursor);
    parts[i].raw_size = get_quad (cursor);
    /* No part serves twice: what all of them have is bounded by the size of
       the archive.  */
    if (parts[i].offset < cursor->part_end
        || parts[i].offset > cursor->limit
        || cursor->limit - parts[i].offset < DG_PART_HEAD_BYTES
        || parts[i].size
             > cursor->limit - parts[i].offset - DG_PART_HEAD_BYTES
        || parts[i].raw_size > dg_part_raw_limit (DG_PART_FILE, parts[i].size))
      cursor->is_bad = true;
    if (cursor->is_bad)
      return 0;
    cursor->part_end = parts[i].offset + DG_PART_HEAD_BYTES + parts[i].size;
    sum += parts[i].raw_size;
  }
  return sum;
}

static void
get_file (struct cursor *cursor, struct dg_bundle_file *file)
{
  uint64_t kind = get_quad (cursor), extents;
  const uint8_t *text;
  size_t n;

  file->kind = kind <= UINT32_MAX ? (uint32_t) kind : 0;
  file->size = get_quad (cursor);
  file->changed = (int64_t) get_quad (cursor);
  text = get_text (cursor, DG_BUNDLE_ID_MAX, &n);
  file->n_id = (uint8_t) n;
  memcpy (file->id, text, n);
  text = get_text (cursor, NAME_MAX_OF_FILE, &n);
  if (memchr (text, 0, n) != NULL || file->size > SIZE_MAX_OF_FILE)
    cursor->is_bad = true;
  file->name = g_strndup ((const char *) text, cursor->is_bad ? 0 : n);
  if (cursor->is_bad)
    return;
  extents = get_extents (cursor, file);
  if (get_parts (cursor, file) != extents)
    cursor->is_bad = true;
}

int
dg_bundle_get (struct dg_table *files, const uint8_t *bytes, size_t n,
               uint64_t limit, struct dg_error *err)
{
  struct cursor cursor = { .at = bytes, .left = n, .limit = limit,
                           .part_end = DG_ARCHIVE_HEAD_BYTES };
  /* Each takes at least its quads.  */
  size_t n_files = get_count (&cursor, 56);

  for (size_t i = 0; i < n_files && !cursor.is_bad; i++) {
    struct dg_bundle_file *file = dg_table_add (files, sizeof *file);

    if (file == NULL)
      return dg_error_nomem (err);
    get_file (&cursor, file);
  }
  if (cursor.is_short_of_memory)
    return dg_error_nomem (err);
  if (get_quad (&cursor) != n || cursor.is_bad || cursor.left > 0)
    return dg_error_at (err, DG_ERR_DAMAGED, limit,
                        "BUNDLE has a list of files that cannot be");
  return 0;
}

int
dg_bundle_find (const struct dg_source *source, uint64_t end,
                struct dg_part *part, struct dg_error *err)
{
  uint8_t bytes[DG_PART_HEAD_BYTES];
  struct dg_part_head head;
  uint64_t size;
  int code;

  memset (part, 0, sizeof *part);
  if (end < DG_ARCHIVE_HEAD_BYTES + DG_PART_HEAD_BYTES + 16)
    return 0;
  code = dg_archive_bytes (source, end - 8, &size, 8, err);
  if (code < 0)
    return code;
  size = GUINT64_FROM_LE (size);
  if (size < 16
      || size > end - DG_ARCHIVE_HEAD_BYTES - DG_PART_HEAD_BYTES)
    return 0;
  part->offset = end - size - DG_PART_HEAD_BYTES;
  code = dg_archive_bytes (source, part->offset, bytes, sizeof bytes, err);
  if (code < 0)
    return code;
  if (dg_part_head_get (bytes, part->offset, &head, NULL) == 0
      && head.type == DG_PART_BUNDLE && head.codec == DG_CODEC_STORED
      && head.size == size)
    part->size = part->raw_size = size;
  return 0;
}

int
dg_bundle_read (const struct dg_source *source, const struct dg_part *part,
                struct dg_table *files, struct dg_error *err)
{
  struct dg_table bytes = { 0 };
  int code = dg_archive_read (source, part, DG_PART_BUNDLE, &bytes, err);

  if (code == 0)
    code = dg_bundle_get (files, bytes.items, bytes.n, part->offset, err);
  dg_table_fini (&bytes);
  if (code < 0)
    dg_bundle_fini (files);
  return code;
}

/* ---- What they hold ---- */

const struct dg_bundle_file *
dg_bundle_lookup (const struct dg_table *files, uint32_t kind,
                  const char *name, const uint8_t *id, size_t n_id)
{
  const struct dg_bundle_file *all = files->items;

  for (size_t i = 0; i < files->n; i++)
    if (all[i].kind == kind
        && (name == NULL || strcmp (all[i].name, name) == 0)
        && (n_id == 0
            || (all[i].n_id == n_id && memcmp (all[i].id, id, n_id) == 0)))
      return &all[i];
  return NULL;
}

int
dg_bundle_extract (const struct dg_source *source,
                   const struct dg_bundle_file *file, dg_bundle_take_fn take,
                   void *user, struct dg_error *err)
{
  const struct dg_bundle_extent *extents = file->extents.items;
  const struct dg_part *parts = file->parts.items;
  struct dg_table bytes = { 0 };
  uint64_t used = 0;       /* of the extent */
  size_t extent = 0;
  int code = 0;

  for (size_t i = 0; i < file->parts.n && code == 0; i++) {
    size_t at = 0;

    code = dg_archive_read (source, &parts[i], DG_PART_FILE, &bytes, err);
    while (code == 0 && at < bytes.n && extent < file->extents.n) {
      size_t n = (size_t) MIN (bytes.n - at, extents[extent].size - used);

      code = take (user, extents[extent].offset + used,
                   (const uint8_t *) bytes.items + at, n, err);
      at += n;
      used += n;
      if (used == extents[extent].size) {
        extent++;
        used = 0;
      }
    }
  }
  dg_table_fini (&bytes);
  return code;
}
