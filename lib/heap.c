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

/* Of what the program makes of memory that it has already.  */
static bool
is_piece (uint8_t allocator)
{
  return allocator == DG_ALLOC_MALLOCLIKE || allocator == DG_ALLOC_FREELIKE
         || allocator == DG_ALLOC_POOL || allocator == DG_ALLOC_POOL_FREE;
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
  /* What is resized has been ended before, so this is another.  */
  if (heap->over != SIZE_MAX
      && (is_piece (block->allocator)
            != is_piece (block_at (heap, heap->over)->allocator)
          || block->allocator == DG_ALLOC_RESIZE_IN_PLACE)
      && keep_both (heap) < 0)
    return dg_error_nomem (err);
  heap->over = SIZE_MAX;
  return 0;
}

/* A free ended the latest of several blocks at one address, but was not of its
   kind: then it was of the one below, if that one's kind is right.  */
static int
free_other (struct dg_heap *heap)
{
  struct dg_block *wrong = block_at (heap, heap->last_free), *right;
  size_t other = dg_spans_close (&heap->live, wrong->address, 0);
  size_t back = other;

  if (other == SIZE_MAX)
    return 0;
  right = block_at (heap, other);
  if (is_piece (right->allocator) != is_piece (wrong->allocator)) {
    right->free_icount = wrong->free_icount;
    right->free_order = wrong->free_order;
    revive (wrong);
    back = heap->last_free;
    heap->last_free = other;
  }
  return dg_spans_open (&heap->live, wrong->address, 0, back);
}

int
dg_heap_free_detail (struct dg_heap *heap, const struct dg_fields *fields,
                     struct dg_error *err)
{
  uint8_t deallocator = fields->words[2];
  struct dg_block *block;

  if (heap->last_free == SIZE_MAX)
    return 0;
  block = block_at (heap, heap->last_free);
  if (is_piece (block->allocator) != is_piece (deallocator)
      && deallocator != DG_ALLOC_RESIZE_IN_PLACE && free_other (heap) < 0)
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

void
dg_heap_pool (struct dg_heap *heap, bool is_free, size_t pool)
{
  size_t index = is_free ? heap->last_free : heap->blocks->n - 1;

  if (index != SIZE_MAX)
    block_at (heap, index)->pool = pool + 1;
}

void
dg_heap_fini (struct dg_heap *heap)
{
  dg_spans_fini (&heap->live);
}
