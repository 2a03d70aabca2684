/* usage.h: what the parts of dg_usage_run share.

   A chunk of the log is one job.  Its worker brings its map of the heap up to
   the chunk, follows allocations, frees and accesses through it, and leaves
   what others need: counts of blocks, and the touched bytes of blocks that
   began before or go on behind it.  These are put together in the order of
   the chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_USAGE_PRIVATE_H
#define DG_USAGE_PRIVATE_H

#include "base/progress.h"
#include "libdatagrind.h"
#include "feed/feed.h"
#include "usage_map.h"

/* What happens to a block, in the order of the log: its number, and this bit
   if it ends.  */
#define DG_USAGE_IS_END (UINT32_C (1) << 31)

/* Of a block, in one chunk.  */
struct dg_usage_part {
  uint64_t n[2], bytes[2]; /* by DG_ACC_READ, DG_ACC_WRITE */
  uint64_t first_icount, last_icount, last_instruction;
  uint32_t last_context, last_thread;
  uint32_t block;
};

/* A block that began and ended in one chunk, and that nobody else has to do
   with.  */
struct dg_usage_finished {
  struct dg_usage_part part;
  uint64_t read, written, touched; /* bytes */
};

/* What happened to blocks and their touched bytes, in order.  */
enum dg_usage_change_kind {
  DG_USAGE_BEGINS,    /* its bytes are untouched, or those that it takes
                       over from `previous` */
  DG_USAGE_HOLDS,     /* another one begins in it */
  DG_USAGE_ENDS,      /* with the next n_lines of `closed`, and counts */
  DG_USAGE_ENDS_HELD, /* others began in it: with the bytes that were no
                       other's, and counts */
  DG_USAGE_FINISHED,  /* the next n_lines of `finished` */
  DG_USAGE_COUNTS     /* goes on, with counts */
};
struct dg_usage_change {
  enum dg_usage_change_kind kind;
  uint32_t block;
  uint32_t previous; /* DG_NONE: none */
  size_t n_lines;
  size_t n_spans;  /* the next ones of `spans` */
  bool has_counts; /* the next ones of `counts` */
};

struct dg_usage_result {
  struct dg_table parts;    /* struct dg_usage_part */
  struct dg_table changes;  /* struct dg_usage_change */
  struct dg_table finished; /* struct dg_usage_finished */
  struct dg_table closed;   /* struct dg_usage_line */
  struct dg_table spans;    /* struct dg_usage_span */
  struct dg_table lines;    /* struct dg_usage_line: at the end of the chunk */
  struct dg_table counts;   /* uint16_t */
};

/* What is known of blocks that are alive, between chunks.  */
struct dg_usage_carry {
  /* Those that were accessed, or of which there is something else to tell.  */
  struct dg_table live;          /* struct dg_usage_block */
  struct dg_usage_index live_of; /* block -> place in these, from 1 */
  struct dg_shadow pages; /* which bytes were touched */
  /* What the block that a realloc is about to replace has had.  */
  struct dg_table stash; /* struct dg_usage_line */
  uint32_t stash_of;     /* that block; DG_NONE: there is nothing */
  GHashTable *counts;    /* block -> uint16_t of each byte */
};

/* A pass over a log.  */
struct dg_usage_pass {
  const struct dg_log *log;
  struct dg_usage_options options;
  struct dg_usage_blocks of;
  const struct dg_chunk *chunks;
  size_t n_chunks;
  /* Those of the blocks that the log has now: all, or a window's
     (usage_window.c).  */
  size_t first_chunk, end_chunk;
  uint32_t *events; /* see DG_USAGE_IS_END */
  size_t n_events;
  const struct dg_kernel_access *kernel;
  size_t n_kernel;
  struct dg_feed_plan plan;
  struct dg_usage_carry carry;
  struct dg_progress progress;
  bool has_begun; /* a window */
  /* Blocks have overlapped; and did so in a window before, so that bits may be
     set where no block is: each block clears its own when it begins.  */
  bool has_overlaps, clears;
  size_t done;    /* chunks */
  GThread *caller;
  gint64 next_pace;  /* us; the caller's */
  gint is_cancelled; /* atomic */
};

/* When an event happens.  */
static inline uint64_t
dg_usage_when (const struct dg_usage_pass *pass, size_t event)
{
  uint32_t what = pass->events[event];
  const struct dg_block_extent block =
    dg_log_block_extent (pass->log, what & ~DG_USAGE_IS_END);

  return what & DG_USAGE_IS_END ? block.free_icount : block.alloc_icount;
}

/* How many steps are done between two calls of dg_usage_goes_on.  */
#define DG_USAGE_PACE 256
/* usage.c: false when the pass was cancelled.  On the calling thread it tells
   the progress, if that is due: with one worker nobody else does.  */
bool dg_usage_goes_on (struct dg_usage_pass *pass);

/* usage_chunk.c: a worker.  */
struct dg_usage_worker;
struct dg_usage_worker *dg_usage_worker_new (struct dg_usage_pass *pass,
                                             struct dg_error *err);
void dg_usage_worker_free (struct dg_usage_worker *worker);
/* Chunks come in ascending order.  */
int dg_usage_worker_run (struct dg_usage_worker *worker, size_t chunk,
                         struct dg_usage_result *result, struct dg_error *err);

/* usage_events.c: events, which block each realloc replaces, and which large
   blocks overlap.  0 or DG_ERR_NOMEM.  */
int dg_usage_list_events (struct dg_usage_pass *pass, struct dg_error *err);

/* usage_window.c: the next blocks of a log whose blocks pass, and the chunks
   in which they live; of other logs, all.  What is known of those that are
   alive is kept.  1, 0 at the end, < 0.  */
int dg_usage_next_window (struct dg_usage_pass *pass, struct dg_error *err);

/* usage_merge.c  */
void dg_usage_carry_init (struct dg_usage_carry *carry);
void dg_usage_carry_fini (struct dg_usage_carry *carry);
/* Takes over a chunk's result.  */
int dg_usage_merge (struct dg_usage_pass *pass,
                    const struct dg_usage_result *result,
                    struct dg_error *err);
/* The log ends: blocks that are alive are as they are.  */
int dg_usage_merge_last (struct dg_usage_pass *pass, struct dg_error *err);

/* The bits of a line that are of the bytes low .. high - 1.  */
static inline uint64_t
dg_usage_mask (uint64_t line, uint64_t low, uint64_t high)
{
  uint64_t origin = line << DG_USAGE_LINE_SHIFT, bits = UINT64_MAX;

  if (low > origin)
    bits = low - origin < 64 ? bits << (low - origin) : 0;
  if (high <= origin)
    return 0;
  if (high - origin < 64)
    bits &= (UINT64_C (1) << (high - origin)) - 1;
  return bits;
}

#endif /* DG_USAGE_PRIVATE_H */
