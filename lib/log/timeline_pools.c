/* timeline_pools.c: the timeline of the program's own pools of memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline_pools.h"

#include <inttypes.h>

#include "base/error.h"

static struct dg_mempool *
pool_at (struct dg_timeline_pools *pools, size_t index)
{
  return (struct dg_mempool *) pools->pools->items + index;
}

static void
end (struct dg_timeline_pools *pools, size_t index, const struct dg_when *when)
{
  struct dg_mempool *pool;

  if (index == SIZE_MAX)
    return;
  pool = pool_at (pools, index);
  pool->end_icount = when->icount;
  pool->end_order = dg_when_order (when);
}

static int
begin (struct dg_timeline_pools *pools, uint64_t address,
       const struct dg_when *when)
{
  struct dg_mempool *pool = dg_table_add (pools->pools, sizeof *pool);
  size_t old;

  if (!pool
      || dg_spans_replace (&pools->live, address, 0, pools->pools->n - 1, &old)
           < 0)
    return DG_ERR_NOMEM;
  end (pools, old, when);
  *pool = (struct dg_mempool){.address = address,
                              .last_address = address,
                              .start_icount = when->icount,
                              .end_icount = DG_NEVER,
                              .start_order = dg_when_order (when),
                              .end_order = DG_NONE};
  return 0;
}

static int
give_address (struct dg_timeline_pools *pools, uint64_t from, uint64_t to,
              const struct dg_when *when)
{
  size_t index = dg_spans_close (&pools->live, from, 0), old;

  struct dg_timeline_pool_move *move;

  if (index == SIZE_MAX)
    return 0;
  pool_at (pools, index)->last_address = to;
  move = dg_table_add (pools->moves, sizeof *move);
  if (!move || dg_spans_replace (&pools->live, to, 0, index, &old) < 0)
    return DG_ERR_NOMEM;
  *move = (struct dg_timeline_pool_move){when->icount, to, index};
  end (pools, old, when);
  return 0;
}

int
dg_timeline_pools_apply (struct dg_timeline_pools *pools,
                         const struct dg_fields *fields,
                         const struct dg_when *when, uint64_t offset,
                         struct dg_error *err)
{
  uint64_t what = fields->words[0], address = fields->words[1];
  int code = 0;

  switch (what) {
  case DG_POOL_CREATE:
    code = begin (pools, address, when);
    break;
  case DG_POOL_DESTROY:
    end (pools, dg_spans_close (&pools->live, address, 0), when);
    break;
  case DG_POOL_MOVE:
    code = give_address (pools, address, fields->words[2], when);
    break;
  default:
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "POOL is of kind %" PRIu64, what);
  }
  return code < 0 ? dg_error_nomem (err) : 0;
}

int
dg_timeline_pools_find (struct dg_timeline_pools *pools, uint64_t address,
                        const struct dg_when *when, size_t *index)
{
  *index = dg_spans_find (&pools->live, address, 0);
  if (*index != SIZE_MAX)
    return 0;
  *index = pools->pools->n;
  return begin (pools, address, when);
}

void
dg_timeline_pools_fini (struct dg_timeline_pools *pools)
{
  dg_spans_fini (&pools->live);
}
