/* time_cache.c: a set-associative cache with times: when each line arrives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_cache.h"

int
dg_time_cache_init (struct dg_time_cache *cache,
                    const struct dg_time_shape *shape)
{
  cache->ways = MIN (shape->ways, shape->entries);
  cache->sets = shape->entries / cache->ways;
  cache->mask = (cache->sets & (cache->sets - 1)) == 0 ? cache->sets - 1 : 0;
  cache->lines = g_try_new0 (struct dg_time_line,
                             (size_t) cache->sets * cache->ways);
  return cache->lines == NULL ? DG_ERR_NOMEM : 0;
}

void
dg_time_cache_fini (struct dg_time_cache *cache)
{
  g_free (cache->lines);
}
