/* sampled.c: the groups of a sample's windows.

   Windows that follow one another are in different groups: then these differ
   by chance, and not by what the program does earlier or later.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sampled.h"

#include "analyse_shard.h"
#include "base/error.h"
#include "log/sampling.h"

/* Adds up the periods; they are in turn in one of n groups, if any.  */
static void
add_periods (struct dg_sampled *sampled,
             const struct dg_sampling_periods *periods, unsigned n)
{
  uint64_t at = 0;

  *sampled = (struct dg_sampled){.estimate = {.n = n}};
  for (size_t i = 0; i < periods->n; i++) {
    const struct dg_sampling_period *period = &periods->items[i];

    sampled->executed += period->executed;
    sampled->recorded += period->recorded;
    if (period->recorded == 0)
      continue;
    sampled->estimate.windows++;
    if (n > 0)
      sampled->estimate.x[at++ % n] += (double) period->recorded;
  }
  if (sampled->executed > 0)
    sampled->estimate.share =
      (double) sampled->recorded / (double) sampled->executed;
}

/* The parts between ends of intervals and beginnings of periods.  */
static int
make_parts (struct dg_sampled *sampled,
            const struct dg_sampling_periods *periods,
            const struct dg_intervals *intervals, struct dg_error *err)
{
  size_t n_ends = intervals->ends != NULL ? intervals->n + 1 : 0;
  size_t most = periods->n + n_ends + 1, period = 0, interval = 0;
  uint64_t window = 0;

  sampled->ends = g_try_new (uint64_t, most);
  sampled->intervals = g_try_new (uint64_t, most);
  sampled->groups = g_try_new (int, most);
  if (sampled->ends == NULL || sampled->intervals == NULL
      || sampled->groups == NULL)
    return dg_error_nomem (err);
  for (;;) {
    uint64_t next_period = period + 1 < periods->n
                             ? periods->items[period + 1].start : DG_NEVER;
    uint64_t next_interval = interval < n_ends ? intervals->ends[interval]
                                               : DG_NEVER;

    sampled->groups[sampled->n] = (int) (window % sampled->estimate.n);
    sampled->intervals[sampled->n] = n_ends > 0 ? interval + 1 : 0;
    if (next_period == DG_NEVER && next_interval == DG_NEVER)
      return 0;
    sampled->ends[sampled->n++] = MIN (next_period, next_interval);
    if (next_interval <= next_period)
      interval++;
    if (next_period <= next_interval) {
      window += periods->items[period].recorded > 0;
      period++;
    }
  }
}

int
dg_sampled_init (struct dg_sampled *sampled, const struct dg_log *log,
                 uint64_t start, uint64_t end,
                 const struct dg_intervals *intervals, struct dg_error *err)
{
  struct dg_sampling_periods periods;
  int code = dg_sampling_periods_init (&periods, log, start, end, err);
  unsigned n;

  add_periods (sampled, &periods, 0);
  n = (unsigned) MIN (sampled->estimate.windows, DG_ESTIMATE_GROUPS);
  if (code == 0 && n >= DG_ESTIMATE_LEAST) {
    add_periods (sampled, &periods, n);
    code = make_parts (sampled, &periods, intervals, err);
  }
  dg_sampling_periods_fini (&periods);
  return code;
}

void
dg_sampled_fini (struct dg_sampled *sampled)
{
  g_free (sampled->ends);
  g_free (sampled->intervals);
  g_free (sampled->groups);
  *sampled = (struct dg_sampled){0};
}

int
dg_sampled_take (const struct dg_sampled *sampled, struct dg_batch *batch)
{
  size_t part;

  if (sampled->ends == NULL)
    return -1;
  part = batch->interval > 0 ? batch->interval - 1 : 0;
  batch->interval = sampled->intervals[part];
  return sampled->groups[part];
}
