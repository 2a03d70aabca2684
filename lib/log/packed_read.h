/* packed_read.h: the runs, accesses and records of an archive, in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_READ_H
#define DG_PACKED_READ_H

#include "log.h"
#include "packed.h"
#include "packed_values.h"

/* As the functions of libdatagrind.h, for a log that is loaded.  */
struct dg_packed_reader;
struct dg_packed_reader *dg_packed_reader_new (const struct dg_log *log,
                                               size_t first, size_t end,
                                               struct dg_error *err);
void dg_packed_reader_free (struct dg_packed_reader *reader);
int dg_packed_reader_run (struct dg_packed_reader *reader,
                          struct dg_run *run, struct dg_error *err);
/* From now on dg_packed_reader_values has those of the latest run.  */
int dg_packed_reader_want_values (struct dg_packed_reader *reader,
                                  struct dg_error *err);
struct dg_packed_values *
dg_packed_reader_values (struct dg_packed_reader *reader);
ptrdiff_t dg_packed_reader_accesses (struct dg_packed_reader *reader,
                                     struct dg_access *out, size_t max,
                                     struct dg_error *err);
int dg_packed_reader_record (struct dg_packed_reader *reader,
                             struct dg_record *rec, struct dg_error *err);
/* As dg_reader_payload.  */
const uint8_t *dg_packed_reader_payload (const struct dg_packed_reader *reader,
                                         uint64_t max);

#endif /* DG_PACKED_READ_H */
