/* cache_shares.h: what is likely of the accesses whose misses the windows of a
   sample leave open.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_SHARES_H
#define DG_CACHE_SHARES_H

#include "cache_part.h"

/* The event of what is not known beside that of misses; 0: there is none.  */
unsigned dg_cache_unknown_of (unsigned event);

/* Of each level and kind, the likely share of misses among the accesses that
   are not known; the first level has number 0.  */
struct dg_cache_shares {
  bool is_windowed;        /* else all is known */
  double shares[1 + DG_LOWER_LEVELS][DG_MISS_KINDS];
  unsigned last;           /* level */
};

/* Once all parts have ended; they are the two of a sample.  */
void dg_cache_shares_init (struct dg_cache_shares *shares,
                           const struct dg_cache_plan *plan,
                           struct dg_cache_part *const *parts,
                           unsigned n_lower);
/* How many of what is not known of an event are likely misses, of a row with
   the plan's events.  */
double dg_cache_shares_more (const struct dg_cache_shares *shares,
                             const uint64_t *sums, unsigned event);
/* The events of such a row as they are likely.  */
void dg_cache_shares_row (const struct dg_cache_shares *shares,
                          const uint64_t *sums, uint64_t likely[DG_EVENTS]);

#endif /* DG_CACHE_SHARES_H */
