/* dg_massif.h: the memory of a program over time, computed from a log by
   Massif's algorithm.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   What Valgrind's Massif would have reported about the run of a log, with any
   of its options; and, in addition, the true peak, and trees at chosen
   moments. docs/man/dg-heap.1 explains the options; the rules of
   libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_MASSIF_H
#define LIBDATAGRIND_MASSIF_H

#include <stdio.h>

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The unit of the time axis.  */
enum dg_massif_time {
  DG_MASSIF_TIME_I = 0,    /* instructions */
  DG_MASSIF_TIME_MS,       /* milliseconds, by the log's clock */
  DG_MASSIF_TIME_B         /* bytes allocated and freed so far */
};
/* "i", "ms" or "B".  */
DG_API const char *dg_massif_time_name (enum dg_massif_time unit);

#define DG_MASSIF_MAX_ADMIN     1024u
#define DG_MASSIF_MAX_DEPTH     200u
#define DG_MASSIF_MAX_FREQ      1000000u
#define DG_MASSIF_MIN_SNAPSHOTS 10u
#define DG_MASSIF_MAX_SNAPSHOTS 1000u

/* A requested tree at a moment.  */
struct dg_massif_moment {
  uint64_t icount;         /* the state before this instruction; DG_NEVER: at
                              the end of the log */
  uint32_t order;          /* not 0: the state before the record with this
                              order */
  const char *label;       /* to be shown; may be NULL */
};

/* The names and defaults are those of Massif.  */
struct dg_massif_options {
  size_t size;             /* sizeof (struct dg_massif_options) */
  bool heap;               /* yes: blocks (or pages) count */
  bool stacks;             /* no: the size of stacks counts, too; needs a log
                              with DG_PROCESS_STACKS */
  bool pages_as_heap;      /* no: pages instead of blocks */
  bool exact_peak;         /* no: the peak is the true one, to the byte */
  uint32_t heap_admin;     /* 8: bytes of overhead per block */
  uint32_t depth;          /* 30: maximum number of frames of a stack */
  uint32_t detailed_freq;  /* 10: each n-th snapshot has a tree */
  uint32_t max_snapshots;  /* 100 */
  double threshold;        /* 1.0: nodes of a tree below this percentage of
                              all bytes are merged */
  double peak_inaccuracy;  /* 1.0: percentage by which a peak must exceed the
                              previous one */
  enum dg_massif_time time_unit;           /* i */
  const char *const *alloc_fns;            /* in addition to malloc etc. */
  size_t n_alloc_fns;
  const char *const *ignore_fns;
  size_t n_ignore_fns;
  const struct dg_massif_moment *at;       /* in any order */
  size_t n_at;
  unsigned workers;        /* threads; 0: one per processor */
};
/* size: the size of *options, as in its first member.  */
DG_API void dg_massif_defaults (struct dg_massif_options *options,
                                size_t size);

enum dg_massif_kind {
  DG_MASSIF_NORMAL = 0,    /* sums only */
  DG_MASSIF_DETAILED,      /* with a tree */
  DG_MASSIF_PEAK           /* with a tree, and the peak */
};

/* The state at a moment.  In bytes, except for the time, which is in the unit
   of the options.  */
struct dg_massif_snapshot {
  uint64_t time, icount;
  uint64_t heap;           /* requested bytes, without ignored blocks */
  uint64_t extra;          /* overhead, and bytes that were not requested */
  uint64_t stacks;
  enum dg_massif_kind kind;
  const struct dg_massif_moment *moment;   /* the reason, or NULL */
};

struct dg_massif;

/* Replays a loaded log.  The log, the symbols, and the strings of alloc_fns
   and ignore_fns must outlive the result. symbols may be NULL: then there are
   no names.  Progress is in steps.  Without stacks, no accesses are decoded.
   DG_ERR_INVALID: options are out of range or contradict each other, or stacks
   of a log without stack pointers; the message has the option.  Memory: 8
   bytes for each heap event and 4 for each block during the call, and 16 for
   each site with bytes in each tree; with stacks, 24 for each change of a
   stack pointer in some chunks.  */
DG_API int dg_massif_run (const struct dg_log *log,
                          struct dg_symbols *symbols,
                          const struct dg_massif_options *options,
                          dg_progress_fn progress, void *user,
                          struct dg_massif **massif, struct dg_error *err);
/* NULL is allowed.  */
DG_API void dg_massif_free (struct dg_massif *massif);

DG_API const struct dg_massif_options *
dg_massif_options (const struct dg_massif *massif);
/* In the order of time; there is always at least one.  */
DG_API const struct dg_massif_snapshot *
dg_massif_snapshots (const struct dg_massif *massif, size_t *n);
/* The index of the peak; SIZE_MAX: there is none.  */
DG_API size_t dg_massif_peak (const struct dg_massif *massif);
/* The text after "cmd: " in the file: the program and its arguments, in one
   line.  */
DG_API const char *dg_massif_command (const struct dg_massif *massif);
/* Data that the log lacks for a result like that of Massif, one complete
   sentence each; NULL if index is after the last.  */
DG_API const char *dg_massif_note (const struct dg_massif *massif,
                                   size_t index);

/* A node of a tree.  Children are sorted by bytes, in descending order.  */
struct dg_massif_node {
  uint64_t bytes;
  uint64_t address;        /* of a frame; 0 for the top and merged nodes */
  const char *label;       /* the text after the bytes in the file:
                              "0x401136: f (a.c:3)" */
  const struct dg_massif_node *children;
  uint32_t n_children;
  uint32_t n_merged;       /* > 0: it stands for this number of small nodes */
};

/* The tree of a snapshot.  To be freed with dg_massif_tree_free.  NULL: not
   enough memory, or the snapshot has no tree (DG_ERR_INVALID).  Any number of
   threads.  */
struct dg_massif_tree;
DG_API struct dg_massif_tree *
dg_massif_tree_new (const struct dg_massif *massif, size_t snapshot,
                    struct dg_error *err);
DG_API const struct dg_massif_node *
dg_massif_tree_top (const struct dg_massif_tree *tree);
DG_API void dg_massif_tree_free (struct dg_massif_tree *tree);

/* The frames at a code address as Valgrind's tools write them, the innermost
   inlined one first: "0x401136: f (a.c:3)".  The array ends with NULL; the
   array and its strings are to be freed with free.  *is_last receives whether
   these tools show no further callers: it is main, or a caller of main.
   symbols may be NULL.  */
DG_API char **dg_massif_labels (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount, bool *is_last);

/* Writes Massif's file. desc: the text after "desc:", such as "--time-unit=B";
   NULL: "(none)".  DG_ERR_IO, DG_ERR_NOMEM.  */
DG_API int dg_massif_write (const struct dg_massif *massif, const char *desc,
                            FILE *file, struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_MASSIF_H */
