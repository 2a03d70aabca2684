/* sampled.h: analyses of a log that is a sample of its run: groups of its
   windows, of which each analysis makes a report of their own, so that it is
   known how much its figures depend on chance.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SAMPLED_H
#define DG_SAMPLED_H

#include "dg_analysis.h"
#include "estimate.h"

struct dg_intervals;

struct dg_sampled {
  uint64_t executed, recorded;     /* instructions; 0: the log is none */
  struct dg_estimate estimate;
  /* Parts of the log, each of one group, one window and one interval,
     ascending: part i ends at ends[i], the last one, n, with the log.  NULL:
     the log is not a sample.  */
  uint64_t *ends, *intervals;      /* 0: none */
  uint64_t *windows;               /* of dg_batch */
  int *groups;                     /* -1: there are none */
  size_t n;
};

/* What is analysed is from start up to end.  scales: whether totals are to be
   scaled; else there are only the windows.  0 or DG_ERR_NOMEM.  */
int dg_sampled_init (struct dg_sampled *sampled, const struct dg_log *log,
                     uint64_t start, uint64_t end,
                     const struct dg_intervals *intervals, bool scales,
                     struct dg_error *err);
void dg_sampled_fini (struct dg_sampled *sampled);

/* The group of a batch, which gets its window, and whose interval is still
   that of a part, and gets to be that of the user; negative: there are
   none.  */
int dg_sampled_take (const struct dg_sampled *sampled, struct dg_batch *batch);

/* Scales the totals that a report has from item `first' on, and says so and
   how exact they are.  groups: the same report of each group alone, or none.
   0 or DG_ERR_NOMEM.  */
int dg_sampled_report (const struct dg_sampled *sampled,
                       struct dg_report *report, size_t first,
                       struct dg_report *const *groups, struct dg_error *err);

#endif /* DG_SAMPLED_H */
