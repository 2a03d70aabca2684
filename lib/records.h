/* records.h: the part RECORDS of a chunk: what stands between its runs.

   Entries in the order of the log.  Each says how many runs of the chunk
   stand between it and the entry before, and is one of
     a record as a raw log holds it, byte for byte
     BBDEF     block: the log's next block definition is that block
     CONTEXT   bbdef, node: its next context
     LONG      the next record, run or definition of the log has a length of
               255 in its head although a shorter form would do
   docs/archive.md has the bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RECORDS_H
#define DG_RECORDS_H

#include "decode.h"
#include "table.h"

enum dg_entry_kind {
  DG_ENTRY_RECORD = 0, DG_ENTRY_BBDEF = 1, DG_ENTRY_CONTEXT = 2,
  DG_ENTRY_LONG = 3
};

struct dg_records_entry {
  uint64_t runs;             /* of the chunk before it */
  enum dg_entry_kind kind;
  uint32_t number;           /* block of BBDEF; bbdef of CONTEXT */
  uint32_t node;             /* of CONTEXT */
  const uint8_t *record;     /* of RECORD, with its head */
  size_t size;               /* of it */
};

/* Appends one entry.  last_runs: `runs` of the entry before, 0 at first.  */
int dg_records_add (struct dg_table *bytes, uint64_t last_runs,
                    const struct dg_records_entry *entry,
                    struct dg_error *err);

struct dg_records_reader {
  const struct dg_format *format;
  const uint8_t *at, *end;
  uint64_t runs;
};
void dg_records_begin (struct dg_records_reader *reader,
                       const struct dg_format *format, const uint8_t *bytes,
                       size_t n);
/* 1, 0 at the end, DG_ERR_DAMAGED.  */
int dg_records_next (struct dg_records_reader *reader,
                     struct dg_records_entry *entry, struct dg_error *err);

#endif /* DG_RECORDS_H */
