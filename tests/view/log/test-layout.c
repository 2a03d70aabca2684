/* test-layout.c: touched pages to the X axis and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/layout.h"
#include "unit_main.h"

#include <glib.h>

static void
test_empty (void)
{
  struct dv_layout layout;
  uint64_t position = 1;
  dv_layout_init (&layout, NULL, 0, 12);
  g_assert_cmpuint (layout.size, ==, 0);
  g_assert_false (dv_layout_position (&layout, 0x1000, &position));
  g_assert_cmpuint (position, ==, 0);
  g_assert_cmpuint (dv_layout_address (&layout, 5), ==, 0);
  dv_layout_fini (&layout);
}

static void
test_segments (void)
{
  static const uint64_t pages[] = { 1, 2, 5, 0xfffffffffffff };
  struct dv_layout layout;
  dv_layout_init (&layout, pages, G_N_ELEMENTS (pages), 12);
  g_assert_cmpuint (layout.n, ==, 3);
  g_assert_cmpuint (layout.size, ==, 4 * 4096);
  g_assert_cmpuint (layout.segments[0].size, ==, 2 * 4096);
  g_assert_cmpuint (layout.segments[1].address, ==, 0x5000);
  g_assert_cmpuint (layout.segments[1].position, ==, 0x2000);
  g_assert_cmpuint (layout.segments[2].address, ==, 0xfffffffffffff000);

  static const struct {
    uint64_t address, position;
    bool shown;
  } cases[] = {
    { 0, 0, false },          { 0xfff, 0, false },
    { 0x1000, 0, true },      { 0x2fff, 0x1fff, true },
    { 0x3000, 0x2000, false }, { 0x4fff, 0x2000, false },
    { 0x5004, 0x2004, true }, { 0x6000, 0x3000, false },
    { 0xfffffffffffff000, 0x3000, true },
    { UINT64_MAX, 0x3fff, true },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    uint64_t position;
    bool shown = dv_layout_position (&layout, cases[i].address, &position);
    g_assert_cmpint (shown, ==, cases[i].shown);
    g_assert_cmphex (position, ==, cases[i].position);
    if (shown)
      g_assert_cmphex (dv_layout_address (&layout, position), ==,
                       cases[i].address);
  }
  /* Behind the end.  */
  g_assert_cmphex (dv_layout_address (&layout, 0x4000), ==, UINT64_MAX);
  g_assert_true (dv_layout_segment (&layout, 0x9000) == &layout.segments[2]);
  dv_layout_fini (&layout);
}

/* Every byte there and back, on random pages of a random size.  */
static void
test_round_trip (void)
{
  for (int round = 0; round < 20; round++) {
    unsigned shift = (unsigned) g_test_rand_int_range (4, 9);
    GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    for (uint64_t page = 0; page < 60; page++)
      if (g_test_rand_int_range (0, 3) == 0)
        g_array_append_val (pages, page);
    struct dv_layout layout;
    dv_layout_init (&layout, (uint64_t *) (void *) pages->data, pages->len,
                    shift);
    g_assert_cmpuint (layout.size, ==, (uint64_t) pages->len << shift);
    uint64_t last = 0;
    for (uint64_t p = 0; p < layout.size; p++) {
      uint64_t back, address = dv_layout_address (&layout, p);
      g_assert_true (p == 0 || address > last);
      g_assert_true (dv_layout_position (&layout, address, &back));
      g_assert_cmpuint (back, ==, p);
      g_assert_cmpuint (address >> shift, ==,
                        g_array_index (pages, uint64_t, p >> shift));
      last = address;
    }
    dv_layout_fini (&layout);
    g_array_unref (pages);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/empty", test_empty);
  g_test_add_func ("/layout/segments", test_segments);
  g_test_add_func ("/layout/round-trip", test_round_trip);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
