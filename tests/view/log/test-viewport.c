/* test-viewport.c: zooming, moving, history; and units to pixels.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/viewport.h"

#include "model/log/scale.h"
#include "unit_main.h"

static const struct dv_view full = { 0, 1 << 20, 100, 1000100 };

static void
check_inside (const struct dv_viewport *viewport)
{
  const struct dv_view *now = &viewport->now;
  g_assert_false (dv_view_is_empty (now));
  g_assert_cmpuint (now->x0, >=, viewport->full.x0);
  g_assert_cmpuint (now->x1, <=, viewport->full.x1);
  g_assert_cmpuint (now->y0, >=, viewport->full.y0);
  g_assert_cmpuint (now->y1, <=, viewport->full.y1);
}

static void
test_zoom (void)
{
  struct dv_viewport v;
  dv_viewport_init (&v);
  dv_viewport_reset (&v, &full);
  g_assert_true (dv_viewport_zoom (&v, DV_AXIS_X, 0.5, 0.25, 0.5, true));
  g_assert_cmpuint (v.now.x0, ==, (1 << 20) / 8);
  g_assert_cmpuint (v.now.x1 - v.now.x0, ==, 1 << 19);
  g_assert_cmpuint (v.now.y0, ==, full.y0);
  g_assert_cmpuint (v.now.y1, ==, full.y1);
  /* What is under the pointer stays there.  */
  struct dv_view before = v.now;
  g_assert_true (dv_viewport_zoom (&v, DV_AXIS_BOTH, 0.1, 0.7, 0.2, true));
  double x = (double) before.x0 + 0.7 * (double) (before.x1 - before.x0);
  double x_now = (double) v.now.x0 + 0.7 * (double) (v.now.x1 - v.now.x0);
  g_assert_cmpfloat (ABS (x - x_now), <=, 2);
  double y = (double) before.y0 + 0.2 * (double) (before.y1 - before.y0);
  double y_now = (double) v.now.y0 + 0.2 * (double) (v.now.y1 - v.now.y0);
  g_assert_cmpfloat (ABS (y - y_now), <=, 2);
  /* All the way in and out.  */
  for (int i = 0; i < 200; i++) {
    dv_viewport_zoom (&v, DV_AXIS_BOTH, 0.9, 0.3, 0.6, false);
    check_inside (&v);
  }
  g_assert_cmpuint (v.now.x1 - v.now.x0, ==, DV_MIN_BYTES);
  g_assert_cmpuint (v.now.y1 - v.now.y0, ==, DV_MIN_INSTRUCTIONS);
  g_assert_false (dv_viewport_zoom (&v, DV_AXIS_BOTH, 0.5, 1, 1, true));
  for (int i = 0; i < 400; i++)
    dv_viewport_zoom (&v, DV_AXIS_BOTH, 1.1, 0.3, 0.6, false);
  g_assert_true (dv_view_equal (&v.now, &full));
  g_assert_false (dv_viewport_zoom (&v, DV_AXIS_BOTH, 2, 0.5, 0.5, true));
  dv_viewport_fini (&v);
}

/* Zooming in and out again comes back, wherever the pointer is and however
   large the numbers are.  */
static void
test_stable (void)
{
  static const struct dv_view fulls[] = {
    { 0, 1000003, 100, 2000177 },
    { 0, (uint64_t) 1 << 44, 0, ((uint64_t) 1 << 60) + 12345 },
  };
  for (guint f = 0; f < G_N_ELEMENTS (fulls); f++)
    for (int i = 0; i < 200; i++) {
      struct dv_viewport v;
      double fx = g_test_rand_double (), fy = g_test_rand_double ();
      uint64_t x = fulls[f].x1 / 3, y = fulls[f].y1 / 3;
      struct dv_view start = { x, x + 9001 + (uint64_t) i, y,
                               y + 7919 + (uint64_t) i };
      int steps = g_test_rand_int_range (1, 27);
      dv_viewport_init (&v);
      dv_viewport_reset (&v, &fulls[f]);
      dv_viewport_show (&v, &start, false);
      for (int s = 0; s < steps; s++)
        dv_viewport_zoom (&v, DV_AXIS_BOTH, 1 / 1.25, fx, fy, false);
      g_assert_cmpuint (v.now.x1 - v.now.x0, <, start.x1 - start.x0);
      g_assert_cmpuint (v.now.x1 - v.now.x0, >=, DV_MIN_BYTES);
      g_assert_cmpuint (v.now.y1 - v.now.y0, >=, DV_MIN_INSTRUCTIONS);
      for (int s = 0; s < steps; s++)
        dv_viewport_zoom (&v, DV_AXIS_BOTH, 1.25, fx, fy, false);
      g_assert_true (dv_view_equal (&v.now, &start));
      /* What was shown meanwhile is where zooming goes on.  */
      struct dv_view other = { 100, 1100, 1000, 2000 };
      dv_viewport_show (&v, &other, false);
      dv_viewport_zoom (&v, DV_AXIS_BOTH, 0.5, 0.5, 0.5, false);
      g_assert_cmpuint (v.now.x0, ==, 350);
      g_assert_cmpuint (v.now.y1, ==, 1750);
      dv_viewport_fini (&v);
    }
}

/* Slow zooming gets there, too; one axis leaves the other alone.  */
static void
test_slow (void)
{
  struct dv_viewport v;
  struct dv_view start = { 5000, 5040, 5000, 5040 };
  dv_viewport_init (&v);
  dv_viewport_reset (&v, &full);
  dv_viewport_show (&v, &start, false);
  for (int i = 0; i < 500; i++)
    dv_viewport_zoom (&v, DV_AXIS_X, 1.005, 0.5, 0.5, false);
  g_assert_cmpuint (v.now.x1 - v.now.x0, >, 400);
  g_assert_cmpuint (v.now.y1 - v.now.y0, ==, 40);
  for (int i = 0; i < 2000; i++)
    dv_viewport_zoom (&v, DV_AXIS_X, 0.995, 0.5, 0.5, false);
  g_assert_cmpuint (v.now.x1 - v.now.x0, ==, DV_MIN_BYTES);
  dv_viewport_fini (&v);
}

static void
test_move (void)
{
  struct dv_viewport v;
  struct dv_view part = { 1000, 2000, 5000, 9000 };
  dv_viewport_init (&v);
  dv_viewport_reset (&v, &full);
  g_assert_false (dv_viewport_move (&v, 0.5, 0.5, true));
  g_assert_true (dv_viewport_show (&v, &part, true));
  g_assert_true (dv_viewport_move (&v, 0.5, -0.25, true));
  g_assert_cmpuint (v.now.x0, ==, 1500);
  g_assert_cmpuint (v.now.y0, ==, 4000);
  g_assert_true (dv_viewport_move (&v, -100, -100, true));
  g_assert_cmpuint (v.now.x0, ==, 0);
  g_assert_cmpuint (v.now.x1, ==, 1000);
  g_assert_cmpuint (v.now.y0, ==, 100);
  g_assert_true (dv_viewport_move (&v, 1e9, 1e9, true));
  g_assert_cmpuint (v.now.x1, ==, full.x1);
  g_assert_cmpuint (v.now.y1, ==, full.y1);
  dv_viewport_fini (&v);
}

static void
test_history (void)
{
  struct dv_viewport v;
  struct dv_view a = { 0, 1000, 100, 2000 }, b = { 10, 500, 200, 1000 };
  dv_viewport_init (&v);
  dv_viewport_reset (&v, &full);
  g_assert_false (dv_viewport_back (&v));
  dv_viewport_show (&v, &a, true);
  dv_viewport_show (&v, &b, true);
  g_assert_true (dv_viewport_back (&v));
  g_assert_true (dv_view_equal (&v.now, &a));
  g_assert_true (dv_viewport_back (&v));
  g_assert_true (dv_view_equal (&v.now, &full));
  g_assert_false (dv_viewport_back (&v));
  g_assert_true (dv_viewport_forward (&v));
  g_assert_true (dv_viewport_forward (&v));
  g_assert_true (dv_view_equal (&v.now, &b));
  g_assert_false (dv_viewport_forward (&v));
  /* A new way ends the old one.  */
  dv_viewport_back (&v);
  g_assert_true (dv_viewport_fit (&v));
  g_assert_false (dv_viewport_forward (&v));
  g_assert_true (dv_viewport_back (&v));
  g_assert_true (dv_view_equal (&v.now, &a));
  /* It does not grow for ever.  */
  for (unsigned i = 0; i < 1000; i++) {
    struct dv_view c = { i, i + 1000, 100, 2000 };
    dv_viewport_show (&v, &c, true);
  }
  g_assert_cmpuint (v.back->len, <=, 200);
  dv_viewport_fini (&v);
}

static void
test_clamp (void)
{
  struct dv_view tiny = { 500, 500, 1000100, 1000100 };
  struct dv_view got = dv_view_clamp (tiny, &full);
  g_assert_cmpuint (got.x1 - got.x0, ==, DV_MIN_BYTES);
  g_assert_cmpuint (got.x0, <=, 500);
  g_assert_cmpuint (got.y1, ==, full.y1);
  g_assert_cmpuint (got.y1 - got.y0, ==, DV_MIN_INSTRUCTIONS);
  struct dv_view small_full = { 0, 4, 7, 9 };
  got = dv_view_clamp (tiny, &small_full);
  g_assert_true (dv_view_equal (&got, &small_full));
  struct dv_view huge = { 0, UINT64_MAX, 0, UINT64_MAX };
  got = dv_view_clamp (huge, &full);
  g_assert_true (dv_view_equal (&got, &full));
}

/* Against the definition, in 128 bits.  */
static void
check_scale (uint64_t span, uint32_t pixels)
{
  struct dv_scale scale;
  dv_scale_init (&scale, 0, span, pixels);
  for (int i = 0; i < 300; i++) {
    uint64_t u = i < 3 ? (uint64_t) i : i < 6 ? span - (uint64_t) (i - 2)
                 : ((uint64_t) g_test_rand_int () << 32
                    | (uint64_t) (uint32_t) g_test_rand_int ());
    u %= span;
    uint32_t want = (uint32_t) ((unsigned __int128) u * pixels / span);
    uint32_t next = (uint32_t) ((unsigned __int128) (u + 1) * pixels / span);
    g_assert_cmpuint (dv_scale_pixel (&scale, u), ==, want);
    g_assert_cmpuint (dv_scale_last (&scale, u), ==,
                      next > want ? MAX (want, next - 1) : want);
  }
  uint64_t last = 0;
  for (uint32_t p = 0; p <= pixels; p++) {
    uint64_t unit = dv_scale_unit (&scale, p);
    g_assert_cmpuint (unit, >=, last);
    if (unit < span)
      g_assert_cmpuint (dv_scale_pixel (&scale, unit), >=, p);
    if (unit > 0)
      g_assert_cmpuint (dv_scale_pixel (&scale, unit - 1), <, p);
    if (p < pixels) {
      uint64_t owner = dv_scale_owner (&scale, p);
      g_assert_cmpuint (owner, <, span);
      if (span <= pixels) {
        g_assert_cmpuint (dv_scale_pixel (&scale, owner), <=, p);
        g_assert_cmpuint (dv_scale_last (&scale, owner), >=, p);
      }
    }
    last = unit;
  }
}

static void
test_scale (void)
{
  static const uint64_t spans[] = { 1, 2, 7, 16, 999, 1000, 1001, 65535,
                                    65536, 65537, 1u << 30, 4294967291u };
  static const uint32_t pixels[] = { 1, 2, 3, 333, 1000, 1920, 16384 };
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    for (guint j = 0; j < G_N_ELEMENTS (pixels); j++)
      check_scale (spans[i], pixels[j]);
}

/* However many instructions a log claims, none lies behind the last pixel, and
   asking for a pixel's first unit comes to an end.  */
static void
test_scale_large (void)
{
  static const uint32_t pixels[] = { 1, 2, 37, 600, 1000, 16384 };
  for (unsigned shift = 32; shift <= 63; shift++)
    for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
      for (int more = -3; more <= 3; more++) {
        uint64_t span = ((uint64_t) 1 << shift) + (uint64_t) (int64_t) more;
        uint32_t n = pixels[i];
        struct dv_scale scale;
        dv_scale_init (&scale, 0, span, n);
        g_assert_cmpuint (dv_scale_pixel (&scale, 0), ==, 0);
        g_assert_cmpuint (dv_scale_pixel (&scale, span - 1), ==, n - 1);
        g_assert_cmpuint (dv_scale_last (&scale, span - 1), ==, n - 1);
        g_assert_cmpuint (dv_scale_pixel (&scale, span), ==, n);
        uint64_t unit = dv_scale_unit (&scale, n / 2);
        g_assert_cmpuint (dv_scale_pixel (&scale, unit), ==, n / 2);
      }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viewport/zoom", test_zoom);
  g_test_add_func ("/viewport/stable", test_stable);
  g_test_add_func ("/viewport/slow", test_slow);
  g_test_add_func ("/viewport/move", test_move);
  g_test_add_func ("/viewport/history", test_history);
  g_test_add_func ("/viewport/clamp", test_clamp);
  g_test_add_func ("/viewport/scale", test_scale);
  g_test_add_func ("/viewport/scale-large", test_scale_large);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
