/* dg_index.h: touched cache lines, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_INDEX_H
#define LIBDATAGRIND_INDEX_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How often a cache line of 64 bytes was read and written; an access counts in
   each line that it overlaps.  */
struct dg_line_count {
  uint64_t line;          /* address / 64 */
  uint32_t reads, writes; /* at most UINT32_MAX */
};
#define DG_LINE_BYTES 64

/* The lines that each chunk of a log touched, and coarser lists: level 0 has
   one list for each chunk; list i of level k is the sum of lists 8 i to 8 i +
   7 of level k - 1, as far as they exist; the last level has one list, or none
   if the log has no chunk.

   An index is part of an archive, or a file LOG.dgx beside the log (the
   sidecar), or was built in memory.  Lists are read when they are requested;
   some are cached, up to a limit.  Any number of threads may use one index at
   the same time.  It does not need the log that it was opened for.  */
struct dg_index;

enum dg_index_origin {
  DG_INDEX_ARCHIVE = 0, /* part of the log */
  DG_INDEX_SIDECAR = 1, /* a file beside it */
  DG_INDEX_MEMORY = 2
};

/* The path of the sidecar of a log: its path and ".dgx".  To be freed with
   free.  */
DG_API char *dg_index_sidecar (const struct dg_log *log);

/* Opens the index of a log that is loaded, at least by dg_log_load_summary:
   that of the archive, otherwise the sidecar.  A sidecar is used only if it
   was made for a log with the same size, modification time and chunks.  Fails
   if there is no usable index: DG_ERR_IO (there is none), DG_ERR_INVALID (of
   another log, or of an earlier state of this one), DG_ERR_DAMAGED... *index
   is then NULL.  */
DG_API int dg_index_open (const struct dg_log *log, struct dg_index **index,
                          struct dg_error *err);

/* Loads into a raw log that is not loaded what dg_log_load_summary would load,
   from its sidecar, if that is usable as above and the log was complete: in
   almost no time, even for a large log.  Otherwise it fails without any
   change. dg_log_load may follow.  */
DG_API int dg_index_load_summary (struct dg_log *log, struct dg_error *err);

/* Makes the index of a loaded log by reading all of its accesses; the result
   does not depend on the number of workers (0: one per processor).  It is
   written to `path` (under another name until it is complete) and used from
   there; if path is NULL or cannot be written, it is kept in memory: see
   dg_index_note.  Progress is in bytes of the log.  */
DG_API int dg_index_build (const struct dg_log *log, const char *path,
                           unsigned workers, dg_progress_fn progress,
                           void *user, struct dg_index **index,
                           struct dg_error *err);
/* The index of a log that is still being written, after dg_log_load_growing or
   dg_log_grow: that of the archive, or one in memory for a raw log. before:
   the index of an earlier state of the log, or NULL; it is not changed, and
   its lists are reused.  Fails like dg_index_open for an archive without
   index.  Progress as above.  */
DG_API int dg_index_grow (const struct dg_log *log, struct dg_index *before,
                          unsigned workers, dg_progress_fn progress,
                          void *user, struct dg_index **index,
                          struct dg_error *err);
DG_API void dg_index_close (struct dg_index *index);

DG_API enum dg_index_origin dg_index_origin (const struct dg_index *index);
/* Why an index that should have been written is in memory; otherwise NULL.  */
DG_API const char *dg_index_note (const struct dg_index *index);
/* Size of its lists, in the file or in memory.  */
DG_API uint64_t dg_index_bytes (const struct dg_index *index);

DG_API unsigned dg_index_levels (const struct dg_index *index);
DG_API size_t dg_index_lists (const struct dg_index *index, unsigned level);

/* What a list covers: instructions [start_icount, end_icount) of the chunks
   first_chunk to end_chunk - 1, and their accesses.  */
struct dg_index_span {
  size_t first_chunk, end_chunk;
  uint64_t start_icount, end_icount;
  uint64_t accesses;
};
DG_API struct dg_index_span dg_index_span (const struct dg_index *index,
                                           unsigned level, size_t i);

/* Sorted by line, without duplicates.  */
struct dg_line_list {
  const struct dg_line_count *counts;
  size_t n;
};
/* A list; NULL on failure.  Return it with dg_index_return.  */
DG_API const struct dg_line_list *dg_index_borrow (struct dg_index *index,
                                                   unsigned level, size_t i,
                                                   struct dg_error *err);
DG_API void dg_index_return (struct dg_index *index,
                             const struct dg_line_list *list);

/* The pages of 2^page_shift >= 64 bytes that the whole log touched: their
   numbers, ascending, without duplicates; free *pages with free.  */
DG_API int dg_index_pages (struct dg_index *index, unsigned page_shift,
                           uint64_t **pages, size_t *n, struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_INDEX_H */
