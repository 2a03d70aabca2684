/* test-live.c: the latest block alive at an address, against a plain list.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/live.h"
#include "unit_main.h"

#include <glib.h>

struct world {
  struct dg_store blocks;
  struct dg_store_index index;
  struct dg_live live;
  GArray *alive;           /* uint32_t: blocks, the latest last */
};

static size_t
add (struct world *world, uint64_t address)
{
  const struct dg_block block = { .address = address, .size = 8 };

  size_t i;

  g_assert_cmpint (dg_store_add (&world->blocks, &world->index, &block, &i),
                   ==, 0);
  return i;
}

/* The place in the list of the latest one at an address; -1: none.  */
static int
latest (const struct world *world, uint64_t address)
{
  for (int i = (int) world->alive->len - 1; i >= 0; i--)
    if (dg_store_address (&world->blocks,
                          g_array_index (world->alive, uint32_t, i))
        == address)
      return i;
  return -1;
}

static void
open_one (struct world *world, uint64_t address)
{
  uint32_t index = (uint32_t) add (world, address);

  g_assert_cmpint (dg_live_open (&world->live, index), ==, 0);
  g_array_append_val (world->alive, index);
}

static void
replace_one (struct world *world, uint64_t address)
{
  int at = latest (world, address);
  uint32_t index = (uint32_t) add (world, address);
  size_t old;

  g_assert_cmpint (dg_live_replace (&world->live, index, &old), ==, 0);
  g_assert_cmpuint (old, ==, at < 0 ? SIZE_MAX
                             : g_array_index (world->alive, uint32_t, at));
  if (at >= 0)
    g_array_remove_index (world->alive, (guint) at);
  g_array_append_val (world->alive, index);
}

static void
close_one (struct world *world, uint64_t address)
{
  int at = latest (world, address);
  size_t index = dg_live_close (&world->live, address);

  g_assert_cmpuint (index, ==, at < 0 ? SIZE_MAX
                               : g_array_index (world->alive, uint32_t, at));
  if (at >= 0)
    g_array_remove_index (world->alive, (guint) at);
}

static void
test_random (void)
{
  struct world world = {
    .alive = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };

  world.live.blocks = &world.blocks;
  g_assert_cmpuint (dg_live_close (&world.live, 16), ==, SIZE_MAX);
  for (unsigned i = 0; i < 20000; i++) {
    /* Some addresses are of wide blocks, whose own stand elsewhere.  */
    uint64_t address = (uint64_t) g_test_rand_int_range (0, 400) * 16
                       + (g_test_rand_int_range (0, 8) == 0
                            ? UINT64_C (1) << 60 : 0);

    switch (g_test_rand_int_range (0, 5)) {
    case 0: open_one (&world, address); break;
    case 1: case 2: replace_one (&world, address); break;
    default: close_one (&world, address);
    }
    dg_live_prefetch (&world.live, address);
  }
  while (world.alive->len > 0)
    close_one (&world, dg_store_address (
      &world.blocks, g_array_index (world.alive, uint32_t, 0)));
  g_assert_cmpuint (world.live.used, ==, 0);
  dg_live_fini (&world.live);
  dg_store_fini (&world.blocks);
  dg_store_index_fini (&world.index);
  g_array_unref (world.alive);
}

/* Many blocks side by side, as a heap has them.  */
static void
test_many (void)
{
  struct world world = { .alive = NULL };

  world.live.blocks = &world.blocks;
  for (uint64_t i = 0; i < 200000; i++)
    g_assert_cmpint (
      dg_live_open (&world.live, add (&world, 0x4a00000 + 48 * i)), ==, 0);
  for (uint64_t i = 0; i < 200000; i++)
    g_assert_cmpuint (dg_live_close (&world.live, 0x4a00000 + 48 * i), ==, i);
  g_assert_cmpuint (world.live.used, ==, 0);
  dg_live_fini (&world.live);
  dg_store_fini (&world.blocks);
  dg_store_index_fini (&world.index);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live/random", test_random);
  g_test_add_func ("/live/many", test_many);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
