/* packed_values.h: what the accesses of an archive read or wrote.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_VALUES_H
#define DG_PACKED_VALUES_H

#include "archive/values.h"
#include "log.h"
#include "packed.h"

struct dg_packed_values;
struct dg_packed_values *dg_packed_values_new (const struct dg_log *log,
                                               struct dg_error *err);
void dg_packed_values_free (struct dg_packed_values *values);

/* Of a chunk that begins, and of its next run, the words of which follow its
   head.  What is wrong is told by dg_packed_values_take.  */
void dg_packed_values_open (struct dg_packed_values *values,
                            const struct dg_chunk_entry *entry);
void dg_packed_values_run (struct dg_packed_values *values,
                           const uint64_t *words);

/* Those of the latest run.  If the chunk's are damaged: DG_ERR_DAMAGED or
   another error, once; they are not known from there on.  */
int dg_packed_values_take (struct dg_packed_values *values,
                           const struct dg_run *run,
                           struct dg_run_values *out, struct dg_error *err);

/* Behind the last run of the chunk: DG_ERR_DAMAGED if it has more values, or
   another error that was not told yet.  */
int dg_packed_values_end (struct dg_packed_values *values,
                          struct dg_error *err);

#endif /* DG_PACKED_VALUES_H */
