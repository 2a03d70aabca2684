/* index_sink.h: where the lists of a new index go, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INDEX_SINK_H
#define DG_INDEX_SINK_H

#include "archive/index_levels.h"
#include "index.h"

struct dg_index_sink {
  const struct dg_log *log;
  const struct dg_chunk *chunks;
  struct dg_index *index;            /* in memory */
  bool in_memory;                    /* it has all lists so far */
  uint64_t memory_bytes;             /* that these may take */
  struct dg_index_levels *levels;
  char *path;                        /* NULL: no file is wanted */
  struct dg_output *output;          /* the file until it is complete */
  struct dg_archive_writer *writer;  /* NULL: no file is written */
  int64_t mtime_ns;                  /* of the log, at first */
};

/* path: of the sidecar, or NULL.  When it cannot be written, now or later,
   the index stays in memory.  dg_index_sink_fini is due in any case.  */
int dg_index_sink_init (struct dg_index_sink *sink, const struct dg_log *log,
                        const char *path, struct dg_error *err);
void dg_index_sink_fini (struct dg_index_sink *sink);

/* The next chunk's list, as dg_lines_write made it (n 0: empty).  */
int dg_index_sink_add (struct dg_index_sink *sink, size_t chunk,
                       const void *bytes, size_t n, struct dg_error *err);
int dg_index_sink_finish (struct dg_index_sink *sink,
                          struct dg_index **index, struct dg_error *err);

#endif /* DG_INDEX_SINK_H */
