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

/* Item i of n moments; DG_NEVER behind the last one.  */
static uint64_t
moment (const uint64_t *moments, size_t n, size_t i)
{
  return i < n ? moments[i] : DG_NEVER;
}

/* The parts between ends of intervals and beginnings of periods and
   windows.  */
static int
make_parts (struct dg_sampled *sampled,
            const struct dg_sampling_periods *periods,
            const struct dg_intervals *intervals, struct dg_error *err)
{
  size_t n_ends = intervals->ends != NULL ? intervals->n + 1 : 0;
  size_t most = periods->n + periods->n_windows + n_ends + 1;
  size_t period = 0, interval = 0, start = 0;
  uint64_t recorded = 0;

  sampled->ends = g_try_new (uint64_t, most);
  sampled->intervals = g_try_new (uint64_t, most);
  sampled->windows = g_try_new (uint64_t, most);
  sampled->groups = g_try_new (int, most);
  if (sampled->ends == NULL || sampled->intervals == NULL
      || sampled->windows == NULL || sampled->groups == NULL)
    return dg_error_nomem (err);
  for (;;) {
    uint64_t next_period = period + 1 < periods->n
                             ? periods->items[period + 1].start : DG_NEVER;
    uint64_t next_interval = moment (intervals->ends, n_ends, interval);
    uint64_t next_start = moment (periods->windows, periods->n_windows, start);
    uint64_t next = MIN (MIN (next_period, next_interval), next_start);

    sampled->groups[sampled->n] =
      sampled->estimate.n > 0 ? (int) (recorded % sampled->estimate.n) : -1;
    sampled->windows[sampled->n] = start + 1;
    sampled->intervals[sampled->n] = n_ends > 0 ? interval + 1 : 0;
    if (next == DG_NEVER)
      return 0;
    sampled->ends[sampled->n++] = next;
    interval += next_interval == next;
    start += next_start == next;
    if (next_period == next) {
      recorded += periods->items[period].recorded > 0;
      period++;
    }
  }
}

int
dg_sampled_init (struct dg_sampled *sampled, const struct dg_log *log,
                 uint64_t start, uint64_t end,
                 const struct dg_intervals *intervals, bool scales,
                 struct dg_error *err)
{
  struct dg_sampling_periods periods;
  int code = dg_sampling_periods_init (&periods, log, start, end, err);
  unsigned n;

  add_periods (sampled, &periods, 0);
  n = (unsigned) MIN (sampled->estimate.windows, DG_ESTIMATE_GROUPS);
  if (scales && n >= DG_ESTIMATE_LEAST)
    add_periods (sampled, &periods, n);
  if (!scales)
    *sampled = (struct dg_sampled){0};
  if (code == 0 && periods.n > 0)
    code = make_parts (sampled, &periods, intervals, err);
  dg_sampling_periods_fini (&periods);
  return code;
}

void
dg_sampled_fini (struct dg_sampled *sampled)
{
  g_free (sampled->ends);
  g_free (sampled->intervals);
  g_free (sampled->windows);
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
  batch->window = sampled->windows[part];
  return sampled->groups[part];
}
