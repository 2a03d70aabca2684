/* archive_part.c: the bytes around the parts of an archive, and its parts'
   payloads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_part.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/error.h"

#define PART_MAGIC "DGpt"
#define FOOTER_MAGIC "DGFOOT\r\n"

static void
put_quad (uint8_t *bytes, uint64_t value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes, &value, 8);
}

static uint64_t
get_quad (const uint8_t *bytes)
{
  uint64_t value;

  memcpy (&value, bytes, 8);
  return GUINT64_FROM_LE (value);
}

/* ---- The archive's head ---- */

bool
dg_archive_is (const uint8_t *bytes, size_t n)
{
  return n >= 8 && memcmp (bytes, DG_ARCHIVE_MAGIC, 8) == 0;
}

void
dg_archive_head_put (uint8_t *bytes, const struct dg_archive_head *head)
{
  memset (bytes, 0, DG_ARCHIVE_HEAD_BYTES);
  memcpy (bytes, DG_ARCHIVE_MAGIC, 8);
  bytes[8] = head->version;
  bytes[9] = head->word_size;
  bytes[10] = head->big_endian;
  bytes[11] = head->origin;
  put_quad (bytes + 16, head->log_size);
  put_quad (bytes + 24, head->log_mtime_ns);
  put_quad (bytes + 32, XXH3_64bits (bytes, 32));
}

int
dg_archive_head_get (const uint8_t *bytes, size_t n,
                     struct dg_archive_head *head, struct dg_error *err)
{
  if (!dg_archive_is (bytes, n))
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "this is not a Datagrind archive: no signature");
  if (n > 8 && (bytes[8] == 0 || bytes[8] > DG_VALUES_VERSION))
    return dg_error_at (err, DG_ERR_VERSION, 0,
                        "archive version %u: only versions 1 to %u can be "
                        "read",
                        bytes[8], DG_VALUES_VERSION);
  if (n < DG_ARCHIVE_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_NOT_A_LOG, 0,
                        "the archive ends within its header");
  if (get_quad (bytes + 32) != XXH3_64bits (bytes, 32))
    return dg_error_at (err, DG_ERR_DAMAGED, 0,
                        "the archive's header is damaged: its checksum does "
                        "not match");
  head->version = bytes[8];
  head->word_size = bytes[9];
  head->big_endian = bytes[10];
  head->origin = bytes[11];
  head->has_values = head->version >= DG_VALUES_VERSION;
  head->log_size = get_quad (bytes + 16);
  head->log_mtime_ns = get_quad (bytes + 24);
  if ((bytes[9] != 4 && bytes[9] != 8) || bytes[10] > 1
      || bytes[11] > DG_ORIGIN_SIDECAR)
    return dg_error_at (err, DG_ERR_VERSION, 0,
                        "an archive of words of %u bytes, byte order %u and "
                        "origin %u cannot be read", bytes[9], bytes[10],
                        bytes[11]);
  return 0;
}

/* ---- Heads of parts ---- */

const char *
dg_part_name (uint8_t type)
{
  static const char *const names[] = {
    [DG_PART_DEFINITIONS] = "DEFINITIONS", [DG_PART_RECORDS] = "RECORDS",
    [DG_PART_RUNS] = "RUNS", [DG_PART_LINES] = "LINES",
    [DG_PART_TAIL] = "TAIL", [DG_PART_SUMMARY] = "SUMMARY",
    [DG_PART_FILE] = "FILE", [DG_PART_BUNDLE] = "BUNDLE",
    [DG_PART_VALUES] = "VALUES"
  };

  g_assert (type >= DG_PART_DEFINITIONS && type <= DG_PART_VALUES);
  return names[type];
}

void
dg_part_head_put (uint8_t *bytes, const struct dg_part_head *head)
{
  memcpy (bytes, PART_MAGIC, 4);
  bytes[4] = head->type;
  bytes[5] = head->codec;
  bytes[6] = head->level;
  bytes[7] = 0;
  put_quad (bytes + 8, head->number);
  put_quad (bytes + 16, head->size);
  put_quad (bytes + 24, head->raw_size);
  put_quad (bytes + 32, head->checksum);
  put_quad (bytes + 40, XXH3_64bits (bytes, 40));
}

int
dg_part_head_get (const uint8_t *bytes, uint64_t offset,
                  struct dg_part_head *head, struct dg_error *err)
{
  if (memcmp (bytes, PART_MAGIC, 4) != 0)
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "no part begins here");
  if (get_quad (bytes + 40) != XXH3_64bits (bytes, 40))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "the header of a part is damaged: its checksum does "
                        "not match");
  head->type = bytes[4];
  head->codec = bytes[5];
  head->level = bytes[6];
  head->number = get_quad (bytes + 8);
  head->size = get_quad (bytes + 16);
  head->raw_size = get_quad (bytes + 24);
  head->checksum = get_quad (bytes + 32);
  if (head->type < DG_PART_DEFINITIONS || head->type > DG_PART_VALUES
      || head->codec > DG_CODEC_ZSTD)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "a part has type %u and codec %u", head->type,
                        head->codec);
  if (head->codec == DG_CODEC_STORED
        ? head->raw_size != head->size
        : head->raw_size > dg_part_raw_limit (head->type, head->size))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s has %" PRIu64 " bytes that decompress to %" PRIu64,
                        dg_part_name (head->type), head->size,
                        head->raw_size);
  return 0;
}

/* ---- Footer ---- */

void
dg_archive_footer_put (uint8_t *bytes, uint64_t summary, uint64_t size)
{
  put_quad (bytes, summary);
  put_quad (bytes + 8, size);
  put_quad (bytes + 16, XXH3_64bits (bytes, 16));
  memcpy (bytes + 24, FOOTER_MAGIC, 8);
}

bool
dg_archive_footer_get (const uint8_t *bytes, uint64_t size, uint64_t *summary)
{
  *summary = get_quad (bytes);
  return memcmp (bytes + 24, FOOTER_MAGIC, 8) == 0
         && get_quad (bytes + 16) == XXH3_64bits (bytes, 16)
         && get_quad (bytes + 8) == size;
}

/* ---- Payloads ---- */

uint64_t
dg_archive_checksum (const void *bytes, size_t n)
{
  return XXH3_64bits (bytes, n);
}

int
dg_archive_bytes (const struct dg_source *source, uint64_t offset, void *bytes,
                  size_t n, struct dg_error *err)
{
  ptrdiff_t got = dg_source_read (source, offset, bytes, n, n, err);

  return got < 0 ? (int) got : 0;
}

/* The part's stored bytes, checked: *bytes is in *buffer or in the source's
   memory.  */
static int
read_stored (const struct dg_source *source, const struct dg_part_head *head,
             uint64_t offset, struct dg_table *buffer, const uint8_t **bytes,
             struct dg_error *err)
{
  int code;

  if (source->fd < 0) {
    *bytes = source->memory + offset;
  } else {
    if (head->size > G_MAXSIZE
        || dg_table_reserve (buffer, 1, head->size + 1) < 0)
      return dg_error_nomem (err);
    code = dg_archive_bytes (source, offset, buffer->items, head->size, err);
    if (code < 0)
      return code;
    *bytes = buffer->items;
  }
  if (XXH3_64bits (*bytes, head->size) != head->checksum)
    return dg_error_at (err, DG_ERR_DAMAGED, offset - DG_PART_HEAD_BYTES,
                        "%s of chunk %" PRIu64 " is damaged: its checksum "
                        "does not match", dg_part_name (head->type),
                        head->number);
  return 0;
}

/* The bytes that are stored, as they were.  */
static int
expand (const struct dg_part_head *head, uint64_t offset,
        const uint8_t *stored, struct dg_table *buffer, struct dg_error *err)
{
  size_t n;

  if (dg_table_reserve (buffer, 1, head->raw_size + 1) < 0)
    return dg_error_nomem (err);
  if (head->codec == DG_CODEC_STORED) {
    memcpy (buffer->items, stored, head->size);
  } else {
    n = ZSTD_decompress (buffer->items, head->raw_size, stored, head->size);
    /* That says nothing of the archive.  */
    if (ZSTD_getErrorCode (n) == ZSTD_error_memory_allocation)
      return dg_error_nomem (err);
    if (ZSTD_isError (n) || n != head->raw_size)
      return dg_error_at (err, DG_ERR_DAMAGED, offset,
                          "%s of chunk %" PRIu64 " cannot be decompressed: "
                          "%s", dg_part_name (head->type), head->number,
                          ZSTD_isError (n) ? ZSTD_getErrorName (n)
                                           : "it is too short");
  }
  buffer->n = head->raw_size;
  return 0;
}

/* The head of a part that must be as `part` and `type` say.  */
static int
read_head (const struct dg_source *source, const struct dg_part *part,
           enum dg_part_type type, struct dg_part_head *head,
           struct dg_error *err)
{
  uint8_t bytes[DG_PART_HEAD_BYTES];
  int code;

  if (part->offset > source->size
      || source->size - part->offset < DG_PART_HEAD_BYTES
      || part->size > source->size - part->offset - DG_PART_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                        "%s extends beyond the archive", dg_part_name (type));
  code = dg_archive_bytes (source, part->offset, bytes, sizeof bytes, err);
  if (code == 0)
    code = dg_part_head_get (bytes, part->offset, head, err);
  if (code < 0)
    return code;
  if (head->type != type || head->size != part->size
      || head->raw_size != part->raw_size)
    return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                        "the %s part does not match SUMMARY",
                        dg_part_name (type));
  return 0;
}

/* ---- Parts where they lie ---- */

/* Whether bytes that were used are what they should be.  Asked afterwards:
   what was changed before is noticed as well as what was bad from the
   start.  */
static bool
leave_stored (const struct dg_source *source, const struct dg_part_head *head,
              uint64_t offset, const uint8_t *bytes)
{
  bool is_good = XXH3_64bits (bytes, head->size) == head->checksum;

  return dg_source_leave (source, offset, head->size) && is_good;
}

/* Decompresses a part out of the mapping.  False, without a reason: it has to
   be read, which shows what is wrong, if anything.  */
static bool
expand_mapped (const struct dg_source *source, const struct dg_part_head *head,
               uint64_t offset, struct dg_table *buffer)
{
  const uint8_t *stored = NULL;
  bool is_expanded;

  if (source->mapped && head->codec != DG_CODEC_STORED)
    stored = dg_source_use (source, offset, head->size);
  if (!stored)
    return false;
  is_expanded = expand (head, offset, stored, buffer, NULL) == 0;
  return leave_stored (source, head, offset, stored) && is_expanded;
}

int
dg_archive_lend (const struct dg_source *source, const struct dg_part *part,
                 enum dg_part_type type, struct dg_table *buffer,
                 struct dg_archive_lent *lent, struct dg_error *err)
{
  uint64_t offset = part->offset + DG_PART_HEAD_BYTES;
  int code;

  memset (lent, 0, sizeof *lent);
  if (source->mapped) {
    code = read_head (source, part, type, &lent->head, err);
    if (code < 0)
      return code;
    if (lent->head.codec == DG_CODEC_STORED)
      lent->bytes = dg_source_use (source, offset, part->size);
    lent->n = part->size;
    lent->is_mapped = lent->bytes != NULL;
    if (lent->is_mapped)
      return 0;
  }
  code = dg_archive_read (source, part, type, buffer, err);
  if (code == 0) {
    lent->bytes = buffer->items;
    lent->n = buffer->n;
  }
  return code;
}

bool
dg_archive_take_back (const struct dg_source *source,
                      const struct dg_part *part, struct dg_archive_lent *lent)
{
  bool is_good;

  if (!lent->is_mapped)
    return true;
  is_good = leave_stored (source, &lent->head,
                          part->offset + DG_PART_HEAD_BYTES, lent->bytes);
  memset (lent, 0, sizeof *lent);
  return is_good;
}

int
dg_archive_read (const struct dg_source *source, const struct dg_part *part,
                 enum dg_part_type type, struct dg_table *buffer,
                 struct dg_error *err)
{
  uint64_t offset = part->offset + DG_PART_HEAD_BYTES;
  struct dg_table room = { 0 };
  struct dg_part_head head;
  const uint8_t *stored = NULL;
  bool in_place;
  int code = read_head (source, part, type, &head, err);

  if (code < 0)
    return code;
  buffer->n = 0;
  if (expand_mapped (source, &head, offset, buffer))
    return 0;
  buffer->n = 0;
  /* What is stored as it is can be read where it is wanted.  */
  in_place = head.codec == DG_CODEC_STORED && source->fd >= 0;
  code = read_stored (source, &head, offset, in_place ? buffer : &room,
                      &stored, err);
  if (code == 0 && in_place)
    buffer->n = head.size;
  else if (code == 0)
    code = expand (&head, part->offset, stored, buffer, err);
  dg_table_fini (&room);
  return code;
}

int
dg_archive_check (const struct dg_source *source, const struct dg_part *part,
                  enum dg_part_type type, struct dg_table *buffer,
                  struct dg_error *err)
{
  uint64_t offset = part->offset + DG_PART_HEAD_BYTES;
  const uint8_t *stored = NULL;
  struct dg_part_head head;
  int code = read_head (source, part, type, &head, err);

  if (code < 0)
    return code;
  if (source->mapped)
    stored = dg_source_use (source, offset, head.size);
  if (stored && leave_stored (source, &head, offset, stored))
    return 0;
  return read_stored (source, &head, offset, buffer, &stored, err);
}

/* ---- The beginning of RUNS ---- */

void
dg_chunk_put (uint8_t *bytes, const struct dg_chunk_start *start,
              const struct dg_pack_totals *totals)
{
  const uint64_t quads[DG_RUNS_HEAD / 8] = {
    start->icount, start->instructions, start->reads, start->writes,
    start->entries, start->runs, start->bbdefs, start->contexts,
    start->thread, start->recording,
    totals->runs, totals->instructions, totals->entries, totals->reads,
    totals->writes, totals->min_address, totals->max_address
  };

  for (unsigned i = 0; i < DG_RUNS_HEAD / 8; i++)
    put_quad (bytes + 8 * i, quads[i]);
}

void
dg_chunk_get (const uint8_t *bytes, struct dg_chunk_start *start,
              struct dg_pack_totals *totals)
{
  uint64_t q[DG_RUNS_HEAD / 8];

  for (unsigned i = 0; i < DG_RUNS_HEAD / 8; i++)
    q[i] = get_quad (bytes + 8 * i);
  *start = (struct dg_chunk_start) {
    .icount = q[0], .instructions = q[1], .reads = q[2], .writes = q[3],
    .entries = q[4], .runs = q[5], .bbdefs = q[6], .contexts = q[7],
    /* What does not fit is none that a chunk can have.  */
    .thread = q[8] < DG_NONE ? q[8] : 0, .recording = q[9] < 2 ? q[9] : 2
  };
  *totals = (struct dg_pack_totals) {
    .runs = q[10], .instructions = q[11], .entries = q[12], .reads = q[13],
    .writes = q[14], .min_address = q[15], .max_address = q[16]
  };
}
