/* test-estimate.c: errors of totals of samples: by hand, and whether they
   cover the true totals as often as they say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis/estimate.h"
#include "unit_main.h"

#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static void
is_near (double got, double expected)
{
  g_assert_cmpfloat (fabs (got - expected), <=, 1e-3 * expected);
}

static void
test_unknown (void)
{
  struct dg_estimate estimate = {
    .n = 4, .x = {1, 1, 1, 1, 1}, .windows = 4, .share = 0.1};
  const double y[5] = {1, 1, 1, 1, 1}, none[5] = {0};

  g_assert_cmpfloat (dg_estimate_error (&estimate, y, 4), <, 0);
  estimate.n = estimate.windows = 5;
  g_assert_cmpfloat (dg_estimate_error (&estimate, y, 5), ==, 0);
  /* Of nothing, nothing is known.  */
  g_assert_cmpfloat (dg_estimate_error (&estimate, none, 0), <, 0);
  g_assert_cmpfloat (dg_estimate_error (&estimate, y, 0), <, 0);
  g_assert_cmpfloat (dg_estimate_error (&estimate, none, 5), <, 0);
  estimate.n = 0;
  g_assert_cmpfloat (dg_estimate_error (&estimate, y, 5), <, 0);
}

static void
test_by_hand (void)
{
  struct dg_estimate estimate = {
    .n = 5, .x = {10, 10, 10, 10, 10}, .windows = 50, .share = 0.19};
  const double y[5] = {1, 2, 3, 4, 5}, same[5] = {3, 3, 3, 3, 3};
  double chance;

  /* Residuals -2 .. 2; t of 4 degrees of freedom; 1 - 0.19 is 0.9 squared.
   */
  chance = 4.604 * sqrt (10 * 5 / 4.) / 15;
  is_near (dg_estimate_error (&estimate, y, 15), 0.9 * (chance + 1 / 50.));
  /* Without differences, what one period may hide is left.  */
  is_near (dg_estimate_error (&estimate, same, 15), 0.9 / 50);
  /* What depends on other windows counts in full.  */
  is_near (dg_estimate_error (&estimate, same, 12), 0.9 / 50 + 0.25);
  /* Larger groups may have more.  */
  estimate.x[4] = 20;
  is_near (dg_estimate_error (&estimate, (double[]){3, 3, 3, 3, 6}, 18),
           0.9 / 50);
}

/* Uniform in [0, 1), the same in each run.  */
static double
chance (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double) (*state >> 11) / 9007199254740992.;
}

enum kind { EVEN, TREND, PHASES, RARE };

/* What a period has of the figure at a place of it, from 0 to 1.  */
static double
rate (enum kind kind, double at, double noise)
{
  switch (kind) {
  case EVEN: return 0.5 + 0.5 * noise;
  case TREND: return 0.2 + at * (0.5 + 0.5 * noise);
  case PHASES: return fmod (at * 10, 1) < 0.4 ? 0.9 : 0.1 * noise;
  default: return noise < 0.1 ? 1 : 0;
  }
}

/* One window of each of 128 periods with 20 places, of which it is one.  */
static void
check_cover (enum kind kind)
{
  enum { PERIODS = 128, PLACES = 20, TRIES = 2000 };
  struct dg_estimate estimate = {
    .n = DG_ESTIMATE_GROUPS, .windows = PERIODS, .share = 1. / PLACES};
  uint64_t state = 88172645463325252u + kind;
  static double all[PERIODS][PLACES];
  double total = 0;
  unsigned covered = 0;

  for (unsigned i = 0; i < PERIODS; i++)
    for (unsigned k = 0; k < PLACES; k++) {
      all[i][k] = rate (kind, (i + k / (double) PLACES) / PERIODS,
                        chance (&state));
      total += all[i][k];
    }
  for (unsigned i = 0; i < DG_ESTIMATE_GROUPS; i++)
    estimate.x[i] = PERIODS / DG_ESTIMATE_GROUPS;
  for (unsigned try = 0; try < TRIES; try++) {
    double y[DG_ESTIMATE_GROUPS] = {0}, sum = 0, error;

    for (unsigned i = 0; i < PERIODS; i++) {
      double part = all[i][(unsigned) (chance (&state) * PLACES)];

      y[i % DG_ESTIMATE_GROUPS] += part;
      sum += part;
    }
    error = dg_estimate_error (&estimate, y, sum);
    covered += fabs (sum * PLACES - total) <= error * sum * PLACES;
  }
  g_test_message ("%d: %u of %u", kind, covered, TRIES);
  g_assert_cmpuint (covered, >=, TRIES * 97 / 100);
}

static void
test_cover (void)
{
  check_cover (EVEN);
  check_cover (TREND);
  check_cover (PHASES);
  check_cover (RARE);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/estimate/unknown", test_unknown);
  g_test_add_func ("/estimate/by-hand", test_by_hand);
  g_test_add_func ("/estimate/cover", test_cover);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
