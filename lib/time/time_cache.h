/* time_cache.h: a set-associative cache with times: when each line arrives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_CACHE_H
#define DG_TIME_CACHE_H

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "time_machine.h"

struct dg_time_line {
  uint64_t tag;            /* line or page number + 1; 0: empty */
  uint64_t ready;          /* cycle at which its data are there */
};

/* The lines of a set are kept by their last use, the latest first.  */
struct dg_time_cache {
  struct dg_time_line *lines;
  uint64_t mask;           /* of sets, if these are a power of two; or 0 */
  uint32_t sets, ways;
};

/* 0, or DG_ERR_NOMEM.  */
int dg_time_cache_init (struct dg_time_cache *cache,
                        const struct dg_time_shape *shape);
void dg_time_cache_fini (struct dg_time_cache *cache);

static inline struct dg_time_line *
dg_time_cache_set (const struct dg_time_cache *cache, uint64_t number)
{
  uint64_t set = cache->mask != 0 || cache->sets == 1 ? number & cache->mask
                                                      : number % cache->sets;

  return cache->lines + set * cache->ways;
}

/* Makes line i of a set its first one.  */
static inline struct dg_time_line *
dg_time_cache_front (struct dg_time_line *set, uint32_t i)
{
  struct dg_time_line line = set[i];

  memmove (set + 1, set, i * sizeof *set);
  set[0] = line;
  return set;
}

/* Finds a line, which becomes the latest one of its set.  NULL: the cache does
   not have it.  */
static inline struct dg_time_line *
dg_time_cache_find (struct dg_time_cache *cache, uint64_t number)
{
  struct dg_time_line *set = dg_time_cache_set (cache, number);

  if (G_LIKELY (set[0].tag == number + 1))
    return set;
  for (uint32_t i = 1; i < cache->ways; i++)
    if (set[i].tag == number + 1)
      return dg_time_cache_front (set, i);
  return NULL;
}

/* Adds a line that the cache does not have.  It replaces the least
   recently used line of its set.  */
static inline struct dg_time_line *
dg_time_cache_put (struct dg_time_cache *cache, uint64_t number,
                   uint64_t ready)
{
  struct dg_time_line *set = dg_time_cache_set (cache, number);

  memmove (set + 1, set, (cache->ways - 1) * sizeof *set);
  set[0] = (struct dg_time_line) { number + 1, ready };
  return set;
}

#endif /* DG_TIME_CACHE_H */
