/* dg_columns.h: accesses as columns: an array for each field, as data frames
   have them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_COLUMNS_H
#define LIBDATAGRIND_COLUMNS_H

#include "dg_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the accesses of a loaded log, or those that the options leave, in the
   order of the log.  One thread at a time; readers of one log are
   independent, so that each worker can read chunks of its own.  */
struct dg_columns;

struct dg_columns_options {
  size_t size;                    /* sizeof (struct dg_columns_options) */
  const struct dg_filter *filter; /* NULL: all accesses */
  const uint32_t *threads;        /* n_threads 0: of all */
  size_t n_threads;
  uint64_t start_icount, end_icount; /* end 0: to the end */
  uint64_t low, high; /* that touch a byte of low .. high - 1; high 0: no
                         bound */
  unsigned kinds;     /* bits 1 << DG_ACC_READ, 1 << DG_ACC_WRITE; 0:
                         both */
  /* What dg_columns_read is going to be asked for: without addresses (and
     bounds of them, or ranges of the filter), and without contexts, less has
     to be decoded.  */
  bool no_addresses, no_contexts;
};

/* Arrays of the caller, which are filled; NULL: not wanted.  */
struct dg_columns_arrays {
  uint64_t *icount; /* before the instruction that made the access */
  uint64_t *address;
  uint64_t *instruction; /* address of that instruction */
  uint32_t *size;        /* bytes */
  uint32_t *context;
  uint32_t *thread;
  uint8_t *kind; /* DG_ACC_READ, DG_ACC_WRITE */
};

/* options may be NULL: all accesses of the log.  What `threads` points to is
   copied; the log and the filter must live longer.  NULL: DG_ERR_NOMEM,
   DG_ERR_INVALID.  */
DG_API struct dg_columns *
dg_columns_new (const struct dg_log *log,
                const struct dg_columns_options *options,
                struct dg_error *err);
DG_API void dg_columns_free (struct dg_columns *columns);

/* Goes to chunks first .. end - 1 of dg_log_chunks (SIZE_MAX: to the last
   one), as often as one likes; at first it is at the whole log.  No other
   chunk is decoded, and one only when something of it is asked for.  */
DG_API int dg_columns_seek (struct dg_columns *columns, size_t first_chunk,
                            size_t end_chunk, struct dg_error *err);

/* Fills the first elements of the arrays, at most `max` of each, with the next
   accesses: their number, 0 at the end, < 0 an error.  Fewer than `max` are
   given only at the end of a chunk, which *chunk receives unless it is NULL:
   all accesses of a call are of one chunk.  After an error what was given
   before stands.  */
DG_API ptrdiff_t dg_columns_read (struct dg_columns *columns,
                                  const struct dg_columns_arrays *arrays,
                                  size_t max, size_t *chunk,
                                  struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_COLUMNS_H */
