/* calibrate_levels.c: figures of caches, memory and translations.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate.h"

#include <math.h>

#include "base/error.h"
#include "calibrate_memory.h"

#define MIB(n) ((size_t) (n) << 20)
#define LEAST_BYTES MIB (64)
#define MOST_BYTES  MIB (512)
/* Points of a curve, at most: two an octave.  */
#define POINTS 64
/* The line of a page is not next to that of another page in the page table,
   and a translation for several pages holds one of them.  */
#define PAGES_APART 5
#define LEAST_PAGES 16
#define MOST_PAGES  8192

struct curve {
  struct dg_calibrate_point points[POINTS];
  double spreads[POINTS];
  size_t n;
};

static double
spread_at (const struct curve *curve, double at)
{
  size_t best = 0;

  for (size_t i = 1; i < curve->n; i++)
    if (fabs (log (curve->points[i].at / at))
        < fabs (log (curve->points[best].at / at)))
      best = i;
  return curve->spreads[best];
}

/* ---- Caches and memory ---- */

/* Four times the last cache, as far as there is memory.  */
static size_t
bytes_to_use (const struct dg_calibration *calibration)
{
  const struct dg_calibrate_system *system = &calibration->system;
  size_t bytes = MAX (4 * system->l3.bytes, MIB (256));

  if (calibration->is_quick)
    bytes = LEAST_BYTES;
  if (system->available > 0)
    bytes = MIN (bytes, system->available / 4);
  return MIN (bytes, MOST_BYTES) & ~(MIB (2) - 1);
}

static int
measure_curve (struct dg_calibration *calibration,
               struct dg_calibrate_memory *memory, struct curve *curve,
               struct dg_error *err)
{
  double step = calibration->is_quick ? 2 : sqrt (2);
  double octaves = log2 ((double) memory->bytes / 8192);

  curve->n = 0;
  for (double at = 8192; at <= (double) memory->bytes * 1.01; at *= step) {
    size_t n = MIN ((size_t) at, memory->bytes) / DG_CALIBRATE_LINE;
    struct dg_calibrate_sample sample = dg_calibrate_chase (
      &calibration->clock, memory, n, DG_CALIBRATE_LINE);

    g_assert (curve->n < POINTS);
    curve->spreads[curve->n] = sample.spread;
    curve->points[curve->n++]
      = (struct dg_calibrate_point) {(double) (n * DG_CALIBRATE_LINE),
                                     sample.value};
    /* Larger rings take longer.  */
    if (dg_calibration_tell (calibration,
                             100 + (unsigned) (600 * pow (2, log2 (at / 8192)
                                                             - octaves)),
                             err) < 0)
      return DG_ERR_CANCELLED;
  }
  return 0;
}

static void
set_level (struct dg_calibration *calibration, const char *level,
           const struct curve *curve, double at, double bytes, double latency)
{
  static const char *const names[] = {"l1", "l2", "l3"};
  const struct dg_calibrate_cache *known[]
    = {&calibration->system.l1, &calibration->system.l2,
       &calibration->system.l3};

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    char *lines = g_strconcat (names[i], "-lines", NULL),
         *ways = g_strconcat (names[i], "-ways", NULL),
         *cycles = g_strconcat (names[i], "-latency", NULL);

    if (g_str_equal (names[i], level)) {
      if (bytes == (double) known[i]->bytes)
        dg_calibration_known (calibration, lines,
                              known[i]->bytes / DG_CALIBRATE_LINE);
      else
        dg_calibration_measured (calibration, lines,
                                 bytes / DG_CALIBRATE_LINE,
                                 spread_at (curve, bytes),
                                 dg_calibration_ran (calibration)
                                     < DG_CALIBRATE_RAN ? -1 : 0.5);
      dg_calibration_known (calibration, ways, known[i]->ways);
      dg_calibration_measured (calibration, cycles, latency,
                               spread_at (curve, at),
                               i < 2 ? DG_CALIBRATE_STEADY
                                     : DG_CALIBRATE_STEADY_MEMORY);
    }
    g_free (cycles);
    g_free (ways);
    g_free (lines);
  }
}

static void
set_gap (struct dg_calibration *calibration, const char *name,
         struct dg_calibrate_memory *memory, double bytes)
{
  struct dg_calibrate_sample sample = dg_calibrate_stream (
    &calibration->clock, memory, MIN ((size_t) bytes, memory->bytes));

  dg_calibration_measured (calibration, name, 8 * sample.value, sample.spread,
                           DG_CALIBRATE_STEADY_MEMORY);
}

static void
measure_side_by_side (struct dg_calibration *calibration,
                      struct dg_calibrate_memory *memory,
                      const struct dg_calibrate_hierarchy *hierarchy)
{
  const double *bytes = hierarchy->bytes;
  struct dg_calibrate_sample sample;

  set_gap (calibration, "l2-gap", memory, bytes[1] / 2);
  set_gap (calibration, "l3-gap", memory, sqrt (bytes[1] * bytes[2]));
  if (!hierarchy->has_memory)
    return;
  set_gap (calibration, "memory-gap", memory, (double) memory->bytes);
  sample = dg_calibrate_gather (&calibration->clock, memory, memory->bytes);
  dg_calibration_measured (
    calibration, "misses",
    dg_calibrate_misses (hierarchy->latency[3], sample.value), sample.spread,
    DG_CALIBRATE_STEADY_MEMORY);
}

static int
measure_levels (struct dg_calibration *calibration,
                struct dg_calibrate_memory *memory, struct dg_error *err)
{
  const struct dg_calibrate_system *system = &calibration->system;
  const double known[DG_CALIBRATE_CACHES]
    = {(double) system->l1.bytes, (double) system->l2.bytes,
       (double) system->l3.bytes};
  struct dg_calibrate_hierarchy found;
  struct curve curve;
  const double *bytes = found.bytes, *latency = found.latency;

  if (measure_curve (calibration, memory, &curve, err) < 0)
    return DG_ERR_CANCELLED;
  dg_calibrate_rise (curve.points, curve.n);
  dg_calibration_known (calibration, "code-lines",
                        system->code.bytes / DG_CALIBRATE_LINE);
  dg_calibration_known (calibration, "code-ways", system->code.ways);
  if (!dg_calibrate_hierarchy_find (curve.points, curve.n, known, &found))
    return dg_error_set (err, DG_ERR_LIMIT,
                         "the machine is too busy: loads from larger memory"
                         " do not take longer");
  set_level (calibration, "l1", &curve, bytes[0] / 2, bytes[0], latency[0]);
  set_level (calibration, "l2", &curve, bytes[1] / 4, bytes[1], latency[1]);
  set_level (calibration, "l3", &curve, sqrt (bytes[1] * bytes[2]), bytes[2],
             latency[2]);
  if (found.has_memory)
    dg_calibration_measured (calibration, "memory", latency[3],
                             curve.spreads[curve.n - 1],
                             DG_CALIBRATE_STEADY_MEMORY);
  measure_side_by_side (calibration, memory, &found);
  return dg_calibration_tell (calibration, 800, err);
}

/* ---- Translations ---- */

/* What lines on pages of their own take longer than the same number of lines
   side by side.  */
static int
measure_pages (struct dg_calibration *calibration,
               struct dg_calibrate_memory *large,
               struct dg_calibrate_memory *small, struct curve *curve,
               struct dg_error *err)
{
  double step = calibration->is_quick ? 2 : sqrt (2);

  curve->n = 0;
  for (double at = LEAST_PAGES; at <= MOST_PAGES * 1.01; at *= step) {
    size_t n = (size_t) at;
    struct dg_calibrate_sample pages = dg_calibrate_chase (
      &calibration->clock, small, n, PAGES_APART * DG_CALIBRATE_PAGE);
    struct dg_calibrate_sample lines = dg_calibrate_chase (
      &calibration->clock, large, n, DG_CALIBRATE_LINE);

    g_assert (curve->n < POINTS);
    curve->spreads[curve->n] = MAX (pages.spread, lines.spread);
    curve->points[curve->n++] = (struct dg_calibrate_point) {
      (double) n, MAX (pages.value - lines.value, 0)};
    if (dg_calibration_tell (calibration,
                             800 + (unsigned) (200 * at / MOST_PAGES / 1.02),
                             err) < 0)
      return DG_ERR_CANCELLED;
  }
  return 0;
}

static void
set_translations (struct dg_calibration *calibration, struct curve *curve)
{
  size_t last = curve->n - 1;
  struct dg_calibrate_translations found;

  dg_calibrate_rise (curve->points, curve->n);
  if (!dg_calibrate_translations_find (
        curve->points, curve->n,
        (double) dg_calibration_value (calibration, "l1-latency"), &found))
    return;
  dg_calibration_measured (calibration, "tlb-pages", found.first,
                           spread_at (curve, found.first), G_MAXDOUBLE);
  dg_calibration_measured (calibration, "tlb2-latency", found.latency,
                           spread_at (curve, found.first * 4),
                           DG_CALIBRATE_STEADY_MEMORY);
  dg_calibration_measured (calibration, "tlb2-pages", found.second,
                           spread_at (curve, found.second), G_MAXDOUBLE);
  /* The entries of the page table come from L2.  */
  dg_calibration_measured (
    calibration, "walk",
    MAX (found.walk
           - (double) dg_calibration_value (calibration, "l2-latency"),
         0),
    curve->spreads[last], DG_CALIBRATE_STEADY_MEMORY);
}

int
dg_calibration_levels (struct dg_calibration *calibration,
                       struct dg_error *err)
{
  struct dg_calibrate_memory large, small = {0};
  struct curve curve;
  int code = dg_calibrate_memory_init (&large, bytes_to_use (calibration),
                                       true, err);

  if (code < 0)
    return code;
  code = measure_levels (calibration, &large, err);
  if (code == 0)
    code = dg_calibrate_memory_init (&small,
                                     (size_t) MOST_PAGES * PAGES_APART
                                       * DG_CALIBRATE_PAGE, false, err);
  if (code == 0)
    code = measure_pages (calibration, &large, &small, &curve, err);
  if (code == 0)
    set_translations (calibration, &curve);
  dg_calibrate_memory_fini (&small);
  dg_calibrate_memory_fini (&large);
  return code;
}
