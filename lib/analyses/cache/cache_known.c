/* cache_known.c: simulated caches of a sample, which are empty when a window
   begins.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_known.h"

#include <string.h>

#include "base/error.h"

#define DEPTHS_MAX 1024
/* So many accesses are needed to say something.  */
#define ENOUGH 32

/* ---- Depths ----------------------------------------------------------- */

int
dg_cache_depths_init (struct dg_cache_depths *depths, unsigned assoc,
                      struct dg_error *err)
{
  *depths = (struct dg_cache_depths) { 0 };
  while ((assoc - 1) >> depths->shift >= DEPTHS_MAX)
    depths->shift++;
  depths->n = ((assoc - 1) >> depths->shift) + 1;
  depths->hits = g_try_new0 (uint64_t, 3 * (size_t) depths->n);
  if (depths->hits == NULL)
    return dg_error_nomem (err);
  depths->unknown = depths->hits + depths->n;
  depths->maybe_unknown = depths->unknown + depths->n;
  return 0;
}

void
dg_cache_depths_fini (struct dg_cache_depths *depths)
{
  g_free (depths->hits);
  *depths = (struct dg_cache_depths) { 0 };
}

void
dg_cache_depths_add (struct dg_cache_depths *to,
                     const struct dg_cache_depths *from)
{
  for (size_t i = 0; i < from->n; i++)
    to->hits[i] += from->hits[i];
  to->misses += from->misses;
}

double
dg_cache_depths_sum (const struct dg_cache_depths *depths,
                     const uint64_t *numbers)
{
  double sum = 0;

  for (unsigned i = 0; i < depths->n; i++)
    sum += (double) numbers[i];
  return sum;
}

/* ---- Touches ---------------------------------------------------------- */

/* The place of a line in its set; if the set does not have the line, the
   number of lines that the set has.  *n_known: the number of known lines
   before that place.  */
static unsigned
find (const struct dg_cache *cache, const uint64_t *set, uint64_t line,
      unsigned *n_known)
{
  unsigned i;

  *n_known = 0;
  for (i = 0; i < cache->assoc && set[i] != DG_CACHE_EMPTY; i++) {
    if ((set[i] & ~DG_CACHE_MARK) == line)
      break;
    *n_known += (set[i] & DG_CACHE_MARK) == 0;
  }
  return i;
}

static void
note (struct dg_cache_depths *depths, enum dg_cache_state state,
      unsigned depth, bool is_certain)
{
  depth >>= depths->shift;
  switch (state) {
  case DG_CACHE_HIT:
    depths->hits[depth] += is_certain;
    return;
  case DG_CACHE_UNKNOWN:
    (is_certain ? depths->unknown : depths->maybe_unknown)[depth]++;
    return;
  default:
    *(is_certain ? &depths->misses : &depths->maybe_misses) += 1;
  }
}

int
dg_cache_known_first_only (struct dg_cache *cache, struct dg_error *err)
{
  cache->since = g_try_new0 (uint32_t, cache->set_mask + 1);
  return cache->since != NULL ? 0 : dg_error_nomem (err);
}

/* Whether it is the first touch of a line since the moment, in a set that was
   not filled since; the line is at `place', or nowhere.  */
static bool
is_first (struct dg_cache *cache, const uint64_t *set, unsigned place)
{
  uint32_t *since;

  if (cache->since == NULL)
    return true;
  if (cache->touches++ >= cache->next) {
    memset (cache->since, 0, (cache->set_mask + 1) * sizeof *since);
    cache->next = 2 * cache->touches;
  }
  since = &cache->since[(size_t) (set - cache->lines) / cache->assoc];
  if (place < *since || *since == cache->assoc)
    return false;
  ++*since;
  return true;
}

/* With a policy that does not put the line touched last first.  */
static void
touch_unordered (struct dg_cache *cache, uint64_t *set, uint64_t line,
                 enum dg_cache_state state)
{
  if (state != DG_CACHE_HIT)
    dg_cache_look (cache, set, line);
}

enum dg_cache_state
dg_cache_known_touch (struct dg_cache *cache, uint64_t line, bool is_certain,
                      struct dg_cache_depths *depths)
{
  uint64_t *set = dg_cache_set (cache, line);
  unsigned n_known, place = find (cache, set, line, &n_known);
  bool is_there = place < cache->assoc && set[place] != DG_CACHE_EMPTY;
  enum dg_cache_state state =
    is_there ? (set[place] & DG_CACHE_MARK) == 0 ? DG_CACHE_HIT
                                                 : DG_CACHE_UNKNOWN
    : n_known == cache->assoc ? DG_CACHE_MISS
                              : DG_CACHE_UNKNOWN;

  if (is_first (cache, set, place) || state == DG_CACHE_UNKNOWN)
    note (depths, state, state == DG_CACHE_HIT ? place : n_known, is_certain);
  if (cache->policy != DG_CACHE_LRU) {
    touch_unordered (cache, set, line, state);
    return state;
  }
  place = MIN (place, cache->assoc - 1);
  memmove (set + 1, set, place * sizeof *set);
  set[0] = is_certain ? line : line | DG_CACHE_MARK;
  return state;
}

enum dg_cache_state
dg_cache_known_access (struct dg_cache *cache, uint64_t address,
                       uint32_t width, uint64_t zero, bool is_certain,
                       struct dg_cache_depths *depths)
{
  uint64_t end = address + width, line = address >> cache->line_bits;
  uint64_t last = (end < address ? UINT64_MAX : end) >> cache->line_bits;
  enum dg_cache_state state = DG_CACHE_HIT, one;

  for (;; line++) {
    one = dg_cache_known_touch (cache, line != 0 ? line : zero, is_certain,
                                depths);
    state = MAX (state, one);
    if (line == last)
      return state;
  }
}

/* ---- What is likely --------------------------------------------------- */

/* The number of accesses that did not find their line above a depth, and of
   those among them that found the line at that depth.  */
struct risk {
  double at, found;
};

static struct risk
risk_at (const struct dg_cache_depths *depths, unsigned depth)
{
  struct risk risk = { .at = (double) depths->misses,
                       .found = (double) depths->hits[depth] };

  for (unsigned i = depth; i < depths->n; i++)
    risk.at += (double) depths->hits[i];
  for (unsigned i = depth + 1; i < depths->n; i++)
    risk.at += (double) depths->unknown[i];
  return risk;
}

/* The risk of one kind of accesses; if a kind has too few, that of all n kinds
   together.  */
static struct risk
risk_of (const struct dg_cache_depths *depths, unsigned n, unsigned kind,
         unsigned depth)
{
  struct risk risk = risk_at (&depths[kind], depth);

  if (risk.at >= ENOUGH)
    return risk;
  risk = (struct risk) { 0 };
  for (unsigned i = 0; i < n; i++) {
    struct risk one = risk_at (&depths[i], depth);

    risk.at += one.at;
    risk.found += one.found;
  }
  return risk;
}

/* At depths that too few accesses reached, the share of accesses that find
   their line is assumed to be slope / (depth + 1).  The slope is taken from
   the depths that enough accesses reached; 0: there is no such depth.  */
static double
slope_of (const struct dg_cache_depths *depths, unsigned n, unsigned kind)
{
  double found = 0, at = 0;

  for (unsigned depth = 0; depth < depths[kind].n; depth++) {
    struct risk risk = risk_of (depths, n, kind, depth);

    if (risk.at < ENOUGH)
      break;
    found += risk.found;
    at += risk.at / (depth + 1);
  }
  return at > 0 ? found / at : 0;
}

/* The share of the accesses that reached a depth and did not find their line
   at that depth.  */
static double
go_on (const struct dg_cache_depths *depths, unsigned n, unsigned kind,
       unsigned depth, double slope)
{
  struct risk risk = risk_of (depths, n, kind, depth);

  return risk.at >= ENOUGH ? 1 - risk.found / risk.at
                           : MAX (1 - slope / (depth + 1), 0);
}

static double
ratio (double part, double whole)
{
  return whole > 0 ? part / whole : 1;
}

struct dg_cache_likely
dg_cache_known_likely (const struct dg_cache_depths *depths, unsigned n,
                       unsigned kind)
{
  const struct dg_cache_depths *own = &depths[kind];
  double slope = slope_of (depths, n, kind);
  double miss = 1, unknown = 0, unknown_misses = 0;
  double maybe = (double) own->maybe_misses, maybe_misses = maybe;

  for (unsigned depth = own->n; depth-- > 0;) {
    miss *= go_on (depths, n, kind, depth, slope);
    unknown += (double) own->unknown[depth];
    unknown_misses += miss * (double) own->unknown[depth];
    maybe += (double) own->maybe_unknown[depth];
    maybe_misses += miss * (double) own->maybe_unknown[depth];
  }
  return (struct dg_cache_likely) { ratio (unknown_misses, unknown),
                                    ratio (maybe_misses, maybe) };
}
