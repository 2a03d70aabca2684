/* calibrate_estimate.c: from times and curves to figures of a processor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate_estimate.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Runs ---- */

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

struct dg_calibrate_sample
dg_calibrate_summary (double *runs, size_t n)
{
  struct dg_calibrate_sample sample;

  qsort (runs, n, sizeof *runs, compare);
  sample.value = runs[n / 4];
  sample.spread
    = sample.value > 0 ? (runs[n / 2] - runs[0]) / sample.value : 0;
  return sample;
}

/* ---- Curves ---- */

/* Neighbours that fall are replaced by their mean, until none do (pool
   adjacent violators).  */
void
dg_calibrate_rise (struct dg_calibrate_point *curve, size_t n)
{
  size_t *sizes = g_new (size_t, n + 1), pools = 0, at = 0;
  double *means = g_new (double, n + 1);

  for (size_t i = 0; i < n; i++) {
    means[pools] = curve[i].cycles;
    sizes[pools++] = 1;
    while (pools > 1 && means[pools - 2] > means[pools - 1]) {
      double sum = means[pools - 2] * (double) sizes[pools - 2]
                   + means[pools - 1] * (double) sizes[pools - 1];

      pools--;
      sizes[pools - 1] += sizes[pools];
      means[pools - 1] = sum / (double) sizes[pools - 1];
    }
  }
  for (size_t i = 0; i < pools; i++)
    for (size_t k = 0; k < sizes[i]; k++)
      curve[at++].cycles = means[i];
  g_free (means);
  g_free (sizes);
}

/* y of the straight line through two points, at x.  */
static double
between (double x0, double y0, double x1, double y1, double x)
{
  return x1 == x0 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

double
dg_calibrate_crossing (const struct dg_calibrate_point *curve, size_t n,
                       double low, double high)
{
  double middle = sqrt (low * high);

  if (!(low > 0 && high > low))
    return 0;
  for (size_t i = 1; i < n; i++) {
    const struct dg_calibrate_point *a = &curve[i - 1], *b = &curve[i];

    if (a->cycles <= middle && b->cycles > middle)
      return exp (between (log (a->cycles), log (a->at), log (b->cycles),
                           log (b->at), log (middle)));
  }
  return 0;
}

double
dg_calibrate_at (const struct dg_calibrate_point *curve, size_t n, double at)
{
  if (at <= curve[0].at)
    return curve[0].cycles;
  for (size_t i = 1; i < n; i++)
    if (curve[i].at >= at)
      return exp (between (log (curve[i - 1].at), log (curve[i - 1].cycles),
                           log (curve[i].at), log (curve[i].cycles),
                           log (at)));
  return curve[n - 1].cycles;
}

#define FLAT 0.2

/* The last point up to which the curve grows slowly from `first` on.  */
static size_t
end_of_flat (const struct dg_calibrate_point *curve, size_t n, size_t first)
{
  size_t last = first;

  while (last + 1 < n) {
    double octaves = log2 (curve[last + 1].at / curve[last].at),
           growth = log (curve[last + 1].cycles / curve[last].cycles);

    if (growth > log (1 + FLAT) * octaves)
      break;
    last++;
  }
  return last;
}

size_t
dg_calibrate_levels (const struct dg_calibrate_point *curve, size_t n,
                     double *latencies, size_t most)
{
  size_t found = 0;

  for (size_t i = 0, last; i < n && found < most; i = last + 1) {
    double cycles;

    last = end_of_flat (curve, n, i);
    if (curve[last].at < 1.99 * curve[i].at)
      continue;
    cycles = curve[(i + last) / 2].cycles;
    if (found == 0 || cycles > (1 + FLAT) * latencies[found - 1])
      latencies[found++] = cycles;
  }
  return found;
}

/* Sizes that the system does not know, from where a curve passes from one
   level to the next.  */
static bool
fill_sizes (const struct dg_calibrate_point *curve, size_t n,
            struct dg_calibrate_hierarchy *hierarchy)
{
  double latencies[DG_CALIBRATE_CACHES + 1];
  bool is_full = true;

  for (unsigned i = 0; i < DG_CALIBRATE_CACHES; i++)
    is_full = is_full && hierarchy->bytes[i] > 0;
  if (is_full)
    return true;
  if (dg_calibrate_levels (curve, n, latencies, DG_CALIBRATE_CACHES + 1)
      <= DG_CALIBRATE_CACHES) {
    /* There is no third cache.  */
    if (hierarchy->bytes[0] > 0 && hierarchy->bytes[1] > 0)
      hierarchy->bytes[2] = hierarchy->bytes[1];
    return hierarchy->bytes[2] > 0;
  }
  for (unsigned i = 0; i < DG_CALIBRATE_CACHES; i++)
    if (hierarchy->bytes[i] <= 0)
      hierarchy->bytes[i]
        = (double) dg_calibrate_usual (dg_calibrate_crossing (
          curve, n, latencies[i], latencies[i + 1]));
  return true;
}

/* Of the last cache, if the curve leaves it earlier than its size says, and
   reaches memory: that is at least twice as far.  */
#define SHRUNK 0.75
#define FAR    2

bool
dg_calibrate_hierarchy_find (const struct dg_calibrate_point *curve, size_t n,
                             const double known[DG_CALIBRATE_CACHES],
                             struct dg_calibrate_hierarchy *hierarchy)
{
  double *bytes = hierarchy->bytes, *latency = hierarchy->latency, end;

  memcpy (bytes, known, DG_CALIBRATE_CACHES * sizeof *known);
  if (!fill_sizes (curve, n, hierarchy) || bytes[1] <= bytes[0]
      || bytes[2] < bytes[1])
    return false;
  /* A half of L1, a quarter of L2: pages of a virtual machine are not side by
     side, and some sets of L2 are full before others.  */
  latency[0] = dg_calibrate_at (curve, n, bytes[0] / 2);
  latency[1] = dg_calibrate_at (curve, n, MAX (bytes[1] / 4, 2 * bytes[0]));
  latency[3] = curve[n - 1].cycles;
  hierarchy->has_memory = true;
  if (bytes[2] == bytes[1]) {
    latency[2] = latency[3];
    return latency[0] < latency[1] && latency[1] < latency[2];
  }
  latency[2] = dg_calibrate_at (curve, n, MIN (3 * bytes[1], bytes[2] / 2));
  end = dg_calibrate_crossing (curve, n, latency[2], latency[3]);
  if (end > 0 && end < SHRUNK * bytes[2] && latency[3] > FAR * latency[2]) {
    bytes[2] = (double) dg_calibrate_usual (end);
    latency[2]
      = dg_calibrate_at (curve, n, sqrt (bytes[1] * bytes[2]));
  }
  hierarchy->has_memory = curve[n - 1].at >= 2 * bytes[2];
  return latency[0] < latency[1] && latency[1] < latency[2]
         && latency[2] < latency[3] && bytes[2] > bytes[1];
}

bool
dg_calibrate_translations_find (const struct dg_calibrate_point *curve,
                                size_t n, double hit,
                                struct dg_calibrate_translations *found)
{
  struct dg_calibrate_point *raised = g_new (struct dg_calibrate_point, n);
  double latencies[3];
  size_t levels;

  /* With the hit there is no level of 0, which has no logarithm.  */
  for (size_t i = 0; i < n; i++)
    raised[i] = (struct dg_calibrate_point) {curve[i].at,
                                             curve[i].cycles + hit};
  levels = dg_calibrate_levels (raised, n, latencies, 3);
  if (levels >= 2) {
    latencies[2] = raised[n - 1].cycles;
    found->first = (double) dg_calibrate_usual (
      dg_calibrate_crossing (raised, n, latencies[0], latencies[1]));
    found->second = (double) dg_calibrate_usual (
      dg_calibrate_crossing (raised, n, latencies[1], latencies[2]));
    found->latency = latencies[1] - latencies[0];
    found->walk = latencies[2] - latencies[0];
  }
  g_free (raised);
  return levels >= 2 && found->second > found->first && found->first > 4;
}

uint64_t
dg_calibrate_usual (double size)
{
  double best = 4;

  if (!(size > 4))
    return 4;
  for (double unit = 1; unit <= size; unit *= 2)
    for (unsigned i = 4; i < 8; i++)
      if (fabs (log (unit * i / size)) < fabs (log (best / size)))
        best = unit * i;
  return (uint64_t) best;
}

/* ---- Lines ---- */

static double
median (double *values, size_t n)
{
  qsort (values, n, sizeof *values, compare);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void
dg_calibrate_line (const struct dg_calibrate_point *points, size_t n,
                   double *start, double *slope)
{
  double *values = g_new (double, n * (n - 1) / 2 + n);
  size_t k = 0;

  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      values[k++] = (points[j].cycles - points[i].cycles)
                    / (points[j].at - points[i].at);
  *slope = median (values, k);
  for (size_t i = 0; i < n; i++)
    values[i] = points[i].cycles - *slope * points[i].at;
  *start = median (values, n);
  g_free (values);
}

double
dg_calibrate_misses (double latency, double apart)
{
  return apart > 0 ? MAX (latency / apart, 1) : 1;
}
