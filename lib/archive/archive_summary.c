/* archive_summary.c: the part SUMMARY of an archive: bytes and back.

   All of it are quads; the PROCESS record stands behind them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_summary.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "archive_part.h"
#include "base/error.h"
#include "format/position.h"

#define PART_QUADS  3
#define CHUNK_QUADS (DG_RUNS_HEAD / 8 + 4 * PART_QUADS)
#define VALUES_QUADS PART_QUADS /* besides these, in archives with values */
#define LINES_QUADS (2 + PART_QUADS)

/* The numbers of struct dg_summary in the order of the part.  */
#define SUMMARY_FIELDS(F)                                                   \
  F (complete) F (end_why) F (exit_code) F (last_icount) F (instructions)   \
  F (accesses) F (reads) F (writes) F (kernel_reads) F (kernel_writes)      \
  F (runs) F (bbdefs) F (contexts) F (threads) F (heap_allocs)              \
  F (heap_frees) F (modules) F (events_started) F (events_ended)            \
  F (ranges_tracked) F (ranges_untracked) F (windows) F (unknown_records)   \
  F (lost_calls) F (min_address) F (max_address) F (pools)
#define COUNT_FIELD(name) + 1
#define N_FIELDS (0 SUMMARY_FIELDS (COUNT_FIELD))
/* Those of the first archives.  */
#define N_FIELDS_LEAST 26

static void
fields_get (const uint64_t *q, struct dg_summary *summary)
{
#define GET_FIELD(name) summary->name = *q++;
  SUMMARY_FIELDS (GET_FIELD)
#undef GET_FIELD
}

static void
fields_put (const struct dg_summary *summary, uint64_t *q)
{
#define PUT_FIELD(name) *q++ = (int64_t) summary->name;
  SUMMARY_FIELDS (PUT_FIELD)
#undef PUT_FIELD
}

/* Who packed the archive may have known fewer types than we do.  What were
   records of unknown types then, we count by their own: so many more.  */
static void
know_more (struct dg_summary *told, const struct dg_summary *seen)
{
  uint64_t more;

  if (told->unknown_records <= seen->unknown_records)
    return;
  more = told->unknown_records - seen->unknown_records;
  told->unknown_records = seen->unknown_records;
  if (told->pools < seen->pools && seen->pools - told->pools <= more)
    told->pools = seen->pools;
}

const char *
dg_archive_summary_differs (const struct dg_summary *told,
                            const struct dg_summary *seen)
{
  struct dg_summary known = *told;

  know_more (&known, seen);
#define COMPARE_FIELD(name)                                                 \
  if (known.name != seen->name)                                             \
    return #name;
  SUMMARY_FIELDS (COMPARE_FIELD)
#undef COMPARE_FIELD
  return NULL;
}

/* ---- To bytes ---- */

static bool
add_quads (struct dg_table *bytes, const uint64_t *quads, size_t n)
{
  uint8_t *at;

  if (dg_table_reserve (bytes, 1, bytes->n + 8 * n) < 0)
    return false;
  at = (uint8_t *) bytes->items + bytes->n;
  for (size_t i = 0; i < n; i++) {
    uint64_t quad = GUINT64_TO_LE (quads[i]);

    memcpy (at + 8 * i, &quad, 8);
  }
  bytes->n += 8 * n;
  return true;
}

static bool
add_part (struct dg_table *bytes, const struct dg_part *part)
{
  const uint64_t quads[PART_QUADS] = { part->offset, part->size,
                                       part->raw_size };

  return add_quads (bytes, quads, PART_QUADS);
}

static bool
add_start (struct dg_table *bytes, const struct dg_chunk_start *start,
           const struct dg_pack_totals *totals)
{
  if (dg_table_reserve (bytes, 1, bytes->n + DG_RUNS_HEAD) < 0)
    return false;
  dg_chunk_put ((uint8_t *) bytes->items + bytes->n, start, totals);
  bytes->n += DG_RUNS_HEAD;
  return true;
}

static bool
add_chunks (struct dg_table *bytes, const struct dg_archive *archive)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;
  const uint64_t n = archive->chunks.n;
  const size_t each = 8 * (CHUNK_QUADS + VALUES_QUADS);
  bool ok = dg_table_reserve (bytes, 1, bytes->n + (n + 1) * each) == 0
            && add_quads (bytes, &n, 1);

  for (uint64_t i = 0; i < n && ok; i++, chunk++)
    ok = add_start (bytes, &chunk->start, &chunk->totals)
         && add_part (bytes, &chunk->definitions)
         && add_part (bytes, &chunk->records)
         && add_part (bytes, &chunk->lines)
         && (!archive->head.has_values || add_part (bytes, &chunk->values))
         && add_part (bytes, &chunk->runs);
  return ok;
}

static bool
add_tail (struct dg_table *bytes, const struct dg_archive *archive)
{
  const struct dg_part *part = archive->tail.items;
  const uint64_t n = archive->tail.n;
  bool ok = add_quads (bytes, &n, 1);

  for (uint64_t i = 0; i < n && ok; i++)
    ok = add_part (bytes, &part[i]);
  return ok;
}

static bool
add_lines (struct dg_table *bytes, const struct dg_archive *archive)
{
  const struct dg_archive_lines *lines = archive->lines.items;
  const uint64_t n = archive->lines.n;
  bool ok = add_quads (bytes, &n, 1);

  for (uint64_t i = 0; i < n && ok; i++, lines++) {
    const uint64_t quads[2] = { lines->level, lines->first };

    ok = add_quads (bytes, quads, 2) && add_part (bytes, &lines->part);
  }
  return ok;
}

int
dg_archive_summary_put (const struct dg_archive *archive,
                        struct dg_table *bytes, struct dg_error *err)
{
  const struct dg_pack_totals none = { 0 };
  const uint64_t n_fields = N_FIELDS, n_process = archive->process.n;
  uint64_t fields[N_FIELDS];
  bool ok;

  fields_put (&archive->summary, fields);
  ok = add_quads (bytes, &n_fields, 1) && add_quads (bytes, fields, N_FIELDS)
       && add_start (bytes, &archive->end, &none)
       && add_tail (bytes, archive) && add_chunks (bytes, archive)
       && add_lines (bytes, archive) && add_quads (bytes, &n_process, 1)
       && dg_table_reserve (bytes, 1, bytes->n + n_process + 1) == 0;
  if (!ok)
    return dg_error_nomem (err);
  if (n_process > 0)
    memcpy ((uint8_t *) bytes->items + bytes->n, archive->process.items,
            n_process);
  bytes->n += n_process;
  return 0;
}

/* ---- From bytes ---- */

/* Parts follow one another: each begins behind `behind`.  Were they allowed to
   name the same bytes, a small file could hold any number of chunks.  */
struct cursor {
  const uint8_t *at, *end;
  uint64_t behind, limit;
  bool no_memory;          /* that was why something was false */
};

/* Room for n bytes or items of what is taken.  */
static bool
has_room (struct cursor *c, struct dg_table *table, size_t item_size,
          size_t n)
{
  c->no_memory = dg_table_reserve (table, item_size, n) < 0;
  return !c->no_memory;
}

static void *
add_item (struct cursor *c, struct dg_table *table, size_t item_size)
{
  void *item = dg_table_add (table, item_size);

  c->no_memory = item == NULL;
  return item;
}

static bool
take_quads (struct cursor *c, uint64_t *quads, size_t n)
{
  if ((size_t) (c->end - c->at) / 8 < n)
    return false;
  for (size_t i = 0; i < n; i++, c->at += 8) {
    memcpy (&quads[i], c->at, 8);
    quads[i] = GUINT64_FROM_LE (quads[i]);
  }
  return true;
}

static bool
take_start (struct cursor *c, struct dg_chunk_start *start,
            struct dg_pack_totals *totals)
{
  if (c->end - c->at < DG_RUNS_HEAD)
    return false;
  dg_chunk_get (c->at, start, totals);
  c->at += DG_RUNS_HEAD;
  return dg_chunk_is_sane (start, totals);
}

/* A part that is there, or none.  */
static bool
take_part (struct cursor *c, struct dg_part *part)
{
  uint64_t q[PART_QUADS];

  if (!take_quads (c, q, PART_QUADS))
    return false;
  *part = (struct dg_part) { q[0], q[1], q[2] };
  if (part->size == 0)
    return part->offset == 0 && part->raw_size == 0;
  if (part->offset < c->behind || part->offset >= c->limit
      || c->limit - part->offset < DG_PART_HEAD_BYTES
      || part->size > c->limit - part->offset - DG_PART_HEAD_BYTES
      || part->raw_size > MAX (part->size, DG_PART_RAW_MAX))
    return false;
  c->behind = part->offset + DG_PART_HEAD_BYTES + part->size;
  return true;
}

static bool
take_chunks (struct cursor *c, struct dg_archive *archive)
{
  struct dg_chunk_entry *chunk;
  uint64_t n;

  c->behind = DG_ARCHIVE_HEAD_BYTES;
  if (!take_quads (c, &n, 1)
      || n > (size_t) (c->end - c->at) / (8 * CHUNK_QUADS)
      || !has_room (c, &archive->chunks, sizeof *chunk, n + 1))
    return false;
  chunk = archive->chunks.items;
  for (uint64_t i = 0; i < n; i++, chunk++) {
    chunk->values = (struct dg_part) { 0 };
    if (!take_start (c, &chunk->start, &chunk->totals)
        || !take_part (c, &chunk->definitions)
        || !take_part (c, &chunk->records) || !take_part (c, &chunk->lines)
        || (archive->head.has_values && !take_part (c, &chunk->values))
        || !take_part (c, &chunk->runs) || chunk->runs.size < DG_RUNS_HEAD
        || chunk->runs.raw_size != chunk->runs.size)
      return false;
    if (i > 0 && !dg_chunk_precedes (&chunk[-1].start, &chunk[-1].totals,
                                     &chunk->start))
      return false;
    archive->chunks.n = i + 1;
  }
  return n == 0 || dg_chunk_precedes (&chunk[-1].start, &chunk[-1].totals,
                                      &archive->end);
}

static bool
take_tail (struct cursor *c, struct dg_archive *archive)
{
  uint64_t n;

  if (!take_quads (c, &n, 1)
      || n > (size_t) (c->end - c->at) / (8 * PART_QUADS))
    return false;
  while (n-- > 0) {
    struct dg_part *part = add_item (c, &archive->tail, sizeof *part);

    if (!part || !take_part (c, part) || part->size == 0)
      return false;
  }
  return true;
}

static bool
take_lines (struct cursor *c, struct dg_archive *archive)
{
  uint64_t n, q[2];

  c->behind = DG_ARCHIVE_HEAD_BYTES;
  if (!take_quads (c, &n, 1)
      || n > (size_t) (c->end - c->at) / (8 * LINES_QUADS))
    return false;
  while (n-- > 0) {
    struct dg_archive_lines *lines = add_item (c, &archive->lines,
                                               sizeof *lines);

    if (!lines || !take_quads (c, q, 2) || q[0] > UINT8_MAX
        || !take_part (c, &lines->part))
      return false;
    lines->level = q[0];
    lines->first = q[1];
  }
  return true;
}

static bool
take_process (struct cursor *c, struct dg_archive *archive)
{
  uint64_t n;

  if (!take_quads (c, &n, 1) || n != (uint64_t) (c->end - c->at)
      || !has_room (c, &archive->process, 1, n + 1))
    return false;
  memcpy (archive->process.items, c->at, n);
  archive->process.n = n;
  return true;
}

static bool
take_fields (struct cursor *c, struct dg_summary *summary)
{
  uint64_t n, fields[N_FIELDS] = { 0 };

  if (!take_quads (c, &n, 1) || n < N_FIELDS_LEAST || n > N_FIELDS
      || !take_quads (c, fields, n))
    return false;
  fields_get (fields, summary);
  return fields[0] <= DG_COMPLETE_UNKNOWN && fields[1] + 1 <= 256
         && fields[2] + 1 <= 256;
}

int
dg_archive_summary_get (struct dg_archive *archive, const uint8_t *bytes,
                        size_t n, uint64_t limit, struct dg_error *err)
{
  struct cursor c = { bytes, bytes + n, DG_ARCHIVE_HEAD_BYTES, limit,
                      false };
  struct dg_pack_totals none;

  if (take_fields (&c, &archive->summary)
      && take_start (&c, &archive->end, &none)
      && take_tail (&c, archive) && take_chunks (&c, archive)
      && take_lines (&c, archive) && take_process (&c, archive))
    return 0;
  if (c.no_memory)
    return dg_error_nomem (err);
  return dg_error_at (err, DG_ERR_DAMAGED, limit,
                      "SUMMARY does not follow the format");
}

/* ---- Chunks ---- */

bool
dg_chunk_is_sane (const struct dg_chunk_start *start,
                  const struct dg_pack_totals *totals)
{
  const uint64_t numbers[] = {
    start->icount, start->instructions, start->reads, start->writes,
    start->entries, start->runs, totals->runs, totals->instructions,
    totals->entries, totals->reads, totals->writes
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i] > DG_ICOUNT_MAX)
      return false;
  return start->bbdefs < DG_NONE && start->contexts < DG_NONE
         && start->thread > 0 && start->recording <= 1;
}

bool
dg_chunk_precedes (const struct dg_chunk_start *start,
                   const struct dg_pack_totals *totals,
                   const struct dg_chunk_start *next)
{
  return next->runs == start->runs + totals->runs
         && next->instructions == start->instructions + totals->instructions
         && next->entries == start->entries + totals->entries
         && next->reads == start->reads + totals->reads
         && next->writes == start->writes + totals->writes
         && next->icount >= start->icount + totals->instructions
         && next->bbdefs >= start->bbdefs
         && next->contexts >= start->contexts;
}
