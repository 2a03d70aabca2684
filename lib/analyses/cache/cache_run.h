/* cache_run.h: a pass of a memory hierarchy over a log: what dg cache and dg
   tlb have in common.  They say what it is made of and how it is told.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_RUN_H
#define DG_CACHE_RUN_H

#include "cache_chunk.h"
#include "cache_shares.h"

/* What it is called: by dg cache, by dg tlb.  */
struct dg_cache_words {
  /* Of the events, the last two only if they are coherent: keys, titles.  */
  const struct dg_column *columns;
  const char *levels_title, *totals_title, *data_title, *last_title;
};

/* What it is made of.  */
struct dg_cache_made {
  const struct dg_cache_words *words;
  struct dg_cache_shape instr, data, lower[DG_LOWER_LEVELS];
  /* "I1", "D1", "LL": for people.  */
  const char *instr_name, *data_name, *lower_names[DG_LOWER_LEVELS];
  unsigned n_lower;
  enum dg_cache_policy policy;
  uint32_t n_cores; /* 1 to DG_CACHE_PRIVATE_CORES; threads take turns */
  bool is_coherent;        /* data caches of cores take lines from each other,
                              and share what is below */
  bool has_prefetch;
  enum dg_by by;
  bool by_context;         /* `by` is by code */
};

struct dg_cache_run {
  struct dg_setup *setup;
  const struct dg_log *log;
  struct dg_cache_made made;
  struct dg_cache_plan plan;
  unsigned n_parts;
  struct dg_cache_part *parts[DG_LOWER_PARTS];   /* NULL: nothing to do */
  /* The first level is simulated by chunks, not by parts, which are two then
     and go on from chunk to chunk.  */
  bool is_chunked;
};

/* "threads" or a number: how many cores, at least 1; 0 and *err.  */
uint32_t dg_cache_cores_parse (const struct dg_log *log, const char *text,
                               struct dg_error *err);

/* Takes `made`, and plans.  NULL on failure.  */
struct dg_cache_run *dg_cache_run_new (struct dg_setup *setup,
                                       const struct dg_cache_made *made,
                                       struct dg_error *err);

/* All events of the pass, once it is over; of a sample, the likely ones.  */
void dg_cache_run_totals (const struct dg_cache_run *run,
                          uint64_t totals[DG_EVENTS]);
/* Those that were counted.  */
void dg_cache_run_counted (const struct dg_cache_run *run,
                           uint64_t totals[DG_EVENTS_ALL]);

/* What is likely of a sample.  */
void dg_cache_run_shares (const struct dg_cache_run *run,
                          struct dg_cache_shares *shares);

/* ---- Of a sample (cache_windows.c) ------------------------------------ */

/* In how many instructions as many lines are touched as a level has, of which
   there are the depths of n kinds; 0: not known.  */
uint64_t dg_cache_run_window (const struct dg_cache_run *run,
                              const struct dg_cache_shape *shape,
                              const struct dg_cache_depths *depths,
                              unsigned n);
/* Whether the misses of a level are known well enough for one number: the most
   are little more than the least, or next to none of the accesses.  */
bool dg_cache_is_known (uint64_t least, uint64_t most, uint64_t accesses);
/* If they are not, says so, and what helps.  window: of
   dg_cache_run_window.  */
void dg_cache_tell_window (const struct dg_cache_run *run, const char *name,
                           uint64_t least, uint64_t most, uint64_t accesses,
                           uint64_t window, struct dg_report *report);
/* The data caches that know each other; NULL if there are none.  */
const struct dg_cache_private *
dg_cache_run_private (const struct dg_cache_run *run);
/* Takes all rows to the groups.  visit: told the DG_EVENTS of each of the n
   instructions of each context that ran, first at icount, if the plan is by
   context; may be NULL.  */
typedef void (*dg_context_visit_fn) (void *user, uint32_t context,
                                     uint64_t icount, const uint64_t *rows,
                                     unsigned n);
int dg_cache_run_take (struct dg_cache_run *run, dg_context_visit_fn visit,
                       void *user, struct dg_error *err);

/* ---- Callbacks of struct dg_analysis ---------------------------------- */

int dg_cache_run_plan (void *self, struct dg_plan *plan, struct dg_error *err);
void *dg_cache_run_shard_new (void *self, const struct dg_feed *feed,
                              void *worker, struct dg_error *err);
int dg_cache_run_shard_feed (void *self, void *shard,
                             const struct dg_feed *feed,
                             const struct dg_batch *batch,
                             struct dg_error *err);
int dg_cache_run_shard_end (void *self, void *shard,
                            const struct dg_feed *feed, struct dg_error *err);
void *dg_cache_run_worker_new (void *self, struct dg_error *err);
int dg_cache_run_merge (void *self, void *shard, const struct dg_feed *feed,
                        struct dg_error *err);
void dg_cache_run_shard_free (void *self, void *shard);
int dg_cache_run_worker_merge (void *self, void *worker,
                               struct dg_error *err);
void dg_cache_run_worker_free (void *self, void *worker);
void dg_cache_run_free (void *self);

/* Snapshots (cache_intervals.c).  */
struct dg_snapshot *dg_cache_run_snapshot (void *self, void *shard,
                                           const struct dg_feed *feed,
                                           struct dg_error *err);
struct dg_snapshot *
dg_cache_run_combine (void *self, struct dg_snapshot *const *parts, size_t n,
                      struct dg_snapshot *const *latest, size_t n_latest,
                      struct dg_error *err);
int dg_cache_run_print (void *self, struct dg_snapshot *const *snapshots,
                        size_t n, struct dg_report *report,
                        struct dg_error *err);
void dg_cache_run_release (void *self, struct dg_snapshot *snapshot);

/* All of these, as members of a struct dg_analysis.  */
#define DG_CACHE_RUN_OPERATIONS                                               \
  .plan = dg_cache_run_plan, .worker_new = dg_cache_run_worker_new,           \
  .shard_new = dg_cache_run_shard_new, .shard_feed = dg_cache_run_shard_feed, \
  .shard_end = dg_cache_run_shard_end, .merge = dg_cache_run_merge,           \
  .shard_free = dg_cache_run_shard_free,                                      \
  .worker_merge = dg_cache_run_worker_merge,                                  \
  .worker_free = dg_cache_run_worker_free, .snapshot = dg_cache_run_snapshot, \
  .combine = dg_cache_run_combine, .print = dg_cache_run_print,               \
  .release = dg_cache_run_release, .free = dg_cache_run_free

/* ---- Telling (cache_tell.c) ------------------------------------------- */

/* What there is, and what it did: the figures, and a table of them.  */
void dg_cache_tell_totals (const struct dg_cache_run *run,
                           struct dg_report *report);
/* The rows of --by, those whose misses cost most first.  */
uint64_t dg_cache_weigh (const uint64_t *sums, const void *user);
int dg_cache_tell_rows (struct dg_cache_run *run, struct dg_report *report,
                        struct dg_error *err);
/* Coherence and prefetching, if there was any (cache_coherence.c).  */
int dg_cache_tell_private (struct dg_cache_run *run, struct dg_report *report,
                           struct dg_error *err);

#endif /* DG_CACHE_RUN_H */
