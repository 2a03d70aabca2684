/* store.c: the heap blocks of a log, stored compactly.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "store.h"

#include "base/bisect.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

static struct dg_small_block *
small_of (struct dg_store *blocks, size_t i)
{
  return (struct dg_small_block *) blocks->items.items + i;
}

static struct dg_wide_block *
wide_of (const struct dg_store *blocks, const struct dg_small_block *small)
{
  return (struct dg_wide_block *) blocks->wide.items + small->address;
}

/* ---- Numbers ---- */

static bool
fits (const struct dg_wide_block *wide)
{
  return wide->address <= DG_BLOCK_MASK && wide->size <= UINT32_MAX
         && wide->alloc_icount < DG_BLOCK_MASK
         && (wide->free_icount < DG_BLOCK_MASK
             || wide->free_icount == DG_NEVER)
         && (wide->usable == 0
             || (wide->usable >= wide->size
                 && wide->usable - wide->size < DG_BLOCK_NO_SLACK));
}

static struct dg_wide_block
numbers_of (const struct dg_store *blocks, const struct dg_small_block *small)
{
  struct dg_wide_block wide;

  if (small->flags & DG_BLOCK_IS_WIDE)
    return *wide_of (blocks, small);
  wide.address = small->address;
  wide.size = small->size_low | (uint64_t) small->size_high << 16;
  wide.usable =
    small->slack == DG_BLOCK_NO_SLACK ? 0 : wide.size + small->slack;
  wide.alloc_icount = small->alloc_icount;
  wide.free_icount =
    small->free_icount == DG_BLOCK_MASK ? DG_NEVER : small->free_icount;
  return wide;
}

/* A wide block stays wide: there are few.  */
static int
set_numbers (struct dg_store *blocks, struct dg_small_block *small,
             const struct dg_wide_block *wide)
{
  struct dg_wide_block *place;

  if (small->flags & DG_BLOCK_IS_WIDE) {
    *wide_of (blocks, small) = *wide;
  } else if (fits (wide)) {
    small->address = wide->address;
    small->size_low = wide->size & 0xffff;
    small->size_high = wide->size >> 16;
    small->slack =
      wide->usable == 0 ? DG_BLOCK_NO_SLACK : wide->usable - wide->size;
    small->alloc_icount = wide->alloc_icount;
    small->free_icount = wide->free_icount & DG_BLOCK_MASK;
  } else {
    place = dg_table_add (&blocks->wide, sizeof *place);
    if (!place)
      return DG_ERR_NOMEM;
    *place = *wide;
    small->address = blocks->wide.n - 1;
    small->flags |= DG_BLOCK_IS_WIDE;
  }
  return 0;
}

/* ---- Sequence numbers ---- */

/* How many steps are not after an order.  */
static size_t
steps_upto (const struct dg_store *blocks, uint32_t order)
{
  const struct dg_seqno_step *steps = blocks->seqnos.items;
  size_t n = blocks->seqnos.n;

  if (n > 0 && steps[n - 1].order <= order)
    return n;
  return DG_BISECT (0, n, i, steps[i].order <= order);
}

static uint64_t
seqno_at (const struct dg_store *blocks, uint32_t order)
{
  const struct dg_seqno_step *steps = blocks->seqnos.items;

  return order + steps[steps_upto (blocks, order) - 1].delta;
}

static int
insert_step (struct dg_store *blocks, size_t at, uint32_t order,
             uint64_t delta)
{
  struct dg_seqno_step *steps;

  if (!dg_table_add (&blocks->seqnos, sizeof *steps))
    return DG_ERR_NOMEM;
  steps = blocks->seqnos.items;
  memmove (steps + at + 1, steps + at,
           (blocks->seqnos.n - 1 - at) * sizeof *steps);
  steps[at] = (struct dg_seqno_step) { order, delta };
  return 0;
}

/* What happens one after the other has numbers one after the other, so one
   step serves many orders.  */
static int
set_seqno (struct dg_store *blocks, uint32_t order, uint64_t seqno)
{
  const struct dg_seqno_step *steps = blocks->seqnos.items;
  size_t at = steps_upto (blocks, order);
  uint64_t delta = seqno - order, others = at > 0 ? steps[at - 1].delta : 0;

  if (at > 0 && others == delta)
    return 0;
  /* Those that are known of later orders stay.  */
  if (at < blocks->seqnos.n && at > 0 && steps[at].order > order + 1
      && insert_step (blocks, at, order + 1, others) < 0)
    return DG_ERR_NOMEM;
  steps = blocks->seqnos.items;
  if (at > 0 && steps[at - 1].order == order) {
    ((struct dg_seqno_step *) blocks->seqnos.items)[at - 1].delta = delta;
    return 0;
  }
  return insert_step (blocks, at, order, delta);
}

/* ---- Adding ---- */

static int
set_birth (struct dg_store *blocks, struct dg_store_index *index,
           struct dg_small_block *small, const struct dg_birth *birth)
{
  return dg_intern_add (&index->births, &blocks->births, birth, sizeof *birth,
                        &small->birth);
}

/* An item that was given back, or a new one.  A wide one stays wide.  */
static struct dg_small_block *
take_item (struct dg_store *blocks, size_t *i)
{
  struct dg_small_block *small;

  if (blocks->spare.n == 0) {
    *i = blocks->items.n;
    return dg_table_add (&blocks->items, sizeof *small);
  }
  *i = ((uint32_t *) blocks->spare.items)[--blocks->spare.n];
  small = small_of (blocks, *i);
  if (small->flags & DG_BLOCK_IS_WIDE)
    *small = (struct dg_small_block) { .address = small->address,
                                       .flags = DG_BLOCK_IS_WIDE };
  else
    *small = (struct dg_small_block) { .address = 0 };
  return small;
}

int
dg_store_add (struct dg_store *blocks, struct dg_store_index *index,
              const struct dg_block *block, size_t *i)
{
  const struct dg_wide_block numbers = {
    .address = block->address, .size = block->size,
    .alloc_icount = block->alloc_icount, .free_icount = DG_NEVER
  };
  const struct dg_birth birth = { .sites = block->alloc_stack.sites,
                                  .n_sites = block->alloc_stack.n };
  struct dg_small_block *small;
  bool is_new = blocks->spare.n == 0;

  if (blocks->deaths.n == 0
      && !dg_table_add (&blocks->deaths, sizeof (struct dg_death)))
    return DG_ERR_NOMEM;
  small = take_item (blocks, i);
  if (!small)
    return DG_ERR_NOMEM;
  small->free_order = DG_NONE;
  if (set_numbers (blocks, small, &numbers) < 0
      || set_birth (blocks, index, small, &birth) < 0) {
    if (is_new)
      blocks->items.n--;
    else
      blocks->spare.n++;
    return DG_ERR_NOMEM;
  }
  return 0;
}

void
dg_store_set_order (struct dg_store *blocks, size_t i, uint32_t order)
{
  small_of (blocks, i)->alloc_order = order;
}

/* Details may come twice; the last ones count.  */
static int
set_old_address (struct dg_store *blocks, size_t i,
                 struct dg_small_block *small, uint64_t address)
{
  struct dg_old_address *olds = blocks->olds.items;

  if (!(small->flags & DG_BLOCK_HAS_OLD) && address == 0)
    return 0;
  if (blocks->reuses) {
    if (dg_table_reserve (&blocks->olds, sizeof address, blocks->items.room)
        < 0)
      return DG_ERR_NOMEM;
    ((uint64_t *) blocks->olds.items)[i] = address;
    small->flags |= DG_BLOCK_HAS_OLD;
  } else if (!(small->flags & DG_BLOCK_HAS_OLD)) {
    olds = dg_table_add (&blocks->olds, sizeof *olds);
    if (!olds)
      return DG_ERR_NOMEM;
    olds->block = (uint32_t) i;
    olds->address = address;
    small->flags |= DG_BLOCK_HAS_OLD;
  } else {
    olds[blocks->olds.n - 1].address = address;
  }
  return 0;
}

int
dg_store_set_birth (struct dg_store *blocks, struct dg_store_index *index,
                    size_t i, const struct dg_block *block)
{
  struct dg_small_block *small = small_of (blocks, i);
  struct dg_birth birth = *dg_store_birth (blocks, i);
  struct dg_wide_block numbers = numbers_of (blocks, small);

  birth.alignment = block->alignment;
  birth.thread = block->alloc_thread;
  birth.allocator = block->allocator;
  birth.kind = block->kind;
  numbers.usable = block->usable;
  if (set_birth (blocks, index, small, &birth) < 0
      || set_numbers (blocks, small, &numbers) < 0
      || set_old_address (blocks, i, small, block->old_address) < 0)
    return DG_ERR_NOMEM;
  small->flags &= ~DG_BLOCK_HAS_ALLOC_SEQNO;
  if (block->alloc_seqno == 0)
    return 0;
  small->flags |= DG_BLOCK_HAS_ALLOC_SEQNO;
  return set_seqno (blocks, small->alloc_order, block->alloc_seqno);
}

int
dg_store_set_pool (struct dg_store *blocks, struct dg_store_index *index,
                    size_t i, uint32_t pool)
{
  struct dg_birth birth = *dg_store_birth (blocks, i);

  birth.pool = pool;
  return set_birth (blocks, index, small_of (blocks, i), &birth);
}

static uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  while (b != 0) {
    uint64_t rest = a % b;

    a = b;
    b = rest;
  }
  return a;
}

static uint64_t
distance (uint64_t a, uint64_t b)
{
  return a > b ? a - b : b - a;
}

void
dg_birth_sizes_add (struct dg_birth_sizes *sizes,
                    const struct dg_birth_sizes *others)
{
  if (others->first == 0)
    return;
  if (sizes->first == 0)
    sizes->first = others->first;
  if (others->first != sizes->first)
    sizes->step =
      common_divisor (distance (sizes->first, others->first), sizes->step);
  if (others->step != 0)
    sizes->step = common_divisor (others->step, sizes->step);
}

uint64_t
dg_birth_sizes_unit (const struct dg_birth_sizes *sizes, uint64_t behind)
{
  return sizes->first == 0
           ? 0 : common_divisor (distance (sizes->first, behind),
                                 sizes->step);
}

static int
note_first (struct dg_store *blocks, struct dg_store_index *index, size_t i,
            uint32_t birth)
{
  struct dg_first_block *first = dg_table_add (&blocks->firsts, sizeof *first);

  if (!first)
    return DG_ERR_NOMEM;
  first->birth = birth;
  first->icount = dg_store_extent (blocks, i).alloc_icount;
  ((bool *) index->are_known.items)[birth] = true;
  return 0;
}

int
dg_store_note_birth (struct dg_store *blocks, struct dg_store_index *index,
                     size_t i)
{
  const struct dg_birth_sizes size = {
    .first = dg_store_extent (blocks, i).size
  };
  uint32_t birth = dg_store_small (blocks, i)->birth;
  struct dg_table *known = &index->are_known;

  while (known->n <= birth)
    if (!dg_table_add (known, sizeof (bool)))
      return DG_ERR_NOMEM;
  while (blocks->sizes.n <= birth)
    if (!dg_table_add (&blocks->sizes, sizeof size))
      return DG_ERR_NOMEM;
  dg_birth_sizes_add ((struct dg_birth_sizes *) blocks->sizes.items + birth,
                      &size);
  return ((bool *) known->items)[birth]
           ? 0 : note_first (blocks, index, i, birth);
}

/* ---- Ending ---- */

int
dg_store_set_end (struct dg_store *blocks, size_t i, uint64_t icount,
                   uint32_t order)
{
  struct dg_small_block *small = small_of (blocks, i);
  struct dg_wide_block numbers;

  small->free_order = order;
  if (!(small->flags & DG_BLOCK_IS_WIDE)
      && (icount < DG_BLOCK_MASK || icount == DG_NEVER)) {
    small->free_icount = icount & DG_BLOCK_MASK;
    return 0;
  }
  numbers = numbers_of (blocks, small);
  numbers.free_icount = icount;
  return set_numbers (blocks, small, &numbers);
}

int
dg_store_set_death (struct dg_store *blocks, struct dg_store_index *index,
                     size_t i, const struct dg_block *block)
{
  struct dg_small_block *small = small_of (blocks, i);
  const struct dg_death death = {
    .sites = block->free_stack.sites, .n_sites = block->free_stack.n,
    .thread = block->free_thread, .deallocator = block->deallocator
  };

  if (dg_intern_add (&index->deaths, &blocks->deaths, &death, sizeof death,
                     &small->death) < 0)
    return DG_ERR_NOMEM;
  small->flags &= ~DG_BLOCK_HAS_FREE_SEQNO;
  if (block->free_seqno == 0 || small->free_order == DG_NONE)
    return 0;
  small->flags |= DG_BLOCK_HAS_FREE_SEQNO;
  return set_seqno (blocks, small->free_order, block->free_seqno);
}

int
dg_store_move_end (struct dg_store *blocks, size_t from, size_t to)
{
  struct dg_small_block *old = small_of (blocks, from);
  struct dg_small_block *new = small_of (blocks, to);
  uint64_t icount = numbers_of (blocks, old).free_icount;

  new->flags &= ~DG_BLOCK_HAS_FREE_SEQNO;
  new->flags |= old->flags & DG_BLOCK_HAS_FREE_SEQNO;
  new->death = old->death;
  if (dg_store_set_end (blocks, to, icount, old->free_order) < 0)
    return DG_ERR_NOMEM;
  old->flags &= ~DG_BLOCK_HAS_FREE_SEQNO;
  old->death = 0;
  return dg_store_set_end (blocks, from, DG_NEVER, DG_NONE);
}

/* ---- Asking ---- */

const struct dg_birth *
dg_store_birth (const struct dg_store *blocks, size_t i)
{
  return (const struct dg_birth *) blocks->births.items
         + dg_store_small (blocks, i)->birth;
}

struct dg_block_extent
dg_store_extent (const struct dg_store *blocks, size_t i)
{
  struct dg_wide_block numbers =
    numbers_of (blocks, dg_store_small (blocks, i));

  return (struct dg_block_extent) {
    .address = numbers.address, .size = numbers.size,
    .alloc_icount = numbers.alloc_icount, .free_icount = numbers.free_icount
  };
}

static uint64_t
old_address_of (const struct dg_store *blocks, size_t i)
{
  const struct dg_old_address *olds = blocks->olds.items;

  if (blocks->reuses)
    return ((const uint64_t *) blocks->olds.items)[i];
  return olds[DG_BISECT (1, blocks->olds.n, at, olds[at].block <= i) - 1]
    .address;
}

struct dg_block
dg_store_get (const struct dg_store *blocks, size_t i)
{
  const struct dg_small_block *small = dg_store_small (blocks, i);
  const struct dg_wide_block numbers = numbers_of (blocks, small);
  const struct dg_birth *birth = dg_store_birth (blocks, i);
  const struct dg_death *death =
    (const struct dg_death *) blocks->deaths.items + small->death;
  struct dg_block block = {
    .address = numbers.address, .size = numbers.size,
    .alloc_icount = numbers.alloc_icount, .free_icount = numbers.free_icount,
    .alloc_stack = { birth->n_sites, birth->sites },
    .free_stack = { death->n_sites, death->sites },
    .alloc_thread = birth->thread, .free_thread = death->thread,
    .allocator = birth->allocator, .kind = birth->kind, .pool = birth->pool,
    .deallocator = (uint8_t) death->deallocator,
    .usable = numbers.usable, .alignment = birth->alignment,
    .alloc_order = small->alloc_order, .free_order = small->free_order
  };

  if (small->flags & DG_BLOCK_HAS_ALLOC_SEQNO)
    block.alloc_seqno = seqno_at (blocks, small->alloc_order);
  if (small->flags & DG_BLOCK_HAS_FREE_SEQNO)
    block.free_seqno = seqno_at (blocks, small->free_order);
  if (small->flags & DG_BLOCK_HAS_OLD)
    block.old_address = old_address_of (blocks, i);
  return block;
}

/* ---- Reusing ---- */

int
dg_store_give_back (struct dg_store *blocks, size_t i)
{
  uint32_t *place = dg_table_add (&blocks->spare, sizeof *place);

  g_assert (blocks->reuses);
  if (!place)
    return DG_ERR_NOMEM;
  *place = (uint32_t) i;
  return 0;
}

/* A block that stays.  */
struct staying {
  uint32_t order, item;
};

DG_COMPARE_BY (compare_staying, struct staying, order)

/* These items, in the order of allocation, and how many they are; to be freed.
   NULL: no memory.  */
static struct staying *
list_staying (const struct dg_store *blocks, uint64_t icount, size_t *n)
{
  size_t all = blocks->items.n, i;
  const uint32_t *spare = blocks->spare.items;
  struct staying *staying = g_try_new (struct staying, all + 1);

  *n = 0;
  if (!staying)
    return NULL;
  for (i = 0; i < all; i++)
    staying[i] = (struct staying) { dg_store_small (blocks, i)->alloc_order,
                                    (uint32_t) i };
  for (i = 0; i < blocks->spare.n; i++)
    staying[spare[i]].item = DG_NONE;
  for (i = 0; i < all; i++)
    if (staying[i].item != DG_NONE
        && dg_store_extent (blocks, i).alloc_icount <= icount)
      staying[(*n)++] = staying[i];
  qsort (staying, *n, sizeof *staying, compare_staying);
  return staying;
}

/* Fills tables with the items that stay.  */
static int
copy_staying (const struct dg_store *blocks, const struct staying *staying,
              size_t n, struct dg_table *items, struct dg_table *olds)
{
  for (size_t i = 0; i < n; i++) {
    const struct dg_small_block *from =
      dg_store_small (blocks, staying[i].item);
    struct dg_small_block *small = dg_table_add (items, sizeof *small);
    struct dg_old_address *old;

    if (!small)
      return DG_ERR_NOMEM;
    *small = *from;
    if (!(from->flags & DG_BLOCK_HAS_OLD))
      continue;
    old = dg_table_add (olds, sizeof *old);
    if (!old)
      return DG_ERR_NOMEM;
    old->block = (uint32_t) i;
    old->address = old_address_of (blocks, staying[i].item);
  }
  return 0;
}

int
dg_store_settle (struct dg_store *blocks, uint64_t icount)
{
  size_t n;
  struct staying *staying = list_staying (blocks, icount, &n);
  struct dg_table items = { 0 }, olds = { 0 };
  int code = staying ? copy_staying (blocks, staying, n, &items, &olds)
                     : DG_ERR_NOMEM;

  g_free (staying);
  if (code < 0) {
    dg_table_fini (&items);
    dg_table_fini (&olds);
    return code;
  }
  dg_table_fini (&blocks->items);
  dg_table_fini (&blocks->olds);
  dg_table_fini (&blocks->spare);
  blocks->items = items;
  blocks->olds = olds;
  blocks->reuses = false;
  return 0;
}

/* ---- All of them ---- */

/* The tables of a struct, with their sizes of items.  */
#define EACH_TABLE(F)                                                         \
  F (spare, uint32_t)                                                         \
  F (items, struct dg_small_block) F (wide, struct dg_wide_block)             \
  F (births, struct dg_birth) F (sizes, struct dg_birth_sizes)                \
  F (firsts, struct dg_first_block) F (deaths, struct dg_death)               \
  F (olds, struct dg_old_address) F (seqnos, struct dg_seqno_step)

int
dg_store_copy (struct dg_store *to, const struct dg_store *from)
{
  g_assert (!from->reuses);
#define COPY(table, type)                                                     \
  if (dg_table_copy (&to->table, &from->table, sizeof (type)) < 0)            \
    return DG_ERR_NOMEM;
  EACH_TABLE (COPY)
#undef COPY
  return 0;
}

void
dg_store_fini (struct dg_store *blocks)
{
#define FINI(table, type) dg_table_fini (&blocks->table);
  EACH_TABLE (FINI)
#undef FINI
}

void
dg_store_index_fini (struct dg_store_index *index)
{
  dg_intern_fini (&index->births);
  dg_intern_fini (&index->deaths);
  dg_table_fini (&index->are_known);
}
