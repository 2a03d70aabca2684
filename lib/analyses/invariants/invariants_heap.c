/* invariants_heap.c: heap blocks must not overlap, and exist when freed.

   Blocks of a program's own allocator (DG_ALLOC_MALLOCLIKE) and pieces of
   pools (DG_ALLOC_POOL) lie within others and may be given back all at once
   without a word, so they may overlap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "invariants.h"

#include "base/compare.h"

#include <inttypes.h>

struct block {
  uint64_t address, size;
  uint64_t times;          /* of a program's own allocator: so often */
};

struct inv_heap {
  GTree *blocks;           /* of struct block, by address */
  GHashTable *own;         /* likewise, of the program's own allocators */
  /* A MALLOC_BLOCK that was not added yet: the next record says what it is
     of.  */
  bool is_pending;
  struct block pending;
  uint64_t freed;          /* address of the latest FREE_BLOCK */
  bool freed_own;          /* it was of the program's own allocator */
  uint64_t seqno;
};

static gint
compare (gconstpointer a, gconstpointer b, gpointer unused)
{
  const struct block *x = a, *y = b;

  return DG_COMPARE (x->address, y->address);
}

struct inv_heap *
invariants_heap_new (void)
{
  struct inv_heap *heap = g_new0 (struct inv_heap, 1);

  heap->blocks = g_tree_new_full (compare, NULL, g_free, NULL);
  heap->own = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free,
                                     NULL);
  return heap;
}

void
invariants_heap_free (struct inv_heap *heap)
{
  if (heap == NULL)
    return;
  g_tree_unref (heap->blocks);
  g_hash_table_unref (heap->own);
  g_free (heap);
}

/* The last byte; a block of no bytes has one, too.  */
static uint64_t
last_byte (const struct block *block)
{
  uint64_t size = MAX (block->size, 1);

  return size - 1 > UINT64_MAX - block->address ? UINT64_MAX
                                                : block->address + size - 1;
}

static void
check_overlap (struct invariants *inv, const struct block *new,
               GTreeNode *other)
{
  const struct block *old = other != NULL ? g_tree_node_key (other) : NULL;

  if (old != NULL && old->address <= last_byte (new)
      && new->address <= last_byte (old))
    invariants_find (
      inv, INV_HEAP,
      "the block of %" PRIu64 " bytes at 0x%" PRIx64 " overlaps that "
      "of %" PRIu64 " bytes at 0x%" PRIx64 ", which was not freed",
      new->size, new->address, old->size, old->address);
}

/* Adds the block that is pending.  */
static void
add_pending (struct invariants *inv, bool is_own)
{
  struct inv_heap *heap = inv->heap;
  struct block *block;
  GTreeNode *behind;

  if (!heap->is_pending)
    return;
  heap->is_pending = false;
  block = g_memdup2 (&heap->pending, sizeof *block);
  if (is_own) {
    struct block *same = g_hash_table_lookup (heap->own, &block->address);

    block->times = same != NULL ? same->times + 1 : 1;
    g_hash_table_replace (heap->own, block, block);
    return;
  }
  behind = g_tree_lower_bound (heap->blocks, block);
  check_overlap (inv, block, behind);
  check_overlap (inv, block,
                 behind != NULL ? g_tree_node_previous (behind)
                                : g_tree_node_last (heap->blocks));
  g_tree_replace (heap->blocks, block, NULL);
}

static void
end_block (struct invariants *inv, uint64_t address)
{
  struct inv_heap *heap = inv->heap;
  const struct block key = { .address = address };
  struct block *own = g_hash_table_lookup (heap->own, &address);

  heap->freed = address;
  heap->freed_own = own != NULL;
  if (own != NULL && --own->times > 0)
    return;
  if (own != NULL) {
    g_hash_table_remove (heap->own, &address);
    return;
  }
  if (!g_tree_remove (heap->blocks, &key))
    invariants_find (inv, INV_HEAP, "no block begins at 0x%" PRIx64
                     " where a block is freed", address);
}

/* What a forked child had from its parent comes at first, kind by kind.  */
static bool
is_repeated (const struct invariants *inv)
{
  const struct dg_process *process = dg_log_process (inv->log);

  return inv->icount == 0 && process && process->flags & DG_PROCESS_FORKED;
}

static void
check_seqno (struct invariants *inv, uint64_t seqno)
{
  struct inv_heap *heap = inv->heap;

  if (is_repeated (inv)) {
    heap->seqno = MAX (heap->seqno, seqno);
    return;
  }
  if (seqno <= heap->seqno)
    invariants_find (inv, INV_HEAP, "heap call %" PRIu64 " comes after %"
                     PRIu64, seqno, heap->seqno);
  heap->seqno = seqno;
}

static void
take_alloc (struct invariants *inv, const uint64_t *words)
{
  struct inv_heap *heap = inv->heap;
  uint64_t size = heap->pending.size;

  if (!heap->is_pending) {
    invariants_find (inv, INV_HEAP,
                     "the details of an allocation do not follow it");
    return;
  }
  if (words[3] < size)
    invariants_find (inv, INV_HEAP, "of the block at 0x%" PRIx64 ", %" PRIu64
                     " bytes are usable, but %" PRIu64 " were asked for",
                     heap->pending.address, words[3], size);
  if (words[5] != 0 && words[5] != heap->freed)
    invariants_find (inv, INV_HEAP,
                     "the block at 0x%" PRIx64 " replaces that at 0x%" PRIx64
                     ", which was not freed just before",
                     heap->pending.address, words[5]);
  add_pending (inv, words[2] == DG_ALLOC_MALLOCLIKE
                    || words[2] == DG_ALLOC_POOL
                    || (words[2] == DG_ALLOC_RESIZE_IN_PLACE
                        && heap->freed_own));
}

void
invariants_heap_take (struct invariants *inv, const struct dg_record *rec)
{
  struct inv_heap *heap = inv->heap;
  const uint64_t *words = rec->words;

  if (heap->is_pending && rec->type != DG_R_HEAP_ALLOC)
    add_pending (inv, false);
  switch (rec->type) {
  case DG_R_MALLOC_BLOCK:
    heap->is_pending = true;
    heap->pending = (struct block) { words[0], words[1], 0 };
    break;
  case DG_R_HEAP_ALLOC:
    check_seqno (inv, words[0]);
    take_alloc (inv, words);
    break;
  case DG_R_FREE_BLOCK:
    end_block (inv, words[0]);
    break;
  case DG_R_HEAP_FREE:
    check_seqno (inv, words[0]);
    break;
  default:
    break;
  }
}
