/* heap.c: the timeline of heap blocks, from the records that tell of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap.h"

#include "error.h"

static struct dg_block *
block_at (struct dg_heap *heap, size_t index)
{
  return (struct dg_block *) heap->blocks->items + index;
}

/* A record that has no stack leaves {0, NULL}.  */
static int
set_stack (struct dg_heap *heap, const uint64_t *sites, uint64_t n,
           struct dg_stack *stack)
{
  return n > 0 ? dg_stacks_add (&heap->stacks, sites, n, stack) : 0;
}

int
dg_heap_malloc (struct dg_heap *heap, const struct dg_fields *fields,
                uint64_t icount, struct dg_error *err)
{
  uint64_t address = fields->words[0];
  struct dg_block *block = dg_table_add (heap->blocks, sizeof *block);
  size_t old;

  if (!block
      || dg_spans_replace (&heap->live, address, 0, heap->blocks->n - 1,
                           &old) < 0)
    return dg_error_nomem (err);
  if (old != SIZE_MAX)
    block_at (heap, old)->free_icount = icount;
  block->address = address;
  block->size = fields->words[1];
  block->alloc_icount = icount;
  block->free_icount = DG_NEVER;
  if (set_stack (heap, fields->words + 3, fields->words[2],
                 &block->alloc_stack) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_heap_free (struct dg_heap *heap, const struct dg_fields *fields,
              uint64_t icount)
{
  heap->last_free = dg_spans_close (&heap->live, fields->words[0], 0);
  if (heap->last_free != SIZE_MAX)
    block_at (heap, heap->last_free)->free_icount = icount;
  return 0;
}

int
dg_heap_alloc_detail (struct dg_heap *heap, const struct dg_fields *fields)
{
  struct dg_block *block = block_at (heap, heap->blocks->n - 1);

  block->alloc_seqno = fields->words[0];
  block->alloc_thread = fields->words[1];
  block->allocator = fields->words[2];
  block->usable = fields->words[3];
  block->alignment = fields->words[4];
  block->old_address = fields->words[5];
  return 0;
}

int
dg_heap_free_detail (struct dg_heap *heap, const struct dg_fields *fields,
                     struct dg_error *err)
{
  struct dg_block *block;

  if (heap->last_free == SIZE_MAX)
    return 0;
  block = block_at (heap, heap->last_free);
  block->free_seqno = fields->words[0];
  block->free_thread = fields->words[1];
  block->deallocator = fields->words[2];
  if (set_stack (heap, fields->words + 4, fields->words[3],
                 &block->free_stack) < 0)
    return dg_error_nomem (err);
  return 0;
}

void
dg_heap_fini (struct dg_heap *heap)
{
  dg_spans_fini (&heap->live);
  dg_stacks_fini (&heap->stacks);
}
