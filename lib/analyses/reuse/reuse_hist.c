/* reuse_hist.c: statistics of reuse distances and times.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse_hist.h"

#include "base/compare.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* How many standard errors are told.  */
#define CERTAIN 3

/* ---- Memory ---- */

int
dg_reuse_hist_room (struct dg_reuse_hist *hist, size_t n)
{
  return n == 0 || DG_ARRAY_ROOM_ZERO (hist->counts, hist->room, n - 1)
           ? 0
           : DG_ERR_NOMEM;
}

int
dg_reuse_hist_init (struct dg_reuse_hist *hist, bool has_groups)
{
  memset (hist, 0, sizeof *hist);
  if (has_groups) {
    hist->groups = g_try_malloc0_n (DG_REUSE_GROUPS, sizeof *hist->groups);
    if (!hist->groups)
      return DG_ERR_NOMEM;
  }
  return dg_reuse_hist_room (hist, 1);
}

void
dg_reuse_hist_fini (struct dg_reuse_hist *hist)
{
  g_free (hist->counts);
  g_free (hist->groups);
  memset (hist, 0, sizeof *hist);
}

int
dg_reuse_hist_add (struct dg_reuse_hist *to, const struct dg_reuse_hist *from)
{
  if (dg_reuse_hist_room (to, from->room) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < from->room; i++)
    to->counts[i] += from->counts[i];
  for (size_t i = 0; i < DG_REUSE_SHORT; i++)
    to->shorts[i] += from->shorts[i];
  for (size_t i = 0; i < DG_REUSE_TIMES; i++)
    to->longs.steps[i] += from->longs.steps[i];
  to->longs.sum += from->longs.sum;
  to->longs.squares += from->longs.squares;
  to->cold += from->cold;
  to->accesses += from->accesses;
  to->straddles += from->straddles;
  for (size_t g = 0; from->groups && g < DG_REUSE_GROUPS; g++)
    for (size_t i = 0; i <= DG_REUSE_EDGES; i++)
      to->groups[g][i] += from->groups[g][i];
  return 0;
}

/* ---- Samples ---- */

/* The distance among lines of the sample that a cache of `lines` lines has no
   room for.  */
static uint64_t
edge (const struct dg_reuse_sample *sample, double lines)
{
  const double scaled = ceil (lines * sample->rate);

  return sample->rate >= 1 ? (uint64_t) lines
         : scaled >= (double) DG_REUSE_COLD ? DG_REUSE_COLD
                                            : (uint64_t) MAX (scaled, 0);
}

void
dg_reuse_sample_init (struct dg_reuse_sample *sample, double rate,
                      const uint32_t *sizes, unsigned n)
{
  memset (sample, 0, sizeof *sample);
  sample->limit = (uint32_t) MAX (ceil (rate * (1 << 24)), 1);
  sample->rate = (double) sample->limit / (1 << 24);
  g_assert (rate > 0 && rate <= 1 && n <= DG_REUSE_SIZES);
  for (unsigned i = 0; i < n; i++)
    sample->sizes[i] = sizes[i];
  for (unsigned i = 0; i < 32; i++)
    sample->sizes[n++] = UINT32_C (1) << i;
  qsort (sample->sizes, n, sizeof *sample->sizes, dg_compare_u32);
  sample->n_edges = n;
  for (unsigned i = 0; i < n; i++)
    sample->edges[i] = dg_reuse_sample_edge (sample, sample->sizes[i]);
}

uint32_t
dg_reuse_sample_edge (const struct dg_reuse_sample *sample, uint32_t lines)
{
  return (uint32_t) edge (sample, lines);
}

void
dg_reuse_hist_group (struct dg_reuse_hist *hist,
                     const struct dg_reuse_sample *sample, uint64_t dice,
                     uint32_t distance)
{
  unsigned i = 0;

  while (i < sample->n_edges && sample->edges[i] <= distance)
    i++;
  hist->groups[dice % DG_REUSE_GROUPS][i]++;
}

/* ---- Mean, median, deviation ---- */

/* What the sample would have had of distance 0 if its lines had as many
   accesses as such a share of all has: its hot lines, or those that it lacks,
   make the difference (SHARDS-adj).  */
static uint64_t
at_zero (const struct dg_reuse_hist *hist,
         const struct dg_reuse_sample *sample)
{
  double others = (double) hist->cold, all;

  if (sample->rate >= 1)
    return hist->counts[0];
  for (size_t i = 1; i < hist->room; i++)
    others += (double) hist->counts[i];
  all = (double) hist->accesses * sample->rate;
  return all > others ? (uint64_t) llround (all - others) : 0;
}

struct dg_reuse_stats
dg_reuse_distances (const struct dg_reuse_hist *hist,
                    const struct dg_reuse_sample *sample)
{
  struct dg_reuse_stats stats = { 0 };
  const uint64_t zero = at_zero (hist, sample);
  unsigned __int128 squares = 0, sum = 0;
  uint64_t n = zero, below = zero;
  size_t median = 0;
  double mean;

  for (size_t i = 1; i < hist->room; i++) {
    n += hist->counts[i];
    sum += (unsigned __int128) hist->counts[i] * i;
    squares += (unsigned __int128) hist->counts[i] * i * i;
  }
  if (n == 0)
    return stats;
  while (below < n - n / 2)
    below += hist->counts[++median];
  mean = (double) sum / (double) n;
  stats.n = (uint64_t) llround ((double) n / sample->rate);
  stats.mean = mean / sample->rate;
  stats.sigma = sqrt (MAX ((double) squares / (double) n - mean * mean, 0))
                / sample->rate;
  stats.median = (uint64_t) llround ((double) median / sample->rate);
  return stats;
}

/* Short times and all others.  */
static struct dg_reuse_time_sums
times_of (const struct dg_reuse_hist *hist)
{
  struct dg_reuse_time_sums times = hist->longs;

  for (unsigned i = 0; i < DG_REUSE_SHORT; i++)
    dg_reuse_times_add (&times, i, hist->shorts[i]);
  return times;
}

/* The smallest time of a step.  */
static uint64_t
step_start (size_t step)
{
  const unsigned shift = (unsigned) (step >> DG_REUSE_STEP_SHIFT);

  if (shift < 2)
    return step;
  return (uint64_t) (DG_REUSE_STEPS + (step & (DG_REUSE_STEPS - 1)))
         << (shift - 1);
}

struct dg_reuse_stats
dg_reuse_times (const struct dg_reuse_hist *hist,
                const struct dg_reuse_sample *sample)
{
  const struct dg_reuse_time_sums times = times_of (hist);
  struct dg_reuse_stats stats = { 0 };
  uint64_t n = 0, below = 0;
  size_t step = 0;
  double mean;

  for (size_t i = 0; i < DG_REUSE_TIMES; i++)
    n += times.steps[i];
  if (n == 0)
    return stats;
  for (below = times.steps[0]; below < n - n / 2;)
    below += times.steps[++step];
  mean = (double) times.sum / (double) n;
  stats.n = (uint64_t) llround ((double) n / sample->rate);
  stats.mean = mean;
  stats.sigma
    = sqrt (MAX ((double) times.squares / (double) n - mean * mean, 0));
  /* The middle of the step.  */
  stats.median = step_start (step)
                 + (step_start (step + 1) - step_start (step)) / 2;
  return stats;
}

/* ---- Histograms ---- */

static size_t
pairs_of (const uint64_t *buckets, unsigned n, double rate,
          struct dg_pair *pairs)
{
  size_t n_pairs = 0;

  for (unsigned i = 0; i < n; i++)
    if (buckets[i] != 0)
      pairs[n_pairs++] = (struct dg_pair) {
        .key = dg_reuse_bucket_start (i),
        .count = rate >= 1 ? buckets[i]
                           : (uint64_t) llround ((double) buckets[i] / rate)
      };
  return n_pairs;
}

size_t
dg_reuse_distance_pairs (const struct dg_reuse_hist *hist,
                         const struct dg_reuse_sample *sample,
                         struct dg_pair *pairs)
{
  uint64_t buckets[DG_REUSE_BUCKETS] = { at_zero (hist, sample) };
  /* A sample's distances of less than a line are its zero.  */
  for (size_t i = 1; i < hist->room; i++)
    if (hist->counts[i] != 0) {
      const double distance = (double) i / sample->rate;

      buckets[distance >= (double) DG_REUSE_COLD
                ? DG_REUSE_BUCKETS - 1
                : dg_reuse_bucket ((uint32_t) distance)] += hist->counts[i];
    }
  return pairs_of (buckets, DG_REUSE_BUCKETS, sample->rate, pairs);
}

size_t
dg_reuse_time_pairs (const struct dg_reuse_hist *hist,
                     const struct dg_reuse_sample *sample,
                     struct dg_pair *pairs)
{
  const struct dg_reuse_time_sums times = times_of (hist);
  uint64_t buckets[DG_REUSE_TIME_BUCKETS] = { 0 };

  for (size_t i = 0; i < DG_REUSE_TIMES; i++)
    if (times.steps[i] != 0) {
      const uint64_t start = step_start (i);

      buckets[start == 0 ? 0 : 64 - __builtin_clzll (start)]
        += times.steps[i];
    }
  return pairs_of (buckets, DG_REUSE_TIME_BUCKETS, sample->rate, pairs);
}

/* ---- Misses ---- */

struct dg_reuse_curve {
  const struct dg_reuse_hist *hist;
  const struct dg_reuse_sample *sample;
  size_t n;
  uint64_t at_least[];     /* n + 1 of them; the last are the cold ones */
};

struct dg_reuse_curve *
dg_reuse_curve_new (const struct dg_reuse_hist *hist,
                    const struct dg_reuse_sample *sample)
{
  struct dg_reuse_curve *curve
    = g_try_malloc (sizeof *curve
                    + (hist->room + 1) * sizeof *curve->at_least);

  if (!curve)
    return NULL;
  curve->hist = hist;
  curve->sample = sample;
  curve->n = hist->room;
  curve->at_least[curve->n] = hist->cold;
  for (size_t i = curve->n; i-- > 0;)
    curve->at_least[i] = curve->at_least[i + 1] + hist->counts[i];
  return curve;
}

void
dg_reuse_curve_free (struct dg_reuse_curve *curve)
{
  g_free (curve);
}

/* The standard error of the misses of a cache of so many lines, or of the next
   smaller one that was counted by group: how much the sums of groups of lines
   differ says how much the sum of others would (each line is in the sample or
   not, by itself).  */
static double
error_of_lines (const struct dg_reuse_curve *curve, double lines)
{
  const struct dg_reuse_sample *sample = curve->sample;
  const unsigned n = DG_REUSE_GROUPS;
  double sum = 0, squares = 0;
  unsigned first = 0;

  while (first < sample->n_edges && sample->sizes[first] <= lines)
    first++;
  for (unsigned g = 0; g < n; g++) {
    double misses = 0;

    for (unsigned i = first; i <= sample->n_edges; i++)
      misses += (double) curve->hist->groups[g][i];
    sum += misses;
    squares += misses * misses;
  }
  squares = MAX (squares - sum * sum / n, 0) * n / (n - 1);
  return sqrt ((1 - sample->rate) * squares) / sample->rate;
}

/* The estimate for a cache of so many lines, with `by` standard errors.  */
static double
bound (const struct dg_reuse_curve *curve, double lines, double by)
{
  const uint64_t distance = edge (curve->sample, MAX (lines, 0));
  double misses;

  if (lines < 1)
    return (double) curve->hist->accesses;
  misses = (double) curve->at_least[MIN (distance, curve->n)]
           / curve->sample->rate;
  /* Of nothing that was seen, there may still be some.  */
  return misses + by * (error_of_lines (curve, lines)
                        + 1 / curve->sample->rate)
         + (by > 0 ? 1 : -1) * (double) curve->hist->straddles;
}

struct dg_reuse_misses
dg_reuse_curve_misses (const struct dg_reuse_curve *curve, uint64_t lines)
{
  const struct dg_reuse_sample *sample = curve->sample;
  const double all = (double) curve->hist->accesses;
  struct dg_reuse_misses misses;
  double n, share;

  n = (double) curve->at_least[MIN (edge (sample, (double) lines), curve->n)];
  if (sample->rate >= 1) {
    misses.n = misses.low = misses.high = (uint64_t) n;
    return misses;
  }
  /* Of `lines` lines, so many more or less are in the sample.  */
  share = CERTAIN * sqrt ((1 - sample->rate)
                          / (sample->rate * MAX ((double) lines, 1)));
  misses.n = (uint64_t) llround (MIN (n / sample->rate, all));
  misses.low = (uint64_t) llround (
    MAX (bound (curve, (double) lines * (1 + share), -CERTAIN), 0));
  misses.high = (uint64_t) llround (
    MIN (bound (curve, (double) lines * (1 - share), CERTAIN), all));
  misses.low = MIN (misses.low, misses.n);
  misses.high = MAX (misses.high, misses.n);
  return misses;
}
