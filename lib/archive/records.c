/* records.c: the records between the runs of a chunk, as bytes and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "records.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/varint.h"

/* The first byte of an entry: its kind, and which sums follow.  */
#define KIND_MASK        3
#define HAS_RUNS         4
#define HAS_INSTRUCTIONS 8
#define HAS_SUMS         16
#define FLAGS_MASK       (KIND_MASK | HAS_RUNS | HAS_INSTRUCTIONS | HAS_SUMS)

/* Of an entry, besides its record.  */
#define ENTRY_MAX (1 + 7 * DG_VARINT_MAX)

/* Records that need to know what was done before them.  */
static bool
has_sums (uint8_t type)
{
  return type == DG_R_THREAD_SWITCH || type == DG_R_CHUNK || type == DG_R_END;
}

/* Those that stand in the log by other means.  */
static bool
is_elsewhere (uint8_t type)
{
  return type == DG_R_HEADER || type == DG_R_BBDEF || type == DG_R_BBRUN
         || type == DG_R_CONTEXT;
}

/* ---- Writing ---- */

void
dg_records_start (struct dg_records *records)
{
  records->bytes.n = 0;
  memset (&records->last, 0, sizeof records->last);
}

static uint8_t *
put_place (uint8_t *at, struct dg_records_place *last,
           const struct dg_records_entry *entry)
{
  const struct dg_records_place *place = &entry->at;
  uint8_t *first = at++;

  *first = entry->kind;
  if (place->runs != last->runs) {
    *first |= HAS_RUNS;
    at = dg_varint_put (at, place->runs - last->runs);
    last->runs = place->runs;
  }
  if (entry->kind != DG_ENTRY_RECORD)
    return at;
  if (place->instructions != last->instructions) {
    *first |= HAS_INSTRUCTIONS;
    at = dg_varint_put (at, place->instructions - last->instructions);
    last->instructions = place->instructions;
  }
  if (has_sums (entry->record[0])
      && (place->entries != last->entries || place->reads != last->reads
          || place->writes != last->writes)) {
    *first |= HAS_SUMS;
    at = dg_varint_put (at, place->entries - last->entries);
    at = dg_varint_put (at, place->reads - last->reads);
    at = dg_varint_put (at, place->writes - last->writes);
    *last = *place;
  }
  return at;
}

static uint8_t *
put_difference (uint8_t *at, uint32_t *last, uint32_t number)
{
  at = dg_varint_put (at, dg_zigzag ((int64_t) number - *last));
  *last = number;
  return at;
}

static bool
is_good (const struct dg_records_place *last,
         const struct dg_records_entry *entry)
{
  const struct dg_records_place *at = &entry->at;

  if (at->runs < last->runs)
    return false;
  if (entry->kind != DG_ENTRY_RECORD)
    return true;
  return at->instructions >= last->instructions
         && at->entries >= last->entries && at->reads >= last->reads
         && at->writes >= last->writes && entry->size >= 2
         && !is_elsewhere (entry->record[0]);
}

int
dg_records_add (struct dg_records *records,
                const struct dg_records_entry *entry, struct dg_error *err)
{
  struct dg_table *bytes = &records->bytes;
  struct dg_records_last *last = &records->last;
  size_t size = entry->kind == DG_ENTRY_RECORD ? entry->size : 0;
  size_t need = bytes->n + ENTRY_MAX + size;
  uint8_t *at;

  if (!is_good (&last->place, entry))
    return dg_error_set (err, DG_ERR_INVALID,
                         "an entry of kind %d is not allowed there",
                         entry->kind);
  if (need > bytes->room
      && dg_table_reserve (bytes, 1, need + need / 2) < 0)
    return dg_error_nomem (err);
  at = put_place ((uint8_t *) bytes->items + bytes->n, &last->place, entry);
  switch (entry->kind) {
  case DG_ENTRY_RECORD:
    memcpy (at, entry->record, size);
    at += size;
    break;
  case DG_ENTRY_BBDEF:
    at = put_difference (at, &last->block, entry->number);
    break;
  case DG_ENTRY_CONTEXT:
    at = put_difference (at, &last->definition, entry->number);
    at = put_difference (at, &last->node, entry->node);
    break;
  case DG_ENTRY_LONG:
    break;
  }
  bytes->n = at - (uint8_t *) bytes->items;
  return 0;
}

/* ---- Reading ---- */

void
dg_records_begin (struct dg_records_reader *reader,
                  const struct dg_format *format, const uint8_t *bytes,
                  size_t n)
{
  memset (reader, 0, sizeof *reader);
  reader->format = format;
  reader->at = reader->end = bytes;
  if (n > 0)
    reader->end += n;
}

/* Adds what follows to a sum, which stays below 2^63.  */
static bool
get_sum (struct dg_records_reader *reader, uint64_t *sum)
{
  uint64_t more;

  if (!dg_varint_get (&reader->at, reader->end, &more)
      || more > INT64_MAX - *sum)
    return false;
  *sum += more;
  return true;
}

static bool
get_number (struct dg_records_reader *reader, uint32_t *last, uint32_t *number)
{
  uint64_t more;

  if (!dg_varint_get (&reader->at, reader->end, &more))
    return false;
  /* Unsigned, so that nonsense may wrap; it must be a number in the end.  */
  more = *last + (uint64_t) dg_unzigzag (more);
  if (more > UINT32_MAX)
    return false;
  *number = *last = more;
  return true;
}

static bool
get_record (struct dg_records_reader *reader, struct dg_records_entry *entry)
{
  size_t left = reader->end - reader->at;
  struct dg_head head;

  if (!dg_decode_head (reader->format, reader->at, left, &head)
      || head.length > left - head.size || is_elsewhere (head.type))
    return false;
  entry->record = reader->at;
  entry->size = head.size + head.length;
  reader->at += entry->size;
  return true;
}

static bool
get_entry (struct dg_records_reader *reader, struct dg_records_entry *entry)
{
  struct dg_records_last *last = &reader->last;
  struct dg_records_place *place = &last->place;
  uint8_t first = *reader->at++;

  entry->kind = first & KIND_MASK;
  if (first & ~FLAGS_MASK
      || (first & HAS_RUNS && !get_sum (reader, &place->runs))
      || (first & HAS_INSTRUCTIONS
          && !get_sum (reader, &place->instructions))
      || (first & HAS_SUMS
          && (!get_sum (reader, &place->entries)
              || !get_sum (reader, &place->reads)
              || !get_sum (reader, &place->writes))))
    return false;
  entry->at = *place;
  switch (entry->kind) {
  case DG_ENTRY_RECORD:
    return get_record (reader, entry);
  case DG_ENTRY_BBDEF:
    return get_number (reader, &last->block, &entry->number);
  case DG_ENTRY_CONTEXT:
    return get_number (reader, &last->definition, &entry->number)
           && get_number (reader, &last->node, &entry->node);
  default:
    return true;
  }
}

int
dg_records_next (struct dg_records_reader *reader,
                 struct dg_records_entry *entry, struct dg_error *err)
{
  if (reader->at == reader->end)
    return 0;
  if (get_entry (reader, entry))
    return 1;
  return dg_error_set (err, DG_ERR_DAMAGED, "an entry of RECORDS is invalid");
}

bool
dg_records_is_at (const struct dg_records_entry *entry,
                  const struct dg_records_place *place)
{
  const struct dg_records_place *at = &entry->at;

  return at->runs == place->runs && at->instructions == place->instructions
         && (!has_sums (entry->record[0])
             || (at->entries == place->entries && at->reads == place->reads
                 && at->writes == place->writes));
}
