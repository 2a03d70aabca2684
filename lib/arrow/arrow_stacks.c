/* arrow_stacks.c: the thread whose stack an access is to, as a column.

   Nearly all accesses to stacks are by the thread itself, and most others are
   to memory that never is a stack: only for the rest is the owner looked up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_stacks.h"

#include <glib.h>

#include "base/error.h"
#include "variables/shared_lines.h"

/* 4 KiB.  */
#define PAGE_SHIFT 12
/* Pages that are remembered.  */
#define RECENT 256

struct recent {
  uint64_t page;
  bool is_stack;                       /* part of it, at some time */
};

struct dg_arrow_stacks {
  const struct dg_thread *threads;
  const struct dg_space *space;
  struct dg_thread_stacks *all;
  struct dg_thread_stack own;          /* of the latest thread */
  struct recent recent[RECENT];
};

struct dg_arrow_stacks *
dg_arrow_stacks_new (struct dg_arrow_shared *shared, dg_progress_fn progress,
                     void *user, struct dg_error *err)
{
  const struct dg_log *log = dg_arrow_shared_log (shared);
  const struct dg_space *space
    = dg_arrow_shared_space (shared, progress, user, err);
  struct dg_arrow_stacks *stacks;
  size_t n;

  if (!space)
    return NULL;
  stacks = g_try_new0 (struct dg_arrow_stacks, 1);
  if (stacks)
    stacks->all = dg_thread_stacks_new (log);
  if (!stacks || !stacks->all) {
    g_free (stacks);
    dg_error_nomem (err);
    return NULL;
  }
  stacks->threads = dg_log_threads (log, &n);
  stacks->space = space;
  for (unsigned i = 0; i < RECENT; i++)
    stacks->recent[i].page = UINT64_MAX;
  return stacks;
}

void
dg_arrow_stacks_free (struct dg_arrow_stacks *stacks)
{
  if (!stacks)
    return;
  dg_thread_stacks_free (stacks->all);
  g_free (stacks);
}

static bool
is_stack_page (struct dg_arrow_stacks *stacks, uint64_t page)
{
  struct recent *recent = &stacks->recent[page % RECENT];
  uint64_t low = page << PAGE_SHIFT;

  if (recent->page != page) {
    recent->page = page;
    recent->is_stack = dg_thread_stacks_any (
      stacks->all, low, low + ((uint64_t) 1 << PAGE_SHIFT) - 1);
  }
  return recent->is_stack;
}

/* The number of the thread, 0: none.  */
static inline uint32_t
owner_of (struct dg_arrow_stacks *stacks, uint64_t icount, uint64_t address,
          uint32_t thread)
{
  struct dg_owner owner;

  if (G_UNLIKELY (!dg_thread_stack_is (&stacks->own, thread, icount)))
    dg_thread_stacks_find (stacks->all, thread, icount, &stacks->own);
  if (address - stacks->own.low < stacks->own.size)
    return thread;
  if (G_LIKELY (!is_stack_page (stacks, address >> PAGE_SHIFT)))
    return 0;
  dg_space_find (stacks->space, address, icount, &owner);
  return owner.kind == DG_OWNER_STACK ? stacks->threads[owner.index].number
                                      : 0;
}

void
dg_arrow_stacks_fill (struct dg_arrow_stacks *stacks,
                      const struct dg_columns_arrays *accesses, size_t n,
                      struct dg_arrow_array *column)
{
  for (size_t i = 0; i < n; i++) {
    uint32_t owner = owner_of (stacks, accesses->icount[i],
                               accesses->address[i], accesses->thread[i]);

    column->u32[i] = owner;
    if (owner == 0)
      dg_arrow_array_clear (column, i);
  }
}
