/* records.h: the part RECORDS of a chunk: what stands between its runs.

   Entries in the order of the log, each at a place among the chunk's runs:
     RECORD   a record as a raw log holds it, byte for byte, of any type but
              HEADER, BBDEF, BBRUN and CONTEXT (which may be of types that
              nobody knows)
     BBDEF    the log's next block definition is this block
     CONTEXT  its next context is this pair of a definition and a node
     LONG     the next definition or run of the log (the first BBDEF, CONTEXT
              or run that stands behind it) has the long form of length,
              although a shorter one would do
   Places of records come with sums over the runs before them, so that a log
   can be loaded without decoding any run.  docs/archive.md has the bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RECORDS_H
#define DG_RECORDS_H

#include "format/decode.h"
#include "pack.h"
#include "base/table.h"

enum dg_entry_kind {
  DG_ENTRY_RECORD = 0, DG_ENTRY_BBDEF = 1, DG_ENTRY_CONTEXT = 2,
  DG_ENTRY_LONG = 3
};

/* Sums over the runs of the chunk that stand before an entry.  Entries,
   reads and writes are kept for records that say who did what: THREAD_SWITCH,
   CHUNK and END; others are read with those of the last such record.  */
struct dg_records_place {
  uint64_t runs, instructions, entries, reads, writes;
};

static inline struct dg_records_place
dg_records_place (const struct dg_pack_totals *totals)
{
  return (struct dg_records_place) {
    totals->runs, totals->instructions, totals->entries, totals->reads,
    totals->writes
  };
}

struct dg_records_entry {
  enum dg_entry_kind kind;
  uint32_t number;           /* block of BBDEF; definition of CONTEXT */
  uint32_t node;             /* of CONTEXT */
  /* Of BBDEF, CONTEXT and LONG only `runs` counts.  */
  struct dg_records_place at;
  const uint8_t *record;     /* of RECORD, with its head */
  size_t size;               /* of it */
};

/* ---- Writing ---- */

/* Numbers are written as differences from those of the entries before.  */
struct dg_records_last {
  struct dg_records_place place;
  uint32_t block, definition, node;
};

/* All zero, then dg_records_start.  `bytes` is the part so far; its owner
   frees it (dg_table_fini).  */
struct dg_records {
  struct dg_table bytes;
  struct dg_records_last last;
};
/* A new chunk: no entries; the room of `bytes` is used again.  */
void dg_records_start (struct dg_records *records);
/* Appends one entry, which stands behind those before it.  0, DG_ERR_NOMEM,
   or DG_ERR_INVALID: places go back, or it is no such record.  */
int dg_records_add (struct dg_records *records,
                    const struct dg_records_entry *entry,
                    struct dg_error *err);

/* ---- Reading ---- */

struct dg_records_reader {
  const struct dg_format *format;
  const uint8_t *at, *end;
  struct dg_records_last last;
};
void dg_records_begin (struct dg_records_reader *reader,
                       const struct dg_format *format, const uint8_t *bytes,
                       size_t n);
/* 1, 0 at the end, DG_ERR_DAMAGED.  entry->record points into the bytes; it
   is whole, and of a type that may stand there, but its fields are not
   checked.  Sums never go back; what they sum up to is the caller's to
   check.  */
int dg_records_next (struct dg_records_reader *reader,
                     struct dg_records_entry *entry, struct dg_error *err);

/* Does a RECORD that was read tell the sums that are right at its place, as
   far as it tells them?  */
bool dg_records_is_at (const struct dg_records_entry *entry,
                       const struct dg_records_place *place);

#endif /* DG_RECORDS_H */
