/* cache_private.h: data caches of several cores over one memory, which take
   lines from each other, and fetch ahead.

   Lines are modified, exclusive, shared or invalid (MESI; Papamarcos and
   Patel, "A low-overhead coherence solution for multiprocessors with private
   cache memories", 1984): a write takes the line away from all other caches.
   A line taken away leaves its number behind until its place is used again; a
   miss of such a line is one of coherence: it would have been a hit if the
   others had not written.

   Fetching ahead is tagged prefetching of the next line (Smith, "Cache
   memories", 1982): a miss, or the first use of a line that was fetched ahead,
   fetches the line behind it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_PRIVATE_H
#define DG_CACHE_PRIVATE_H

#include "cache_sim.h"
#include "libdatagrind.h"

#define DG_CACHE_PRIVATE_CORES 256     /* at most */
/* Lines of which it is kept who took them away; of more, only the number.  */
#define DG_CACHE_PRIVATE_LINES 65536

/* A line that was taken away.  */
struct dg_cache_private_line {
  uint64_t line;
  uint64_t invalidations;          /* copies taken away */
  uint64_t misses;                 /* of coherence */
  uint64_t writers[DG_CACHE_PRIVATE_CORES / 64];       /* sets of cores */
  uint64_t sufferers[DG_CACHE_PRIVATE_CORES / 64];
  struct dg_access write, miss;    /* the latest ones; size 0: none */
};

struct dg_cache_private_counts {
  uint64_t upgrades;       /* writes that found their line shared */
  uint64_t transfers;      /* misses of lines modified in another cache */
  uint64_t prefetches, useful, useless;    /* useless: given away unused */
  uint64_t lines_lost;     /* invalidations of lines beyond the bound */
};

struct dg_cache_private;

/* NULL on failure.  Memory: of the caches, n_cores² counters, and 12 MiB for
   lines.  */
struct dg_cache_private *
dg_cache_private_new (const struct dg_cache_shape *shape,
                      enum dg_cache_policy policy, uint32_t n_cores,
                      bool has_prefetch, struct dg_error *err);
void dg_cache_private_free (struct dg_cache_private *caches);
/* The caches hold nothing.  */
void dg_cache_private_forget (struct dg_cache_private *caches);

struct dg_cache_private_result {
  bool is_miss, is_coherence;
  bool is_unknown;         /* each line that missed found a place that was
                              never used */
  uint32_t invalidated;            /* copies */
  unsigned n_prefetches;
  uint64_t prefetches[2];          /* addresses of lines */
};
/* What an access to width + 1 bytes, at most a line, does.  */
void dg_cache_private_access (struct dg_cache_private *caches, uint32_t core,
                              const struct dg_access *access, uint32_t width,
                              struct dg_cache_private_result *result);

const struct dg_cache_private_counts *
dg_cache_private_counts (const struct dg_cache_private *caches);
/* How many copies of lines `writer` took from `sufferer`.  */
uint64_t dg_cache_private_taken (const struct dg_cache_private *caches,
                                 uint32_t writer, uint32_t sufferer);
/* In the order in which they were first taken away.  */
const struct dg_cache_private_line *
dg_cache_private_lines (const struct dg_cache_private *caches, size_t *n);
/* Whether there was no memory for some of them.  */
bool dg_cache_private_has_failed (const struct dg_cache_private *caches);

#endif /* DG_CACHE_PRIVATE_H */
