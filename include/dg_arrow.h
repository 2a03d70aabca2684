/* dg_arrow.h: the tables of a log as streams of Arrow batches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Streams follow the Arrow C data and C stream interfaces, which are structs
   only: nothing else of Arrow is needed, here or by callers.

     https://arrow.apache.org/docs/format/CDataInterface.html
     https://arrow.apache.org/docs/format/CStreamInterface.html

   A batch of accesses is decoded when it is requested, into the batch's own
   buffers, and only chunks that the query needs are read.  Batches, arrays and
   schemas own all they point to: they can be used after the stream and the log
   are gone, moved, and released in any order, on any thread.  */

#ifndef LIBDATAGRIND_ARROW_H
#define LIBDATAGRIND_ARROW_H

#include "dg_analyse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The structs of Arrow --------------------------------------------- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release) (struct ArrowSchema *schema);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release) (struct ArrowArray *array);
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema) (struct ArrowArrayStream *stream,
                     struct ArrowSchema *out);
  int (*get_next) (struct ArrowArrayStream *stream, struct ArrowArray *out);
  const char *(*get_last_error) (struct ArrowArrayStream *stream);
  void (*release) (struct ArrowArrayStream *stream);
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* ---- Tables ----------------------------------------------------------- */

enum dg_arrow_column_flags {
  DG_ARROW_ON_DEMAND = 1, /* only if the query names it: it costs time */
  DG_ARROW_NULLABLE = 2,
  DG_ARROW_ADDRESS = 4,   /* an address */
  DG_ARROW_NAME = 8       /* text as dictionary with int32 indices */
};
struct dg_arrow_column {
  const char *name;
  const char *format; /* of Arrow: "L" uint64, "I" uint32, "u" text, "+l" list
                         of "L"; of an unsigned query */
  unsigned flags;     /* enum dg_arrow_column_flags */
  const char *help;   /* a line: meaning and unit */
};

/* What a query on a table may leave out.  */
enum dg_arrow_limits {
  DG_ARROW_THREADS = 1,
  DG_ARROW_ICOUNTS = 2,
  DG_ARROW_ADDRESSES = 4,
  DG_ARROW_KINDS = 8,
  DG_ARROW_FILTER = 16, /* events, ranges */
  DG_ARROW_CHUNKS = 32
};
struct dg_arrow_table {
  const char *name, *help;
  /* NULL and 0 for an analysis: its columns depend on its options.  */
  const struct dg_arrow_column *columns;
  size_t n_columns;
  unsigned limits; /* enum dg_arrow_limits */
};
/* Fills *table with "accesses", the other tables of a log, then the analyses;
   what it points to is constant.  False: i is after the last.  An analysis
   NAME has the table `rows` of its report, or else `totals`, or else the
   first one; NAME/KEY is another table, NAME/values its figures, in one row,
   which is also what NAME has if the report has no table.  */
DG_API bool dg_arrow_table_at (size_t i, struct dg_arrow_table *table);

/* ---- Queries ---------------------------------------------------------- */

/* What streams of one log share: symbols, owners of addresses, variables.
   They are made when first needed.  Any thread.  The log must outlive it.  */
struct dg_arrow_shared;
DG_API struct dg_arrow_shared *
dg_arrow_shared_new (const struct dg_log *log,
                     const char *const *source_paths, struct dg_error *err);
/* Streams that use it keep it until they are released.  */
DG_API void dg_arrow_shared_free (struct dg_arrow_shared *shared);

struct dg_arrow_span {
  uint64_t low, high; /* [low, high); high 0: no limit */
};

/* Everything is copied, except the log, `shared` and the functions.  */
struct dg_arrow_query {
  size_t size;                /* sizeof (struct dg_arrow_query) */
  const char *table;          /* NULL: accesses */
  const char *const *columns; /* in this order; n_columns 0: all that are not
                                 on demand */
  size_t n_columns;
  bool is_empty;              /* no columns at all: only numbers of rows */
  bool is_signed;             /* int32, int64 for uint32, uint64: the same
                                 bits, for engines without unsigned types */
  size_t batch_rows;          /* at most; 0: 65,536 */
  /* What is left out.  A limit that the table does not have (dg_arrow_table)
     is DG_ERR_INVALID.  Objects over time (blocks, threads and so on) are left
     out if their time or memory does not overlap these.  */
  const uint32_t *threads;    /* n_threads 0: all */
  size_t n_threads;
  struct dg_arrow_span icounts;
  const struct dg_arrow_span *addresses; /* rows that overlap one of these;
                                            n_addresses 0: all */
  size_t n_addresses;
  unsigned kinds;             /* bits 1 << DG_ACC_READ, 1 << DG_ACC_WRITE; 0:
                                 both */
  const char *events, *ranges;           /* dg_filter.h; NULL: all */
  size_t first_chunk, end_chunk;         /* of dg_log_chunks; end 0: all */
  /* Options of an analysis; of another table, DG_ERR_INVALID.  */
  const struct dg_setting *settings;
  size_t n_settings;
  uint64_t top;               /* rows of its tables; 0: all */
  unsigned workers;           /* of an analysis; 0: one per processor */
  struct dg_arrow_shared *shared;        /* NULL: the stream makes its own */
  /* Called by get_next and get_schema on their thread, ten to fifty times a
     second; units as in dg_analyse.  Non-zero cancels: get_next fails with
     ECANCELED, and may be called again.  */
  dg_progress_fn progress;
  void *user;
  /* Called once, when the stream is released, or if dg_arrow_open fails after
     it has returned, on that thread: the log is not used any longer.  */
  void (*closed) (void *owner);
  void *owner;
  /* Options of an analysis that name files are refused: somebody else asks,
     who must not write files here.  */
  bool no_files;
};

/* Whether a query (NULL: all accesses) asks for heap blocks.  If not, the log
   can be loaded with DG_BLOCKS_NONE.  */
DG_API bool dg_arrow_needs_blocks (const struct dg_arrow_query *query);

/* Opens a stream of batches (struct arrays); query NULL: all accesses.  The
   log must outlive the stream.  Names, analyses and filters are evaluated by
   the first call of the stream that needs them.  Errors: DG_ERR_INVALID (an
   unknown table or column, a limit that the table does not have),
   DG_ERR_FILTER, DG_ERR_NOMEM; `closed` is then not called, and out->release
   is NULL.

   The stream is used by one thread at a time.  get_next fails with ENOMEM,
   EIO, EINVAL, ECANCELED or EILSEQ (damaged); get_last_error then has the
   message with its offset, and dg_arrow_status the code.  Batches before a
   failure remain valid.  */
DG_API int dg_arrow_open (const struct dg_log *log,
                          const struct dg_arrow_query *query,
                          struct ArrowArrayStream *out, struct dg_error *err);

/* The state of a stream.  */
struct dg_arrow_status {
  size_t size;             /* sizeof (struct dg_arrow_status) */
  uint64_t rows, batches;  /* returned */
  /* Of the log's chunks: those that the query excludes without decoding them,
     by numbers, icounts or the index; and those decoded so far.  */
  uint64_t chunks, chunks_excluded, chunks_read;
  struct dg_error error;   /* of the last call that failed; code 0: none */
};
/* DG_ERR_INVALID: not a stream of dg_arrow_open, or released.  */
DG_API int dg_arrow_status (const struct ArrowArrayStream *stream,
                            struct dg_arrow_status *status,
                            struct dg_error *err);
/* Conditions of events and ranges that match nothing, as dg_filter_problem has
   them, which belong to the stream; NULL if i is after the last.  Evaluates
   the filter; if that fails, the next call that needs the filter fails.  */
DG_API const char *dg_arrow_problem (struct ArrowArrayStream *stream,
                                     size_t i);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ARROW_H */
