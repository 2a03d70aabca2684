/* cache_shares.h: what is likely of the accesses whose misses the windows of a
   sample leave open.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_SHARES_H
#define DG_CACHE_SHARES_H

#include "cache_part.h"

/* The event that counts the unknown accesses beside an event of misses; 0:
   there is none.  */
unsigned dg_cache_unknown_of (unsigned event);

/* The likely share of misses among the unknown accesses of each level and
   kind; the first level has number 0.  */
struct dg_cache_shares {
  bool is_windowed;        /* else all is known */
  double shares[1 + DG_LOWER_LEVELS][DG_MISS_KINDS];
  unsigned last;           /* level */
};

/* Call after all parts have ended.  parts: instructions and data.  */
void dg_cache_shares_init (struct dg_cache_shares *shares,
                           const struct dg_cache_plan *plan,
                           struct dg_cache_part *const *parts,
                           unsigned n_lower);
/* The number of unknown accesses beside an event of misses that are likely
   misses, in a row with the plan's events.  */
double dg_cache_shares_more (const struct dg_cache_shares *shares,
                             const uint64_t *sums, unsigned event);
/* The events of such a row with the likely numbers of misses.  */
void dg_cache_shares_row (const struct dg_cache_shares *shares,
                          const uint64_t *sums, uint64_t likely[DG_EVENTS]);

#endif /* DG_CACHE_SHARES_H */
