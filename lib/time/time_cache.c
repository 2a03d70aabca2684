/* time_cache.c: a set-associative cache with times: when each line arrives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_cache.h"

/* Hints for each line of a cache, about, and at most: those of a large cache
   would be found no sooner than its lines.  */
#define HINTS_OF_LINE 4
#define MOST_HINTS 4096

static uint64_t
count_hints (uint32_t entries)
{
  uint64_t n = 1;

  while (n < MOST_HINTS && n < (uint64_t) HINTS_OF_LINE * entries)
    n *= 2;
  return n;
}

int
dg_time_cache_init (struct dg_time_cache *cache,
                    const struct dg_time_shape *shape)
{
  uint64_t n_hints = count_hints (shape->entries);

  cache->ways = MIN (shape->ways, shape->entries);
  cache->sets = shape->entries / cache->ways;
  cache->mask = (cache->sets & (cache->sets - 1)) == 0 ? cache->sets - 1 : 0;
  cache->clock = 0;
  cache->hint_mask = n_hints - 1;
  cache->hints = g_try_new0 (uint8_t, n_hints);
  cache->lines = g_try_new0 (struct dg_time_line,
                             (size_t) cache->sets * cache->ways);
  return cache->lines == NULL || cache->hints == NULL ? DG_ERR_NOMEM : 0;
}

void
dg_time_cache_fini (struct dg_time_cache *cache)
{
  g_free (cache->lines);
  g_free (cache->hints);
}

/* Notes in which way a line is.  */
static void
hint (struct dg_time_cache *cache, uint64_t number, uint32_t way)
{
  cache->hints[number & cache->hint_mask] = (uint8_t) MIN (way, UINT8_MAX);
}

struct dg_time_line *
dg_time_cache_search (struct dg_time_cache *cache, struct dg_time_line *set,
                      uint64_t number)
{
  for (uint32_t i = 0; i < cache->ways; i++)
    if (set[i].tag == number + 1) {
      hint (cache, number, i);
      return &set[i];
    }
  return NULL;
}

struct dg_time_line *
dg_time_cache_put (struct dg_time_cache *cache, uint64_t number,
                   uint64_t ready)
{
  struct dg_time_line *set = dg_time_cache_set (cache, number);
  uint64_t least = set[0].used;
  uint32_t way = 0;

  for (uint32_t i = 1; i < cache->ways; i++) {
    bool is_less = set[i].used < least;

    least = is_less ? set[i].used : least;
    way = is_less ? i : way;
  }
  set[way] = (struct dg_time_line) { number + 1, ready, ++cache->clock };
  hint (cache, number, way);
  return &set[way];
}
