/* store.h: the heap blocks of a log, in as few bytes as they need.

   A program allocates millions of them, of a few sizes, from a few places.  So
   each has 40 bytes of its own, and what many have in common is kept once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_STORE_H
#define DG_STORE_H

#include "base/intern.h"
#include "libdatagrind.h"
#include "base/table.h"

#define DG_BLOCK_BITS 48
#define DG_BLOCK_MASK ((UINT64_C (1) << DG_BLOCK_BITS) - 1)

/* Of struct dg_small_block.  */
enum {
  DG_BLOCK_IS_WIDE = 1,        /* its numbers are in `wide` */
  DG_BLOCK_HAS_ALLOC_SEQNO = 2,
  DG_BLOCK_HAS_FREE_SEQNO = 4,
  DG_BLOCK_HAS_OLD = 8         /* its old_address is in `olds` */
};
/* Where there is no usable size.  */
#define DG_BLOCK_NO_SLACK 0xff

struct dg_small_block {
  uint64_t address : DG_BLOCK_BITS;    /* of a wide one: its index */
  uint64_t slack : 8;                  /* usable - size */
  uint64_t flags : 8;
  uint64_t alloc_icount : DG_BLOCK_BITS;
  uint64_t size_low : 16;
  uint64_t free_icount : DG_BLOCK_BITS;    /* all ones: never */
  uint64_t size_high : 16;
  uint32_t birth, death;               /* in `births` and `deaths` */
  uint32_t alloc_order, free_order;
};
_Static_assert (sizeof (struct dg_small_block) == 40, "bytes of a block");

/* What does not fit there.  */
struct dg_wide_block {
  uint64_t address, size, usable, alloc_icount, free_icount;
};

/* What many blocks have in common, without padding.  */
struct dg_birth {
  const uint64_t *sites;
  uint64_t alignment;
  uint32_t n_sites, thread, pool;
  uint8_t allocator, kind, zero[2];
};
struct dg_death {
  const uint64_t *sites;
  uint32_t n_sites, thread, deallocator, zero;
};

struct dg_old_address { uint32_t block; uint64_t address; };

/* From this order on, sequence numbers are orders plus `delta`.  */
struct dg_seqno_step { uint32_t order; uint64_t delta; };

/* The sizes of the blocks with a birth in common, but for those of no bytes:
   all are `first`, plus a multiple of `step`, or less one.  step 0: all are
   equal.  first 0: there is none.  */
struct dg_birth_sizes { uint64_t first, step; };

/* The first of the blocks with a birth in common.  */
struct dg_first_block { uint64_t icount; uint32_t birth, zero; };

/* All zero is empty.  */
struct dg_store {
  bool reuses;                 /* items that were given back */
  struct dg_table spare;       /* uint32_t: these */
  struct dg_table items;       /* struct dg_small_block */
  struct dg_table wide;        /* struct dg_wide_block */
  struct dg_table births;      /* struct dg_birth */
  struct dg_table sizes;       /* struct dg_birth_sizes, by birth; or fewer */
  struct dg_table firsts;      /* struct dg_first_block, in their order */
  struct dg_table deaths;      /* struct dg_death; the first: none */
  struct dg_table olds;        /* struct dg_old_address, by block; of a store
                                  that reuses items: uint64_t of each */
  struct dg_table seqnos;      /* struct dg_seqno_step, by order */
};

/* What is needed to add blocks, and to change them.  All zero is empty.  */
struct dg_store_index {
  struct dg_intern births, deaths;
  struct dg_table are_known;   /* bool, by birth: is one of `firsts` */
};

/* Adds block *i without an end.  What details tell of it, and its order, is 0
   as yet.  0 or DG_ERR_NOMEM.  */
int dg_store_add (struct dg_store *blocks, struct dg_store_index *index,
                  const struct dg_block *block, size_t *i);
void dg_store_set_order (struct dg_store *blocks, size_t i, uint32_t order);
/* Sets what a HEAP_ALLOC tells of the block that was added last: all that it
   has of it.  */
int dg_store_set_birth (struct dg_store *blocks, struct dg_store_index *index,
                        size_t i, const struct dg_block *block);
/* All is known of the block's birth: notes its size, and that it may be the
   first with that birth.  Blocks come in their order; noting one twice changes
   nothing.  */
int dg_store_note_birth (struct dg_store *blocks,
                         struct dg_store_index *index, size_t i);
int dg_store_set_pool (struct dg_store *blocks,
                        struct dg_store_index *index, size_t i,
                        uint32_t pool);
/* The block ends; DG_NEVER and DG_NONE: it does not.  */
int dg_store_set_end (struct dg_store *blocks, size_t i, uint64_t icount,
                       uint32_t order);
/* Sets what a HEAP_FREE tells: seqno, thread, function and stack.  */
int dg_store_set_death (struct dg_store *blocks,
                         struct dg_store_index *index, size_t i,
                         const struct dg_block *block);
/* Another one has the end, and what is told of it; this one has none.  */
int dg_store_move_end (struct dg_store *blocks, size_t from, size_t to);

/* Of a store that reuses items: nobody asks for this block any more.  */
int dg_store_give_back (struct dg_store *blocks, size_t i);
/* Of such a store, at the end: leaves the blocks that were not given back and
   were allocated up to this moment, in the order of their allocation.  Then it
   is like others.  */
int dg_store_settle (struct dg_store *blocks, uint64_t icount);

/* Everything about a block.  */
struct dg_block dg_store_get (const struct dg_store *blocks, size_t i);
/* Less of it, without looking further.  */
struct dg_block_extent dg_store_extent (const struct dg_store *blocks,
                                         size_t i);
const struct dg_birth *dg_store_birth (const struct dg_store *blocks,
                                        size_t i);

/* Adds the sizes of other blocks.  */
void dg_birth_sizes_add (struct dg_birth_sizes *sizes,
                         const struct dg_birth_sizes *others);
/* What divides all sizes less `behind`; 0: all are that, or there is none.  */
uint64_t dg_birth_sizes_unit (const struct dg_birth_sizes *sizes,
                              uint64_t behind);

static inline const struct dg_small_block *
dg_store_small (const struct dg_store *blocks, size_t i)
{
  return (const struct dg_small_block *) blocks->items.items + i;
}

static inline uint64_t
dg_store_address (const struct dg_store *blocks, size_t i)
{
  const struct dg_small_block *small = dg_store_small (blocks, i);

  return small->flags & DG_BLOCK_IS_WIDE
           ? ((const struct dg_wide_block *) blocks->wide.items
              + small->address)->address
           : small->address;
}

int dg_store_copy (struct dg_store *to, const struct dg_store *from);
void dg_store_fini (struct dg_store *blocks);
void dg_store_index_fini (struct dg_store_index *index);

#endif /* DG_STORE_H */
