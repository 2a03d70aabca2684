/* test-intern.c: items of a table that are kept once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/intern.h"
#include "unit_main.h"

#include <glib.h>

struct item { uint64_t a; uint32_t b, c; };

static void
test_once (void)
{
  struct dg_intern intern = { .seed = 0 };
  struct dg_table table = { NULL, 0, 0 };
  uint32_t index;

  for (unsigned round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 5000; i++) {
      const struct item item = { i / 7, i % 7, 1 };

      g_assert_cmpint (dg_intern_add (&intern, &table, &item, sizeof item,
                                      &index), ==, 0);
      g_assert_cmpuint (index, ==, i);
    }
    g_assert_cmpuint (table.n, ==, 5000);
    /* What it finds them by is made again when it is gone.  */
    if (round == 1)
      dg_intern_fini (&intern);
  }
  dg_intern_fini (&intern);
  dg_table_fini (&table);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/intern/once", test_once);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
