/* sampling.c: the periods of a log that is a sample of its run.

   They are in the WINDOW records.  Time that passes while nothing is recorded
   is the sample's if the latest of these has one of the reasons of sampling;
   for other reasons, it was not to be recorded anyway.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sampling.h"

#include <glib.h>

#include "base/error.h"
#include "dg_record.h"

static bool
is_sampling (uint8_t why)
{
  return why == DG_WINDOW_PERIODIC || why == DG_WINDOW_PERIOD;
}

static bool
is_sample (const struct dg_window_change *windows, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (is_sampling (windows[i].why))
      return true;
  return false;
}

/* Time from `from` to `to`, as far as it is in [start, end).  */
static uint64_t
within (uint64_t from, uint64_t to, uint64_t start, uint64_t end)
{
  from = MAX (from, start);
  to = MIN (to, end);
  return to > from ? to - from : 0;
}

/* A window record, from which on recording is on or off: whether a window
   begins there.  is_gap: whether something is missing before it.  */
static bool
is_window_start (const struct dg_window_change *change, bool *is_gap)
{
  bool is_start = change->on && (*is_gap || change->why == DG_WINDOW_PERIOD);

  if (change->why == DG_WINDOW_PERIOD)
    *is_gap = true;
  if (change->on)
    *is_gap = false;
  return is_start;
}

int
dg_sampling_periods_init (struct dg_sampling_periods *periods,
                          const struct dg_log *log, uint64_t start,
                          uint64_t end, struct dg_error *err)
{
  const uint64_t last = dg_log_summary (log)->last_icount;
  size_t n;
  const struct dg_window_change *windows = dg_log_windows (log, &n);
  struct dg_sampling_period *period;
  bool on = true, counts = false, is_gap = false;
  uint64_t since = 0;

  *periods = (struct dg_sampling_periods) { 0 };
  if (!is_sample (windows, n))
    return 0;
  /* What a part of a log has before the first of its periods is of one.  */
  periods->items = g_try_new0 (struct dg_sampling_period, n + 1);
  periods->windows = g_try_new (uint64_t, n + 1);
  if (periods->items == NULL || periods->windows == NULL)
    return dg_error_nomem (err);
  period = periods->items;
  for (size_t i = 0; i <= n; i++) {
    uint64_t now = i < n ? windows[i].icount : last;
    uint64_t passed = within (since, now, start, end);

    period->recorded += on ? passed : 0;
    period->executed += on || counts ? passed : 0;
    is_gap |= !on && counts && now > since;
    since = now;
    if (i == n)
      break;
    /* dg cut tells of accesses that it left out.  */
    if (on && windows[i].on && windows[i].why == DG_WINDOW_CUT)
      continue;
    if (windows[i].why == DG_WINDOW_PERIOD) {
      if (period->executed > 0)
        period++;
      period->start = now;
    }
    if (is_window_start (&windows[i], &is_gap))
      periods->windows[periods->n_windows++] = now;
    on = windows[i].on;
    counts = is_sampling (windows[i].why);
  }
  periods->n = (size_t) (period - periods->items) + 1;
  return 0;
}

void
dg_sampling_periods_fini (struct dg_sampling_periods *periods)
{
  g_free (periods->items);
  g_free (periods->windows);
  *periods = (struct dg_sampling_periods) { 0 };
}

int
dg_sampling_of (const struct dg_log *log, struct dg_sampling *sampling,
                struct dg_error *err)
{
  struct dg_sampling_periods periods;
  int code = dg_sampling_periods_init (&periods, log, 0, DG_NEVER, err);

  *sampling = (struct dg_sampling) { 0 };
  for (size_t i = 0; i < periods.n; i++) {
    sampling->windows += periods.items[i].recorded > 0;
    sampling->recorded += periods.items[i].recorded;
    sampling->executed += periods.items[i].executed;
  }
  if (code == 0)
    code = periods.n > 0;
  dg_sampling_periods_fini (&periods);
  return code;
}
