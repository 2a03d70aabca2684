/* data.h: a log with what explains it: symbols and owners.  No drawing.

   Shared by background tasks and the window, hence counted references.  After
   dv_data_load everything is read-only, but for the caches that lock by
   themselves.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_DATA_H
#define DV_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <libdatagrind.h>

struct dv_data {
  struct dg_log *log;
  struct dg_symbols *symbols;   /* may be NULL: names are unknown then */
  struct dg_space *space;       /* NULL when it was not asked for */
  unsigned page_shift;          /* log2 of the page size */
  unsigned line_shift;          /* log2 of the cache-line size */
  /* code DG_OK; or DG_ERR_TRUNCATED or DG_ERR_DAMAGED: only what stands
     before its offset is there.  */
  struct dg_error flaw;
};

/* Opens and loads.  NULL and *err on failure; a log that is cut short or
   damaged is no failure but a flaw.  Who owns what is asked by clicks only
   and takes a while to make for millions of heap blocks: see with_space.  */
struct dv_data *dv_data_new (const char *path, bool with_space,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);
struct dv_data *dv_data_ref (struct dv_data *data);
void dv_data_unref (struct dv_data *data);

/* The base name of the log's file.  */
char *dv_data_file_name (const struct dv_data *data);
/* What was recorded, such as "sort -r names"; NULL if the log does not say.
   Both are new strings.  */
char *dv_data_program (const struct dv_data *data);

/* The icounts of chunk i lie in [*start, *end).  */
void dv_data_chunk (const struct dv_data *data, size_t i, uint64_t *start,
                    uint64_t *end);

#endif /* DV_DATA_H */
