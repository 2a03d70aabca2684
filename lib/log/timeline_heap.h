/* timeline_heap.h: the timeline of heap blocks, from the records that tell of
   them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_HEAP_H
#define DG_TIMELINE_HEAP_H

#include "store.h"
#include "format/decode.h"
#include "format/position.h"
#include "live.h"
#include "stacks.h"

/* Called with a block when all is known of its allocation or its end: 0 or
   DG_ERR_NOMEM.  */
typedef int (*dg_timeline_heap_watch_fn) (void *user, size_t index,
                                          bool is_free);

/* Made by dg_timeline_heap_init.  The blocks outlive the rest, which
   dg_timeline_heap_fini frees.  */
struct dg_timeline_heap {
  struct dg_store *blocks; /* the caller's */
  struct dg_store_index index;
  struct dg_stacks *stacks; /* the caller's */
  struct dg_live live;
  enum dg_blocks keeps;
  uint64_t moment;  /* of DG_BLOCKS_LIVE */
  dg_timeline_heap_watch_fn watch;    /* or NULL; likewise */
  void *watch_user;
  size_t latest;    /* of the last MALLOC_BLOCK; SIZE_MAX: unknown */
  size_t over;      /* ended by the last MALLOC_BLOCK, which stands
                       in its place; SIZE_MAX: none was */
  size_t last_free; /* by the last FREE_BLOCK; SIZE_MAX: unknown */
  uint64_t freed_address;    /* of that block */
  uint8_t freed_kind;
  /* What the last record began and ended, to which details may still come;
     SIZE_MAX: nothing.  */
  size_t begun, ended;
};

/* moment: at which the blocks of DG_BLOCKS_LIVE live.  */
void dg_timeline_heap_init (struct dg_timeline_heap *heap,
                            enum dg_blocks keeps, uint64_t moment);

/* Each takes the fields of the record it is named after: 0 or DG_ERR_NOMEM.
   Where no blocks are kept, they do nothing.  A block that is allocated over a
   live one ends that, unless they are of different kinds or of pools: then
   both live on, and a free is of the one that its details fit.  Freeing what
   is not live does nothing.  */
int dg_timeline_heap_malloc (struct dg_timeline_heap *heap,
                             const struct dg_fields *fields,
                             const struct dg_when *when, struct dg_error *err);
int dg_timeline_heap_free (struct dg_timeline_heap *heap,
                           const struct dg_fields *fields,
                           const struct dg_when *when, struct dg_error *err);
int dg_timeline_heap_alloc_detail (struct dg_timeline_heap *heap,
                                   const struct dg_fields *fields,
                                   struct dg_error *err);
int dg_timeline_heap_free_detail (struct dg_timeline_heap *heap,
                                  const struct dg_fields *fields,
                                  struct dg_error *err);
/* A POOL_BLOCK, after one of the two above: the index of its pool.  0 or
   DG_ERR_NOMEM.  */
int dg_timeline_heap_pool (struct dg_timeline_heap *heap, bool is_free,
                           size_t pool);

/* No records follow: leaves the blocks that are kept, in the order of their
   allocation.  0 or DG_ERR_NOMEM.  */
int dg_timeline_heap_finish (struct dg_timeline_heap *heap);

void dg_timeline_heap_fini (struct dg_timeline_heap *heap);

#endif /* DG_TIMELINE_HEAP_H */
