/* live.h: finds the latest heap block that is alive at an address.

   Like struct dg_spans, but in 8 to 16 bytes for each block: what it is found
   by stands in the block itself.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LIVE_H
#define DG_LIVE_H

#include "store.h"

/* All zero, but for the pointer, is empty.  */
struct dg_live {
  const struct dg_store *blocks;  /* the caller's */
  uint32_t *slots;         /* mask + 1 of them, a power of two */
  uint16_t *steps;         /* how far each is from where it belongs */
  size_t mask, used;
  struct dg_table lower;   /* of addresses with several blocks */
  uint32_t free_lower;     /* place in it that is not used, and 1; 0: none */
  uint64_t seed;           /* of the hashes of addresses */
};

/* A block, which has been added to `blocks` before, lives from now on, over
   others that there may be at its address.  0 or DG_ERR_NOMEM.  */
int dg_live_open (struct dg_live *live, size_t index);

/* Likewise, but instead of the latest of the others: *old, SIZE_MAX if there
   was none.  */
int dg_live_replace (struct dg_live *live, size_t index, size_t *old);

/* The latest one no longer lives; SIZE_MAX if there is none.  */
size_t dg_live_close (struct dg_live *live, uint64_t address);

/* The latest one, which lives on; SIZE_MAX if there is none.  */
size_t dg_live_find (const struct dg_live *live, uint64_t address);

/* Soon one of the others will be called with this address: calls for its
   slot; and when that has come, for the block.  */
void dg_live_prefetch (const struct dg_live *live, uint64_t address);
void dg_live_prefetch_block (const struct dg_live *live, uint64_t address);

void dg_live_fini (struct dg_live *live);

#endif /* DG_LIVE_H */
