/* test-clock.c: time between the readings of a clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/clock.h"
#include "unit_main.h"

#include <glib.h>

static void
test_between (void)
{
  const struct dg_clock clock[] = { { 10, 100 }, { 20, 200 }, { 20, 300 },
                                    { 50, 600 }, { 60, 500 }, { 70, 700 } };
  const struct { uint64_t icount, ns; } expected[] = {
    { 0, 0 }, { 5, 50 }, { 10, 100 }, { 11, 110 }, { 19, 190 }, { 20, 300 },
    { 21, 310 }, { 49, 590 }, { 50, 600 }, { 55, 600 }, { 60, 500 },
    { 65, 600 }, { 70, 700 }
  };
  uint64_t ns = 77;

  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_assert_true (dg_clock_at (clock, G_N_ELEMENTS (clock),
                                expected[i].icount, &ns));
    g_assert_cmpuint (ns, ==, expected[i].ns);
    g_assert_cmpuint (dg_clock_near (clock, G_N_ELEMENTS (clock),
                                     expected[i].icount), ==, ns);
  }
  /* Behind the last reading nobody knows.  */
  ns = 77;
  g_assert_false (dg_clock_at (clock, G_N_ELEMENTS (clock), 71, &ns));
  g_assert_false (dg_clock_at (clock, G_N_ELEMENTS (clock), UINT64_MAX, &ns));
  g_assert_false (dg_clock_at (clock, 0, 0, &ns));
  g_assert_cmpuint (ns, ==, 77);
  g_assert_cmpuint (dg_clock_near (clock, G_N_ELEMENTS (clock), UINT64_MAX),
                    ==, 700);
  g_assert_cmpuint (dg_clock_near (clock, 0, 9), ==, 0);
}

/* A reading of the first moment other than 0 is believed.  */
static void
test_first (void)
{
  const struct dg_clock clock[] = { { 0, 40 }, { 10, 100 } };
  uint64_t ns;

  g_assert_true (dg_clock_at (clock, 2, 0, &ns));
  g_assert_cmpuint (ns, ==, 40);
  g_assert_true (dg_clock_at (clock, 2, 5, &ns));
  g_assert_cmpuint (ns, ==, 70);
}

static void
test_large (void)
{
  const struct dg_clock clock[] = { { 0, 0 }, { UINT64_MAX, UINT64_MAX } };

  g_assert_cmpuint (dg_clock_near (clock, 2, UINT64_MAX - 1), ==,
                    UINT64_MAX - 1);
  g_assert_cmpuint (dg_clock_share (UINT64_MAX, 3, 1, 5), ==,
                    UINT64_MAX / 2);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/between", test_between);
  g_test_add_func ("/clock/first", test_first);
  g_test_add_func ("/clock/large", test_large);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
