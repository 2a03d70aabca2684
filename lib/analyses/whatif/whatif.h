/* whatif.h: what the parts of `dg whatif` share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_H
#define DG_WHATIF_H

#include "analysis/breakdown.h"
#include "time/time_model.h"
#include "time/time_sample.h"
#include "time/time_skip.h"
#include "whatif_code.h"
#include "whatif_place.h"
#include "whatif_targets.h"

/* The two programs, each with processors of its own.  */
enum dg_whatif_side { DG_WHATIF_BEFORE = 0, DG_WHATIF_AFTER, DG_WHATIF_SIDES };

/* Counters of a row: those of the program as it is, then of the changed
   one.  */
#define DG_WHATIF_COUNTS (DG_WHATIF_SIDES * DG_TIME_COUNTS)

/* Instructions of a stretch of --sample=N.  */
#define DG_WHATIF_STRETCH (UINT64_C (1) << 18)

/* A block that changes is allocated or freed.  */
struct dg_whatif_step {
  uint64_t icount, address, size;
  uint32_t site;
  bool is_free;
};

struct dg_whatif {
  struct dg_setup *setup;
  struct dg_time_machine machine;
  struct dg_whatif_targets targets;
  struct dg_breakdown *groups;
  struct dg_breakdown_sums *sums[DG_WHATIF_SIDES];
  enum dg_by by;
  /* Blocks of the log that change, as they begin and end.  */
  struct dg_table steps;       /* struct dg_whatif_step, in their order */
  struct dg_whatif_code code;        /* of AFTER */
  struct dg_units *units;            /* units that only `code` uses, or NULL */
  bool has_skips;          /* chunks between the stretches are left out */
  uint64_t one_in;         /* stretches: the sample; 1: the whole log */
  double scale;            /* from counts of the sample to those of all runs */
  double error;            /* standard error of the cycles before, as a share;
                              below 0: unknown */
  uint64_t across;         /* accesses to bytes that are apart now */
  bool is_code_known;      /* machine code of the log is understood */
};

/* whatif_shard.c: one of the two programs.  */
void *dg_whatif_shard_new (void *self, const struct dg_feed *feed,
                           void *worker, struct dg_error *err);
int dg_whatif_shard_feed (void *self, void *shard, const struct dg_feed *feed,
                          const struct dg_batch *batch, struct dg_error *err);
int dg_whatif_merge (void *self, void *shard, const struct dg_feed *feed,
                     struct dg_error *err);
void dg_whatif_shard_free (void *self, void *shard);

/* whatif_report.c */
int dg_whatif_report (void *self, struct dg_report *report,
                      struct dg_error *err);

#endif /* DG_WHATIF_H */
