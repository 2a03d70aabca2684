/* dg_curve.h: live bytes of the heap over time, by allocation site and so on,
   for pictures of the heap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   A block is live from its allocation up to, but not including, its end: a
   free and an allocation between the same two instructions (a realloc) are one
   change, and a block that lives for no instruction is none.  Bytes are
   requested bytes.  Chunks of memory pools are not counted, as they are in
   memory that is counted.

   The rules of libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_CURVE_H
#define LIBDATAGRIND_CURVE_H

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Source ---------------------------------------------------------- */

/* The changes of a log's heap in order, with states at some moments, so that
   curves of any interval are fast.  Made once for a log; any number of threads
   may make curves from it at the same time.  */
struct dg_curve_source;

struct dg_curve_source_options {
  size_t size; /* sizeof (struct dg_curve_source_options) */
  /* Functions that are not allocation sites, in addition to malloc and similar
     functions, Valgrind's replacements, and the functions of the C++ library
     around operator new.  */
  const char *const *alloc_fns;
  size_t n_alloc_fns;
  /* Blocks that these functions allocate directly are not counted.  */
  const char *const *ignore_fns;
  size_t n_ignore_fns;
};

/* For a loaded log; the log and the symbols must outlive the source. options
   may be NULL: all zero. symbols may be NULL: then sites are addresses,
   functions and modules are unknown, and the options must not contain names.
   Names are looked up when a curve first needs them.  Memory: up to 32 bytes
   for each allocation and free, usually 20.  NULL on failure: DG_ERR_NOMEM,
   DG_ERR_INVALID, DG_ERR_CANCELLED. Progress is in steps.  */
DG_API struct dg_curve_source *
dg_curve_source_new (const struct dg_log *log, struct dg_symbols *symbols,
                     const struct dg_curve_source_options *options,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err);
/* NULL is fine.  */
DG_API void dg_curve_source_free (struct dg_curve_source *source);

/* ---- Curve ----------------------------------------------------------- */

/* How bytes are divided into series.  */
enum dg_curve_by {
  DG_CURVE_BY_SITE = 0,    /* the line that allocates: the innermost frame that
                              is not an allocator */
  DG_CURVE_BY_FUNCTION,    /* of that frame */
  DG_CURVE_BY_MODULE,      /* of that frame */
  DG_CURVE_BY_ALLOCATOR,   /* malloc, calloc, operator new... */
  DG_CURVE_BY_THREAD       /* that allocated */
};
/* "site", "function"...; NULL for others.  */
DG_API const char *dg_curve_by_name (enum dg_curve_by by);

/* The unit of the axis; columns have equal widths in it.  */
enum dg_curve_time {
  DG_CURVE_INSTRUCTIONS = 0,
  DG_CURVE_BYTES,          /* allocated and freed so far, without blocks that
                              live for no instruction */
  DG_CURVE_NS              /* by the log's clock */
};

#define DG_CURVE_MAX_COLUMNS 65536u
#define DG_CURVE_MAX_SERIES  1024u

struct dg_curve_options {
  size_t size; /* sizeof (struct dg_curve_options) */
  /* From start_icount up to, but not including, end_icount; 0: up to and
     including the end of the log.  */
  uint64_t start_icount, end_icount;
  uint32_t columns;        /* at most; 0: 1000.  Fewer if the time has fewer
                              steps.  */
  uint32_t series;         /* with names of their own; all others are one more
                              series.  0: 10 */
  enum dg_curve_by by;
  enum dg_curve_time time;
};

struct dg_curve_series {
  /* The same number in all curves of a source with the same `by`; DG_NONE: the
     series of all others.  */
  uint32_t id;
  /* Its rank, from 0, by its maximum bytes at any moment of the whole log, so
     that a site can keep its colour; DG_NONE for all others.  */
  uint32_t rank;
  /* "parse (input.c:120)", "parse", "libxml2.so.2", "calloc", "thread 2
     (worker)", or the known part of it: "0x4011f2 (prog)"; "3 other sites".
     Never NULL.  */
  const char *name;
  /* From the frame; interned in the symbols; NULL and 0 if unknown, or if it
     differs between frames of the series.  */
  const char *function, *file, *module;
  uint32_t line;
  uint32_t column, call, folders;      /* as in struct dg_site_frame */
  /* A call stack that allocates there: the first one with the most bytes at
     the peak, and a moment at which it did. n 0: none.  */
  struct dg_stack stack;
  uint64_t stack_icount;
  uint32_t members;        /* 1; for the series of all others, their number */
  uint64_t peak_bytes, peak_blocks;      /* at the curve's peak */
  uint64_t max_bytes;      /* the most in any column's moment */
};

/* The interval from start_icount up to, but not including, end_icount;
   `icount` is the first moment in it with the most live bytes, and the values
   of the column are those at this moment, so even the shortest peak is
   visible.  */
struct dg_curve_column {
  uint64_t start_icount, end_icount;
  uint64_t icount;
  uint64_t total;          /* live bytes at `icount` */
  uint64_t min_total;      /* the fewest at any moment of the column */
  uint64_t blocks;         /* live blocks at `icount` */
};

/* Recording of accesses was off from start to end (DG_NEVER: it was not
   switched on again).  The heap is always recorded.  */
struct dg_curve_gap { uint64_t start_icount, end_icount; };

/* Read-only and independent, except for names, which are valid as long as the
   source and the log.  */
struct dg_curve {
  enum dg_curve_by by;
  enum dg_curve_time time;
  uint64_t start_icount, end_icount;
  /* In the unit of time; column c starts at start_time + (end_time -
     start_time) * c / n_columns.  */
  uint64_t start_time, end_time;
  size_t n_columns, n_series;            /* at least 1 and 0 */
  const struct dg_curve_column *columns;
  /* Those with the most bytes at the peak first; the series of all others
     last.  */
  const struct dg_curve_series *series;
  /* Bytes of series s at the moment of column c: bytes[c * n_series + s].
     They add up to the column's total.  */
  const uint64_t *bytes;
  /* The first moment with the most live bytes.  */
  size_t peak_column;
  uint64_t peak_icount, peak_bytes, peak_blocks;
  /* Events of the program that overlap it, in the order of the log: indices in
     dg_log_events.  */
  const uint32_t *events;
  size_t n_events;
  const struct dg_curve_gap *gaps;       /* that overlap it */
  size_t n_gaps;
  const struct dg_log *log;
  struct dg_curve_source *source;        /* must outlive it */
};

/* Builds a curve.  After the first curve with the same `by`, this takes some
   ns for each change of the heap in the interval, and less if there are many
   for each column. options may be NULL: all zero.  DG_ERR_INVALID: options are
   out of range, or DG_CURVE_NS for a log without a clock.  */
DG_API int dg_curve_build (struct dg_curve_source *source,
                           const struct dg_curve_options *options,
                           dg_progress_fn progress, void *user,
                           struct dg_curve **curve, struct dg_error *err);
/* NULL is fine.  */
DG_API void dg_curve_free (struct dg_curve *curve);

/* The position of a moment on the axis, from 0 (start) to 1 (end); moments
   outside are moved to the nearest end.  Exact at the edges of columns.  */
DG_API double dg_curve_position (const struct dg_curve *curve,
                                 uint64_t icount);
/* The moment at a position on the axis, which is limited to 0..1.  */
DG_API uint64_t dg_curve_moment (const struct dg_curve *curve,
                                 double position);
/* The column that contains a moment; for moments outside, the nearest one.  */
DG_API size_t dg_curve_column_at (const struct dg_curve *curve,
                                  uint64_t icount);
/* The series of a block of the log; DG_NONE: the block is not counted.  */
DG_API uint32_t dg_curve_series_of (const struct dg_curve *curve,
                                    const struct dg_block *block);
/* The `id` of the series that a block is in, whether or not the curve has it;
   DG_NONE: the block is not counted.  */
DG_API uint32_t dg_curve_id_of (const struct dg_curve *curve,
                                const struct dg_block *block);
/* The series with this id as a curve would have it that has no bytes of it:
   with its first stack, and 0 bytes.  */
DG_API void dg_curve_describe (const struct dg_curve *curve, uint32_t id,
                               struct dg_curve_series *series);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CURVE_H */
