/* analyse_pass.h: what a pass over the log covers and feeds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_PASS_H
#define DG_ANALYSE_PASS_H

#include <stdatomic.h>

#include "analyse_interval.h"
#include "analyse_shard.h"
#include "base/progress.h"
#include "sampled.h"

struct dg_pass {
  const struct dg_log *log;
  struct dg_feed_plan feed;
  struct dg_times times;
  struct dg_intervals intervals;
  struct dg_sampled sampled;
  struct dg_services *services;
  struct dg_member *members;
  size_t n;
  unsigned workers;
  uint32_t *threads;       /* numbers of all threads of the log, ascending */
  size_t n_threads;
  uint64_t start_icount, end_icount;     /* what is covered */
  uint64_t bytes;          /* of the log */
  /* How far all is, in bytes of the log, as often as they are worked on.  */
  double amount;           /* how often this pass does */
  double bytes_before, bytes_all;        /* before this pass or report; all */
  double bytes_done;       /* as last reported: never less */
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
/* Tells the user how far the pass or report is, in bytes: 0, or
   DG_ERR_CANCELLED.  */
int dg_pass_pace (struct dg_pass *pass, uint64_t done, struct dg_error *err);
/* The first byte of a chunk in the log; of the one behind the last: the
   log's size.  */
uint64_t dg_pass_offset (const struct dg_pass *pass, size_t chunk);
/* The shard of a thread, or NULL and *err if the log does not know it.  */
struct dg_shard *dg_member_thread (const struct dg_pass *pass,
                                   struct dg_member *member, uint32_t thread,
                                   struct dg_error *err);
/* Whether heap blocks have to pass before a chunk is fed, while none is in
   work; and passes them: 0 or < 0.  */
bool dg_pass_has_blocks_before (const struct dg_pass *pass, size_t chunk);
int dg_pass_blocks (struct dg_pass *pass, size_t chunk, struct dg_error *err);
/* Whether all accesses of a chunk were made and are asked for.  */
bool dg_pass_all_made (const struct dg_pass *pass, size_t chunk);

#endif /* DG_ANALYSE_PASS_H */
