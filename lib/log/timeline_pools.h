/* timeline_pools.h: the timeline of the program's own pools of memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_POOLS_H
#define DG_TIMELINE_POOLS_H

#include "format/decode.h"
#include "format/position.h"
#include "base/spans.h"
#include "base/table.h"

/* A pool has another address from here on.  */
struct dg_timeline_pool_move {
  uint64_t icount, address;
  size_t pool; /* index */
};

/* All zero, but for the pointers, is empty.  The pools and moves outlive the
   rest, which dg_timeline_pools_fini frees.  */
struct dg_timeline_pools {
  struct dg_table *pools; /* struct dg_mempool; the caller's */
  struct dg_table *moves; /* struct dg_timeline_pool_move; the caller's */
  struct dg_spans live;   /* by address */
};

/* Takes the fields of a POOL record: 0, DG_ERR_DAMAGED or DG_ERR_NOMEM.  A
   pool that is made where one is ends that; of one that nobody made, nothing
   is ended or moved.  */
int dg_timeline_pools_apply (struct dg_timeline_pools *pools,
                             const struct dg_fields *fields,
                             const struct dg_when *when, uint64_t offset,
                             struct dg_error *err);

/* The index of the pool that is at this address, of which a piece is; one
   that nobody made begins then.  0 or DG_ERR_NOMEM.  */
int dg_timeline_pools_find (struct dg_timeline_pools *pools, uint64_t address,
                            const struct dg_when *when, size_t *index);

void dg_timeline_pools_fini (struct dg_timeline_pools *pools);

#endif /* DG_TIMELINE_POOLS_H */
