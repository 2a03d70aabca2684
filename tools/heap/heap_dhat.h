/* heap_dhat.h: common declarations of `dg heap --dhat-out`.

   A point, DHAT's program point, has the counts of all blocks that were
   allocated with one call stack.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_DHAT_H
#define DG_HEAP_DHAT_H

#include "libdatagrind.h"
#include "heap_parts.h"

/* Blocks of more bytes have no histogram.  */
#define HEAP_DHAT_HISTOGRAM 1024

struct heap_dhat_point {
  uint64_t total_bytes, total_blocks;
  unsigned __int128 lifetimes;         /* instructions */
  uint64_t bytes, blocks;              /* live, during the replay */
  uint64_t max_bytes, max_blocks;
  uint64_t peak_bytes, peak_blocks;    /* when the whole heap was largest */
  uint64_t end_bytes, end_blocks;
  uint64_t read_bytes, written_bytes;
  /* Of blocks when they end.  */
  bool has_ended, is_mixed;
  uint64_t size;
  uint32_t *histogram;     /* of `size` bytes; NULL: there is none */
  GArray *frames;          /* guint: index of texts */
};

struct heap_dhat {
  const struct heap_input *input;
  const struct dg_log *log;
  size_t n;                /* of its blocks */
  uint64_t end_icount, peak_icount;
  uint32_t *points_of;     /* of each block */
  uint32_t *previous;      /* of each block, by a realloc; DG_NONE: none */
  uint8_t *wants;          /* of each block: its bytes are counted */
  GPtrArray *points;       /* struct heap_dhat_point */
  GPtrArray *frames;       /* char *: texts, [0] is the root */
};

/* heap_dhat_points.c: everything but accesses: CLI_OK, or the exit status
   after a message.  */
int heap_dhat_points (struct heap_dhat *dhat);
void heap_dhat_fini (struct heap_dhat *dhat);
/* Adds the usage of a block (dg_usage_ended_fn).  */
void heap_dhat_add (void *dhat, uint32_t block,
                    const struct dg_usage_block *use);

/* The size of a block for DHAT, where it is at least 1.  */
static inline uint64_t
heap_dhat_size (const struct heap_dhat *dhat, size_t block)
{
  return MAX (dg_log_block_extent (dhat->log, block).size, 1);
}

static inline struct heap_dhat_point *
heap_dhat_point (const struct heap_dhat *dhat, size_t block)
{
  return g_ptr_array_index (dhat->points, dhat->points_of[block]);
}

#endif /* DG_HEAP_DHAT_H */
