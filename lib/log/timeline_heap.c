/* timeline_heap.c: the timeline of heap blocks, from the records that tell of
   them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline_heap.h"

#include "base/error.h"

static struct dg_block_extent
extent_at (const struct dg_timeline_heap *heap, size_t index)
{
  return dg_store_extent (heap->blocks, index);
}

static uint8_t
kind_at (const struct dg_timeline_heap *heap, size_t index)
{
  return dg_store_birth (heap->blocks, index)->kind;
}

static int
end (struct dg_timeline_heap *heap, size_t index, const struct dg_when *when)
{
  return dg_store_set_end (heap->blocks, index, when->icount,
                           dg_when_order (when));
}

static int
revive (struct dg_timeline_heap *heap, size_t index)
{
  return dg_store_set_end (heap->blocks, index, DG_NEVER, DG_NONE);
}

void
dg_timeline_heap_init (struct dg_timeline_heap *heap, enum dg_blocks keeps,
                       uint64_t moment)
{
  heap->keeps = keeps;
  heap->moment = moment;
  heap->blocks->reuses = keeps == DG_BLOCKS_LIVE;
  heap->latest = heap->over = heap->last_free = SIZE_MAX;
  heap->begun = heap->ended = SIZE_MAX;
}

/* ---- What is kept ---- */

static bool
is_kept (const struct dg_timeline_heap *heap, size_t index)
{
  struct dg_block_extent at = extent_at (heap, index);

  return at.alloc_icount <= heap->moment && at.free_icount > heap->moment;
}

/* Tells who watches of a block; SIZE_MAX: none.  */
static int
tell (const struct dg_timeline_heap *heap, size_t index, bool is_free)
{
  return heap->watch && index != SIZE_MAX
           ? heap->watch (heap->watch_user, index, is_free) : 0;
}

/* No more details come to the last record.  */
static int
settle (struct dg_timeline_heap *heap)
{
  size_t begun = heap->begun, ended = heap->ended;

  heap->begun = heap->ended = SIZE_MAX;
  if (begun != SIZE_MAX
      && dg_store_note_birth (heap->blocks, &heap->index, begun) < 0)
    return DG_ERR_NOMEM;
  if (heap->keeps != DG_BLOCKS_LIVE)
    return 0;
  if (tell (heap, ended, true) < 0 || tell (heap, begun, false) < 0)
    return DG_ERR_NOMEM;
  return ended == SIZE_MAX || is_kept (heap, ended)
           ? 0 : dg_store_give_back (heap->blocks, ended);
}

int
dg_timeline_heap_finish (struct dg_timeline_heap *heap)
{
  /* Details may still come to what grows.  */
  if (heap->begun != SIZE_MAX
      && dg_store_note_birth (heap->blocks, &heap->index, heap->begun) < 0)
    return DG_ERR_NOMEM;
  if (heap->keeps != DG_BLOCKS_LIVE)
    return 0;
  if (settle (heap) < 0)
    return DG_ERR_NOMEM;
  return dg_store_settle (heap->blocks, heap->moment);
}

/* ---- Records ---- */

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
    return DG_BLOCK_POOL_CHUNK;
  default:
    return DG_BLOCK_ALLOCATED;
  }
}

int
dg_timeline_heap_malloc (struct dg_timeline_heap *heap,
                         const struct dg_fields *fields,
                         const struct dg_when *when, struct dg_error *err)
{
  struct dg_block block = {.address = fields->words[0],
                           .size = fields->words[1],
                           .alloc_icount = when->icount};

  size_t index;

  if (heap->keeps == DG_BLOCKS_NONE)
    return 0;
  if (settle (heap) < 0
      || dg_stacks_set (heap->stacks, fields->words + 3, fields->words[2],
                        &block.alloc_stack)
           < 0
      || dg_store_add (heap->blocks, &heap->index, &block, &index) < 0
      || dg_live_replace (&heap->live, index, &heap->over) < 0
      || (heap->over != SIZE_MAX && end (heap, heap->over, when) < 0))
    return dg_error_nomem (err);
  dg_store_set_order (heap->blocks, index, dg_when_order (when));
  heap->latest = heap->begun = index;
  heap->ended = heap->over;
  return 0;
}

/* The last FREE_BLOCK was of this block.  */
static void
set_last_free (struct dg_timeline_heap *heap, size_t index)
{
  heap->last_free = heap->ended = index;
  if (index == SIZE_MAX)
    return;
  heap->freed_address = extent_at (heap, index).address;
  heap->freed_kind = kind_at (heap, index);
}

int
dg_timeline_heap_free (struct dg_timeline_heap *heap,
                       const struct dg_fields *fields,
                       const struct dg_when *when, struct dg_error *err)
{
  if (heap->keeps == DG_BLOCKS_NONE)
    return 0;
  if (settle (heap) < 0)
    return dg_error_nomem (err);
  set_last_free (heap, dg_live_close (&heap->live, fields->words[0]));
  if (heap->last_free != SIZE_MAX && end (heap, heap->last_free, when) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* The last block, which took the place of another, lies in that one, or that
   one in it.  */
static int
keep_both (struct dg_timeline_heap *heap)
{
  size_t index = heap->latest;
  uint64_t address = extent_at (heap, index).address;

  heap->ended = SIZE_MAX;
  dg_live_close (&heap->live, address);
  if (revive (heap, heap->over) < 0
      || dg_live_open (&heap->live, heap->over) < 0)
    return DG_ERR_NOMEM;
  return dg_live_open (&heap->live, index);
}

/* What is resized stays of its kind, and was ended before.  */
static uint8_t
kind_of_new (const struct dg_timeline_heap *heap, uint8_t allocator)
{
  if (allocator != DG_ALLOC_RESIZE_IN_PLACE || heap->last_free == SIZE_MAX)
    return kind_of (allocator);
  return heap->freed_address == extent_at (heap, heap->latest).address
           ? heap->freed_kind
           : DG_BLOCK_ALLOCATED;
}

int
dg_timeline_heap_alloc_detail (struct dg_timeline_heap *heap,
                               const struct dg_fields *fields,
                               struct dg_error *err)
{
  struct dg_block block = {.alloc_seqno = fields->words[0],
                           .alloc_thread = fields->words[1],
                           .allocator = fields->words[2],
                           .usable = fields->words[3],
                           .alignment = fields->words[4],
                           .old_address = fields->words[5]};

  if (heap->keeps == DG_BLOCKS_NONE)
    return 0;
  block.kind = kind_of_new (heap, block.allocator);
  if (dg_store_set_birth (heap->blocks, &heap->index, heap->latest, &block)
      < 0)
    return dg_error_nomem (err);
  if (heap->over == SIZE_MAX)
    return 0;
  /* Of chunks of pools, the pool is not known yet; one that ends is told
     to.  */
  if ((block.kind == DG_BLOCK_POOL_CHUNK
       || block.kind != kind_at (heap, heap->over))
      && keep_both (heap) < 0)
    return dg_error_nomem (err);
  heap->over = SIZE_MAX;
  return 0;
}

/* The last free ended the latest of the blocks at its address, which is of
   another kind or pool (0: any) than what was freed: then that was one of
   those below, if one is right.  */
static int
free_other (struct dg_timeline_heap *heap, uint8_t kind, uint32_t pool)
{
  uint64_t address = extent_at (heap, heap->last_free).address;
  size_t above[DEPTH_MAX + 1] = {heap->last_free}, index;
  unsigned n = 1, first = 1;

  while (n <= DEPTH_MAX
         && (index = dg_live_close (&heap->live, address)) != SIZE_MAX) {
    const struct dg_birth *birth = dg_store_birth (heap->blocks, index);

    if (birth->kind == kind && (pool == 0 || birth->pool == pool)) {
      if (dg_store_move_end (heap->blocks, heap->last_free, index) < 0)
        return DG_ERR_NOMEM;
      set_last_free (heap, index);
      first = 0;
      break;
    }
    above[n++] = index;
  }
  while (n > first)
    if (dg_live_open (&heap->live, above[--n]) < 0)
      return DG_ERR_NOMEM;
  return 0;
}

int
dg_timeline_heap_free_detail (struct dg_timeline_heap *heap,
                              const struct dg_fields *fields,
                              struct dg_error *err)
{
  struct dg_block block = {.free_seqno = fields->words[0],
                           .free_thread = fields->words[1],
                           .deallocator = fields->words[2]};
  uint8_t kind = kind_of (block.deallocator);

  if (heap->keeps == DG_BLOCKS_NONE || heap->last_free == SIZE_MAX)
    return 0;
  if ((kind != kind_at (heap, heap->last_free)
       && block.deallocator != DG_ALLOC_RESIZE_IN_PLACE
       && free_other (heap, kind, 0) < 0)
      || dg_stacks_set (heap->stacks, fields->words + 4, fields->words[3],
                        &block.free_stack)
           < 0
      || dg_store_set_death (heap->blocks, &heap->index, heap->last_free,
                             &block)
           < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_timeline_heap_pool (struct dg_timeline_heap *heap, bool is_free,
                       size_t pool)
{
  size_t index = is_free ? heap->last_free : heap->latest;
  uint32_t number = pool + 1;

  if (heap->keeps == DG_BLOCKS_NONE || index == SIZE_MAX)
    return 0;
  if ((!is_free || dg_store_birth (heap->blocks, index)->pool == 0)
      && dg_store_set_pool (heap->blocks, &heap->index, index, number) < 0)
    return DG_ERR_NOMEM;
  if (dg_store_birth (heap->blocks, index)->pool == number)
    return 0;
  return free_other (heap, DG_BLOCK_POOL_CHUNK, number);
}

void
dg_timeline_heap_fini (struct dg_timeline_heap *heap)
{
  dg_live_fini (&heap->live);
  dg_store_index_fini (&heap->index);
}
