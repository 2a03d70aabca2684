/* allocations.c: blocks, summed up by the call stack that allocates them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/progress.h"
#include "base/table.h"

#include <stdlib.h>

#define PROGRESS_STEP 4096

struct gathering {
  struct dg_table all;     /* struct dg_allocation */
  struct dg_table keys;    /* uint64_t of each: a log has each stack once */
  struct dg_intern by_key;
};

/* The one of a block's stack; NULL: there is no memory.  */
static struct dg_allocation *
allocation_of (struct gathering *gathering, const struct dg_block *block)
{
  uint64_t key = (uintptr_t) block->alloc_stack.sites;
  struct dg_allocation *one;
  uint32_t i;

  if (dg_intern_add (&gathering->by_key, &gathering->keys, &key, sizeof key,
                     &i) < 0)
    return NULL;
  if (i < gathering->all.n)
    return (struct dg_allocation *) gathering->all.items + i;
  one = dg_table_add (&gathering->all, sizeof *one);
  if (one != NULL)
    *one = (struct dg_allocation){.stack = block->alloc_stack,
                                  .icount = block->alloc_icount,
                                  .is_call =
                                    dg_site_is_call (block->allocator)};
  return one;
}

/* Blocks are in the order in which they are allocated.  */
static int
add_blocks (struct gathering *gathering, const struct dg_log *log,
            const uint8_t *are_temporary, uint64_t start, uint64_t end,
            struct dg_progress *progress, struct dg_error *err)
{
  size_t n = dg_log_n_blocks (log);

  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, i);
    struct dg_allocation *sum;

    if (i % PROGRESS_STEP == 0 && dg_progress_pace (progress, i, n, err) < 0)
      return DG_ERR_CANCELLED;
    if (block.alloc_icount >= end)
      break;
    if (block.alloc_icount < start || block.allocator == DG_ALLOC_POOL)
      continue;
    sum = allocation_of (gathering, &block);
    if (sum == NULL)
      return dg_error_nomem (err);
    sum->bytes += block.size;
    sum->blocks++;
    sum->temporary += are_temporary[i];
    sum->leaked += block.free_icount == DG_NEVER ? block.size : 0;
  }
  return 0;
}

int
dg_allocations_find (const struct dg_log *log, uint64_t start, uint64_t end,
                     dg_progress_fn progress, void *user,
                     struct dg_allocation **all, size_t *n,
                     struct dg_error *err)
{
  struct gathering gathering = {0};
  struct dg_progress pace = {progress, user, 0};
  uint8_t *are_temporary;
  int code = dg_temporary_find (log, &are_temporary, err);

  *all = NULL;
  *n = 0;
  if (code == 0)
    code = add_blocks (&gathering, log, are_temporary, start, end, &pace,
                       err);
  if (code == 0) {
    *all = gathering.all.items;
    *n = gathering.all.n;
    gathering.all = (struct dg_table){0};
  }
  dg_table_fini (&gathering.all);
  dg_table_fini (&gathering.keys);
  dg_intern_fini (&gathering.by_key);
  free (are_temporary);
  return code;
}
