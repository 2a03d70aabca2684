/* analyse_interval.h: where intervals end, and how snapshots are combined.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_INTERVAL_H
#define DG_ANALYSE_INTERVAL_H

#include "analyse_shard.h"

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

#endif /* DG_ANALYSE_INTERVAL_H */
