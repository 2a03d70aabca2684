/* replay.c: dg_log_replay: what happened, in the order of the log.

   Everything has its number in that order already, so each step goes straight
   to its place; what is not wanted leaves gaps, which are closed in the end.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "base/error.h"
#include "log.h"

#define GAP UINT8_MAX
#define HEAP (1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE)

struct replay {
  struct dg_replay_step *steps;    /* by order */
  unsigned kinds;
};

static void
put (struct replay *replay, uint32_t order, enum dg_replay_kind kind,
     size_t index)
{
  if (order != DG_NONE && replay->kinds & 1u << kind)
    replay->steps[order] = (struct dg_replay_step) { index, kind };
}

static void
put_heap (struct replay *replay, const struct dg_contents *contents)
{
  for (size_t i = 0; i < contents->blocks.items.n; i++) {
    const struct dg_small_block *block =
      dg_store_small (&contents->blocks, i);

    put (replay, block->alloc_order, DG_REPLAY_ALLOC, i);
    put (replay, block->free_order, DG_REPLAY_FREE, i);
  }
}

static void
put_others (struct replay *replay, const struct dg_contents *contents)
{
  const struct dg_page_change *change = contents->pages.items;
  const struct dg_event *event = contents->events.items;
  const struct dg_window_change *window = contents->windows.items;
  const struct dg_stack_pointer *pointer = contents->pointers.items;
  const struct dg_mempool *pool = contents->pools.items;
  size_t i;

  for (i = 0; i < contents->pages.n; i++)
    put (replay, change[i].order, DG_REPLAY_PAGES, i);
  for (i = 0; i < contents->events.n; i++) {
    put (replay, event[i].start_order, DG_REPLAY_EVENT_START, i);
    put (replay, event[i].end_order, DG_REPLAY_EVENT_END, i);
  }
  for (i = 0; i < contents->windows.n; i++)
    put (replay, window[i].order, DG_REPLAY_WINDOW, i);
  for (i = 0; i < contents->pointers.n; i++)
    put (replay, pointer[i].order, DG_REPLAY_STACK_POINTER, i);
  for (i = 0; i < contents->pools.n; i++) {
    put (replay, pool[i].start_order, DG_REPLAY_POOL_START, i);
    put (replay, pool[i].end_order, DG_REPLAY_POOL_END, i);
  }
}

int
dg_log_replay (const struct dg_log *log, unsigned kinds,
               struct dg_replay_step **steps, size_t *n, struct dg_error *err)
{
  struct replay replay = { .kinds = kinds };
  size_t room = (size_t) log->contents.orders + 1, kept = 0;

  g_assert (log->blocks == DG_BLOCKS_ALL || !(kinds & HEAP));
  *steps = NULL;
  *n = 0;
  replay.steps = malloc (room * sizeof *replay.steps);
  if (!replay.steps)
    return dg_error_nomem (err);
  for (size_t i = 0; i < room; i++)
    replay.steps[i].kind = GAP;
  if (kinds & HEAP)
    put_heap (&replay, &log->contents);
  put_others (&replay, &log->contents);
  for (size_t i = 0; i < room; i++)
    if (replay.steps[i].kind != GAP)
      replay.steps[kept++] = replay.steps[i];
  *steps = replay.steps;
  *n = kept;
  return 0;
}
