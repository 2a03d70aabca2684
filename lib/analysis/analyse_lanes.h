/* analyse_lanes.h: the tasks of dg_analyse with several workers, and the order
   in which they may be done.

   Each in-order shard has a lane; so have the merges of each analysis with
   shards of chunks.  The tasks of a chunk are put in their lanes when all
   chunks before it were decoded; the first task of a lane is ready, or
   somebody is at it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_LANES_H
#define DG_ANALYSE_LANES_H

#include "analyse_work.h"

enum dg_task_kind {
  DG_TASK_FEED,            /* a chunk's batches to an in-order shard */
  DG_TASK_MERGE,           /* a chunk's shard to its member */
  DG_TASK_RECORDS,         /* all records to a shard */
  DG_TASK_END              /* of an in-order shard */
};

struct dg_lane {
  struct dg_shard *shard;  /* NULL: of merges */
  size_t member;
  struct dg_task *first, **last; /* that are not done */
};

struct dg_task {
  enum dg_task_kind kind;
  struct dg_lane *lane;
  struct dg_ahead *ahead;
  struct dg_task *next;    /* in its lane */
  struct dg_task *next_ready; /* of its chunk */
  uint32_t first, n;       /* FEED to a thread: turns; else: all batches */
};

/* A batch of a chunk, and whose it is.  */
struct dg_turn {
  uint32_t thread;         /* index of its shard */
  uint32_t batch;
};

/* A chunk that is in work, or what comes before and behind them all.  */
struct dg_ahead {
  size_t chunk;
  bool is_used;
  bool may_be_kept;        /* it is not too large */
  bool passes_blocks;      /* heap blocks pass before it */
  bool is_decoded, is_fed; /* in-order tasks, merges can be put in lanes */
  size_t open;             /* jobs and tasks that are not done; it is used
                              until there are none */
  struct dg_task *ready, **last_ready;
  struct dg_kept *kept;
  size_t n_batches;        /* in it */
  struct dg_table tasks;   /* struct dg_task; FEED, then MERGE */
  size_t n_feeds;
  struct dg_amount *amounts; /* of each batch */
  struct dg_turn *turns;   /* batches by thread; NULL: nobody asks */
  struct dg_shard *shards; /* of each member, the chunk's */
};

struct dg_tasks {
  struct dg_pass *pass;
  struct dg_worker *workers;
  size_t n_chunks;
  size_t end;              /* chunks to be read: all, or none */
  bool has_in_order, has_threads;      /* shards that want runs */
  struct dg_lane **lanes;  /* of each member: those of its in-order shards, or
                              the one of its merges */
  struct dg_ahead *slots;  /* chunk i has slot i % n_slots */
  size_t n_slots;
  struct dg_ahead around;  /* records and ends */
  GMutex mutex;
  GCond work;              /* for workers */
  GCond changed;           /* for the calling thread */
  /* Guarded by the mutex.  */
  size_t next;             /* chunk to be decoded */
  size_t in_work;          /* slots that are used */
  size_t decoded, fed;     /* chunks whose tasks were put in lanes */
  bool is_alone;           /* one worker has a chunk that is not kept; the
                              others wait */
  bool is_ending;          /* ends were put in lanes */
  bool is_over;
  uint64_t done;           /* twice the bytes: decoded, and done */
  unsigned running;        /* workers */
  bool failed;
  struct dg_pass_step place;   /* of the error */
  struct dg_error error;
};

/* All of these with the mutex held, but dg_ahead_add and dg_ahead_make.  */

/* Notes an error, if none is known that comes first.  */
void dg_tasks_fail (struct dg_tasks *tasks, const struct dg_pass_step *place,
                    const struct dg_error *error);
/* Whether nothing from there on is to be done.  */
bool dg_tasks_is_behind (const struct dg_tasks *tasks,
                         const struct dg_pass_step *place);

/* Puts a task at the end of its lane.  */
void dg_task_put (struct dg_task *task);
/* The first task of its lane is done.  */
void dg_task_leave (struct dg_task *task);
/* Puts tasks in their lanes, as far as that can be done in order.  */
void dg_tasks_publish (struct dg_tasks *tasks);
/* A ready task, of the oldest chunk; NULL: there is none.  */
struct dg_task *dg_tasks_take (struct dg_tasks *tasks);

/* Where a chunk is when it is in work.  */
struct dg_ahead *dg_tasks_ahead (const struct dg_tasks *tasks, size_t chunk);
/* A job or task of a chunk is done.  */
void dg_tasks_close (struct dg_tasks *tasks, struct dg_ahead *ahead);

/* Adds a task, which may move those that there are.  */
int dg_ahead_add (struct dg_ahead *ahead, const struct dg_task *task,
                  struct dg_error *err);
/* Makes all tasks of a chunk, which was kept if somebody needs that.  They do
   not move any more.  */
int dg_ahead_make (struct dg_tasks *tasks, struct dg_ahead *ahead,
                   struct dg_error *err);
/* Frees what was made of a chunk.  */
void dg_ahead_clear (struct dg_ahead *ahead);

#endif /* DG_ANALYSE_LANES_H */
