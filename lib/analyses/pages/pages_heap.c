/* pages_heap.c: allocations and frees in the order in which they happened.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "pages.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "log/block_window.h"

static uint64_t
alloc_icount (const struct pages_heap *heap, size_t block)
{
  return dg_log_block_extent (heap->log, block).alloc_icount;
}

static uint64_t
free_icount (const struct pages_heap *heap, size_t block)
{
  return dg_log_block_extent (heap->log, block).free_icount;
}

static int
compare_freed (const void *a, const void *b, void *user)
{
  const struct pages_heap *heap = user;
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  const uint64_t x_time = free_icount (heap, x);
  const uint64_t y_time = free_icount (heap, y);

  return DG_COMPARE (x_time, y_time) ?: DG_COMPARE (x, y);
}

static int
list_blocks (struct pages_heap *heap)
{
  g_free (heap->freed);
  heap->freed = NULL;
  heap->n_freed = 0;
  heap->n = dg_log_n_blocks (heap->log);
  if (heap->n == 0)
    return 0;
  heap->freed = g_try_new (uint32_t, heap->n);
  if (!heap->freed)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < heap->n; i++)
    if (free_icount (heap, i) != DG_NEVER)
      heap->freed[heap->n_freed++] = (uint32_t) i;
  g_qsort_with_data (heap->freed, (gint) heap->n_freed, sizeof *heap->freed,
                     compare_freed, heap);
  return 0;
}

int
pages_heap_init (struct pages_heap *heap, const struct dg_log *log)
{
  memset (heap, 0, sizeof *heap);
  g_mutex_init (&heap->lock);
  heap->log = log;
  heap->window = dg_block_window_number (log);
  return list_blocks (heap);
}

int
pages_heap_follow (struct pages_heap *heap)
{
  unsigned window = dg_block_window_number (heap->log);
  int code = 0;

  if (window == 0)
    return 0;
  g_mutex_lock (&heap->lock);
  if (window != heap->window)
    code = list_blocks (heap);
  if (code == 0)
    heap->window = window;
  g_mutex_unlock (&heap->lock);
  return code;
}

void
pages_heap_fini (struct pages_heap *heap)
{
  g_free (heap->freed);
  g_mutex_clear (&heap->lock);
}

struct pages_cursor
pages_heap_seek (const struct pages_heap *heap, uint64_t icount)
{
  struct pages_cursor cursor = { 0 };

  cursor.allocs = DG_BISECT (0, heap->n, i, alloc_icount (heap, i) < icount);
  cursor.frees = DG_BISECT (0, heap->n_freed, i,
                            free_icount (heap, heap->freed[i]) < icount);
  return cursor;
}

static uint64_t
when_freed (const struct pages_heap *heap, const struct pages_cursor *cursor)
{
  return cursor->frees < heap->n_freed
           ? free_icount (heap, heap->freed[cursor->frees]) : DG_NEVER;
}

static uint64_t
when_allocated (const struct pages_heap *heap,
                const struct pages_cursor *cursor)
{
  return cursor->allocs < heap->n ? alloc_icount (heap, cursor->allocs)
                                  : DG_NEVER;
}

uint64_t
pages_heap_when (const struct pages_heap *heap,
                 const struct pages_cursor *cursor)
{
  return MIN (when_freed (heap, cursor), when_allocated (heap, cursor));
}

/* Of two at a time, blocks are freed first: another may take the place.  But
   what begins and ends at one moment is there first.  */
uint32_t
pages_heap_next (const struct pages_heap *heap, struct pages_cursor *cursor,
                 bool *is_free)
{
  const uint64_t freed = when_freed (heap, cursor);

  *is_free = freed <= when_allocated (heap, cursor)
             && heap->freed[cursor->frees] < cursor->allocs;
  return *is_free ? heap->freed[cursor->frees++]
                  : (uint32_t) cursor->allocs++;
}

bool
pages_block_leaves (const struct pages *self,
                    const struct dg_block_extent *block, uint64_t *first,
                    uint64_t *last)
{
  const unsigned shift = self->line_shift + PAGES_LEAF_SHIFT;

  if (block->size == 0 || block->address + block->size < block->address)
    return false;
  *first = block->address >> shift;
  *last = (block->address + block->size - 1) >> shift;
  return true;
}

void
pages_block_lines (const struct pages *self,
                   const struct dg_block_extent *block, uint64_t leaf,
                   uint64_t *first, uint64_t *last)
{
  *first = MAX (block->address >> self->line_shift, leaf << PAGES_LEAF_SHIFT);
  *last = MIN ((block->address + block->size - 1) >> self->line_shift,
               (leaf << PAGES_LEAF_SHIFT) + PAGES_LEAF - 1);
}
