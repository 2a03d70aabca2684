/* test-whatif.c: layouts of changed types, and where their objects are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyses/whatif/whatif_place.h"
#include "unit_main.h"

#include <string.h>

/* struct { char a; double b; char c; double d; char text[8]; }  */
static const struct dg_whatif_field fields[] = {
  { (char *) "a", 0, 1, 1, 1 },   { (char *) "b", 8, 8, 8, 8 },
  { (char *) "c", 16, 1, 1, 1 },  { (char *) "d", 24, 8, 8, 8 },
  { (char *) "text", 32, 8, 8, 1 },
};
#define N_FIELDS G_N_ELEMENTS (fields)
#define PERIOD   40

static struct dg_whatif_layout *
make (enum dg_whatif_how how, const char *names)
{
  char **list = names != NULL ? g_strsplit (names, ",", -1) : NULL;
  struct dg_whatif_layout *layout =
    dg_whatif_layout_new (how, PERIOD, fields, N_FIELDS, list);

  g_strfreev (list);
  g_assert_nonnull (layout);
  return layout;
}

/* ---- Layouts ---- */

static void
check_cell (const struct dg_whatif_layout *layout, unsigned byte,
            unsigned part, unsigned at)
{
  g_assert_cmpuint (layout->cells[byte].part, ==, part);
  g_assert_cmpuint (layout->cells[byte].at, ==, at);
}

static void
test_split (void)
{
  struct dg_whatif_layout *layout = make (DG_WHATIF_SPLIT, "d,a");

  g_assert_cmpuint (layout->n_parts, ==, 2);
  g_assert_cmpuint (layout->parts[0].stride, ==, 16);
  g_assert_cmpuint (layout->parts[1].stride, ==, 24);
  check_cell (layout, 25, 0, 1);
  check_cell (layout, 0, 0, 8);
  check_cell (layout, 15, 1, 7);
  check_cell (layout, 16, 1, 8);
  check_cell (layout, 33, 1, 10);
  dg_whatif_layout_free (layout);

  layout = make (DG_WHATIF_SPLIT, "a,b,c,d,text");
  g_assert_cmpuint (layout->n_parts, ==, 1);
  dg_whatif_layout_free (layout);
}

static void
test_soa (void)
{
  struct dg_whatif_layout *layout = make (DG_WHATIF_SOA, NULL);

  g_assert_cmpuint (layout->n_parts, ==, N_FIELDS);
  for (unsigned i = 0; i < N_FIELDS; i++) {
    g_assert_cmpuint (layout->parts[i].stride, ==, fields[i].size);
    check_cell (layout, (unsigned) fields[i].offset, i, 0);
  }
  /* Padding is with the field before it.  */
  check_cell (layout, 5, 0, 0);
  dg_whatif_layout_free (layout);
}

static void
test_order (void)
{
  struct dg_whatif_layout *layout = make (DG_WHATIF_ORDER, "text,c");

  g_assert_cmpuint (layout->n_parts, ==, 1);
  check_cell (layout, 32, 0, 0);
  check_cell (layout, 16, 0, 8);
  check_cell (layout, 0, 0, 9);
  check_cell (layout, 8, 0, 16);
  g_assert_cmpuint (layout->parts[0].stride, ==, 32);
  dg_whatif_layout_free (layout);

  layout = make (DG_WHATIF_PACK, NULL);
  check_cell (layout, 8, 0, 0);
  check_cell (layout, 24, 0, 8);
  check_cell (layout, 0, 0, 16);
  g_assert_cmpuint (layout->parts[0].stride, ==, 32);
  dg_whatif_layout_round (layout, 64);
  g_assert_cmpuint (layout->parts[0].stride, ==, 64);
  dg_whatif_layout_free (layout);
}

static void
test_narrow (void)
{
  struct dg_whatif_field narrow[N_FIELDS];
  struct dg_whatif_layout *layout;

  memcpy (narrow, fields, sizeof fields);
  narrow[1].new_size = narrow[1].align = 4;
  layout =
    dg_whatif_layout_new (DG_WHATIF_SAME, PERIOD, narrow, N_FIELDS, NULL);
  check_cell (layout, 8, 0, 4);
  check_cell (layout, 11, 0, 7);
  check_cell (layout, 15, 0, 7);
  check_cell (layout, 16, 0, 8);
  dg_whatif_layout_free (layout);
}

/* ---- Places ---- */

static uint64_t
moved (struct dg_whatif_place *place, uint64_t address)
{
  struct dg_whatif_object *object = dg_whatif_place_find (place, address);

  return object != NULL ? dg_whatif_object_move (object, address) : address;
}

static void
test_blocks (void)
{
  struct dg_whatif_layout *layout = make (DG_WHATIF_SPLIT, "b");
  struct dg_whatif_place place;
  uint64_t first, second;

  dg_whatif_place_init (&place);
  g_assert_cmpuint (dg_whatif_place_add (&place, 0x1000, PERIOD, layout,
                                         DG_WHATIF_BLOCK, 0), ==, 8 + 24);
  dg_whatif_place_add (&place, 0x2000, PERIOD, layout, DG_WHATIF_BLOCK, 0);
  first = moved (&place, 0x1008);
  second = moved (&place, 0x2008);
  g_assert_cmpuint (first, >=, DG_WHATIF_FIRST);
  /* What is split off is an array.  */
  g_assert_cmpuint (second - first, ==, 16 + DG_WHATIF_OVERHEAD);
  g_assert_cmpuint (moved (&place, 0x2000) - moved (&place, 0x1000), ==, 24);
  g_assert_cmpuint (moved (&place, 0xfff), ==, 0xfff);
  g_assert_cmpuint (moved (&place, 0x1000 + PERIOD), ==, 0x1000 + PERIOD);
  dg_whatif_place_remove (&place, 0x1000);
  g_assert_cmpuint (moved (&place, 0x1008), ==, 0x1008);
  dg_whatif_place_add (&place, 0x3000, PERIOD, layout, DG_WHATIF_BLOCK, 0);
  g_assert_cmpuint (moved (&place, 0x3008), ==, first);
  dg_whatif_place_fini (&place);
  dg_whatif_layout_free (layout);
}

/* What keeps its size stays; alignment takes room.  */
static void
test_align (void)
{
  struct dg_whatif_layout *layout = dg_whatif_layout_plain (64, 64);
  struct dg_whatif_place place;
  uint64_t first;

  layout->align = 64;
  dg_whatif_place_init (&place);
  dg_whatif_place_add (&place, 0x1000, 64, layout, DG_WHATIF_BLOCK, 0);
  dg_whatif_place_add (&place, 0x2010, 64, layout, DG_WHATIF_BLOCK, 0);
  dg_whatif_place_add (&place, 0x3010, 64, layout, DG_WHATIF_BLOCK, 0);
  g_assert_cmpuint (moved (&place, 0x1008), ==, 0x1008);
  first = moved (&place, 0x2010);
  g_assert_cmpuint (first % 64, ==, 0);
  g_assert_cmpuint (moved (&place, 0x3010) - first, ==,
                    128 + 2 * DG_WHATIF_OVERHEAD);
  dg_whatif_place_fini (&place);
  dg_whatif_layout_free (layout);
}

static void
test_rows (void)
{
  struct dg_whatif_layout *layout = dg_whatif_layout_plain (512, 576);
  struct dg_whatif_place place;
  uint64_t base;

  dg_whatif_place_init (&place);
  dg_whatif_place_add (&place, 0x10000, 512 * 100, layout, DG_WHATIF_STATIC,
                       0);
  base = moved (&place, 0x10000);
  for (unsigned row = 0; row < 100; row++)
    g_assert_cmpuint (moved (&place, 0x10000 + 512 * row + 8), ==,
                      base + 576 * row + 8);
  dg_whatif_place_fini (&place);
  dg_whatif_layout_free (layout);
}

static void
test_pool (void)
{
  struct dg_whatif_layout *layout = dg_whatif_layout_plain (24, 24);
  struct dg_whatif_place place;
  struct dg_whatif_object *object;

  layout->pool = DG_WHATIF_BY_USE;
  dg_whatif_place_init (&place);
  dg_whatif_place_add (&place, 0x1000, 24, layout, DG_WHATIF_BLOCK, 0);
  dg_whatif_place_add (&place, 0x1100, 24, layout, DG_WHATIF_BLOCK, 0);
  object = dg_whatif_place_find (&place, 0x1100);
  g_assert_true (object->is_waiting);
  g_assert_true (dg_whatif_place_is_begun (&place, object, true));
  g_assert_false (dg_whatif_place_is_begun (&place, object, false));
  g_assert_false (dg_whatif_place_is_begun (
    &place, dg_whatif_place_find (&place, 0x1000), true));
  dg_whatif_place_settle (&place, object);
  dg_whatif_place_settle (&place, dg_whatif_place_find (&place, 0x1000));
  g_assert_cmpuint (moved (&place, 0x1000), ==, moved (&place, 0x1100) + 24);
  dg_whatif_place_fini (&place);
  dg_whatif_layout_free (layout);
}

/* Large pages need one walk for 2 MiB.  */
static void
test_page (void)
{
  struct dg_whatif_layout *layout = dg_whatif_layout_plain (1, 1);
  const struct dg_time_machine *machine = dg_time_machine_find ("zen5");
  struct dg_time_shared shared;
  struct dg_time_memory memory;
  struct dg_whatif_place place;
  unsigned walks = 0, touches = 0;

  layout->pages = DG_WHATIF_LARGE_PAGES;
  g_assert_cmpint (dg_time_shared_init (&shared, machine), ==, 0);
  g_assert_cmpint (dg_time_memory_init (&memory, &shared), ==, 0);
  dg_whatif_place_init (&place);
  dg_whatif_place_add (&place, 0x1000000, 8 << 20, layout, DG_WHATIF_BLOCK, 0);
  for (uint64_t at = 0; at < 8 << 20; at += 4096) {
    uint64_t to = moved (&place, 0x1000000 + at);
    bool is_walk, is_first;

    g_assert_cmpuint (to, >=, DG_TIME_LARGE);
    dg_time_memory_walk (&memory, to, 0, &is_walk, &is_first);
    walks += is_walk;
    touches += is_first;
  }
  g_assert_cmpuint (walks, >=, 4);
  g_assert_cmpuint (walks, <=, 5);
  g_assert_cmpuint (touches, ==, walks);
  dg_whatif_place_fini (&place);
  dg_time_memory_fini (&memory);
  dg_time_shared_fini (&shared);
  dg_whatif_layout_free (layout);
}

/* ---- Against a plain model ---- */

#define SLOTS 64
#define SLOT_BYTES 4096

/* No two bytes of live objects are at one place, each part of an object is an
   array, and nothing else moves.  */
static void
check_all (struct dg_whatif_place *place, const uint64_t *sizes)
{
  GHashTable *taken = g_hash_table_new (NULL, NULL);

  for (unsigned slot = 0; slot < SLOTS; slot++)
    for (uint64_t at = 0; at < SLOT_BYTES; at += 8) {
      uint64_t address = 0x100000 + slot * SLOT_BYTES + at;
      uint64_t to = moved (place, address);

      if (at >= sizes[slot]) {
        g_assert_cmpuint (to, ==, address);
        continue;
      }
      g_assert_true (g_hash_table_add (taken, GSIZE_TO_POINTER (to)));
      if (at >= PERIOD)
        g_assert_cmpuint (
          to - moved (place, address - PERIOD), ==,
          dg_whatif_place_find (place, address)
            ->layout->parts[at / 8 % (PERIOD / 8)].stride);
    }
  g_hash_table_unref (taken);
}

static void
test_model (void)
{
  struct dg_whatif_layout *layout = make (DG_WHATIF_SOA, NULL);
  uint64_t sizes[SLOTS] = { 0 };
  struct dg_whatif_place place;
  GRand *random = g_rand_new_with_seed (1);

  dg_whatif_place_init (&place);
  for (unsigned i = 0; i < 400; i++) {
    unsigned slot = (unsigned) g_rand_int_range (random, 0, SLOTS);
    uint64_t address = 0x100000 + slot * SLOT_BYTES;

    if (sizes[slot] > 0) {
      dg_whatif_place_remove (&place, address);
      sizes[slot] = 0;
    } else {
      sizes[slot] = PERIOD * (uint64_t) g_rand_int_range (random, 1, 102);
      dg_whatif_place_add (&place, address, sizes[slot], layout,
                           DG_WHATIF_BLOCK, 0);
    }
    if (i % 20 == 0)
      check_all (&place, sizes);
  }
  g_assert_false (place.has_failed);
  g_rand_free (random);
  dg_whatif_place_fini (&place);
  dg_whatif_layout_free (layout);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/whatif/layout/split", test_split);
  g_test_add_func ("/whatif/layout/soa", test_soa);
  g_test_add_func ("/whatif/layout/order", test_order);
  g_test_add_func ("/whatif/layout/narrow", test_narrow);
  g_test_add_func ("/whatif/place/blocks", test_blocks);
  g_test_add_func ("/whatif/place/align", test_align);
  g_test_add_func ("/whatif/place/rows", test_rows);
  g_test_add_func ("/whatif/place/pool", test_pool);
  g_test_add_func ("/whatif/place/page", test_page);
  g_test_add_func ("/whatif/place/model", test_model);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
