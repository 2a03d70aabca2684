/* cache_sim.h: one set-associative cache, with LRU, FIFO or random
   replacement: which lines it holds after any sequence of accesses.

   A cache is told numbers of lines (address / line size), or addresses and
   sizes, and says whether it held them; what it did not hold it fetches.  So
   reads and writes are alike (write-allocate, and nobody asks when lines are
   written back).  An access to several lines is a hit if all of them were
   there; each of them is touched, in the order of addresses.  This is what
   cachegrind's manual describes, so that figures are equal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_SIM_H
#define DG_CACHE_SIM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "libdatagrind.h"

/* Which line of a full set is evicted.  */
enum dg_cache_policy {
  DG_CACHE_LRU = 0,        /* the one touched longest ago */
  DG_CACHE_FIFO,           /* the one fetched longest ago */
  DG_CACHE_RANDOM          /* one by a generator that each set has of its own,
                              so that results are always the same */
};
#define DG_CACHE_POLICIES "lru,fifo,random"
enum dg_cache_policy dg_cache_policy_parse (const char *text);

struct dg_cache_shape {
  uint64_t size;           /* bytes */
  uint32_t assoc;          /* lines of a set */
  uint32_t line;           /* bytes */
};
#define DG_CACHE_SIZE_MAX ((uint64_t) 1 << 30)
#define DG_CACHE_LINE_MIN 16

/* "32768,8,64", as cachegrind has it; sizes also with Ki or Mi.  `what` begins
   the message if that is not a cache: DG_ERR_INVALID.  */
int dg_cache_shape_parse (const char *text, const char *what,
                          struct dg_cache_shape *shape, struct dg_error *err);
/* Whether there can be such a cache: sizes above 0, a line of a power of two
   from line_min on, several lines, sets a power of two.  0 or
   DG_ERR_INVALID.  */
int dg_cache_shape_check (const struct dg_cache_shape *shape,
                          uint32_t line_min, const char *what,
                          struct dg_error *err);
static inline uint64_t
dg_cache_shape_sets (const struct dg_cache_shape *shape)
{
  return shape->size / shape->line / shape->assoc;
}

/* No number of a line.  */
#define DG_CACHE_EMPTY UINT64_MAX

struct dg_cache {
  /* The sets, one behind the other.  LRU: the line touched last comes first;
     FIFO: the one fetched last.  */
  uint64_t *lines;
  uint64_t set_mask;
  unsigned line_bits;
  unsigned assoc;
  enum dg_cache_policy policy;
  uint32_t *seeds;         /* of each set, if random */
  /* Of samples (cache_known.h), or NULL: the lines of each set that were
     touched since a moment, which comes again when there were twice as many
     touches.  */
  uint32_t *since;
  uint64_t touches, next;
};

/* An empty cache of a checked shape: 0 or DG_ERR_NOMEM.  */
int dg_cache_init (struct dg_cache *cache, const struct dg_cache_shape *shape,
                   enum dg_cache_policy policy, struct dg_error *err);
/* All zero is fine, too.  */
void dg_cache_fini (struct dg_cache *cache);

static inline uint64_t *
dg_cache_set (const struct dg_cache *cache, uint64_t line)
{
  return cache->lines + (line & cache->set_mask) * cache->assoc;
}

/* Touches a line that is not the first of its set, by LRU: what gave way to
   it, DG_CACHE_EMPTY for a place that was free; the line itself if it was
   there.  */
uint64_t dg_cache_replace (struct dg_cache *cache, uint64_t *set,
                           uint64_t line);
/* Forgets all lines.  */
void dg_cache_clear (struct dg_cache *cache);

/* Touches a line that is not the first of its set: whether it was there.  */
bool dg_cache_look (struct dg_cache *cache, uint64_t *set, uint64_t line);

/* Touches a line: whether it was there.  */
static inline bool
dg_cache_touch (struct dg_cache *cache, uint64_t line)
{
  uint64_t *set = dg_cache_set (cache, line);
  if (set[0] == line)
    return true;
  return dg_cache_look (cache, set, line);
}

/* Touches the lines of size >= 1 bytes: whether all were there.  Addresses
   that would pass the end of memory end there.  */
static inline bool
dg_cache_access (struct dg_cache *cache, uint64_t address, uint32_t size)
{
  uint64_t line = address >> cache->line_bits;
  uint64_t end = address + (size - 1);
  uint64_t last = (end < address ? UINT64_MAX : end) >> cache->line_bits;
  bool hit = dg_cache_touch (cache, line);

  while (G_UNLIKELY (line != last)) {
    line++;
    hit = dg_cache_touch (cache, line) && hit;
  }
  return hit;
}

/* Which way of the set is evicted for a line that is fetched, by a policy
   that does not order sets; DG_CACHE_RANDOM only.  */
unsigned dg_cache_victim (struct dg_cache *cache, uint64_t *set);

#endif /* DG_CACHE_SIM_H */
