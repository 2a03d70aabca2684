/* analyse.h: the parts of dg_analyse: its analyses, their shards, intervals,
   and the pass over the log.

   A pass goes over the chunks of the log once.  Shards of chunks are begun,
   fed and ended by the worker that decodes the chunk.  Others are in-order:
   each is fed one chunk after the other, by any worker.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_H
#define DG_ANALYSE_H

#include <stdatomic.h>

#include "base/progress.h"
#include "analysis.h"
#include "feed/feed.h"
#include "base/table.h"

struct dg_member;

/* ---- Intervals (analyse_interval.c) ---- */

/* The log's clock, which here never goes back.  */
struct dg_times {
  struct dg_clock *clock;
  size_t n;
};

int dg_times_init (struct dg_times *times, const struct dg_log *log,
                   struct dg_error *err);
void dg_times_fini (struct dg_times *times);
/* ns since recording began; 0: not known, without a clock or behind its last
   reading.  */
uint64_t dg_times_at (const struct dg_times *times, uint64_t icount);

struct dg_intervals {
  /* Interval i + 1 ends at ends[i]; the last one, n + 1, with the pass.
     ends_ns are the same by the clock.  Both have one more item than `n`, for
     the last one.  NULL: no intervals.  */
  uint64_t *ends, *ends_ns;
  size_t n;
};

/* start, end: what the pass covers, in instructions.  */
int dg_intervals_init (struct dg_intervals *intervals,
                       const struct dg_times *times,
                       const struct dg_analyse_options *options,
                       uint64_t start, uint64_t end, struct dg_error *err);
void dg_intervals_fini (struct dg_intervals *intervals);

/* Combines a member's snapshots, has them printed and releases them.  */
int dg_intervals_tell (const struct dg_intervals *intervals,
                       struct dg_member *member, struct dg_report *report,
                       struct dg_error *err);

/* ---- Shards (analyse_shard.c) ---- */

struct dg_shard {
  struct dg_member *member;
  struct dg_feed feed;
  void *data;              /* what shard_new made; NULL: not begun */
  bool is_workers;         /* data is the worker's */
  uint64_t interval;       /* that it is in; 0: none */
  uint64_t told;           /* instructions at its latest snapshot */
  struct dg_table snapshots;   /* struct dg_snapshot * */
};

/* An analysis of the pass.  */
struct dg_member {
  const struct dg_analysis *analysis;
  const struct dg_intervals *intervals;
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

/* An error of an analysis: puts its name, and the shard if there is one,
   before the message.  Returns the code.  */
int dg_member_error (const struct dg_member *member,
                     const struct dg_shard *shard, int code,
                     const struct dg_error *from, struct dg_error *err);

/* A shard's life.  `feed` is filled by the caller before, as far as it does
   not move.  worker: as shard_new gets it.  */
int dg_shard_feed (struct dg_shard *shard, void *worker,
                   const struct dg_batch *batch,
                   const struct dg_amount *amount, struct dg_error *err);
int dg_shard_end (struct dg_shard *shard, struct dg_error *err);
/* Gives the member what the shard found, and frees that.  */
int dg_shard_merge (struct dg_shard *shard, struct dg_error *err);
/* Frees what was not merged.  */
void dg_shard_fini (struct dg_shard *shard);

/* ---- The pass (analyse_pass.c) ---- */

struct dg_pass {
  const struct dg_log *log;
  struct dg_feed_plan feed;
  struct dg_times times;
  struct dg_intervals intervals;
  struct dg_member *members;
  size_t n;
  unsigned workers;
  uint32_t *threads;       /* numbers of all threads of the log, ascending */
  size_t n_threads;
  uint64_t start_icount, end_icount;     /* what is covered */
  uint64_t bytes;          /* of the log */
  struct dg_progress progress;
  /* For workers to see, now and then, that nothing of the chunks from here on
     is wanted any more.  */
  _Atomic size_t limit;
};

/* Makes the in-order shards of a member whose plan is made.  */
int dg_pass_shards (struct dg_pass *pass, struct dg_member *member,
                    struct dg_error *err);
/* The feed of a shard that has the instructions from first up to end, as far
   as the pass covers them.  */
struct dg_feed dg_pass_feed (const struct dg_pass *pass,
                             enum dg_shard_kind kind, uint32_t index,
                             uint64_t first, uint64_t end);
/* Reads the log and feeds, ends and merges all shards, then workers.  */
int dg_pass_run (struct dg_pass *pass, struct dg_error *err);
/* Tells the user how far it has come: 0, or DG_ERR_CANCELLED.  */
int dg_pass_pace (struct dg_pass *pass, uint64_t done, struct dg_error *err);
/* The first byte of a chunk in the log; of the one behind the last: the
   log's size.  */
uint64_t dg_pass_offset (const struct dg_pass *pass, size_t chunk);

/* ---- What workers do (analyse_work.c) ---- */

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
/* Feeds a batch, as it was kept, to an in-order shard.  */
int dg_worker_feed_shard (struct dg_worker *worker, struct dg_shard *shard,
                          const struct dg_batch *batch,
                          const struct dg_amount *amount,
                          struct dg_error *err);
/* Feeds all records to the shard of a member that wants those.  */
int dg_worker_feed_records (struct dg_worker *worker, size_t member,
                            struct dg_error *err);
/* The shard of a thread, or NULL and *err if the log does not know it.  */
struct dg_shard *dg_member_thread (const struct dg_pass *pass,
                                   struct dg_member *member, uint32_t thread,
                                   struct dg_error *err);
/* Whether all accesses of a chunk were made and are asked for.  */
bool dg_pass_all_made (const struct dg_pass *pass, size_t chunk);

/* ---- Several of them (analyse_tasks.c) ---- */

/* Does everything up to the end of all shards, and merges those of chunks.
   False: no thread could be started, and nothing has happened.  */
bool dg_pass_together (struct dg_pass *pass, struct dg_worker *workers,
                       unsigned n, int *code, struct dg_error *err);

#endif /* DG_ANALYSE_H */
