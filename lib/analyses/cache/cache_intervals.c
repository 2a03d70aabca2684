/* cache_intervals.c: hits and misses of each interval.

   Parts know of the first level; the levels below have kept theirs up to the
   mark that the instructions' part sent with its snapshot.  Chunks know only
   how much was accessed; all misses are kept up to marks, one for each
   interval.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <string.h>

#include "base/error.h"

struct snapshot {
  struct dg_snapshot base;
  uint64_t events[DG_EVENTS_ALL];
  size_t mark;             /* of the levels below; of part 0 only */
};

/* What a worker counted since it was asked last.  */
static void
take_events (const struct dg_cache_worker *worker, uint64_t *events)
{
  unsigned i, j;

  for (i = 0; i < 2; i++)
    for (j = 0; j < DG_EVENTS_ALL; j++) {
      struct dg_cache_part *part = worker->parts[i];
      events[j] += part->totals[j];
      part->before[j] += part->totals[j];
      part->totals[j] = 0;
    }
}

struct dg_snapshot *
dg_cache_run_snapshot (void *self, void *shard, const struct dg_feed *feed,
                       struct dg_error *err)
{
  const struct dg_cache_run *run = self;
  struct dg_cache_part *part = shard;
  struct snapshot *snapshot = g_try_new0 (struct snapshot, 1);

  (void) feed;
  if (snapshot == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  if (run->is_chunked) {
    take_events (((struct dg_cache_chunk *) shard)->worker, snapshot->events);
    return &snapshot->base;
  }
  memcpy (snapshot->events, part->totals, sizeof snapshot->events);
  snapshot->mark = part->n_marks;
  if (dg_cache_part_mark (part, err) < 0) {
    g_free (snapshot);
    return NULL;
  }
  return &snapshot->base;
}

struct dg_snapshot *
dg_cache_run_combine (void *self, struct dg_snapshot *const *parts, size_t n,
                      struct dg_snapshot *const *latest, size_t n_latest,
                      struct dg_error *err)
{
  const struct dg_cache_run *run = self;
  struct snapshot *all = g_try_new0 (struct snapshot, 1);
  const struct dg_cache_lower_counts *lower;
  size_t i;
  unsigned j;

  (void) latest;
  (void) n_latest;
  if (all == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  for (i = 0; i < n; i++) {
    const struct snapshot *part = (const struct snapshot *) parts[i];
    for (j = 0; j < DG_EVENTS_ALL; j++)
      all->events[j] += part->events[j];
    lower = dg_cache_lower_mark (run->plan.lower, part->mark);
    if (part->base.shard == 0 && !run->is_chunked && lower != NULL)
      dg_cache_add_lower (all->events, lower, run->made.n_lower);
  }
  lower = run->is_chunked && n > 0
            ? dg_cache_lower_mark (run->plan.lower, parts[0]->interval - 1)
            : NULL;
  if (lower != NULL)
    dg_cache_add_lower (all->events, lower, run->made.n_lower);
  return &all->base;
}

int
dg_cache_run_print (void *self, struct dg_snapshot *const *snapshots, size_t n,
                    struct dg_report *report, struct dg_error *err)
{
  const struct dg_cache_run *run = self;
  struct dg_column columns[3 + DG_EVENTS_NINE] = {
    { "interval", "Interval", DG_UNIT_NUMBER, 0 },
    { "end_icount", "Up to", DG_UNIT_COUNT, 0 },
    { "end_ns", "Time", DG_UNIT_NS, 0 },
  };
  struct dg_cell cells[3 + DG_EVENTS_NINE] = { 0 };
  struct dg_cache_shares shares;
  struct dg_rows *rows;
  bool has_clock = false;
  size_t i;
  unsigned j;

  (void) err;
  for (i = 0; i < n; i++)
    has_clock = has_clock || snapshots[i]->end_ns != 0;
  if (!has_clock)
    columns[2].flags = DG_COLUMN_JSON_ONLY;
  memcpy (columns + 3, run->made.words->columns,
          DG_EVENTS_NINE * sizeof *columns);
  rows = dg_report_table (report, "intervals", "Intervals", columns,
                          G_N_ELEMENTS (columns));
  dg_rows_show_all (rows);
  dg_cache_run_shares (run, &shares);
  for (i = 0; i < n; i++) {
    const struct snapshot *snapshot = (const struct snapshot *) snapshots[i];
    uint64_t likely[DG_EVENTS];

    cells[0].number = snapshot->base.interval;
    cells[1].number = snapshot->base.end_icount;
    cells[2].number = snapshot->base.end_ns;
    cells[2].is_empty = snapshot->base.end_ns == 0;
    dg_cache_shares_row (&shares, snapshot->events, likely);
    for (j = 0; j < DG_EVENTS_NINE; j++)
      cells[3 + j].number = likely[j];
    dg_rows_add (rows, cells);
  }
  return 0;
}

void
dg_cache_run_release (void *self, struct dg_snapshot *snapshot)
{
  (void) self;
  g_free (snapshot);
}
