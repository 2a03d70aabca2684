/* cache_known.h: caches whose contents are not known where a window of a
   sample begins: what is certain all the same, and what the rest is likely to
   be.

   When a window begins, nothing is known of any place of a set.  Each line
   that is touched takes the first place, and is known.  By LRU, the lines that
   were touched last are in the set, whatever was there before: a known line
   is a hit, and in a set in which all places are known, any other line is a
   miss.  Only a line that is not known, in a set with places that are not, may
   have been there before the window.

   Of the levels behind the first one, it may not even be known whether they
   are accessed.  A line that may have been touched takes the first place, too,
   but is marked: it does not hit for certain, and its place does not count as
   known, until the line is touched for certain.

   With other policies, what is known is that of caches that are empty when a
   window begins.

   The likely share of misses among what is not known is taken from what is: of
   accesses that looked deeper into a set than k lines, how many found their
   line at k.  Accesses that are not known with k known lines are those that
   ended there without an answer (Kaplan and Meier, "Nonparametric estimation
   from incomplete observations", 1958).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_KNOWN_H
#define DG_CACHE_KNOWN_H

#include "cache_sim.h"

/* Ascending: an access of several lines is what the largest one is.  */
enum dg_cache_state { DG_CACHE_HIT = 0, DG_CACHE_UNKNOWN, DG_CACHE_MISS };

/* The mark of a line that may have been touched.  No line has as high a
   number: a line has 16 bytes at least.  */
#define DG_CACHE_MARK ((uint64_t) 1 << 63)

/* Touches of one kind in a cache, by depth: the number of lines of the set
   that were touched since the line was.  Large sets have several depths in
   one.  */
struct dg_cache_depths {
  unsigned n, shift;       /* depth >> shift, below n */
  uint64_t *hits;
  uint64_t *unknown;       /* by the number of known lines of the set */
  uint64_t misses;
  /* Those that may not have been touches at all.  */
  uint64_t *maybe_unknown, maybe_misses;
};

/* Of a cache with as many lines in a set.  0 or DG_ERR_NOMEM; all zero is fine
   for fini.  */
int dg_cache_depths_init (struct dg_cache_depths *depths, unsigned assoc,
                          struct dg_error *err);
void dg_cache_depths_fini (struct dg_cache_depths *depths);
/* Adds what is certain.  */
void dg_cache_depths_add (struct dg_cache_depths *to,
                          const struct dg_cache_depths *from);

/* Only the first touch of a line since a moment says something of the lines
   that are touched first in a window: others come in bursts.  From now on,
   only these are noted, and all that are not known.  0 or DG_ERR_NOMEM.  */
int dg_cache_known_first_only (struct dg_cache *cache, struct dg_error *err);

/* Touches a line, and notes it.  is_certain: whether it is touched at all.  */
enum dg_cache_state dg_cache_known_touch (struct dg_cache *cache,
                                          uint64_t line, bool is_certain,
                                          struct dg_cache_depths *depths);
/* Touches the lines of width + 1 bytes.  */
enum dg_cache_state dg_cache_known_access (struct dg_cache *cache,
                                           uint64_t address, uint32_t width,
                                           bool is_certain,
                                           struct dg_cache_depths *depths);

/* What accesses that are not known are likely to be.  */
struct dg_cache_likely {
  double unknown;          /* share of misses of those that were made */
  double maybe;            /* share of those that may not have been made, if
                              each of them was */
};
/* Of kind `kind` of the n that a cache has.  */
struct dg_cache_likely
dg_cache_known_likely (const struct dg_cache_depths *depths, unsigned n,
                       unsigned kind);

#endif /* DG_CACHE_KNOWN_H */
