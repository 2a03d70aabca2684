/* dg_curve.h: the bytes of the heap that are alive, over time and by who
   allocated them: what a picture of the heap is drawn from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   A block is alive at the moments from its allocation up to, but not with,
   its end: what is freed and allocated between the same two instructions (a
   realloc) makes one change, and a block that lives for no instruction none.
   Bytes are those asked for.  Pieces of a memory pool are not counted, as they
   lie in memory that is.

   The rules of libdatagrind.h hold here, too.  */

#ifndef LIBDATAGRIND_CURVE_H
#define LIBDATAGRIND_CURVE_H

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Source ---------------------------------------------------------- */

/* The changes of a log's heap in their order, with states at some moments in
   between, so that a curve of any part is quick.  Made once for a log; any
   number of threads may build curves from it at once.  */
struct dg_curve_source;

struct dg_curve_source_options {
  size_t size; /* sizeof (struct dg_curve_source_options) */
  /* Functions that are not named as the site of an allocation, besides malloc
     and its like, Valgrind's replacements of these, and what the C++ library
     has around operator new.  */
  const char *const *alloc_fns;
  size_t n_alloc_fns;
  /* Blocks that are allocated right in one of these do not count.  */
  const char *const *ignore_fns;
  size_t n_ignore_fns;
};

/* For a loaded log; both must outlive the source.  options may be NULL: all
   zero.  symbols may be NULL: then sites are addresses, functions and modules
   are unknown, and options name none.  Names are looked up when a curve first
   needs them.  Memory: up to 32 bytes for each allocation and free, most often
   20.  NULL on failure: DG_ERR_NOMEM, DG_ERR_INVALID, DG_ERR_CANCELLED.
   Progress is in steps.  */
DG_API struct dg_curve_source *
dg_curve_source_new (const struct dg_log *log, struct dg_symbols *symbols,
                     const struct dg_curve_source_options *options,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err);
/* NULL is fine.  */
DG_API void dg_curve_source_free (struct dg_curve_source *source);

/* ---- Curve ----------------------------------------------------------- */

/* What makes a series.  */
enum dg_curve_by {
  DG_CURVE_BY_SITE = 0,    /* the line that allocates: the innermost frame that
                              is not an allocation function */
  DG_CURVE_BY_FUNCTION,    /* of that frame */
  DG_CURVE_BY_MODULE,      /* of that frame */
  DG_CURVE_BY_ALLOCATOR,   /* malloc, calloc, operator new... */
  DG_CURVE_BY_THREAD       /* that allocated */
};
/* "site", "function"...; NULL for others.  */
DG_API const char *dg_curve_by_name (enum dg_curve_by by);

/* What the axis counts: columns are equal by it.  */
enum dg_curve_time {
  DG_CURVE_INSTRUCTIONS = 0,
  DG_CURVE_BYTES,          /* allocated and freed so far; blocks that live for
                              no instruction are left out */
  DG_CURVE_NS              /* by the log's clock */
};

#define DG_CURVE_MAX_COLUMNS 65536u
#define DG_CURVE_MAX_SERIES  1024u

struct dg_curve_options {
  size_t size; /* sizeof (struct dg_curve_options) */
  /* Moments from start_icount up to, but not with, end_icount; 0: to the end
     of the log, and with it.  */
  uint64_t start_icount, end_icount;
  uint32_t columns;        /* at most; 0: 1000.  There are fewer when the time
                              has fewer steps.  */
  uint32_t series;         /* that are shown one by one; all others are summed
                              up in one more.  0: 10 */
  enum dg_curve_by by;
  enum dg_curve_time time;
};

struct dg_curve_series {
  /* What it is: the same number in all curves of a source that are by the
     same; DG_NONE: all the others.  */
  uint32_t id;
  /* Its place, from 0, by the most bytes that it has at any moment of the
     whole log; DG_NONE of the others.  So that a site can keep its colour.  */
  uint32_t rank;
  /* "parse (input.c:120)", "parse", "libxml2.so.2", "calloc", "thread 2
     (worker)", or as much of it as is known: "0x4011f2 (prog)"; "3 other
     sites".  Never NULL.  */
  const char *name;
  /* Of the frame; interned in the symbols; NULL and 0 when unknown, or when
     frames of the series differ in it.  */
  const char *function, *file, *module;
  uint32_t line;
  uint32_t column, call, folders;      /* as those of struct dg_site_frame */
  /* A call stack that allocates there: of the ones with the most bytes at the
     peak the first; and a moment at which it did.  n 0: there is none.  */
  struct dg_stack stack;
  uint64_t stack_icount;
  uint32_t members;        /* 1; of the others: how many they are */
  uint64_t peak_bytes, peak_blocks;      /* at the curve's peak */
  uint64_t max_bytes;      /* the most in any column's moment */
};

/* The moments from start_icount up to, but not with, end_icount; `icount` is
   the first of those with the most bytes alive, and the column's figures are
   of that moment, so that a peak never vanishes, however short it is.  */
struct dg_curve_column {
  uint64_t start_icount, end_icount;
  uint64_t icount;
  uint64_t total;          /* bytes alive at `icount` */
  uint64_t min_total;      /* the fewest at any moment of the column */
  uint64_t blocks;         /* alive at `icount` */
};

/* Recording of accesses was off from start to end, which is DG_NEVER when it
   was not turned on again.  (The heap is recorded all the same.)  */
struct dg_curve_gap { uint64_t start_icount, end_icount; };

/* Read-only, and of its own, but for names, which live as long as the source
   and the log.  */
struct dg_curve {
  enum dg_curve_by by;
  enum dg_curve_time time;
  uint64_t start_icount, end_icount;
  /* In the unit of time; column c begins at
     start_time + (end_time - start_time) * c / n_columns.  */
  uint64_t start_time, end_time;
  size_t n_columns, n_series;            /* at least 1 and 0 */
  const struct dg_curve_column *columns;
  /* Those with the most bytes at the peak first, all the others last.  */
  const struct dg_curve_series *series;
  /* Bytes of series s at the moment of column c: bytes[c * n_series + s].
     They add up to the column's total.  */
  const uint64_t *bytes;
  /* The first of the moments with the most bytes.  */
  size_t peak_column;
  uint64_t peak_icount, peak_bytes, peak_blocks;
  /* The user's events that overlap it, in the order of the log: indices in
     dg_log_events.  */
  const uint32_t *events;
  size_t n_events;
  const struct dg_curve_gap *gaps;       /* that overlap it */
  size_t n_gaps;
  const struct dg_log *log;
  struct dg_curve_source *source;        /* must outlive it */
};

/* Builds a curve.  Takes, after the first one that is by the same, some ns for
   each change of the heap in the part, and less where there are many for each
   column.  options may be NULL: all zero.  DG_ERR_INVALID: options out of
   their range, or DG_CURVE_NS of a log without a clock.  */
DG_API int dg_curve_build (struct dg_curve_source *source,
                           const struct dg_curve_options *options,
                           dg_progress_fn progress, void *user,
                           struct dg_curve **curve, struct dg_error *err);
/* NULL is fine.  */
DG_API void dg_curve_free (struct dg_curve *curve);

/* Where a moment stands on the axis, from 0 (start) to 1 (end); moments
   outside are moved to its ends.  Exact at the edges of columns.  */
DG_API double dg_curve_position (const struct dg_curve *curve,
                                 uint64_t icount);
/* The moment at a place of the axis, which is brought into 0..1.  */
DG_API uint64_t dg_curve_moment (const struct dg_curve *curve,
                                 double position);
/* The column that holds a moment; the nearest one for those outside.  */
DG_API size_t dg_curve_column_at (const struct dg_curve *curve,
                                  uint64_t icount);
/* The series that a block of the log belongs to; DG_NONE: it does not
   count.  */
DG_API uint32_t dg_curve_series_of (const struct dg_curve *curve,
                                    const struct dg_block *block);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CURVE_H */
