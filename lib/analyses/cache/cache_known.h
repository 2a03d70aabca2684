/* cache_known.h: simulated caches of a sample: which accesses hit or miss for
   certain, and the likely share of misses among the other accesses.

   The contents of a cache are unknown when a window begins.  Each line that
   is touched takes the first place of its set, and is known.  By LRU, the
   lines that were touched last are in the set, whatever the set had before.
   So an access to a known line is a hit.  If all places of a set are known,
   an access to any other line is a miss.  All other accesses are unknown: the
   line may have been in the set before the window began.

   An unknown access of one level may or may not access the next level.
   There, the line takes the first place, too, but is marked.  A marked line
   gives no certain hit, and its place does not count as known, until the line
   is touched for certain.

   With other policies, a cache is treated as empty when a window begins, and
   an access that fills an empty place is unknown.

   The likely share of misses among unknown accesses is estimated from the
   others: of the accesses that did not find their line among the first k
   lines of a set, how many found it at place k.  An unknown access in a set
   with k known lines is one that ended at k without an answer (Kaplan and
   Meier, "Nonparametric estimation from incomplete observations", 1958).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_KNOWN_H
#define DG_CACHE_KNOWN_H

#include "cache_sim.h"

/* In ascending order: the state of an access is the largest of its lines.  */
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
/* The sum of one of its arrays over all depths.  */
double dg_cache_depths_sum (const struct dg_cache_depths *depths,
                            const uint64_t *numbers);

/* From now on, only the first touch of each line after a mark, and all
   unknown touches, are noted.  The mark is set again whenever the number of
   touches has doubled.  Other touches come in bursts, and say nothing of
   lines that a window touches for the first time.  0 or DG_ERR_NOMEM.  */
int dg_cache_known_first_only (struct dg_cache *cache, struct dg_error *err);

/* Touches a line, and notes it.  is_certain: whether it is touched at all.  */
enum dg_cache_state dg_cache_known_touch (struct dg_cache *cache,
                                          uint64_t line, bool is_certain,
                                          struct dg_cache_depths *depths);
/* Touches the lines of width + 1 bytes.  zero: the number that line 0 has in
   the cache.  */
enum dg_cache_state dg_cache_known_access (struct dg_cache *cache,
                                           uint64_t address, uint32_t width,
                                           uint64_t zero, bool is_certain,
                                           struct dg_cache_depths *depths);

/* The likely shares of misses among unknown accesses.  */
struct dg_cache_likely {
  double unknown;          /* of accesses that reached this level */
  double maybe;            /* of accesses that may not have reached this level,
                              if all of them did */
};
/* For the accesses of kind `kind`, of the n kinds that a cache has.  */
struct dg_cache_likely
dg_cache_known_likely (const struct dg_cache_depths *depths, unsigned n,
                       unsigned kind);

#endif /* DG_CACHE_KNOWN_H */
