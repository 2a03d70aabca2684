/* feed.h: chunks of a log as batches of runs, for analyses: decoded, and
   without what filters leave out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FEED_H
#define DG_FEED_H

#include "dg_analysis.h"

/* What all feeders of a pass have in common; not changed while there are
   any.  */
struct dg_feed_plan {
  const struct dg_log *log;
  const struct dg_filter *filter;        /* or NULL */
  const uint32_t *threads;               /* ascending; n_threads 0: all */
  size_t n_threads;
  uint64_t start_icount, end_icount;     /* end DG_NEVER: to the end */
  /* Where intervals end, ascending: interval i + 1 is up to ends[i]; the last
     one ends with the log.  n_ends 0: no intervals, batches have 0.  */
  const uint64_t *ends;
  size_t n_ends;
  bool needs_addresses;
  bool needs_contexts;     /* else those of runs may be DG_NONE */
  bool takes_alike;        /* runs that are alike may be given once, with
                              their number, and in any order (dg_batch) */
  /* As in struct dg_plan; chunks without a stretch that is needed are
     empty.  */
  uint64_t stretch, one_in;
};

/* One worker's: decodes one chunk after the other.  */
struct dg_feeder;
struct dg_feeder *dg_feeder_new (const struct dg_feed_plan *plan,
                                 struct dg_error *err);
void dg_feeder_free (struct dg_feeder *feeder);
const struct dg_log *dg_feeder_log (const struct dg_feeder *feeder);

/* Goes to a chunk of dg_log_chunks.  One that is not in the window is empty
   and costs nothing.  */
int dg_feeder_open (struct dg_feeder *feeder, size_t chunk,
                    struct dg_error *err);
/* The next batch of the chunk, without accesses, valid until the next call: 1,
   0 at its end, < 0.  */
int dg_feeder_next (struct dg_feeder *feeder, struct dg_batch *batch,
                    struct dg_error *err);

/* The slots of the latest batch, if they are known without a look at its runs:
   all that follow one another were given, none was cut.  Else DG_NEVER.  */
uint64_t dg_feeder_slots (const struct dg_feeder *feeder);
/* The instructions of such a batch.  */
uint64_t dg_feeder_instructions (const struct dg_feeder *feeder);

/* The batches of a chunk in memory of their own, to be fed later or more than
   once; used again as it is.  */
struct dg_kept;
/* Whether the batches of a chunk may be kept: it says that it needs no more
   memory than those of most programs.  Accesses at constant addresses take no
   bytes in an archive, so that a small one may have any number of them.  */
bool dg_kept_may_hold (const struct dg_log *log, size_t chunk);
struct dg_kept *dg_kept_new (struct dg_error *err);
void dg_kept_free (struct dg_kept *kept);
/* Takes all batches of the chunk that was opened, of a plan that does not take
   runs that are alike, if the chunk may be kept.  */
int dg_feeder_keep (struct dg_feeder *feeder, struct dg_kept *kept,
                    struct dg_error *err);
size_t dg_kept_batches (const struct dg_kept *kept);
struct dg_batch dg_kept_batch (const struct dg_kept *kept, size_t i);

/* The accesses of a batch, which were made; *room is how many `*accesses`
   has, and grows.  Returns their number, or < 0.  */
ptrdiff_t dg_batch_expand (const struct dg_batch *batch,
                           struct dg_access **accesses, size_t *room,
                           struct dg_error *err);

#endif /* DG_FEED_H */
