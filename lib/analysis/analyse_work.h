/* analyse_work.h: what a worker does with a chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_WORK_H
#define DG_ANALYSE_WORK_H

#include "analyse_pass.h"

/* Where an error belongs: the first one in this order is told, no matter who
   came upon it first.  */
struct dg_pass_step {
  size_t chunk;            /* the number of chunks: behind all of them */
  size_t step;             /* the batch, or one of the two below */
  size_t member;
  uint32_t shard;
};
#define DG_STEP_END   (SIZE_MAX - 1)
#define DG_STEP_MERGE SIZE_MAX

/* One thread's.  */
struct dg_worker {
  struct dg_pass *pass;
  struct dg_feeder *feeder;
  void **data;             /* of each member, what worker_new made */
  struct dg_access *accesses;
  size_t room;
  struct dg_pass_step place;   /* of what it does */
  /* Called between two batches; < 0 ends what is done.  */
  int (*pace) (struct dg_worker *worker, struct dg_error *err);
  gint64 next_pace;
};

int dg_worker_init (struct dg_worker *worker, struct dg_pass *pass,
                    struct dg_error *err);
/* Gives back what reading takes, which is much: nothing more is fed.  */
void dg_worker_end (struct dg_worker *worker);
/* Gives back the worker's data for a member.  */
void dg_worker_drop (struct dg_worker *worker, size_t i);
void dg_worker_fini (struct dg_worker *worker);

/* Fills the shards of a chunk, one for each member, used or not.  */
void dg_worker_begin_chunk (struct dg_worker *worker, size_t chunk,
                            struct dg_shard *shards);
/* Feeds a batch to the shards of a chunk.  in_order: to the others, too.  */
int dg_worker_feed (struct dg_worker *worker, struct dg_batch *batch,
                    const struct dg_amount *amount, struct dg_shard *shards,
                    bool in_order, struct dg_error *err);
int dg_worker_end_chunk (struct dg_worker *worker, struct dg_shard *shards,
                         struct dg_error *err);
/* A whole chunk, while nobody else works on any: decodes it, feeds all shards,
   and merges its own.  */
int dg_worker_chunk (struct dg_worker *worker, size_t chunk,
                     struct dg_shard *shards, struct dg_error *err);
/* Feeds a batch, as it was kept, to an in-order shard.  */
int dg_worker_feed_shard (struct dg_worker *worker, struct dg_shard *shard,
                          const struct dg_batch *batch,
                          const struct dg_amount *amount,
                          struct dg_error *err);
/* Feeds all records to the shard of a member that wants those.  */
int dg_worker_feed_records (struct dg_worker *worker, size_t member,
                            struct dg_error *err);

#endif /* DG_ANALYSE_WORK_H */
