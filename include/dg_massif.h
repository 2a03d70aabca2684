/* dg_massif.h: the memory of a program over time, by Massif's algorithm,
   worked out from a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   What Valgrind's Massif would have reported about the run of a log, with
   any of its options, and what it cannot show: the true peak, and trees at
   moments that somebody asks for.  docs/man/dg-heap.1 explains the options;
   the rules of libdatagrind.h hold here, too.  */

#ifndef LIBDATAGRIND_MASSIF_H
#define LIBDATAGRIND_MASSIF_H

#include <stdio.h>

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the axis of time counts.  */
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

/* A tree that was asked for, at a moment of its own.  */
struct dg_massif_moment {
  uint64_t icount;         /* the state before this instruction; DG_NEVER: at
                              the end */
  uint32_t order;          /* not 0: the state before what has this order */
  const char *label;       /* for those who show it; may be NULL */
};

/* Of the same names and defaults as Massif's.  */
struct dg_massif_options {
  size_t size;             /* sizeof (struct dg_massif_options) */
  bool heap;               /* yes: blocks (or pages) count */
  bool stacks;             /* no: what the stacks take counts, too; needs a
                              log with DG_PROCESS_STACKS */
  bool pages_as_heap;      /* no: pages instead of blocks */
  bool exact_peak;         /* no: the peak is the true one, to the byte */
  uint32_t heap_admin;     /* 8: bytes of administration of each block */
  uint32_t depth;          /* 30: frames of a stack at most */
  uint32_t detailed_freq;  /* 10: each n-th snapshot has a tree */
  uint32_t max_snapshots;  /* 100 */
  double threshold;        /* 1.0: percent of the whole below which the nodes
                              of a tree are merged */
  double peak_inaccuracy;  /* 1.0: percent by which a new peak must be above
                              the one before it */
  enum dg_massif_time time_unit;           /* i */
  const char *const *alloc_fns;            /* besides malloc and the like */
  size_t n_alloc_fns;
  const char *const *ignore_fns;
  size_t n_ignore_fns;
  const struct dg_massif_moment *at;       /* in any order */
  size_t n_at;
  unsigned workers;        /* threads; 0: one per processor */
};
/* size: of *options, as in its first member.  */
DG_API void dg_massif_defaults (struct dg_massif_options *options,
                                size_t size);

enum dg_massif_kind {
  DG_MASSIF_NORMAL = 0,    /* sums only */
  DG_MASSIF_DETAILED,      /* with a tree */
  DG_MASSIF_PEAK           /* with a tree, and the peak */
};

/* The state at a moment.  Bytes, but time, which is in the unit of the
   options.  */
struct dg_massif_snapshot {
  uint64_t time, icount;
  uint64_t heap;           /* asked for, of blocks that are not ignored */
  uint64_t extra;          /* administration, and what blocks are larger */
  uint64_t stacks;
  enum dg_massif_kind kind;
  const struct dg_massif_moment *moment;   /* that asked for it, or NULL */
};

struct dg_massif;

/* Replays a loaded log.  It and the symbols must outlive the result, and so
   must what alloc_fns and ignore_fns point to.  symbols may be NULL: nothing
   has a name then.  Progress is in steps.  Without stacks, no access is
   decoded.  DG_ERR_INVALID: options out of their range, or that contradict
   each other, or stacks of a log that has none; the message says which.
   Memory: 8 bytes for each event of the heap and 4 for each block while it
   runs, and 16 for each site that has bytes in each tree that is kept; with
   stacks, 24 for each change of a stack pointer in some chunks.  */
DG_API int dg_massif_run (const struct dg_log *log,
                          struct dg_symbols *symbols,
                          const struct dg_massif_options *options,
                          dg_progress_fn progress, void *user,
                          struct dg_massif **massif, struct dg_error *err);
/* NULL is fine.  */
DG_API void dg_massif_free (struct dg_massif *massif);

DG_API const struct dg_massif_options *
dg_massif_options (const struct dg_massif *massif);
/* In the order of time; there is always one.  */
DG_API const struct dg_massif_snapshot *
dg_massif_snapshots (const struct dg_massif *massif, size_t *n);
/* The index of the one that is the peak; SIZE_MAX: none is.  */
DG_API size_t dg_massif_peak (const struct dg_massif *massif);
/* What the file has behind "cmd: ": the program and its arguments, in one
   line.  */
DG_API const char *dg_massif_command (const struct dg_massif *massif);
/* What the log lacks for a result as Massif's, one complete sentence each;
   NULL when index is past the last.  */
DG_API const char *dg_massif_note (const struct dg_massif *massif,
                                   size_t index);

/* A node of a tree.  Children stand by bytes, the most first.  */
struct dg_massif_node {
  uint64_t bytes;
  uint64_t address;        /* of a frame; 0 of the top and of merged nodes */
  const char *label;       /* what the file has behind the bytes:
                              "0x401136: f (a.c:3)" */
  const struct dg_massif_node *children;
  uint32_t n_children;
  uint32_t n_merged;       /* > 0: this number of small ones */
};

/* The tree of a snapshot that has one: its top node.  To be freed with
   dg_massif_tree_free.  NULL: out of memory, or it has none
   (DG_ERR_INVALID).  Any number of threads.  */
struct dg_massif_tree;
DG_API struct dg_massif_tree *
dg_massif_tree_new (const struct dg_massif *massif, size_t snapshot,
                    struct dg_error *err);
DG_API const struct dg_massif_node *
dg_massif_tree_top (const struct dg_massif_tree *tree);
DG_API void dg_massif_tree_free (struct dg_massif_tree *tree);

/* The frames at a code address as Valgrind's tools write them, the innermost
   inlined one first: "0x401136: f (a.c:3)".  The array ends with NULL; it and
   its strings are to be freed with free.  *is_last receives whether these
   tools tell nothing further out: it is main, or what calls it.  symbols may
   be NULL.  */
DG_API char **dg_massif_labels (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount, bool *is_last);

/* Writes the file that Massif writes.  desc: the text behind "desc:", such as
   "--time-unit=B"; NULL: "(none)".  DG_ERR_IO, DG_ERR_NOMEM.  */
DG_API int dg_massif_write (const struct dg_massif *massif, const char *desc,
                            FILE *file, struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_MASSIF_H */
