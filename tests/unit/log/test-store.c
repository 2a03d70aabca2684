/* test-store.c: heap blocks in few bytes are told of as they were.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/store.h"
#include "unit_main.h"

#include <glib.h>

static const uint64_t sites[4][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } };

struct world {
  struct dg_store blocks;
  struct dg_store_index index;
  GArray *wanted;          /* struct dg_block */
  uint32_t orders;
  uint64_t seqno;
};

static void
world_fini (struct world *world)
{
  dg_store_fini (&world->blocks);
  dg_store_index_fini (&world->index);
  g_array_unref (world->wanted);
}

/* Small numbers, those at the limits of 16, 32 and 48 bits, and all ones.  */
static uint64_t
random_number (void)
{
  static const uint64_t limits[] = {
    0, 1, 0xff, 0xffff, UINT32_MAX, (uint64_t) UINT32_MAX + 1,
    DG_BLOCK_MASK - 1, DG_BLOCK_MASK, DG_BLOCK_MASK + 1, UINT64_MAX - 1,
    UINT64_MAX
  };

  return g_test_rand_bit () ? (uint64_t) g_test_rand_int_range (0, 5000)
                            : limits[g_test_rand_int_range (
                                0, G_N_ELEMENTS (limits))];
}

static struct dg_stack
random_stack (void)
{
  return (struct dg_stack) { 2, sites[g_test_rand_int_range (0, 4)] };
}

/* Sequence numbers mostly follow one another; those of a log that lies do
   not.  */
static uint64_t
random_seqno (struct world *world)
{
  switch (g_test_rand_int_range (0, 20)) {
  case 0: return 0;
  case 1: return random_number ();
  case 2: return world->seqno += 7;
  default: return ++world->seqno;
  }
}

static void
add (struct world *world)
{
  struct dg_block block = {
    .address = random_number (), .size = random_number (),
    .alloc_icount = random_number () >> 1, .free_icount = DG_NEVER,
    .alloc_stack = random_stack (), .alloc_order = ++world->orders,
    .free_order = DG_NONE
  };

  size_t i;

  g_assert_cmpint (dg_store_add (&world->blocks, &world->index, &block, &i),
                   ==, 0);
  g_assert_cmpuint (i, ==, world->wanted->len);
  dg_store_set_order (&world->blocks, i, block.alloc_order);
  if (g_test_rand_int_range (0, 10) > 0) {
    block.alloc_seqno = random_seqno (world);
    block.alloc_thread = (uint32_t) g_test_rand_int_range (0, 3);
    block.allocator = (uint8_t) g_test_rand_int_range (0, 16);
    block.kind = (uint8_t) g_test_rand_int_range (0, 3);
    block.usable = g_test_rand_bit ()
                     ? block.size + (uint64_t) g_test_rand_int_range (0, 300)
                     : random_number ();
    block.alignment = random_number ();
    block.old_address = g_test_rand_bit () ? 0 : random_number ();
    g_assert_cmpint (
      dg_store_set_birth (&world->blocks, &world->index, i, &block), ==, 0);
  }
  g_array_append_val (world->wanted, block);
}

static struct dg_block *
random_block (struct world *world, guint *i)
{
  *i = (guint) g_test_rand_int_range (0, (int) world->wanted->len);
  return &g_array_index (world->wanted, struct dg_block, *i);
}

static void
end (struct world *world)
{
  guint i;
  struct dg_block *block = random_block (world, &i);

  if (block->free_order != DG_NONE)
    return;
  block->free_icount = random_number ();
  block->free_order = ++world->orders;
  g_assert_cmpint (dg_store_set_end (&world->blocks, i, block->free_icount,
                                      block->free_order), ==, 0);
  block->free_seqno = random_seqno (world);
  block->free_thread = (uint32_t) g_test_rand_int_range (0, 3);
  block->deallocator = (uint8_t) g_test_rand_int_range (0, 16);
  block->free_stack = random_stack ();
  g_assert_cmpint (
    dg_store_set_death (&world->blocks, &world->index, i, block), ==, 0);
}

static void
move_end (struct world *world)
{
  guint from, to;
  struct dg_block *old = random_block (world, &from);
  struct dg_block *new = random_block (world, &to);

  if (from == to || old->free_order == DG_NONE || new->free_order != DG_NONE)
    return;
  g_assert_cmpint (dg_store_move_end (&world->blocks, from, to), ==, 0);
  new->free_icount = old->free_icount;
  new->free_order = old->free_order;
  new->free_seqno = old->free_seqno;
  new->free_thread = old->free_thread;
  new->deallocator = old->deallocator;
  new->free_stack = old->free_stack;
  old->free_icount = DG_NEVER;
  old->free_order = DG_NONE;
  old->free_seqno = 0;
  old->free_thread = 0;
  old->deallocator = 0;
  old->free_stack = (struct dg_stack) { 0, NULL };
}

static void
check (const struct dg_store *blocks, const GArray *wanted)
{
  g_assert_cmpuint (blocks->items.n, ==, wanted->len);
  for (guint i = 0; i < wanted->len; i++) {
    const struct dg_block *w = &g_array_index (wanted, struct dg_block, i);
    const struct dg_block b = dg_store_get (blocks, i);
    const struct dg_block_extent e = dg_store_extent (blocks, i);

    g_assert_cmpuint (b.address, ==, w->address);
    g_assert_cmpuint (b.size, ==, w->size);
    g_assert_cmpuint (b.usable, ==, w->usable);
    g_assert_cmpuint (b.alloc_icount, ==, w->alloc_icount);
    g_assert_cmpuint (b.free_icount, ==, w->free_icount);
    g_assert_true (b.alloc_stack.sites == w->alloc_stack.sites);
    g_assert_true (b.free_stack.sites == w->free_stack.sites);
    g_assert_cmpuint (b.alloc_stack.n, ==, w->alloc_stack.n);
    g_assert_cmpuint (b.free_stack.n, ==, w->free_stack.n);
    g_assert_cmpuint (b.alloc_seqno, ==, w->alloc_seqno);
    g_assert_cmpuint (b.free_seqno, ==, w->free_seqno);
    g_assert_cmpuint (b.alloc_thread, ==, w->alloc_thread);
    g_assert_cmpuint (b.free_thread, ==, w->free_thread);
    g_assert_cmpuint (b.allocator, ==, w->allocator);
    g_assert_cmpuint (b.deallocator, ==, w->deallocator);
    g_assert_cmpuint (b.kind, ==, w->kind);
    g_assert_cmpuint (b.pool, ==, w->pool);
    g_assert_cmpuint (b.alignment, ==, w->alignment);
    g_assert_cmpuint (b.old_address, ==, w->old_address);
    g_assert_cmpuint (b.alloc_order, ==, w->alloc_order);
    g_assert_cmpuint (b.free_order, ==, w->free_order);
    g_assert_cmpuint (e.address, ==, w->address);
    g_assert_cmpuint (e.size, ==, w->size);
    g_assert_cmpuint (e.alloc_icount, ==, w->alloc_icount);
    g_assert_cmpuint (e.free_icount, ==, w->free_icount);
  }
}

/* Whatever a log says of its blocks, it is what one reads.  */
static void
test_random (void)
{
  struct world world = { .wanted =
    g_array_new (FALSE, FALSE, sizeof (struct dg_block)) };
  struct dg_store copy = { .items = { NULL, 0, 0 } };

  for (unsigned i = 0; i < 3000; i++) {
    int what = world.wanted->len == 0 ? 0 : g_test_rand_int_range (0, 10);

    if (what < 5) {
      add (&world);
    } else if (what < 8) {
      end (&world);
    } else if (what < 9) {
      move_end (&world);
    } else {
      guint k;
      struct dg_block *block = random_block (&world, &k);

      block->pool = (uint32_t) g_test_rand_int_range (0, 3);
      g_assert_cmpint (dg_store_set_pool (&world.blocks, &world.index, k,
                                           block->pool), ==, 0);
    }
  }
  check (&world.blocks, world.wanted);
  g_assert_cmpint (dg_store_copy (&copy, &world.blocks), ==, 0);
  check (&copy, world.wanted);
  dg_store_fini (&copy);
  world_fini (&world);
}

/* The program that allocates and frees in turn needs nothing beside the 40
   bytes of each block.  */
static void
test_small (void)
{
  struct world world = { .wanted =
    g_array_new (FALSE, FALSE, sizeof (struct dg_block)) };

  for (unsigned i = 0; i < 1000; i++) {
    struct dg_block block = {
      .address = 0x4a00000 + 64 * i, .size = 40, .usable = 40,
      .alloc_icount = 100 * i, .free_icount = 100 * i + 50,
      .alloc_stack = { 2, sites[0] }, .free_stack = { 2, sites[1] },
      .alloc_seqno = 2 * i + 1, .free_seqno = 2 * i + 2, .alloc_thread = 1,
      .free_thread = 1, .allocator = 1, .deallocator = 11,
      .alignment = 16, .alloc_order = 2 * i + 5, .free_order = 2 * i + 6
    };
    size_t at;

    dg_store_add (&world.blocks, &world.index, &block, &at);
    dg_store_set_order (&world.blocks, i, block.alloc_order);
    dg_store_set_birth (&world.blocks, &world.index, at, &block);
    dg_store_set_end (&world.blocks, i, block.free_icount, block.free_order);
    dg_store_set_death (&world.blocks, &world.index, i, &block);
    g_array_append_val (world.wanted, block);
  }
  check (&world.blocks, world.wanted);
  g_assert_cmpuint (sizeof (struct dg_small_block), ==, 40);
  g_assert_cmpuint (world.blocks.wide.n, ==, 0);
  g_assert_cmpuint (world.blocks.births.n, ==, 2);
  g_assert_cmpuint (world.blocks.deaths.n, ==, 2);
  g_assert_cmpuint (world.blocks.olds.n, ==, 0);
  g_assert_cmpuint (world.blocks.seqnos.n, ==, 1);
  world_fini (&world);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/small", test_small);
  g_test_add_func ("/store/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
