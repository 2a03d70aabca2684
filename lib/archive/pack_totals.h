/* pack_totals.h: what the runs of a chunk may be, and what they are together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_TOTALS_H
#define DG_PACK_TOTALS_H

#include <stdint.h>

/* A chunk is full when it has so many entries or so many runs.  */
#define DG_PACK_ACCESSES ((uint32_t) 1 << 20)
/* More words, heads included, do not go into one chunk.  */
#define DG_PACK_WORDS_MAX ((uint32_t) 1 << 22)

/* What a chunk holds.  icount, thread and the like of its beginning are the
   container's to know.  */
struct dg_pack_totals {
  uint64_t runs, instructions;
  uint64_t entries;       /* addresses that a raw log would hold */
  uint64_t reads, writes; /* made: whole, and not at 0 */
  /* Of entries that are not 0, at the end of a chunk; min > max: none.  */
  uint64_t min_address, max_address;
};

/* A pair (block, node) when a chunk first meets it: a context.  It may come
   again with another variant of the block.  */
struct dg_pack_new_context {
  uint32_t block, node;
  uint64_t run; /* runs of the chunk before it */
};

#endif /* DG_PACK_TOTALS_H */
