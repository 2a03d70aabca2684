/* test-time-branches.c: which branches the time model predicts: those that
   follow a pattern, after they were seen often enough, and no others.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_branches.h"
#include "unit_main.h"

#include <glib.h>

#define BRANCH 0x401234
#define WARM 20000
#define COUNTED 10000

typedef bool (*outcome_fn) (GRand *rand, unsigned i);

/* Wrong ones of COUNTED, after WARM.  */
static unsigned
wrong_of (outcome_fn outcome, unsigned n_branches)
{
  struct dg_time_branches *branches = dg_time_branches_new ();
  GRand *rand = g_rand_new_with_seed (5);
  unsigned wrong = 0;

  for (unsigned i = 0; i < WARM + COUNTED; i++) {
    uint64_t address = BRANCH + 16 * (uint64_t) (i % n_branches);

    if (!dg_time_branches_conditional (branches, address, outcome (rand, i)))
      wrong += i >= WARM;
  }
  g_rand_free (rand);
  dg_time_branches_free (branches);
  return wrong;
}

static bool
always (GRand *rand, unsigned i)
{
  (void) rand;
  (void) i;
  return true;
}

static bool
never (GRand *rand, unsigned i)
{
  (void) rand;
  (void) i;
  return false;
}

static bool
alternating (GRand *rand, unsigned i)
{
  (void) rand;
  return i % 2 == 0;
}

/* The branch at the end of a loop of ten passes.  */
static bool
loop (GRand *rand, unsigned i)
{
  (void) rand;
  return i % 10 != 9;
}

static bool
long_loop (GRand *rand, unsigned i)
{
  (void) rand;
  return i % 60 != 59;
}

static bool
at_random (GRand *rand, unsigned i)
{
  (void) i;
  return g_rand_boolean (rand);
}

/* One in ten is not taken.  */
static bool
biased (GRand *rand, unsigned i)
{
  (void) i;
  return g_rand_int_range (rand, 0, 10) != 0;
}

/* Two in turn: the second does as the first did.  */
static bool
correlated (GRand *rand, unsigned i)
{
  static bool last;

  if (i % 2 == 0)
    last = g_rand_boolean (rand);
  return last;
}

static void
test_conditional (void)
{
  g_assert_cmpuint (wrong_of (always, 1), ==, 0);
  g_assert_cmpuint (wrong_of (never, 1), ==, 0);
  g_assert_cmpuint (wrong_of (never, 1000), ==, 0);
  g_assert_cmpuint (wrong_of (alternating, 1), ==, 0);
  g_assert_cmpuint (wrong_of (loop, 1), <=, COUNTED / 1000);
  g_assert_cmpuint (wrong_of (long_loop, 1), <=, COUNTED / 100);
}

static void
test_random (void)
{
  unsigned wrong = wrong_of (at_random, 1);

  g_assert_cmpuint (wrong, >, COUNTED * 45 / 100);
  g_assert_cmpuint (wrong, <, COUNTED * 55 / 100);
  wrong = wrong_of (biased, 1);
  g_assert_cmpuint (wrong, >, COUNTED * 8 / 100);
  g_assert_cmpuint (wrong, <, COUNTED * 20 / 100);
  /* Half of them cannot be known.  */
  wrong = wrong_of (correlated, 2);
  g_assert_cmpuint (wrong, >, COUNTED * 22 / 100);
  g_assert_cmpuint (wrong, <, COUNTED * 30 / 100);
}

/* Learning takes a few outcomes, not thousands.  */
static void
test_first (void)
{
  struct dg_time_branches *branches = dg_time_branches_new ();
  unsigned wrong = 0;

  for (unsigned i = 0; i < 100; i++)
    wrong += !dg_time_branches_conditional (branches, BRANCH, false);
  g_assert_cmpuint (wrong, <=, 8);
  dg_time_branches_free (branches);
}

/* Wrong ones of targets in turn, or at random.  */
static unsigned
wrong_targets (unsigned n_targets, bool is_random)
{
  struct dg_time_branches *branches = dg_time_branches_new ();
  GRand *rand = g_rand_new_with_seed (5);
  unsigned wrong = 0;

  for (unsigned i = 0; i < WARM + COUNTED; i++) {
    unsigned k = is_random
                   ? (unsigned) g_rand_int_range (rand, 0, (gint32) n_targets)
                   : i % n_targets;

    if (!dg_time_branches_indirect (branches, BRANCH, 0x500000 + 0x14 * k))
      wrong += i >= WARM;
  }
  g_rand_free (rand);
  dg_time_branches_free (branches);
  return wrong;
}

static void
test_indirect (void)
{
  unsigned wrong;

  g_assert_cmpuint (wrong_targets (1, false), ==, 0);
  g_assert_cmpuint (wrong_targets (2, false), ==, 0);
  g_assert_cmpuint (wrong_targets (7, false), ==, 0);
  wrong = wrong_targets (4, true);
  g_assert_cmpuint (wrong, >, COUNTED * 70 / 100);
  g_assert_cmpuint (wrong, <, COUNTED * 80 / 100);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-branches/conditional", test_conditional);
  g_test_add_func ("/time-branches/random", test_random);
  g_test_add_func ("/time-branches/first", test_first);
  g_test_add_func ("/time-branches/indirect", test_indirect);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
