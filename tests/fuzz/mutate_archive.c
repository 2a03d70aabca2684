/* mutate_archive.c: an archive or a sidecar, changed in the contents of its
   parts.

   It is taken apart; one part or several are expanded, changed and compressed
   again; then it is put together, with the sizes, places and checksums that
   its parts have now.  What SUMMARY and BUNDLE say of parts is found by the
   numbers themselves: three quads that are the place of a part.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>
#include <zstd.h>

#include "archive/archive_part.h"
#include "archive/pack_code.h"
#include "base/varint.h"
#include "fuzz.h"
#include "mutate.h"

#define PARTS_MAX 200
#define CONTENTS_MAX (1u << 16)

struct part {
  struct dg_part_head head;
  uint64_t offset;         /* where it was; 0: it is new */
  uint64_t new_offset;
  const uint8_t *payload;  /* as stored */
  uint8_t *own;            /* payload, if it was changed */
};

struct file {
  struct dg_fuzz_random *random;
  uint8_t head[DG_ARCHIVE_HEAD_BYTES];
  struct part parts[PARTS_MAX];
  size_t n_parts;
  bool has_footer;
  uint64_t summary;        /* where the footer said that it is */
};

/* ---- Taking apart ---- */

static uint64_t
get_quad (const uint8_t *bytes)
{
  uint64_t value;

  memcpy (&value, bytes, 8);
  return GUINT64_FROM_LE (value);
}

static void
put_quad (uint8_t *bytes, uint64_t value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes, &value, 8);
}

/* The footer is found as bytes; whether it is right does not matter here.  */
static bool
take_apart (struct file *file, const uint8_t *bytes, size_t n)
{
  size_t at = DG_ARCHIVE_HEAD_BYTES;

  if (n < at || !dg_archive_is (bytes, n))
    return false;
  memcpy (file->head, bytes, at);
  while (file->n_parts < PARTS_MAX / 2 && n - at >= DG_PART_HEAD_BYTES) {
    struct part *part = &file->parts[file->n_parts];
    const uint8_t *head = bytes + at;

    if (memcmp (head, "DGpt", 4) != 0)
      break;
    part->head = (struct dg_part_head) {
      .type = head[4], .codec = head[5], .level = head[6],
      .number = get_quad (head + 8), .size = get_quad (head + 16),
      .raw_size = get_quad (head + 24)
    };
    if (part->head.size > n - at - DG_PART_HEAD_BYTES)
      break;
    part->offset = at;
    part->payload = head + DG_PART_HEAD_BYTES;
    at += DG_PART_HEAD_BYTES + part->head.size;
    file->n_parts++;
  }
  file->has_footer = n >= DG_ARCHIVE_FOOTER_BYTES
                     && memcmp (bytes + n - 8, "DGFOOT\r\n", 8) == 0;
  if (file->has_footer)
    file->summary = get_quad (bytes + n - DG_ARCHIVE_FOOTER_BYTES);
  return file->n_parts > 0;
}

/* What a part holds, in `out` of CONTENTS_MAX.  */
static size_t
expand (const struct part *part, uint8_t *out)
{
  size_t n;

  if (part->head.codec != DG_CODEC_ZSTD) {
    n = MIN (part->head.size, CONTENTS_MAX);
    memcpy (out, part->payload, n);
    return n;
  }
  n = ZSTD_decompress (out, CONTENTS_MAX, part->payload, part->head.size);
  return ZSTD_isError (n) ? 0 : n;
}

/* The part has these contents now.  */
static void
set_contents (struct file *file, struct part *part, const uint8_t *bytes,
              size_t n)
{
  size_t bound = ZSTD_compressBound (n), size = n;
  uint8_t *own = g_malloc (MAX (bound, n) + 1);
  bool packs = part->head.codec == DG_CODEC_ZSTD;

  if (dg_fuzz_chance (file->random, 20))
    packs = !packs;
  if (packs) {
    size = ZSTD_compress (own, bound, bytes, n, 1);
    packs = !ZSTD_isError (size);
  }
  if (!packs) {
    size = n;
    memcpy (own, bytes, n);
  }
  part->head.codec = packs ? DG_CODEC_ZSTD : DG_CODEC_STORED;
  part->head.size = size;
  part->head.raw_size = n;
  g_free (part->own);
  part->own = own;
  part->payload = own;
}

/* ---- Contents ---- */

/* Quads, each a number.  */
static size_t
change_quads (struct file *file, uint8_t *bytes, size_t n)
{
  size_t quads = n / 8, i, many;

  if (quads == 0)
    return dg_mutate_bytes (bytes, n, CONTENTS_MAX, file->random);
  i = dg_fuzz_below (file->random, quads);
  switch (dg_fuzz_below (file->random, 10)) {
  case 0:
    return dg_mutate_bytes (bytes, n, CONTENTS_MAX, file->random);
  case 1:
    /* Some are not there, or twice.  */
    many = dg_fuzz_up_to (file->random, 30, quads - i);
    if (dg_fuzz_chance (file->random, 2)) {
      memmove (bytes + i * 8, bytes + (i + many) * 8, n - (i + many) * 8);
      return n - many * 8;
    }
    if (n + many * 8 > CONTENTS_MAX)
      return n;
    memmove (bytes + (i + many) * 8, bytes + i * 8, n - i * 8);
    return n + many * 8;
  default:
    put_quad (bytes + i * 8,
              dg_fuzz_number (file->random, get_quad (bytes + i * 8)));
    return n;
  }
}

/* A stream of runs: numbers of its width, or varints.  */
static size_t
change_stream (struct file *file, unsigned i, uint8_t *bytes, size_t n,
               size_t max)
{
  static const uint8_t widths[DG_STREAMS] = {
    [DG_STREAM_1] = 1, [DG_STREAM_2] = 2, [DG_STREAM_4] = 4, [DG_STREAM_8] = 8,
    [DG_STREAM_PLACES] = 2, [DG_STREAM_LARGE_PLACES] = 4
  };
  unsigned width = widths[i];

  if (i >= DG_STREAM_HEADS && n > 0 && !dg_fuzz_chance (file->random, 4))
    return dg_mutate_varint (bytes, n, max, file->random);
  if (width > 1 && n >= width && !dg_fuzz_chance (file->random, 4)) {
    dg_mutate_number_at (
      bytes + dg_fuzz_below (file->random, n / width) * width, width,
      file->random);
    return n;
  }
  if (n == 0 && max >= 8) {
    put_quad (bytes, dg_fuzz_bits (file->random));
    return dg_fuzz_below (file->random, 9);
  }
  return dg_mutate_bytes (bytes, n, max, file->random);
}

struct streams {
  uint64_t sums[8];        /* seven of the chunk, and the words */
  unsigned n;
  uint8_t bytes[DG_STREAMS][CONTENTS_MAX / 8];
  size_t sizes[DG_STREAMS];
};

/* Expands the streams of a RUNS part behind its head; false: they are bad
   already.  */
static bool
get_streams (struct streams *s, const uint8_t *at, const uint8_t *end,
             unsigned n)
{
  uint64_t sizes[DG_STREAMS], stored[DG_STREAMS];

  s->n = n;
  for (unsigned i = 0; i < 8; i++)
    if (!dg_varint_get (&at, end, &s->sums[i]))
      return false;
  for (unsigned i = 0; i < n; i++)
    if (!dg_varint_get (&at, end, &sizes[i])
        || !dg_varint_get (&at, end, &stored[i]))
      return false;
  for (unsigned i = 0; i < n; i++) {
    if (stored[i] > (size_t) (end - at) || sizes[i] > sizeof s->bytes[i])
      return false;
    s->sizes[i] = sizes[i];
    if (stored[i] == sizes[i])
      memcpy (s->bytes[i], at, sizes[i]);
    else if (ZSTD_decompress (s->bytes[i], sizes[i], at, stored[i])
             != sizes[i])
      return false;
    at += stored[i];
  }
  return true;
}

static size_t
put_streams (struct file *file, const struct streams *s, uint8_t *to)
{
  uint8_t packed[DG_STREAMS][CONTENTS_MAX / 8 + 512], *at = to;
  size_t stored[DG_STREAMS];

  for (unsigned i = 0; i < 8; i++)
    at = dg_varint_put (at, s->sums[i]);
  for (unsigned i = 0; i < s->n; i++) {
    stored[i] = s->sizes[i];
    if (dg_fuzz_chance (file->random, 3)) {
      size_t n = ZSTD_compress (packed[i], sizeof packed[i], s->bytes[i],
                                s->sizes[i], 1);

      if (!ZSTD_isError (n) && n < s->sizes[i])
        stored[i] = n;
    }
    at = dg_varint_put (at, s->sizes[i]);
    at = dg_varint_put (at, stored[i]);
  }
  for (unsigned i = 0; i < s->n; i++) {
    memcpy (at, stored[i] < s->sizes[i] ? packed[i] : s->bytes[i], stored[i]);
    at += stored[i];
  }
  return (size_t) (at - to);
}

/* Its head, the sums before its streams, or a stream.  */
static size_t
change_runs (struct file *file, uint8_t *bytes, size_t n)
{
  struct streams *s;
  size_t made;

  if (n <= DG_RUNS_HEAD || dg_fuzz_chance (file->random, 8))
    return dg_mutate_bytes (bytes, n, CONTENTS_MAX, file->random);
  if (dg_fuzz_chance (file->random, 5)) {
    change_quads (file, bytes, DG_RUNS_HEAD);
    return n;
  }
  s = g_new (struct streams, 1);
  if (get_streams (s, bytes + DG_RUNS_HEAD, bytes + n,
                   file->head[8] == 1 ? DG_STREAMS_VERSION_1 : DG_STREAMS)) {
    for (size_t times = dg_fuzz_below (file->random, 3) + 1; times > 0;
         times--) {
      unsigned i = (unsigned) dg_fuzz_below (file->random, s->n + 1);

      if (i == s->n) {
        i = (unsigned) dg_fuzz_below (file->random, 8);
        s->sums[i] = dg_fuzz_number (file->random, s->sums[i]);
      } else {
        s->sizes[i] = change_stream (file, i, s->bytes[i], s->sizes[i],
                                     MIN (sizeof s->bytes[i],
                                          s->sizes[i] + 64));
      }
    }
    made = 0;
    for (unsigned i = 0; i < s->n; i++)
      made += s->sizes[i];
    if (made < CONTENTS_MAX / 2)
      n = DG_RUNS_HEAD + put_streams (file, s, bytes + DG_RUNS_HEAD);
  } else {
    n = dg_mutate_varint (bytes, n, CONTENTS_MAX, file->random);
  }
  g_free (s);
  return n;
}

/* Varints, with records of a log between them.  */
static size_t
change_varints (struct file *file, uint8_t *bytes, size_t n)
{
  for (size_t times = dg_fuzz_below (file->random, 4) + 1; times > 0; times--)
    n = dg_fuzz_chance (file->random, 3)
          ? dg_mutate_bytes (bytes, n, CONTENTS_MAX, file->random)
          : dg_mutate_varint (bytes, n, CONTENTS_MAX, file->random);
  return n;
}

/* Where the quads of a chunk stand in SUMMARY, too: the same change.  */
static void
tell_summary (struct file *file, const uint8_t *old, const uint8_t *new)
{
  uint8_t *bytes = g_malloc (CONTENTS_MAX);

  for (size_t i = 0; i < file->n_parts; i++) {
    struct part *part = &file->parts[i];
    size_t n = part->head.type == DG_PART_SUMMARY ? expand (part, bytes) : 0;

    for (size_t at = 0; at + DG_RUNS_HEAD <= n; at += 8)
      if (memcmp (bytes + at, old, DG_RUNS_HEAD) == 0) {
        memcpy (bytes + at, new, DG_RUNS_HEAD);
        set_contents (file, part, bytes, n);
        break;
      }
  }
  g_free (bytes);
}

static void
change_contents (struct file *file, struct part *part)
{
  uint8_t *bytes = g_malloc (2 * CONTENTS_MAX), old[DG_RUNS_HEAD];
  size_t n = expand (part, bytes);
  bool has_head = part->head.type == DG_PART_RUNS && n >= DG_RUNS_HEAD;

  if (has_head)
    memcpy (old, bytes, DG_RUNS_HEAD);
  switch (part->head.type) {
  case DG_PART_RUNS:
    n = change_runs (file, bytes, n);
    break;
  case DG_PART_SUMMARY:
  case DG_PART_BUNDLE:
    n = change_quads (file, bytes, n);
    if (part->head.type == DG_PART_BUNDLE && n >= 8
        && !dg_fuzz_chance (file->random, 8))
      put_quad (bytes + n - 8, n);
    break;
  case DG_PART_TAIL:
  case DG_PART_FILE:
    n = dg_mutate_bytes (bytes, n, CONTENTS_MAX, file->random);
    break;
  default:
    n = change_varints (file, bytes, n);
    break;
  }
  if (has_head && n >= DG_RUNS_HEAD && memcmp (old, bytes, sizeof old) != 0
      && dg_fuzz_chance (file->random, 2))
    tell_summary (file, old, bytes);
  set_contents (file, part, bytes, n);
  g_free (bytes);
}

/* ---- Parts ---- */

static void
forget (struct file *file, size_t i)
{
  g_free (file->parts[i].own);
  file->n_parts--;
  memmove (&file->parts[i], &file->parts[i + 1],
           (file->n_parts - i) * sizeof file->parts[0]);
}

static void
change_parts (struct file *file)
{
  size_t i = dg_fuzz_below (file->random, file->n_parts);
  size_t j = dg_fuzz_below (file->random, file->n_parts);
  struct part *part = &file->parts[i], copy = *part;

  switch (dg_fuzz_below (file->random, 5)) {
  case 0:
    if (file->n_parts > 1)
      forget (file, i);
    break;
  case 1:
    if (file->n_parts < PARTS_MAX) {
      if (part->own != NULL) {
        copy.payload = copy.own = g_malloc (part->head.size + 1);
        memcpy (copy.own, part->own, part->head.size);
      }
      file->parts[file->n_parts++] = copy;
    }
    break;
  case 2:
    *part = file->parts[j];
    file->parts[j] = copy;
    break;
  case 3:
    part->head.number = dg_fuzz_number (file->random, part->head.number);
    break;
  default:
    part->head.type = (uint8_t) dg_fuzz_below (file->random, 10);
    part->head.level = (uint8_t) dg_fuzz_below (file->random, 5);
    break;
  }
}

/* ---- Putting together ---- */

static void
place_parts (struct file *file)
{
  uint64_t at = DG_ARCHIVE_HEAD_BYTES;

  for (size_t i = 0; i < file->n_parts; i++) {
    struct part *part = &file->parts[i];

    part->new_offset = at;
    at += DG_PART_HEAD_BYTES + part->head.size;
  }
}

/* What stood at an offset; NULL: nothing did.  */
static const struct part *
part_that_was (const struct file *file, uint64_t offset)
{
  for (size_t i = 0; i < file->n_parts; i++)
    if (file->parts[i].offset == offset)
      return &file->parts[i];
  return NULL;
}

/* Quads that tell where parts were tell where they are.  */
static void
correct_places (struct file *file, struct part *list)
{
  uint8_t *bytes = g_malloc (CONTENTS_MAX);
  size_t n = expand (list, bytes);

  for (size_t at = 0; at + 24 <= n; at += 8) {
    uint64_t offset = get_quad (bytes + at);
    const struct part *part = offset >= DG_ARCHIVE_HEAD_BYTES
                                ? part_that_was (file, offset) : NULL;

    if (part == NULL || get_quad (bytes + at + 16) > CONTENTS_MAX)
      continue;
    put_quad (bytes + at, part->new_offset);
    put_quad (bytes + at + 8, part->head.size);
    put_quad (bytes + at + 16, part->head.raw_size);
    at += 16;
  }
  set_contents (file, list, bytes, n);
  g_free (bytes);
}

static size_t
put_together (struct file *file, uint8_t *bytes, size_t max)
{
  size_t at = DG_ARCHIVE_HEAD_BYTES;
  const struct part *summary;

  memcpy (bytes, file->head, at);
  put_quad (bytes + 32, dg_archive_checksum (bytes, 32));
  for (size_t i = 0; i < file->n_parts; i++) {
    struct part *part = &file->parts[i];

    if (DG_PART_HEAD_BYTES + part->head.size > max - at)
      return 0;
    part->head.checksum = dg_archive_checksum (part->payload,
                                               part->head.size);
    part->new_offset = at;
    dg_part_head_put (bytes + at, &part->head);
    memcpy (bytes + at + DG_PART_HEAD_BYTES, part->payload, part->head.size);
    at += DG_PART_HEAD_BYTES + part->head.size;
  }
  summary = part_that_was (file, file->summary);
  if (file->has_footer && max - at >= DG_ARCHIVE_FOOTER_BYTES) {
    at += DG_ARCHIVE_FOOTER_BYTES;
    dg_archive_footer_put (bytes + at - DG_ARCHIVE_FOOTER_BYTES,
                           summary != NULL ? summary->new_offset
                                           : file->summary, at);
  }
  return at;
}

size_t
dg_mutate_archive (uint8_t *bytes, size_t n, size_t max,
                   struct dg_fuzz_random *random)
{
  struct file file = {.random = random};
  uint8_t *copy = g_memdup2 (bytes, n), *made;
  size_t size = 0;

  if (!take_apart (&file, copy, n) || dg_fuzz_chance (random, 100)) {
    g_free (copy);
    n = dg_mutate_bytes (bytes, n, max, random);
    dg_fuzz_seal (bytes, n);
    return n;
  }
  for (size_t changes = dg_fuzz_below (random, 3) + 1; changes > 0; changes--)
    if (dg_fuzz_chance (random, 12))
      change_parts (&file);
    else
      change_contents (&file,
                       &file.parts[dg_fuzz_below (random, file.n_parts)]);
  if (dg_fuzz_chance (random, 40))
    file.head[8 + dg_fuzz_below (random, 4)] = (uint8_t) dg_fuzz_below (random,
                                                                        9);
  if (dg_fuzz_chance (random, 12))
    file.has_footer = false;
  if (!dg_fuzz_chance (random, 20)) {
    place_parts (&file);
    for (size_t i = 0; i < file.n_parts; i++)
      if (file.parts[i].head.type == DG_PART_SUMMARY
          || file.parts[i].head.type == DG_PART_BUNDLE)
        correct_places (&file, &file.parts[i]);
  }
  made = g_malloc (max);
  if (max >= DG_ARCHIVE_HEAD_BYTES)
    size = put_together (&file, made, max);
  if (size > 0)
    memcpy (bytes, made, size);
  g_free (made);
  for (size_t i = 0; i < file.n_parts; i++)
    g_free (file.parts[i].own);
  g_free (copy);
  return size > 0 ? size : n;
}
