/* cache_windows.c: caches of a log that is a sample: what its windows do not
   know, and how long they would have to be.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/* What is at most so many times what is at least, is good enough.  */
#define FACTOR 2.0

/* ---- What is likely --------------------------------------------------- */

unsigned
dg_cache_unknown_of (unsigned event)
{
  if (event >= DG_EVENTS_NINE || event % 3 == 0)
    return 0;
  return dg_unknown_event (event / 3) + event % 3 - 1;
}

/* Of the first level, where all accesses are made.  */
static double
first_share (const struct dg_cache_run *run, unsigned kind)
{
  const struct dg_cache_part *part = run->parts[kind == DG_MISS_FETCH ? 0 : 1];

  if (part == NULL)
    return 1;
  return dg_cache_known_likely (part->depths, kind == DG_MISS_FETCH ? 1 : 2,
                                kind == DG_MISS_WRITE).unknown;
}

static double
sum (const uint64_t *numbers, size_t n)
{
  double all = 0;

  for (size_t i = 0; i < n; i++)
    all += (double) numbers[i];
  return all;
}

/* Of a lower level; before: that of the level before, whose misses are the
   accesses that were made.  */
static double
lower_share (const struct dg_cache_depths *depths, unsigned kind,
             double before)
{
  const struct dg_cache_depths *own = &depths[kind];
  struct dg_cache_likely likely =
    dg_cache_known_likely (depths, DG_MISS_KINDS, kind);
  double unknown = sum (own->unknown, own->n);
  double maybe =
    sum (own->maybe_unknown, own->n) + (double) own->maybe_misses;

  if (unknown + maybe <= 0)
    return 1;
  return (likely.unknown * unknown + before * likely.maybe * maybe)
         / (unknown + maybe);
}

void
dg_cache_run_shares (const struct dg_cache_run *run,
                     struct dg_cache_shares *shares)
{
  memset (shares, 0, sizeof *shares);
  shares->last = run->made.n_lower;
  if (!run->plan.is_windowed)
    return;
  for (unsigned kind = 0; kind < DG_MISS_PREFETCH; kind++) {
    shares->shares[0][kind] = first_share (run, kind);
    for (unsigned i = 0; i < run->made.n_lower; i++)
      shares->shares[i + 1][kind] =
        lower_share (dg_cache_lower_depths (run->plan.lower, i), kind,
                     shares->shares[i][kind]);
  }
}

void
dg_cache_run_likely (const struct dg_cache_run *run,
                     const struct dg_cache_shares *shares,
                     const uint64_t *sums, uint64_t likely[DG_EVENTS])
{
  memcpy (likely, sums, DG_EVENTS * sizeof *likely);
  for (unsigned i = 0; run->plan.is_windowed && i < DG_EVENTS_NINE; i++) {
    unsigned unknown = dg_cache_unknown_of (i);

    if (unknown != 0)
      likely[i] += (uint64_t) llround (
        shares->shares[i % 3 == 1 ? 0 : shares->last][i / 3]
        * (double) sums[unknown]);
  }
}

/* ---- How long windows would have to be -------------------------------- */

void
dg_cache_tell_windows (const struct dg_cache_run *run,
                       struct dg_report *report)
{
  (void) run;
  (void) report;
}
