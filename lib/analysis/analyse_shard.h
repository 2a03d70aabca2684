/* analyse_shard.h: analyses of a pass and their shards.

   Shards of chunks are begun, fed and ended by the worker that decodes the
   chunk.  Others are in-order: each is fed one chunk after the other, by any
   worker.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_SHARD_H
#define DG_ANALYSE_SHARD_H

#include "analysis.h"
#include "base/table.h"
#include "feed/feed.h"

struct dg_member;

struct dg_intervals {
  /* Interval i + 1 ends at ends[i]; the last one, n + 1, with the pass.
     ends_ns are the same by the clock.  Both have one more item than `n`, for
     the last one.  NULL: no intervals.  */
  uint64_t *ends, *ends_ns;
  size_t n;
};

struct dg_shard {
  struct dg_member *member;
  struct dg_feed feed;
  void *data;              /* what shard_new made; NULL: not begun */
  bool is_workers;         /* data is the worker's */
  bool has_ended;
  uint64_t all;            /* instructions that it gets in all, if all that the
                              log has are asked for; DG_NEVER: unknown */
  uint64_t interval;       /* that it is in; 0: none */
  uint64_t told;           /* instructions at its latest snapshot */
  struct dg_table snapshots;   /* struct dg_snapshot * */
};

/* An analysis of the pass.  */
struct dg_member {
  const struct dg_analysis *analysis;
  const struct dg_intervals *intervals;
  size_t main;             /* of the pass's members: with all windows */
  int group;               /* of a sample's windows, which it gets alone; -1:
                              it is main */
  void *self;
  struct dg_setup setup;
  struct dg_plan plan;
  /* In-order shards; none if there is one for each chunk.  */
  struct dg_shard *shards;
  uint32_t n_shards;
  struct dg_table snapshots;   /* struct dg_snapshot *, of merged shards */
};

/* How much a batch is.  */
struct dg_amount {
  uint64_t runs, instructions, accesses;
};

/* all_made: it is known that no access of the batch was left out or not
   made.  */
struct dg_amount dg_amount_of_batch (const struct dg_batch *batch,
                                     bool all_made);
/* The same of the batch that a feeder gave last, which may know it.  */
struct dg_amount dg_amount_of_latest (const struct dg_feeder *feeder,
                                      const struct dg_batch *batch,
                                      bool all_made);

/* An error of an analysis: puts its name, and the shard if there is one,
   before the message.  Returns the code.  */
int dg_member_error (const struct dg_member *member,
                     const struct dg_shard *shard, int code,
                     const struct dg_error *from, struct dg_error *err);

/* A shard's life.  `feed` is filled by the caller before, as far as it does
   not move.  worker: as shard_new gets it.  A shard that has got `all` its
   instructions is ended by the batch with the last one; dg_shard_end does
   nothing then.  */
int dg_shard_feed (struct dg_shard *shard, void *worker,
                   const struct dg_batch *batch,
                   const struct dg_amount *amount, struct dg_error *err);
int dg_shard_end (struct dg_shard *shard, struct dg_error *err);
/* Gives the member what the shard found, and frees that.  */
int dg_shard_merge (struct dg_shard *shard, struct dg_error *err);
/* Frees what was not merged.  */
void dg_shard_fini (struct dg_shard *shard);

#endif /* DG_ANALYSE_SHARD_H */
