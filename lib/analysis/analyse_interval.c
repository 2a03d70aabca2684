/* analyse_interval.c: where intervals end, and how snapshots are combined.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse_interval.h"

#include <inttypes.h>
#include <string.h>

#include "log/clock.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"

/* More are refused: nobody reads them, and each takes memory.  */
#define INTERVALS_MAX 1000000u

/* ---- The clock ---- */

int
dg_times_init (struct dg_times *times, const struct dg_log *log,
               struct dg_error *err)
{
  const struct dg_clock *clock = dg_log_clock (log, &times->n);
  uint64_t latest = 0;

  times->clock = g_try_new (struct dg_clock, times->n + 1);
  if (!times->clock)
    return dg_error_nomem (err);
  for (size_t i = 0; i < times->n; i++) {
    latest = MAX (latest, clock[i].ns);
    times->clock[i] = (struct dg_clock) { clock[i].icount, latest };
  }
  return 0;
}

void
dg_times_fini (struct dg_times *times)
{
  g_free (times->clock);
  *times = (struct dg_times) { 0 };
}

uint64_t
dg_times_at (const struct dg_times *times, uint64_t icount)
{
  uint64_t ns;

  return dg_clock_at (times->clock, times->n, icount, &ns) ? ns : 0;
}

static uint64_t
time_near (const struct dg_times *times, uint64_t icount)
{
  return dg_clock_near (times->clock, times->n, icount);
}

/* The first moment from `from` up to `end` at which the clock has come to
   ns.  */
static uint64_t
icount_at (const struct dg_times *times, uint64_t ns, uint64_t from,
           uint64_t end)
{
  return DG_BISECT (from, end, i, time_near (times, i) < ns);
}

/* ---- Ends ---- */

static int
make_ends (struct dg_intervals *intervals, uint64_t length, uint64_t step,
           const char *unit, struct dg_error *err)
{
  uint64_t n = length > 0 ? (length - 1) / step : 0;

  if (n >= INTERVALS_MAX)
    return dg_error_set (err, DG_ERR_INVALID,
                         "intervals of %" PRIu64 " %s would be %" PRIu64
                         ", more than %u", step, unit, n + 1, INTERVALS_MAX);
  intervals->n = n;
  intervals->ends = g_try_new0 (uint64_t, n + 1);
  intervals->ends_ns = g_try_new0 (uint64_t, n + 1);
  if (!intervals->ends || !intervals->ends_ns) {
    dg_intervals_fini (intervals);
    return dg_error_nomem (err);
  }
  return 0;
}

int
dg_intervals_init (struct dg_intervals *intervals,
                   const struct dg_times *times,
                   const struct dg_analyse_options *options, uint64_t start,
                   uint64_t end, struct dg_error *err)
{
  uint64_t step = options->interval_instructions, from = start;
  uint64_t start_ns = time_near (times, start);
  int code;

  *intervals = (struct dg_intervals) { 0 };
  if (step == 0 && options->interval_ns == 0)
    return 0;
  if (step > 0 && options->interval_ns > 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "intervals are either by instructions or by time");
  if (step == 0 && times->n == 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "intervals by time need a clock, which the log does "
                         "not have");
  code = step > 0
           ? make_ends (intervals, end - start, step, "instructions", err)
           : make_ends (intervals, time_near (times, end) - start_ns,
                        options->interval_ns, "ns", err);
  if (code < 0)
    return code;
  for (size_t i = 0; i < intervals->n; i++) {
    if (step > 0) {
      intervals->ends[i] = start + (i + 1) * step;
      intervals->ends_ns[i] = dg_times_at (times, intervals->ends[i]);
    } else {
      intervals->ends_ns[i] = start_ns + (i + 1) * options->interval_ns;
      intervals->ends[i] = from
        = icount_at (times, intervals->ends_ns[i], from, end);
    }
  }
  intervals->ends[intervals->n] = end;
  intervals->ends_ns[intervals->n] = dg_times_at (times, end);
  return 0;
}

void
dg_intervals_fini (struct dg_intervals *intervals)
{
  g_free (intervals->ends);
  g_free (intervals->ends_ns);
  *intervals = (struct dg_intervals) { 0 };
}

/* ---- Telling ---- */

static int
by_interval (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dg_snapshot *x = *(struct dg_snapshot *const *) a;
  const struct dg_snapshot *y = *(struct dg_snapshot *const *) b;

  return DG_COMPARE (x->interval, y->interval)
           ?: DG_COMPARE (x->shard, y->shard);
}

/* The latest snapshot of each shard, ordered by shard.  */
struct latest {
  struct dg_snapshot **snapshots;
  size_t n;
  uint64_t instructions;   /* of all of them */
};

static void
note_latest (struct latest *latest, struct dg_snapshot *snapshot)
{
  size_t low = 0, high = latest->n;

  /* Most often it is the last one, or comes behind it.  */
  if (high > 0 && latest->snapshots[high - 1]->shard < snapshot->shard)
    low = high;
  low =
    DG_BISECT (low, high, i, latest->snapshots[i]->shard < snapshot->shard);
  latest->instructions += snapshot->instructions;
  if (low < latest->n && latest->snapshots[low]->shard == snapshot->shard) {
    latest->instructions -= latest->snapshots[low]->instructions;
  } else {
    memmove (latest->snapshots + low + 1, latest->snapshots + low,
             (latest->n - low) * sizeof *latest->snapshots);
    latest->n++;
  }
  latest->snapshots[low] = snapshot;
}

/* Combines the n snapshots of one interval.  */
static int
combine (struct dg_member *member, struct dg_snapshot *const *parts, size_t n,
         struct latest *latest, struct dg_table *out, struct dg_error *err)
{
  struct dg_snapshot **place = dg_table_add (out, sizeof *place);
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  struct dg_snapshot base = { .shard = DG_NEVER };
  struct dg_snapshot *whole;

  if (!place)
    return dg_error_nomem (err);
  for (size_t i = 0; i < n; i++) {
    note_latest (latest, parts[i]);
    base.instructions_delta += parts[i]->instructions_delta;
  }
  base.interval = parts[0]->interval;
  base.end_icount = parts[0]->end_icount;
  base.end_ns = parts[0]->end_ns;
  base.instructions = latest->instructions;
  whole = member->analysis->combine (member->self, parts, n,
                                     latest->snapshots, latest->n, &error);
  if (!whole) {
    out->n--;
    return dg_member_error (member, NULL, error.code, &error, err);
  }
  *whole = base;
  *place = whole;
  return 0;
}

static int
combine_all (struct dg_member *member, struct dg_table *out,
             struct dg_error *err)
{
  struct dg_snapshot **parts = member->snapshots.items;
  size_t n = member->snapshots.n, next;
  struct latest latest = { g_try_new (struct dg_snapshot *, n + 1), 0, 0 };
  int code = 0;

  if (!latest.snapshots)
    return dg_error_nomem (err);
  if (n > 0)
    g_qsort_with_data (parts, n, sizeof *parts, by_interval, NULL);
  for (size_t i = 0; i < n && code == 0; i = next) {
    for (next = i + 1; next < n && parts[next]->interval == parts[i]->interval;
         next++)
      ;
    code = combine (member, parts + i, next - i, &latest, out, err);
  }
  g_free (latest.snapshots);
  return code;
}

int
dg_intervals_tell (const struct dg_intervals *intervals,
                   struct dg_member *member, struct dg_report *report,
                   struct dg_error *err)
{
  const struct dg_analysis *analysis = member->analysis;
  struct dg_error error = { DG_ERR_NOMEM, 0, "not enough memory" };
  struct dg_table whole = { 0 };
  int code = 0;

  if (!intervals->ends)
    return 0;
  code = combine_all (member, &whole, err);
  if (code == 0 && analysis->finalise) {
    code = analysis->finalise (member->self, whole.items, &whole.n, &error);
    if (code < 0)
      dg_member_error (member, NULL, code, &error, err);
  }
  if (code >= 0) {
    code = analysis->print (member->self, whole.items, whole.n, report,
                            &error);
    if (code < 0)
      dg_member_error (member, NULL, code, &error, err);
  }
  for (size_t i = 0; i < whole.n; i++)
    analysis->release (member->self,
                       ((struct dg_snapshot **) whole.items)[i]);
  dg_table_fini (&whole);
  return MIN (code, 0);
}
