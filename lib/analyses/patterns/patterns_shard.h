/* patterns_shard.h: what `dg patterns` gathers in a chunk of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_SHARD_H
#define DG_PATTERNS_SHARD_H

#include "patterns_state.h"

/* A slot of a block, in a chunk: where it is, and how it came there.  */
struct dg_pattern_slot_walk {
  uint32_t number;
  uint32_t epoch; /* in which `last` was had */
  uint32_t site, site_lead;
  uint32_t accesses, named, stack;
  uint64_t last, icount;
  int64_t stride;
  struct dg_pattern_moves moves;
  struct dg_pattern_chase chase;
  struct dg_pattern_fetches fetches;
};

/* The accesses to the blocks of a site.  */
struct dg_pattern_site_walk {
  uint32_t number;
  uint64_t reads, writes;
  struct dg_pattern_moves moves;
  struct dg_pattern_chase chase;
};

/* The layout of a variable or range that was met.  */
struct dg_pattern_seen {
  uint32_t number;
  const struct dg_type *layout;
  uint64_t origin, icount;
};

struct dg_patterns_worker;
struct dg_patterns_shard {
  struct dg_patterns *self;
  struct dg_patterns_worker *worker;
  /* In the end: struct dg_pattern_slot_walk, dg_pattern_site_walk.  */
  struct dg_table slots, sites;
  struct dg_pattern_visits *visits;
  GArray *seen; /* struct dg_pattern_seen */
  GHashTable *by_number; /* of them: number -> bytes of an object, or 0 */
  uint32_t thread, epoch;
  bool has_gap;         /* behind a stretch that the sample lacks */
  uint64_t stack_low, stack_high; /* of the thread */
  uint64_t now; /* accesses so far */
  uint64_t next_icount; /* behind the latest run */
};

/* Callbacks of the analysis.  */
void *dg_patterns_worker_new (void *self, struct dg_error *err);
void dg_patterns_worker_free (void *self, void *worker);
void *dg_patterns_shard_new (void *self, const struct dg_feed *feed,
                             void *worker, struct dg_error *err);
int dg_patterns_shard_feed (void *self, void *shard,
                            const struct dg_feed *feed,
                            const struct dg_batch *batch,
                            struct dg_error *err);
int dg_patterns_shard_end (void *self, void *shard, const struct dg_feed *feed,
                           struct dg_error *err);
void dg_patterns_shard_free (void *self, void *shard);

#endif /* DG_PATTERNS_SHARD_H */
