/* test-calibrate-clock.c: cycles of a loop, by a clock that is made up: what
   disturbs it, and a frequency that changes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate/calibrate_clock.h"
#include "unit_main.h"

#include <glib.h>
#include <math.h>

/* A core whose time passes only by what it executes.  */
struct core {
  double ns, ns_of_cycle, cost;
  unsigned runs, prepared;
  unsigned disturbed;      /* each such run is longer; 0: none */
  double slower;           /* the frequency falls by this, from run to run */
};

static double
now (void *user)
{
  struct core *core = user;

  core->ns += core->cost;
  return core->ns;
}

static void
add (void *user, unsigned additions)
{
  struct core *core = user;

  core->ns += additions * core->ns_of_cycle;
}

static void
prepare (void *user)
{
  struct core *core = user;

  core->prepared++;
  core->ns += 1e9;
}

/* 1,000 operations of seven cycles.  */
static void
run (void *user)
{
  struct core *core = user;

  core->ns += 7000 * core->ns_of_cycle;
  core->runs++;
  if (core->disturbed > 0 && core->runs % core->disturbed == 0)
    core->ns += 4e6 * (1 + core->runs % 5);
  core->ns_of_cycle *= 1 + core->slower;
}

static struct dg_calibrate_sample
measure (struct core *core)
{
  struct dg_calibrate_clock clock
    = {.now = now, .add = add, .user = core, .runs = 40};
  const struct dg_calibrate_loop loop = {prepare, run, core, 1000};

  dg_calibrate_clock_start (&clock);
  return dg_calibrate_measure (&clock, &loop);
}

static void
assert_near (double value, double expected, double share)
{
  g_assert_cmpfloat (fabs (value - expected), <=, share * expected);
}

static void
test_steady (void)
{
  struct core core = {.ns_of_cycle = 0.25, .cost = 300};
  struct dg_calibrate_sample sample = measure (&core);

  assert_near (sample.value, 7, 1e-3);
  g_assert_cmpfloat (sample.spread, <, 1e-3);
  g_assert_cmpuint (core.runs, ==, 40);
  g_assert_cmpuint (core.prepared, ==, 40);
}

/* A third of the runs is interrupted.  */
static void
test_disturbed (void)
{
  struct core core = {.ns_of_cycle = 0.25, .cost = 300, .disturbed = 3};
  struct dg_calibrate_sample sample = measure (&core);

  assert_near (sample.value, 7, 1e-3);
  g_assert_cmpfloat (sample.spread, <, 1e-3);
}

/* Nearly all are: that is seen, and tried again.  */
static void
test_busy (void)
{
  struct core core = {.ns_of_cycle = 0.25, .cost = 300, .disturbed = 1};
  struct dg_calibrate_sample sample = measure (&core);

  g_assert_cmpfloat (sample.spread, >, 0.05);
  g_assert_cmpuint (core.runs, >, 40);
}

/* The frequency falls by a tenth in all.  */
static void
test_slower (void)
{
  struct core core = {.ns_of_cycle = 0.25, .cost = 300, .slower = 0.0025};
  struct dg_calibrate_sample sample = measure (&core);

  assert_near (sample.value, 7, 0.01);
}

static void
test_late (void)
{
  struct core core = {.ns_of_cycle = 0.25, .disturbed = 1};
  struct dg_calibrate_clock clock
    = {.now = now, .add = add, .user = &core, .runs = 40, .hurry_us = 1};
  const struct dg_calibrate_loop loop = {NULL, run, &core, 1000};

  dg_calibrate_clock_start (&clock);
  dg_calibrate_measure (&clock, &loop);
  g_assert_cmpuint (core.runs, ==, 10);
}

static void
test_cycle (void)
{
  struct core core = {.ns_of_cycle = 0.25, .cost = 300};
  struct dg_calibrate_clock clock
    = {.now = now, .add = add, .user = &core, .runs = 40};

  dg_calibrate_clock_start (&clock);
  assert_near (dg_calibrate_cycle (&clock).value, 0.25, 1e-6);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibrate-clock/steady", test_steady);
  g_test_add_func ("/calibrate-clock/disturbed", test_disturbed);
  g_test_add_func ("/calibrate-clock/busy", test_busy);
  g_test_add_func ("/calibrate-clock/slower", test_slower);
  g_test_add_func ("/calibrate-clock/late", test_late);
  g_test_add_func ("/calibrate-clock/cycle", test_cycle);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
