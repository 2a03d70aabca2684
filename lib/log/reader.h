/* reader.h: a place in a log from which records are read one by one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_READER_H
#define DG_READER_H

#include "log.h"
#include "packed_read.h"
#include "format/position.h"

struct dg_reader {
  const struct dg_log *log;
  struct dg_stream stream;
  struct dg_run_contexts contexts;
  struct dg_fields fields;
  struct dg_position position;
  uint32_t thread;
  uint64_t *addresses;     /* of the latest run; room for any */
  uint64_t payload_max;    /* of unknown records of no more bytes, the payload
                              is there: dg_reader_payload */
  const uint8_t *payload;
  struct dg_run run;       /* the latest, for dg_reader_accesses, and if values
                              are wanted */
  bool wants_values;
  struct dg_table values;  /* uint32_t of each slot: struct dg_run_values */
  unsigned slot;           /* its next one */
  /* Of an archive, which has none of the above but `log`.  */
  struct dg_packed_reader *packed;
  struct dg_log *own;      /* loaded for this reader alone, or NULL */
  struct dg_error own_end; /* what came of that */
};

/* The record at the stream's offset: 1 and its head, 0 at the end, < 0 an
   error.  A known one is available as a whole.  */
int dg_reader_head (struct dg_reader *reader, struct dg_head *head,
                    struct dg_error *err);

/* Passes a record that is not a run and has this head; what readers must know
   of it is noted.  `decoded`: reader->fields holds it.  */
int dg_reader_pass (struct dg_reader *reader, const struct dg_head *head,
                    bool decoded, struct dg_error *err);

/* The payload of the record that dg_reader_record gave last, of an unknown
   type, until the next is read; NULL: it has more than payload_max bytes.  */
const uint8_t *dg_reader_payload (const struct dg_reader *reader);

#endif /* DG_READER_H */
