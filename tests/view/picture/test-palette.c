/* test-palette.c: colours can be distinguished, by everybody who was promised
   that; counts become pixels.

   What people see who lack one kind of cone is simulated as in Machado,
   Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
   Color Vision Deficiency", IEEE TVCG 15(6), 2009: matrices of severity 1.0,
   on linear RGB.  sRGB and its way to XYZ (D65): IEC 61966-2-1.  CIE L*a*b*
   and the difference of two colours (1976): ISO/CIE 11664-4.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/picture/paint.h"
#include "unit_main.h"

#include <math.h>
#include <string.h>

enum { NORMAL, PROTANOPIA, DEUTERANOPIA, TRITANOPIA, EYES };

static const double simulations[EYES][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 },
    { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 },
    { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 },
    { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } },
};

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
lab_f (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

static void
to_lab (const struct dv_rgb *colour, int eyes, double lab[3])
{
  double in[3] = { linear (colour->r), linear (colour->g),
                   linear (colour->b) };
  double out[3];
  for (int i = 0; i < 3; i++) {
    const double *m = simulations[eyes][i];
    out[i] = CLAMP (m[0] * in[0] + m[1] * in[1] + m[2] * in[2], 0, 1);
  }
  double x = 0.4124 * out[0] + 0.3576 * out[1] + 0.1805 * out[2];
  double y = 0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2];
  double z = 0.0193 * out[0] + 0.1192 * out[1] + 0.9505 * out[2];
  double fx = lab_f (x / 0.9505), fy = lab_f (y), fz = lab_f (z / 1.0890);
  lab[0] = 116 * fy - 16;
  lab[1] = 500 * (fx - fy);
  lab[2] = 200 * (fy - fz);
}

static double
difference (const struct dv_rgb *a, const struct dv_rgb *b, int eyes)
{
  double x[3], y[3];
  to_lab (a, eyes, x);
  to_lab (b, eyes, y);
  return sqrt ((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1])
               + (x[2] - y[2]) * (x[2] - y[2]));
}

static double
lightness (const struct dv_rgb *colour)
{
  double lab[3];
  to_lab (colour, NORMAL, lab);
  return lab[0];
}

/* The formulas, against values that are known.  */
static void
test_formulas (void)
{
  const struct dv_rgb white = { 1, 1, 1 }, black = { 0, 0, 0 },
                      red = { 1, 0, 0 }, green = { 0, 1, 0 };
  double lab[3];
  g_assert_cmpfloat_with_epsilon (lightness (&white), 100, 0.1);
  g_assert_cmpfloat_with_epsilon (lightness (&black), 0, 0.1);
  to_lab (&red, NORMAL, lab);
  g_assert_cmpfloat_with_epsilon (lab[0], 53.24, 0.1);
  g_assert_cmpfloat_with_epsilon (lab[1], 80.09, 0.2);
  g_assert_cmpfloat_with_epsilon (lab[2], 67.20, 0.2);
  for (int eyes = 0; eyes < EYES; eyes++)
    g_assert_cmpfloat_with_epsilon (difference (&white, &black, eyes), 100,
                                    0.5);
  g_assert_cmpfloat (difference (&red, &green, DEUTERANOPIA), <,
                     difference (&red, &green, NORMAL) / 2);
}

/* Of two logs, and of caches: as kinds, by everybody.  */
static void
check_logs (const struct dv_palette *palette, double density)
{
  const struct dv_rgb *const full[] = { &palette->before, &palette->after,
                                        &palette->same };
  struct dv_rgb logs[3];
  for (int i = 0; i < 3; i++)
    logs[i] = dv_palette_blend (&palette->area, full[i], density);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < a; b++)
      for (int eyes = 0; eyes < EYES; eyes++)
        g_assert_cmpfloat (difference (&logs[a], &logs[b], eyes), >=,
                           30 * density);
  for (int eyes = 0; eyes < EYES; eyes++)
    g_assert_cmpfloat (difference (&palette->good, &palette->bad, eyes), >=,
                       50);
}

/* At half density, too, which is the hardest.  */
static void
check_kinds (const struct dv_palette *palette, double density)
{
  bool is_classic = strcmp (palette->name, "classic") == 0;
  struct dv_rgb kinds[3] = {
    dv_palette_blend (&palette->area, &palette->read, density),
    dv_palette_blend (&palette->area, &palette->write, density),
    dv_palette_blend (&palette->area, &palette->both, density),
  };
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < a; b++) {
      double light = fabs (lightness (&kinds[a]) - lightness (&kinds[b]));
      g_assert_cmpfloat (light, >=, 10 * density);
      for (int eyes = 0; eyes < EYES; eyes++)
        if (eyes == NORMAL || !is_classic)
          g_assert_cmpfloat (difference (&kinds[a], &kinds[b], eyes), >=,
                             30 * density);
    }
  for (int a = 0; a < 3; a++)
    for (int eyes = 0; eyes < EYES; eyes++)
      g_assert_cmpfloat (difference (&kinds[a], &palette->area, eyes), >=,
                         20);
}

/* Each with each, and with what stands for several of them.  */
static void
check_threads (const struct dv_palette *palette)
{
  struct dv_rgb colours[DV_PALETTE_THREADS + 1];
  for (uint32_t i = 0; i < DV_PALETTE_THREADS; i++)
    colours[i] = dv_palette_thread (palette, i + 1);
  colours[DV_PALETTE_THREADS] = palette->area;
  for (int a = 0; a <= DV_PALETTE_THREADS; a++)
    for (int b = 0; b < a; b++)
      for (int eyes = 0; eyes < EYES; eyes++)
        g_assert_cmpfloat (difference (&colours[a], &colours[b], eyes), >=,
                           eyes == NORMAL ? 35 : 24);
  /* The next ones are shades of these, then they come again.  */
  for (uint32_t t = 1; t <= 3 * DV_PALETTE_THREADS; t++) {
    struct dv_rgb one = dv_palette_thread (palette, t);
    struct dv_rgb again = dv_palette_thread (palette,
                                             t + 3 * DV_PALETTE_THREADS);
    g_assert_cmpmem (&one, sizeof one, &again, sizeof again);
    struct dv_rgb shade = dv_palette_thread (palette, t + DV_PALETTE_THREADS);
    g_assert_cmpfloat (difference (&one, &shade, NORMAL), >, 8);
  }
}

/* Areas lie one on the other, in any order.  */
static void
check_series (const struct dv_palette *palette)
{
  for (uint32_t a = 0; a < DV_PALETTE_SERIES; a++) {
    struct dv_rgb one = dv_palette_series (palette, a);
    for (int eyes = 0; eyes < EYES; eyes++) {
      for (uint32_t b = 0; b < a; b++) {
        struct dv_rgb other = dv_palette_series (palette, b);
        g_assert_cmpfloat (difference (&one, &other, eyes), >=, 14);
      }
      g_assert_cmpfloat (difference (&one, &palette->back, eyes), >=, 14);
      /* Always the uppermost, and named last.  */
      g_assert_cmpfloat (difference (&one, &palette->others, eyes), >=, 6);
    }
    struct dv_rgb shade = dv_palette_series (palette, a + DV_PALETTE_SERIES);
    g_assert_cmpfloat (difference (&one, &shade, NORMAL), >, 6);
  }
}

/* Texts and marks can be read where they stand.  */
static void
check_ink (const struct dv_palette *palette)
{
  const struct dv_rgb *pairs[][2] = {
    { &palette->ink, &palette->back }, { &palette->faint, &palette->back },
    { &palette->message, &palette->area }, { &palette->mark, &palette->area },
    { &palette->gap, &palette->area }, { &palette->highlight, &palette->area },
    { &palette->shared, &palette->area },
    { &palette->false_shared, &palette->area },
    { &palette->range, &palette->back }, { &palette->event, &palette->back },
  };
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_cmpfloat (fabs (lightness (pairs[i][0])
                             - lightness (pairs[i][1])), >=, 38);
  for (int eyes = 0; eyes < EYES; eyes++)
    g_assert_cmpfloat (difference (&palette->shared, &palette->false_shared,
                                   eyes), >=, 20);
}

static void
test_colours (void)
{
  const char *const *names = dv_palette_names ();
  g_assert_cmpstr (names[0], ==, "classic");
  for (int i = 0; names[i] != NULL; i++)
    for (int dark = 0; dark < 2; dark++) {
      const struct dv_palette *palette = dv_palette_find (names[i], dark);
      g_assert_nonnull (palette);
      g_assert_cmpstr (palette->name, ==, names[i]);
      g_assert_true (palette->is_dark == dark);
      check_kinds (palette, 1);
      check_logs (palette, 1);
      check_kinds (palette, 0.5);
      check_logs (palette, 0.5);
      check_threads (palette);
      check_series (palette);
      check_ink (palette);
    }
  g_assert_true (dv_palette_find (NULL, true)
                 == dv_palette_find ("classic", true));
  g_assert_null (dv_palette_find ("no such", true));
}

static void
test_density (void)
{
  /* Stronger with each access, never invisible.  */
  g_assert_cmpfloat (dv_paint_density (0, 100), ==, 0);
  g_assert_cmpfloat (dv_paint_density (1, 100), >, 0.3);
  g_assert_cmpfloat (dv_paint_density (100, 100), ==, 1);
  for (uint64_t n = 1; n < 100; n++)
    g_assert_cmpfloat (dv_paint_density (n, 100), <,
                       dv_paint_density (n + 1, 100));
}

static void
check_pixel (uint32_t pixel, const struct dv_palette *palette,
             struct dv_rgb colour, double density)
{
  struct dv_rgb wanted = dv_palette_blend (&palette->area, &colour, density);
  g_assert_cmpuint (pixel >> 24, ==, 255);
  g_assert_cmpfloat_with_epsilon (pixel >> 16 & 255, wanted.r * 255, 0.6);
  g_assert_cmpfloat_with_epsilon (pixel >> 8 & 255, wanted.g * 255, 0.6);
  g_assert_cmpfloat_with_epsilon (pixel & 255, wanted.b * 255, 0.6);
}

static void
test_paint_kinds (void)
{
  const struct dv_palette *palette = dv_palette_find (NULL, true);
  struct dv_raster_cell cells[5] = { { { 0, 0 } }, { { 9, 0 } }, { { 0, 9 } },
                              { { 1, 1 } }, { { 9000, 0 } } };
  struct dv_raster raster = { .width = 5, .height = 1, .cells = cells,
                              .max = 9000 };
  uint32_t pixels[5];
  dv_paint_raster (palette, &raster, (unsigned char *) pixels,
                    sizeof pixels);
  double nine = dv_paint_density (9, 9000);
  g_assert_cmpuint (pixels[0], ==, 0);
  check_pixel (pixels[1], palette, palette->read, nine);
  check_pixel (pixels[2], palette, palette->write, nine);
  check_pixel (pixels[3], palette, palette->both,
               dv_paint_density (2, 9000));
  check_pixel (pixels[4], palette, palette->read, 1);
}

static void
test_paint_threads (void)
{
  const struct dv_palette *palette = dv_palette_find ("paper", false);
  struct dv_raster_cell cells[4] = { { { 0, 0 } }, { { 9, 0 } }, { { 4, 5 } },
                              { { 0, 9 } } };
  struct dv_raster_owner owners[4] = { { 0 }, { .thread = 2, .lead = 9 },
                                { .thread = 3, .is_mixed = 1, .lead = 1 },
                                { 0 } };
  struct dv_raster raster = { .width = 4, .height = 1, .cells = cells,
                              .owners = owners, .max = 9 };
  uint32_t pixels[4];
  dv_paint_raster (palette, &raster, (unsigned char *) pixels,
                    sizeof pixels);
  struct dv_rgb third = dv_palette_thread (palette, 3);
  g_assert_cmpuint (pixels[0], ==, 0);
  check_pixel (pixels[1], palette, palette->threads[1], 1);
  check_pixel (pixels[2], palette,
               dv_palette_blend (&third, &palette->mixed, 0.5), 1);
  check_pixel (pixels[3], palette, palette->unknown, 1);
}

static void
test_paint_lane (void)
{
  const struct dv_palette *palette = dv_palette_find (NULL, true);
  uint64_t lane[3 * DV_LANE_SLOTS] = { 0 };
  lane[4] = 100;
  lane[5] = 10;
  lane[DV_LANE_SLOTS + 1] = 50;
  lane[DV_LANE_SLOTS + 2] = 49;
  struct dv_raster raster = { .width = 1, .height = 3, .lane = lane };
  uint32_t pixels[3];
  dv_paint_lane (palette, &raster, (unsigned char *) pixels, 4);
  check_pixel (pixels[0], palette, dv_palette_thread (palette, 5), 1);
  check_pixel (pixels[1], palette,
               dv_palette_blend (&palette->threads[1], &palette->mixed, 0.5),
               1);
  g_assert_cmpuint (pixels[2], ==, 0);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/formulas", test_formulas);
  g_test_add_func ("/palette/colours", test_colours);
  g_test_add_func ("/palette/density", test_density);
  g_test_add_func ("/palette/paint/kinds", test_paint_kinds);
  g_test_add_func ("/palette/paint/threads", test_paint_threads);
  g_test_add_func ("/palette/paint/lane", test_paint_lane);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
