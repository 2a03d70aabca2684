/* cache_shares.c: what is likely of the accesses whose misses the windows of a
   sample leave open.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_shares.h"

#include <math.h>

unsigned
dg_cache_unknown_of (unsigned event)
{
  if (event >= DG_EVENTS_NINE || event % 3 == 0)
    return 0;
  return dg_unknown_event (event / 3) + event % 3 - 1;
}

/* Of the first level, where all accesses are made.  */
static double
first_share (struct dg_cache_part *const *parts, unsigned kind)
{
  const struct dg_cache_part *part = parts[kind == DG_MISS_FETCH ? 0 : 1];

  if (part == NULL)
    return 1;
  return dg_cache_known_likely (part->depths, kind == DG_MISS_FETCH ? 1 : 2,
                                kind == DG_MISS_WRITE).unknown;
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
  double unknown = dg_cache_depths_sum (own, own->unknown);
  double maybe = dg_cache_depths_sum (own, own->maybe_unknown)
                 + (double) own->maybe_misses;

  if (unknown + maybe <= 0)
    return 1;
  return (likely.unknown * unknown + before * likely.maybe * maybe)
         / (unknown + maybe);
}

void
dg_cache_shares_init (struct dg_cache_shares *shares,
                      const struct dg_cache_plan *plan,
                      struct dg_cache_part *const *parts, unsigned n_lower)
{
  *shares = (struct dg_cache_shares) { .is_windowed = plan->is_windowed,
                                       .last = n_lower };
  if (!plan->is_windowed)
    return;
  for (unsigned kind = 0; kind < DG_MISS_PREFETCH; kind++) {
    shares->shares[0][kind] = first_share (parts, kind);
    for (unsigned i = 0; i < n_lower; i++)
      shares->shares[i + 1][kind] =
        lower_share (dg_cache_lower_depths (plan->lower, i), kind,
                     shares->shares[i][kind]);
  }
}

double
dg_cache_shares_more (const struct dg_cache_shares *shares,
                      const uint64_t *sums, unsigned event)
{
  unsigned unknown = dg_cache_unknown_of (event);

  if (!shares->is_windowed || unknown == 0)
    return 0;
  return shares->shares[event % 3 == 1 ? 0 : shares->last][event / 3]
         * (double) sums[unknown];
}

void
dg_cache_shares_row (const struct dg_cache_shares *shares,
                     const uint64_t *sums, uint64_t likely[DG_EVENTS])
{
  for (unsigned i = 0; i < DG_EVENTS; i++)
    likely[i] =
      sums[i] + (uint64_t) llround (dg_cache_shares_more (shares, sums, i));
}
