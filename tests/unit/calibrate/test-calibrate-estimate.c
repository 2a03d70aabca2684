/* test-calibrate-estimate.c: from times and curves to figures, on machines
   that are made up: their caches, translations and noise are known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate/calibrate_estimate.h"
#include "unit_main.h"

#include <glib.h>
#include <math.h>

#define KIB 1024.0
#define MIB (1024 * KIB)
#define POINTS 64

/* Within a share of what is expected.  */
static void
assert_near (double value, double expected, double share)
{
  if (!(fabs (value - expected) <= share * expected))
    g_error ("%g instead of %g", value, expected);
}

/* ---- Runs ---- */

static void
test_summary (void)
{
  double steady[] = {5, 5, 5, 5}, one[] = {7},
         busy[] = {10, 40, 10.1, 90, 10.2, 10.1, 10, 35};
  struct dg_calibrate_sample sample = dg_calibrate_summary (steady, 4);

  g_assert_cmpfloat (sample.value, ==, 5);
  g_assert_cmpfloat (sample.spread, ==, 0);
  sample = dg_calibrate_summary (one, 1);
  g_assert_cmpfloat (sample.value, ==, 7);
  /* Three of eight runs were disturbed.  */
  sample = dg_calibrate_summary (busy, 8);
  assert_near (sample.value, 10.1, 0.001);
  assert_near (sample.spread, 0.2 / 10.1, 0.01);
}

/* ---- Curves ---- */

struct machine {
  double bytes[DG_CALIBRATE_CACHES], latency[DG_CALIBRATE_CACHES + 1];
};

/* The latency of a ring of so many bytes: all of it is in one level, but for
   an octave around the size of a cache, where some is in the next.  */
static double
latency_at (const struct machine *machine, double bytes)
{
  double latency = machine->latency[0];

  for (unsigned i = 0; i < DG_CALIBRATE_CACHES; i++) {
    double over = CLAMP (log2 (bytes / machine->bytes[i]) + 0.5, 0, 1);

    latency += over * (machine->latency[i + 1] - machine->latency[i]);
  }
  return latency;
}

/* noise: each point is up to so much of it longer.  */
static size_t
make_curve (const struct machine *machine, double most, double noise,
            GRand *random, struct dg_calibrate_point *curve)
{
  size_t n = 0;

  for (double at = 8192; at <= most * 1.01; at *= sqrt (2))
    curve[n++] = (struct dg_calibrate_point) {
      at, latency_at (machine, at)
            * (1 + noise * g_rand_double_range (random, 0, 1))};
  g_assert_cmpuint (n, <=, POINTS);
  return n;
}

static const struct machine machines[] = {
  {{32 * KIB, 1 * MIB, 32 * MIB}, {4, 14, 50, 400}},
  {{48 * KIB, 2 * MIB, 30 * MIB}, {5, 15, 70, 420}},
  {{32 * KIB, 256 * KIB, 8 * MIB}, {5, 12, 42, 240}},
  {{64 * KIB, 1 * MIB, 32 * MIB}, {4, 11, 62, 250}},
};

static void
test_rise (void)
{
  struct dg_calibrate_point curve[]
    = {{1, 4}, {2, 4.2}, {3, 4}, {4, 14}, {5, 13}, {6, 12}, {7, 50}};
  const double expected[] = {4, 4.1, 4.1, 13, 13, 13, 50};

  dg_calibrate_rise (curve, G_N_ELEMENTS (curve));
  for (size_t i = 0; i < G_N_ELEMENTS (curve); i++)
    assert_near (curve[i].cycles, expected[i], 1e-9);
  dg_calibrate_rise (curve, 1);
  dg_calibrate_rise (curve, 0);
}

static void
test_places (void)
{
  const struct dg_calibrate_point curve[]
    = {{1024, 4}, {2048, 4}, {4096, 16}, {8192, 16}};

  assert_near (dg_calibrate_crossing (curve, 4, 4, 16), 2048 * sqrt (2), 1e-9);
  g_assert_cmpfloat (dg_calibrate_crossing (curve, 4, 16, 64), ==, 0);
  g_assert_cmpfloat (dg_calibrate_crossing (curve, 4, 16, 16), ==, 0);
  g_assert_cmpfloat (dg_calibrate_crossing (curve, 4, 0, 16), ==, 0);
  assert_near (dg_calibrate_at (curve, 4, 1), 4, 1e-9);
  assert_near (dg_calibrate_at (curve, 4, 2048 * sqrt (2)), 8, 1e-9);
  assert_near (dg_calibrate_at (curve, 4, 1e9), 16, 1e-9);
  g_assert_cmpuint (dg_calibrate_usual (33000), ==, 32768);
  g_assert_cmpuint (dg_calibrate_usual (47000), ==, 49152);
  g_assert_cmpuint (dg_calibrate_usual (1.3 * MIB), ==, 1280 * 1024);
  g_assert_cmpuint (dg_calibrate_usual (72), ==, 64 + 16);
  g_assert_cmpuint (dg_calibrate_usual (0), ==, 4);
  g_assert_cmpuint (dg_calibrate_usual (NAN), ==, 4);
}

static void
check_hierarchy (const struct machine *machine, const double *known,
                 double noise, guint32 seed)
{
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_hierarchy found;
  GRand *random = g_rand_new_with_seed (seed);
  size_t n = make_curve (machine, 256 * MIB, noise, random, curve);

  dg_calibrate_rise (curve, n);
  g_assert_true (dg_calibrate_hierarchy_find (curve, n, known, &found));
  g_assert_true (found.has_memory);
  for (unsigned i = 0; i < DG_CALIBRATE_CACHES; i++)
    if (known[i] > 0)
      g_assert_cmpfloat (found.bytes[i], ==, known[i]);
    else
      assert_near (found.bytes[i], machine->bytes[i], 0.3);
  for (unsigned i = 0; i <= DG_CALIBRATE_CACHES; i++)
    assert_near (found.latency[i], machine->latency[i], noise + 0.05);
  g_rand_free (random);
}

static void
test_hierarchy (void)
{
  const double unknown[DG_CALIBRATE_CACHES] = {0};

  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++)
    for (guint32 seed = 0; seed < 20; seed++) {
      check_hierarchy (&machines[i], machines[i].bytes, 0.1, seed);
      check_hierarchy (&machines[i], unknown, 0.05, seed);
    }
}

/* A virtual machine that has a third of the last cache.  */
static void
test_shared (void)
{
  struct machine machine = machines[0];
  const double known[] = {32 * KIB, 1 * MIB, 32 * MIB};
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_hierarchy found;
  GRand *random = g_rand_new_with_seed (1);
  size_t n;

  machine.bytes[2] = 10 * MIB;
  n = make_curve (&machine, 256 * MIB, 0.02, random, curve);
  dg_calibrate_rise (curve, n);
  g_assert_true (dg_calibrate_hierarchy_find (curve, n, known, &found));
  assert_near (found.bytes[2], 10 * MIB, 0.3);
  assert_near (found.latency[2], 50, 0.1);
  g_rand_free (random);
}

/* The last cache is larger than what is measured: its end is not seen, and a
   small rise within it is not one.  */
static void
test_large (void)
{
  struct machine machine = machines[0];
  const double known[] = {32 * KIB, 1 * MIB, 384 * MIB};
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_hierarchy found;
  GRand *random = g_rand_new_with_seed (1);
  size_t n;

  machine.bytes[2] = 16 * MIB;
  machine.latency[3] = 70;
  n = make_curve (&machine, 256 * MIB, 0.02, random, curve);
  dg_calibrate_rise (curve, n);
  g_assert_true (dg_calibrate_hierarchy_find (curve, n, known, &found));
  g_assert_cmpfloat (found.bytes[2], ==, 384 * MIB);
  g_assert_false (found.has_memory);
  g_rand_free (random);
}

/* Two caches, and then memory.  */
static void
test_two (void)
{
  struct machine machine = {{32 * KIB, 1 * MIB, 1 * MIB}, {4, 12, 12, 200}};
  const double known[] = {32 * KIB, 1 * MIB, 0};
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_hierarchy found;
  GRand *random = g_rand_new_with_seed (1);
  size_t n = make_curve (&machine, 64 * MIB, 0.02, random, curve);

  dg_calibrate_rise (curve, n);
  g_assert_true (dg_calibrate_hierarchy_find (curve, n, known, &found));
  g_assert_cmpfloat (found.bytes[2], ==, 1 * MIB);
  assert_near (found.latency[1], 12, 0.05);
  assert_near (found.latency[2], 200, 0.05);
  assert_near (found.latency[3], 200, 0.05);
  g_assert_true (found.has_memory);
  g_rand_free (random);
}

/* A flat curve has no caches.  */
static void
test_no_hierarchy (void)
{
  const double known[] = {32 * KIB, 1 * MIB, 32 * MIB},
               unknown[] = {0, 0, 0}, wrong[] = {1 * MIB, 32 * KIB, 1};
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_hierarchy found;
  size_t n = 0;

  for (double at = 8192; at < 256 * MIB; at *= 2)
    curve[n++] = (struct dg_calibrate_point) {at, 5};
  g_assert_false (dg_calibrate_hierarchy_find (curve, n, known, &found));
  g_assert_false (dg_calibrate_hierarchy_find (curve, n, unknown, &found));
  g_assert_false (dg_calibrate_hierarchy_find (curve, n, wrong, &found));
}

/* ---- Translations ---- */

static void
check_translations (double first, double second, double latency, double walk,
                    guint32 seed)
{
  struct dg_calibrate_point curve[POINTS];
  struct dg_calibrate_translations found;
  GRand *random = g_rand_new_with_seed (seed);
  size_t n = 0;

  for (double at = 16; at <= 8192 * 1.01; at *= sqrt (2)) {
    double more = (at > first ? latency : 0)
                  + (at > second ? walk - latency : 0);

    curve[n++] = (struct dg_calibrate_point) {
      at, MAX (more + g_rand_double_range (random, -0.3, 0.3), 0)};
  }
  dg_calibrate_rise (curve, n);
  g_assert_true (dg_calibrate_translations_find (curve, n, 4, &found));
  assert_near (found.first, first, 0.35);
  assert_near (found.second, second, 0.35);
  assert_near (found.latency, latency, 0.15);
  assert_near (found.walk, walk, 0.1);
  g_rand_free (random);
}

static void
test_translations (void)
{
  const struct dg_calibrate_point flat[] = {{16, 0}, {64, 0}, {256, 0.1}};
  struct dg_calibrate_translations found;

  for (guint32 seed = 0; seed < 20; seed++) {
    check_translations (72, 3072, 7, 150, seed);
    check_translations (64, 1536, 7, 40, seed);
    check_translations (48, 2048, 6, 30, seed);
  }
  g_assert_false (dg_calibrate_translations_find (flat, 3, 4, &found));
}

/* ---- Lines ---- */

static void
test_line (void)
{
  struct dg_calibrate_point points[]
    = {{512, 41}, {1024, 57}, {1536, 73}, {2048, 300}, {3072, 121},
       {4096, 153}};
  double start, slope;

  /* One of the points is far off.  */
  dg_calibrate_line (points, G_N_ELEMENTS (points), &start, &slope);
  assert_near (start, 25, 0.01);
  assert_near (1 / slope, 32, 0.01);
  assert_near (dg_calibrate_misses (400, 20), 20, 1e-9);
  g_assert_cmpfloat (dg_calibrate_misses (400, 500), ==, 1);
  g_assert_cmpfloat (dg_calibrate_misses (400, 0), ==, 1);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibrate-estimate/summary", test_summary);
  g_test_add_func ("/calibrate-estimate/rise", test_rise);
  g_test_add_func ("/calibrate-estimate/places", test_places);
  g_test_add_func ("/calibrate-estimate/hierarchy", test_hierarchy);
  g_test_add_func ("/calibrate-estimate/shared", test_shared);
  g_test_add_func ("/calibrate-estimate/large", test_large);
  g_test_add_func ("/calibrate-estimate/two", test_two);
  g_test_add_func ("/calibrate-estimate/no-hierarchy", test_no_hierarchy);
  g_test_add_func ("/calibrate-estimate/translations", test_translations);
  g_test_add_func ("/calibrate-estimate/line", test_line);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
