/* cache_chunk.h: the first level, simulated chunk by chunk of the log, by any
   number of workers at once.

   What a chunk finds in the caches depends on all that was before it; but by
   LRU not much of it does.  A chunk begins with caches that hold nothing.
   What hits there would hit anyway, since fewer lines were touched in between
   than a set has places; what misses in a set that is full by then would miss
   anyway.  Only the first touches in sets that are not full yet, at most as
   many as the cache has lines, are not certain ("cold").  When the chunks
   before have been merged, the cold ones are looked up in the caches as these
   left them, and the levels behind see all misses in the order of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_CHUNK_H
#define DG_CACHE_CHUNK_H

#include "cache_part.h"

/* Of caches of more lines, in all cores, parts are quicker.  */
#define DG_CHUNK_LINES_MAX 65536

/* A worker's caches and sums.  */
struct dg_cache_worker {
  struct dg_cache_part *parts[2];        /* instructions, data */
};

/* A chunk.  */
struct dg_cache_chunk {
  struct dg_cache_worker *worker;        /* while it is fed */
  struct dg_table misses[2];             /* struct dg_cache_miss */
  /* Cores that ran, and their caches at the end: instructions, data.  */
  uint32_t *cores;
  uint32_t n_cores;
  uint64_t *lines;
  uint64_t interval, window;             /* of the latest batch */
};

/* NULL on failure.  */
struct dg_cache_worker *dg_cache_worker_new (const struct dg_cache_plan *plan,
                                             struct dg_error *err);
void dg_cache_worker_free (struct dg_cache_worker *worker);

struct dg_cache_chunk *dg_cache_chunk_new (struct dg_cache_worker *worker,
                                           struct dg_error *err);
void dg_cache_chunk_free (struct dg_cache_chunk *chunk);
int dg_cache_chunk_feed (struct dg_cache_chunk *chunk,
                         const struct dg_batch *batch, struct dg_error *err);
/* The worker is free for another chunk.  */
int dg_cache_chunk_end (struct dg_cache_chunk *chunk, struct dg_error *err);

/* Goes on with the caches of both parts, which are as the chunk before left
   them.  One thread.  */
int dg_cache_chunk_merge (struct dg_cache_chunk *chunk,
                          struct dg_cache_part *const parts[2],
                          struct dg_error *err);

#endif /* DG_CACHE_CHUNK_H */
