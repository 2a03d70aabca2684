/* dg_columns.h: accesses as columns: an array for each field, as in data
   frames.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_COLUMNS_H
#define LIBDATAGRIND_COLUMNS_H

#include "dg_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the accesses of a loaded log that the options select, in the order of
   the log.  A reader is used by one thread at a time; readers of one log are
   independent, so each worker can read its own chunks.  */
struct dg_columns;

/* Bytes low .. high - 1; high 0: no limit.  */
struct dg_columns_span {
  uint64_t low, high;
};

struct dg_columns_options {
  size_t size;                    /* sizeof (struct dg_columns_options) */
  const struct dg_filter *filter; /* NULL: all accesses */
  const uint32_t *threads;        /* n_threads 0: all */
  size_t n_threads;
  uint64_t start_icount, end_icount; /* end 0: to the end */
  uint64_t low, high; /* that overlap low .. high - 1; high 0: no
                         limit */
  unsigned kinds;     /* bits 1 << DG_ACC_READ, 1 << DG_ACC_WRITE; 0:
                         both */
  /* Columns that will not be requested: without addresses (and limits of them,
     or conditions on ranges) and without contexts, less must be decoded.  */
  bool no_addresses, no_contexts;
  /* That overlap at least one of these, besides the limits above; n_addresses
     0: all.  Copied.  In their order and apart, they are fastest.  */
  const struct dg_columns_span *addresses;
  size_t n_addresses;
};

/* Arrays of the caller, to be filled; NULL: not needed.  */
struct dg_columns_arrays {
  uint64_t *icount; /* before the instruction that made the access */
  uint64_t *address;
  uint64_t *instruction; /* address of that instruction */
  uint32_t *size;        /* bytes */
  uint32_t *context;
  uint32_t *thread;
  uint8_t *kind; /* DG_ACC_READ, DG_ACC_WRITE */
};

/* options may be NULL: all accesses of the log.  `threads` is copied; the log
   and the filter must outlive the reader.  NULL: DG_ERR_NOMEM,
   DG_ERR_INVALID.  */
DG_API struct dg_columns *
dg_columns_new (const struct dg_log *log,
                const struct dg_columns_options *options,
                struct dg_error *err);
DG_API void dg_columns_free (struct dg_columns *columns);

/* Goes to chunks first .. end - 1 of dg_log_chunks (SIZE_MAX: to the last
   one), any number of times; initially, to the whole log.  Only these chunks
   are decoded, when they are read.  */
DG_API int dg_columns_seek (struct dg_columns *columns, size_t first_chunk,
                            size_t end_chunk, struct dg_error *err);

/* Fills the first elements of the arrays, at most `max` of each, with the next
   accesses.  Returns their number, 0 at the end, < 0 on error.  Fewer than
   `max` are returned only at the end of a chunk; *chunk receives the number of
   the chunk unless it is NULL: all accesses of a call are in one chunk.  After
   an error, earlier results stay valid.  */
DG_API ptrdiff_t dg_columns_read (struct dg_columns *columns,
                                  const struct dg_columns_arrays *arrays,
                                  size_t max, size_t *chunk,
                                  struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_COLUMNS_H */
