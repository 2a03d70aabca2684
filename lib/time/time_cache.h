/* time_cache.h: a set-associative cache with times: when each line arrives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_CACHE_H
#define DG_TIME_CACHE_H

#include <glib.h>
#include <stdbool.h>

#include "time_machine.h"

struct dg_time_line {
  uint64_t tag;            /* line or page number + 1; 0: empty */
  uint64_t ready;          /* cycle at which its data are there */
  uint64_t used;           /* the clock of the cache at the latest use; 0 if
                              empty */
};

/* The ways of a set are in no order: a line stays where it is until another
   one replaces it, so that a hit moves nothing.  */
struct dg_time_cache {
  struct dg_time_line *lines;
  uint8_t *hints;          /* by the last bits of a number: in which way of its
                              set a line with these bits was found last */
  uint64_t hint_mask;
  uint64_t clock;          /* uses of lines */
  uint64_t mask;           /* of sets, if these are a power of two; or 0 */
  uint32_t sets, ways;
};

/* 0, or DG_ERR_NOMEM.  */
int dg_time_cache_init (struct dg_time_cache *cache,
                        const struct dg_time_shape *shape);
void dg_time_cache_fini (struct dg_time_cache *cache);

/* For the function below: looks at all ways.  */
struct dg_time_line *dg_time_cache_search (struct dg_time_cache *cache,
                                           struct dg_time_line *set,
                                           uint64_t number);

static inline struct dg_time_line *
dg_time_cache_set (const struct dg_time_cache *cache, uint64_t number)
{
  uint64_t set = cache->mask != 0 || cache->sets == 1 ? number & cache->mask
                                                      : number % cache->sets;

  return cache->lines + set * cache->ways;
}

/* Finds a line, which becomes the latest one of its set.  NULL: the cache does
   not have it.  */
static inline struct dg_time_line *
dg_time_cache_find (struct dg_time_cache *cache, uint64_t number)
{
  struct dg_time_line *set = dg_time_cache_set (cache, number),
                      *line = set + cache->hints[number & cache->hint_mask];

  if (G_UNLIKELY (line->tag != number + 1)) {
    line = dg_time_cache_search (cache, set, number);
    if (line == NULL)
      return NULL;
  }
  line->used = ++cache->clock;
  return line;
}

/* Adds a line that the cache does not have.  It replaces the least
   recently used line of its set.  */
struct dg_time_line *dg_time_cache_put (struct dg_time_cache *cache,
                                        uint64_t number, uint64_t ready);

#endif /* DG_TIME_CACHE_H */
