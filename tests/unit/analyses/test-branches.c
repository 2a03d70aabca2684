/* test-branches.c: the predictor of Cachegrind, by sequences whose wrong
   predictions are known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyses/branches/branches_global.h"
#include "unit_main.h"

#include <glib.h>

/* A branch that is always taken: each of the histories 0, 1, 11, ... has a
   counter of its own, which starts at 0; that of seven ones has to be counted
   to 2.  */
static void
test_always (void)
{
  struct dg_branches_global *global
    = g_new0 (struct dg_branches_global, 1);
  unsigned wrong = 0;

  for (unsigned i = 0; i < 100; i++)
    wrong += !dg_branches_global_conditional (global, 0x401000, true);
  g_assert_cmpuint (wrong, ==, DG_BRANCHES_HISTORY_BITS + 2);
  g_free (global);
}

/* One that is never taken is right from the start.  Addresses that are the
   same in their low 7 bits share counters; others do not.  */
static void
test_places (void)
{
  struct dg_branches_global *global
    = g_new0 (struct dg_branches_global, 1);

  for (unsigned i = 0; i < 100; i++)
    g_assert_true (dg_branches_global_conditional (global, 5, false));
  for (unsigned i = 0; i < 100; i++)
    dg_branches_global_conditional (global, 5, true);
  g_assert_true (dg_branches_global_conditional (global, 5 + 128, true));
  g_assert_false (dg_branches_global_conditional (global, 6, true));
  g_free (global);
}

static void
test_indirect (void)
{
  struct dg_branches_global *global
    = g_new0 (struct dg_branches_global, 1);

  g_assert_false (dg_branches_global_indirect (global, 9, 1000));
  g_assert_true (dg_branches_global_indirect (global, 9, 1000));
  g_assert_false (dg_branches_global_indirect (global, 9 + 512, 2000));
  g_assert_false (dg_branches_global_indirect (global, 9, 1000));
  g_assert_false (dg_branches_global_indirect (global, 10, 1000));
  g_free (global);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/branches/always", test_always);
  g_test_add_func ("/branches/places", test_places);
  g_test_add_func ("/branches/indirect", test_indirect);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
