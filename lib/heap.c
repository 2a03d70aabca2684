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

static void
end (struct dg_block *block, const struct dg_when *when)
{
  block->free_icount = when->icount;
  block->free_order = dg_when_order (when);
}

static void
revive (struct dg_block *block)
{
  block->free_icount = DG_NEVER;
  block->free_order = DG_NONE;
}

/* More blocks at one address than that are not told from one another.  */
#define DEPTH_MAX 16

/* The kind of a block by who made or freed it.  */
static uint8_t
kind_of (uint8_t allocator)
{
  switch (allocator) {
  case DG_ALLOC_MALLOCLIKE:
  case DG_ALLOC_FREELIKE:
    return DG_BLOCK_LIKE;
  case DG_ALLOC_POOL:
  case DG_ALLOC_POOL_FREE:
    return DG_BLOCK_PIECE;
  default:
    return DG_BLOCK_ALLOCATED;
  }
}

int
dg_heap_malloc (struct dg_heap *heap, const struct dg_fields *fields,
                const struct dg_when *when, struct dg_error *err)
{
  uint64_t address = fields->words[0];
  struct dg_block *block = dg_table_add (heap->blocks, sizeof *block);

  if (!block
      || dg_spans_replace (&heap->live, address, 0, heap->blocks->n - 1,
                           &heap->over) < 0)
    return dg_error_nomem (err);
  if (heap->over != SIZE_MAX)
    end (block_at (heap, heap->over), when);
  block->address = address;
  block->size = fields->words[1];
  block->alloc_icount = when->icount;
  block->alloc_order = dg_when_order (when);
  revive (block);
  if (dg_stacks_set (heap->stacks, fields->words + 3, fields->words[2],
                     &block->alloc_stack) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_heap_free (struct dg_heap *heap, const struct dg_fields *fields,
              const struct dg_when *when)
{
  heap->last_free = dg_spans_close (&heap->live, fields->words[0], 0);
  if (heap->last_free != SIZE_MAX)
    end (block_at (heap, heap->last_free), when);
  return 0;
}

/* The last block, which took the place of another, lies in that one, or that
   one in it.  */
static int
keep_both (struct dg_heap *heap)
{
  size_t index = heap->blocks->n - 1;
  uint64_t address = block_at (heap, index)->address;

  revive (block_at (heap, heap->over));
  dg_spans_close (&heap->live, address, 0);
  if (dg_spans_open (&heap->live, address, 0, heap->over) < 0)
    return DG_ERR_NOMEM;
  return dg_spans_open (&heap->live, address, 0, index);
}

/* What is resized stays of its kind, and was ended before.  */
static uint8_t
kind_of_new (struct dg_heap *heap, const struct dg_block *block)
{
  const struct dg_block *old;

  if (block->allocator != DG_ALLOC_RESIZE_IN_PLACE
      || heap->last_free == SIZE_MAX)
    return kind_of (block->allocator);
  old = block_at (heap, heap->last_free);
  return old->address == block->address ? old->kind : DG_BLOCK_ALLOCATED;
}

int
dg_heap_alloc_detail (struct dg_heap *heap, const struct dg_fields *fields,
                      struct dg_error *err)
{
  struct dg_block *block = block_at (heap, heap->blocks->n - 1);

  block->alloc_seqno = fields->words[0];
  block->alloc_thread = fields->words[1];
  block->allocator = fields->words[2];
  block->usable = fields->words[3];
  block->alignment = fields->words[4];
  block->old_address = fields->words[5];
  block->kind = kind_of_new (heap, block);
  if (heap->over == SIZE_MAX)
    return 0;
  /* Of pieces, the pool is not known yet; one that ends is told to.  */
  if ((block->kind == DG_BLOCK_PIECE
       || block->kind != block_at (heap, heap->over)->kind)
      && keep_both (heap) < 0)
    return dg_error_nomem (err);
  heap->over = SIZE_MAX;
  return 0;
}

/* Moves the end of a block, and what is told of it, to another one.  */
static void
move_end (struct dg_block *from, struct dg_block *to)
{
  to->free_icount = from->free_icount;
  to->free_order = from->free_order;
  to->free_seqno = from->free_seqno;
  to->free_thread = from->free_thread;
  to->deallocator = from->deallocator;
  to->free_stack = from->free_stack;
  revive (from);
  from->free_seqno = 0;
  from->free_thread = 0;
  from->deallocator = 0;
  from->free_stack = (struct dg_stack) { 0, NULL };
}

/* The last free ended the latest of the blocks at its address, which is of
   another kind or pool (0: any) than what was freed: then that was one of
   those below, if one is right.  */
static int
free_other (struct dg_heap *heap, uint8_t kind, uint32_t pool)
{
  uint64_t address = block_at (heap, heap->last_free)->address;
  size_t above[DEPTH_MAX + 1] = { heap->last_free }, index;
  unsigned n = 1, first = 1;

  while (n <= DEPTH_MAX
         && (index = dg_spans_close (&heap->live, address, 0)) != SIZE_MAX) {
    const struct dg_block *block = block_at (heap, index);

    if (block->kind == kind && (pool == 0 || block->pool == pool)) {
      move_end (block_at (heap, heap->last_free), block_at (heap, index));
      heap->last_free = index;
      first = 0;
      break;
    }
    above[n++] = index;
  }
  while (n > first)
    if (dg_spans_open (&heap->live, address, 0, above[--n]) < 0)
      return DG_ERR_NOMEM;
  return 0;
}

int
dg_heap_free_detail (struct dg_heap *heap, const struct dg_fields *fields,
                     struct dg_error *err)
{
  uint8_t deallocator = fields->words[2], kind = kind_of (deallocator);
  struct dg_block *block;

  if (heap->last_free == SIZE_MAX)
    return 0;
  if (kind != block_at (heap, heap->last_free)->kind
      && deallocator != DG_ALLOC_RESIZE_IN_PLACE
      && free_other (heap, kind, 0) < 0)
    return dg_error_nomem (err);
  block = block_at (heap, heap->last_free);
  block->free_seqno = fields->words[0];
  block->free_thread = fields->words[1];
  block->deallocator = deallocator;
  if (dg_stacks_set (heap->stacks, fields->words + 4, fields->words[3],
                     &block->free_stack) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_heap_pool (struct dg_heap *heap, bool is_free, size_t pool)
{
  size_t index = is_free ? heap->last_free : heap->blocks->n - 1;
  uint32_t number = pool + 1;

  if (index == SIZE_MAX)
    return 0;
  if (!is_free || block_at (heap, index)->pool == 0)
    block_at (heap, index)->pool = number;
  if (block_at (heap, index)->pool == number)
    return 0;
  return free_other (heap, DG_BLOCK_PIECE, number);
}

void
dg_heap_fini (struct dg_heap *heap)
{
  dg_spans_fini (&heap->live);
}
