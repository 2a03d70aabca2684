/* arrow_source.h: what a table is for streams: rows, a batch at a time.

   A new table is a constant struct dg_arrow_source in a file of its own and a
   line in arrow_tables.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_SOURCE_H
#define DG_ARROW_SOURCE_H

#include "arrow_array.h"
#include "arrow_query.h"

struct dg_arrow_source {
  struct dg_arrow_table table;
  /* Called by the first call of a stream.  The query outlives the result.
     NULL and *err on failure.  */
  void *(*open) (struct dg_arrow_asked *asked, struct dg_error *err);
  /* The columns of this query, which belong to `self`; NULL: those of the
     table.  */
  int (*describe) (void *self, const struct dg_arrow_column **columns,
                   size_t *n, struct dg_error *err);
  /* Adds the next rows, at most `max` (at least 1) and as many to each column;
     columns[i] is column i of the table, NULL if it is not needed.  Returns
     how many, 0 at the end, < 0.  After an error it may be called again.  */
  ptrdiff_t (*next) (void *self, struct dg_arrow_array *const *columns,
                     size_t max, struct dg_error *err);
  void (*close) (void *self);
  /* About how many rows may still come: batches are made for no more than
     these at a time.  */
  size_t (*most) (const void *self);
  /* Whether a query asks the log for heap blocks, but for conditions on
     ranges.  Called before the log is loaded.  NULL: no.  */
  bool (*needs_blocks) (const struct dg_arrow_query *query);
};

/* The one with this name; of an analysis also NAME/KEY.  NULL: DG_ERR_INVALID,
   and the message says what there is (arrow_tables.c).  */
const struct dg_arrow_source *dg_arrow_source_find (const char *table,
                                                    struct dg_error *err);
extern const struct dg_arrow_source dg_arrow_source_accesses,
  dg_arrow_source_blocks, dg_arrow_source_chunks, dg_arrow_source_clock,
  dg_arrow_source_contexts, dg_arrow_source_events,
  dg_arrow_source_functions, dg_arrow_source_kernel_accesses,
  dg_arrow_source_lines, dg_arrow_source_mappings, dg_arrow_source_modules,
  dg_arrow_source_ranges, dg_arrow_source_runs, dg_arrow_source_threads;

/* All analyses: with the name of one in asked->query.table.  */
extern const struct dg_arrow_source dg_arrow_source_analysis;

#endif /* DG_ARROW_SOURCE_H */
