/* curve.c: curves of the heap.

   Columns first, by totals alone; then the groups that become series; then the
   bytes of these.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve.h"

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/sized.h"

#include <stdlib.h>
#include <string.h>

#define USUAL_COLUMNS 1000u
#define USUAL_SERIES  10u

/* A curve, what it points to, and what finds the series of a block.  */
struct owner {
  struct dg_curve curve;   /* the first */
  const struct dg_curve_groups *groups;
  uint32_t *series_of;     /* by group */
  struct dg_curve_column *columns;
  struct dg_curve_series *series;
  uint64_t *bytes;
  uint32_t *events;
  struct dg_curve_gap *gaps;
  char *others;            /* name of the last series */
};

/* While a curve is made.  */
struct work {
  struct dg_curve_source *source;
  struct owner *owner;
  uint32_t most_series;
  size_t *states;          /* by column: that of its moment */
};

/* ---- Columns ---------------------------------------------------------- */

static uint64_t
edge (const struct dg_curve *curve, size_t column)
{
  uint64_t span = curve->end_time - curve->start_time;

  return curve->start_time
         + (uint64_t) ((unsigned __int128) span * column / curve->n_columns);
}

/* States of a column: those that hold at one of its moments, or of its places
   on the axis.  */
static void
states_of (const struct work *work, size_t c, size_t *first, size_t *last)
{
  const struct dg_curve *curve = &work->owner->curve;
  const struct dg_curve_column *column = work->owner->columns + c;
  uint64_t end = column->end_icount;

  *first = *last = dg_curve_state_at (work->source, column->start_icount);
  /* A place of an axis of bytes may be within the change to a state; that
     holds at the next one.  */
  if (curve->time == DG_CURVE_BYTES && c + 1 < curve->n_columns)
    end = dg_curve_icount_of (work->source, DG_CURVE_BYTES,
                              edge (curve, c + 1) - 1) + 1;
  if (end > column->start_icount)
    *last = MAX (*first, dg_curve_state_at (work->source, end - 1));
}

static void
fill_column (struct work *work, size_t c)
{
  struct dg_curve_column *column = work->owner->columns + c;
  size_t first, last, highest;

  states_of (work, c, &first, &last);
  highest = dg_curve_highest (work->source, first, last);
  work->states[c] = highest;
  column->total = work->source->totals[highest];
  column->min_total = dg_curve_lowest (work->source, first, last);
  column->icount = MAX (work->source->icounts[highest],
                        column->start_icount);
}

static int
fill_columns (struct work *work)
{
  struct dg_curve *curve = &work->owner->curve;
  struct dg_curve_column *columns;
  size_t n = curve->n_columns;

  columns = work->owner->columns = g_try_new0 (struct dg_curve_column, n);
  work->states = g_try_new (size_t, n);
  if (columns == NULL || work->states == NULL)
    return DG_ERR_NOMEM;
  for (size_t c = 0; c < n; c++) {
    uint64_t start = c == 0 ? curve->start_icount
                            : dg_curve_icount_of (work->source, curve->time,
                                                  edge (curve, c));

    columns[c].start_icount = CLAMP (start, curve->start_icount,
                                     curve->end_icount);
    if (c > 0) {
      columns[c].start_icount = MAX (columns[c].start_icount,
                                     columns[c - 1].start_icount);
      columns[c - 1].end_icount = columns[c].start_icount;
    }
  }
  columns[n - 1].end_icount = curve->end_icount;
  for (size_t c = 0; c < n; c++)
    fill_column (work, c);
  curve->columns = columns;
  for (size_t c = 1; c < n; c++)
    if (columns[c].total > columns[curve->peak_column].total)
      curve->peak_column = c;
  curve->peak_bytes = columns[curve->peak_column].total;
  curve->peak_icount = columns[curve->peak_column].icount;
  return 0;
}

/* ---- Series ----------------------------------------------------------- */

/* A group that may become a series.  */
struct candidate {
  uint64_t most, peak, peak_blocks;
  uint32_t group;
};

static int
compare_most (const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;

  return DG_COMPARE (y->most, x->most) ?: DG_COMPARE (x->group, y->group);
}

static int
compare_peak (const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;

  return DG_COMPARE (y->peak, x->peak) ?: compare_most (a, b);
}

/* Those that have bytes at a column's moment: the ones with the most there
   become series, in the order of their bytes at the peak; all others make the
   last one.  *n_all receives how many there are.  */
static struct candidate *
choose (struct work *work, uint32_t *n, uint32_t *n_all)
{
  const struct dg_curve_groups *groups = work->owner->groups;
  struct dg_curve *curve = &work->owner->curve;
  struct dg_curve_walk walk;
  struct candidate *list = g_try_new (struct candidate, groups->n + 1);

  if (list == NULL
      || dg_curve_walk_init (&walk, work->source, groups->of, groups->n,
                             DG_CURVE_COUNTS | DG_CURVE_MOST) < 0) {
    g_free (list);
    return NULL;
  }
  *n_all = 0;
  for (size_t c = 0; c < curve->n_columns; c++) {
    dg_curve_walk_to (&walk, work->states[c]);
    work->owner->columns[c].blocks = walk.blocks;
  }
  dg_curve_walk_to (&walk, work->states[curve->peak_column]);
  curve->peak_blocks = walk.blocks;
  for (uint32_t g = 0; g < groups->n; g++)
    if (walk.most[g] > 0)
      list[(*n_all)++] = (struct candidate){walk.most[g], walk.bytes[g],
                                            walk.counts[g], g};
  dg_curve_walk_fini (&walk);
  qsort (list, *n_all, sizeof *list, compare_most);
  *n = MIN (*n_all, work->most_series);
  /* One more is no more than "1 other".  */
  if (*n_all == *n + 1)
    *n = *n_all;
  qsort (list, *n, sizeof *list, compare_peak);
  return list;
}

static void
fill_series (struct dg_curve_series *series,
             const struct dg_curve_groups *groups,
             const struct candidate *candidate)
{
  const struct dg_curve_group *group = groups->groups + candidate->group;

  series->id = candidate->group;
  series->rank = group->rank;
  series->name = group->name;
  series->function = group->function;
  series->file = group->file;
  series->module = group->module;
  series->line = group->line;
  series->column = group->column;
  series->call = group->call;
  series->folders = group->folders;
  series->members = 1;
  series->peak_bytes = candidate->peak;
  series->peak_blocks = candidate->peak_blocks;
  series->max_bytes = candidate->most;
}

static void
fill_others (struct owner *owner, struct dg_curve_series *series,
             const struct candidate *list, uint32_t n)
{
  static const char *const names[] = { "sites", "functions", "modules",
                                       "allocators", "threads" };

  owner->others = g_strdup_printf ("%u other %s", n, names[owner->curve.by]);
  series->id = series->rank = DG_NONE;
  series->name = owner->others;
  series->members = n;
  for (uint32_t i = 0; i < n; i++) {
    series->peak_bytes += list[i].peak;
    series->peak_blocks += list[i].peak_blocks;
  }
}

/* For each series the stack with the most bytes at the peak.  */
static int
find_stacks (const struct work *work)
{
  struct owner *owner = work->owner;
  const struct dg_curve_origin *origins = work->source->origins.items;
  uint32_t n = (uint32_t) work->source->origins.n;
  uint32_t *same = g_try_new (uint32_t, n + 1);
  uint64_t *most = g_try_new0 (uint64_t, owner->curve.n_series + 1);
  struct dg_curve_walk walk;
  int code = DG_ERR_NOMEM;

  for (uint32_t i = 0; i < n && same != NULL; i++)
    same[i] = i;
  if (same == NULL || most == NULL
      || dg_curve_walk_init (&walk, work->source, same, n, 0) < 0)
    goto out;
  dg_curve_walk_to (&walk, work->states[owner->curve.peak_column]);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t group = owner->groups->of[i];
    uint32_t s = group == DG_NONE ? DG_NONE : owner->series_of[group];

    if (s == DG_NONE || owner->series[s].id == DG_NONE
        || (owner->groups->groups[group].origin != i
            && walk.bytes[i] <= most[s]))
      continue;
    most[s] = walk.bytes[i];
    owner->series[s].stack = origins[i].stack;
    owner->series[s].stack_icount = origins[i].icount;
  }
  dg_curve_walk_fini (&walk);
  code = 0;
out:
  g_free (same);
  g_free (most);
  return code;
}

/* Bytes of each series at the moment of each column.  */
static int
fill_bytes (struct work *work)
{
  struct owner *owner = work->owner;
  const struct dg_curve *curve = &owner->curve;
  uint32_t n = (uint32_t) work->source->origins.n;
  uint32_t *slot_of = g_try_new (uint32_t, n + 1);
  struct dg_curve_walk walk;

  owner->bytes = g_try_new0 (uint64_t,
                             curve->n_columns * curve->n_series + 1);
  if (slot_of == NULL || owner->bytes == NULL
      || dg_curve_walk_init (&walk, work->source, slot_of,
                             (uint32_t) curve->n_series, 0) < 0) {
    g_free (slot_of);
    return DG_ERR_NOMEM;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t group = owner->groups->of[i];

    slot_of[i] = group == DG_NONE ? DG_NONE : owner->series_of[group];
  }
  for (size_t c = 0; c < curve->n_columns; c++) {
    dg_curve_walk_to (&walk, work->states[c]);
    memcpy (owner->bytes + c * curve->n_series, walk.bytes,
            curve->n_series * sizeof *walk.bytes);
  }
  if (curve->n_series > 0) {
    struct dg_curve_series *last = owner->series + curve->n_series - 1;

    for (size_t c = 0; c < curve->n_columns && last->id == DG_NONE; c++)
      last->max_bytes = MAX (last->max_bytes,
                             owner->bytes[(c + 1) * curve->n_series - 1]);
  }
  dg_curve_walk_fini (&walk);
  g_free (slot_of);
  return 0;
}

static int
make_series (struct work *work)
{
  struct owner *owner = work->owner;
  const struct dg_curve_groups *groups = owner->groups;
  uint32_t n, n_all;
  struct candidate *list = choose (work, &n, &n_all);

  if (list == NULL)
    return DG_ERR_NOMEM;
  owner->series = g_try_new0 (struct dg_curve_series, (gsize) n + 1);
  owner->series_of = g_try_new (uint32_t, groups->n + 1);
  if (owner->series == NULL || owner->series_of == NULL) {
    g_free (list);
    return DG_ERR_NOMEM;
  }
  /* Groups that have nothing in any column are of the others, if there are
     any; nobody sees them.  */
  for (uint32_t g = 0; g < groups->n; g++)
    owner->series_of[g] = n_all > n ? n : DG_NONE;
  for (uint32_t i = 0; i < n; i++) {
    fill_series (owner->series + i, groups, list + i);
    owner->series_of[list[i].group] = i;
  }
  if (n_all > n)
    fill_others (owner, owner->series + n, list + n, n_all - n);
  owner->curve.series = owner->series;
  owner->curve.n_series = n + (n_all > n);
  g_free (list);
  if (find_stacks (work) < 0 || fill_bytes (work) < 0)
    return DG_ERR_NOMEM;
  owner->curve.bytes = owner->bytes;
  return 0;
}

/* ---- Events and gaps -------------------------------------------------- */

static bool
overlaps (const struct dg_curve *curve, uint64_t start, uint64_t end)
{
  return start < curve->end_icount
         && (end > curve->start_icount || start >= curve->start_icount);
}

static int
list_events (struct owner *owner)
{
  struct dg_curve *curve = &owner->curve;
  size_t n;
  const struct dg_event *events = dg_log_events (curve->log, &n);

  owner->events = g_try_new (uint32_t, n + 1);
  if (owner->events == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    if (overlaps (curve, events[i].start_icount, events[i].end_icount))
      owner->events[curve->n_events++] = (uint32_t) i;
  curve->events = owner->events;
  return 0;
}

static int
list_gaps (struct owner *owner)
{
  struct dg_curve *curve = &owner->curve;
  size_t n;
  const struct dg_window_change *changes = dg_log_windows (curve->log, &n);
  bool on = true;

  owner->gaps = g_try_new (struct dg_curve_gap, n + 1);
  if (owner->gaps == NULL)
    return DG_ERR_NOMEM;
  curve->gaps = owner->gaps;
  for (size_t i = 0; i < n; i++) {
    struct dg_curve_gap *gap = owner->gaps + curve->n_gaps;

    if (changes[i].on == on)
      continue;
    on = changes[i].on;
    if (!on) {
      gap->start_icount = changes[i].icount;
      gap->end_icount = DG_NEVER;
      continue;
    }
    gap->end_icount = changes[i].icount;
    curve->n_gaps += overlaps (curve, gap->start_icount, gap->end_icount);
  }
  if (!on)
    curve->n_gaps += overlaps (curve,
                               owner->gaps[curve->n_gaps].start_icount,
                               DG_NEVER);
  return 0;
}

/* ---- All of it -------------------------------------------------------- */

static int
check_options (const struct dg_curve_source *source,
               const struct dg_curve_options *options, struct dg_error *err)
{
  if ((unsigned) options->by >= DG_CURVE_BYS
      || (unsigned) options->time > DG_CURVE_NS)
    return dg_error_set (err, DG_ERR_INVALID, "there is no such kind of "
                                              "curve");
  if (options->columns > DG_CURVE_MAX_COLUMNS)
    return dg_error_set (err, DG_ERR_INVALID, "more than %u columns",
                         DG_CURVE_MAX_COLUMNS);
  if (options->series > DG_CURVE_MAX_SERIES)
    return dg_error_set (err, DG_ERR_INVALID, "more than %u series",
                         DG_CURVE_MAX_SERIES);
  if (options->end_icount != 0
      && options->end_icount <= options->start_icount)
    return dg_error_set (err, DG_ERR_INVALID, "the selected part is empty");
  if (options->time == DG_CURVE_NS && source->n_clock == 0)
    return dg_error_set (err, DG_ERR_INVALID, "the log has no clock");
  return 0;
}

/* The axis.  */
static void
set_window (struct dg_curve *curve, const struct dg_curve_source *source,
            const struct dg_curve_options *options)
{
  uint64_t last = dg_log_summary (source->log)->last_icount;
  uint64_t end = last < UINT64_MAX ? last + 1 : last, span;

  curve->by = options->by;
  curve->time = options->time;
  curve->log = source->log;
  curve->start_icount = MIN (options->start_icount, end - 1);
  curve->end_icount = end;
  if (options->end_icount != 0)
    curve->end_icount = CLAMP (options->end_icount,
                               curve->start_icount + 1, end);
  curve->start_time = dg_curve_time_of (source, curve->time,
                                        curve->start_icount);
  curve->end_time = curve->time == DG_CURVE_INSTRUCTIONS
                      ? curve->end_icount
                      : dg_curve_time_of (source, curve->time,
                                          curve->end_icount - 1) + 1;
  span = curve->end_time - curve->start_time;
  curve->n_columns = options->columns > 0 ? options->columns : USUAL_COLUMNS;
  curve->n_columns = MIN (curve->n_columns, span);
}

int
dg_curve_build (struct dg_curve_source *source,
                const struct dg_curve_options *options,
                dg_progress_fn progress, void *user, struct dg_curve **curve,
                struct dg_error *err)
{
  struct dg_curve_options own;
  struct owner *owner;
  struct work work = {.source = source};
  int code;

  *curve = NULL;
  if (DG_SIZED_TAKE (&own, time, options, err) < 0)
    return DG_ERR_INVALID;
  options = &own;
  code = check_options (source, options, err);
  if (code < 0)
    return code;
  owner = work.owner = g_new0 (struct owner, 1);
  owner->curve.source = source;
  work.most_series = options->series > 0 ? options->series : USUAL_SERIES;
  set_window (&owner->curve, source, options);
  owner->groups = dg_curve_groups_get (source, options->by, progress, user,
                                       &code, err);
  if (owner->groups == NULL)
    goto fail;
  if (fill_columns (&work) < 0 || make_series (&work) < 0
      || list_events (owner) < 0 || list_gaps (owner) < 0) {
    code = dg_error_nomem (err);
    goto fail;
  }
  g_free (work.states);
  *curve = &owner->curve;
  return 0;
fail:
  g_free (work.states);
  dg_curve_free (&owner->curve);
  return code;
}

void
dg_curve_free (struct dg_curve *curve)
{
  struct owner *owner = (struct owner *) curve;

  if (owner == NULL)
    return;
  g_free (owner->series_of);
  g_free (owner->columns);
  g_free (owner->series);
  g_free (owner->bytes);
  g_free (owner->events);
  g_free (owner->gaps);
  g_free (owner->others);
  g_free (owner);
}

const char *
dg_curve_by_name (enum dg_curve_by by)
{
  static const char *const names[DG_CURVE_BYS] = {
    "site", "function", "module", "allocator", "thread"
  };

  return (unsigned) by < DG_CURVE_BYS ? names[by] : NULL;
}

double
dg_curve_position (const struct dg_curve *curve, uint64_t icount)
{
  uint64_t value;

  if (icount >= curve->end_icount)
    return 1;
  value = dg_curve_time_of (curve->source, curve->time,
                            MAX (icount, curve->start_icount));
  value = CLAMP (value, curve->start_time, curve->end_time);
  return (double) (value - curve->start_time)
         / (double) (curve->end_time - curve->start_time);
}

uint64_t
dg_curve_moment (const struct dg_curve *curve, double position)
{
  uint64_t span = curve->end_time - curve->start_time, value, icount;

  /* Not a number is not a place.  */
  value = !(position > 0) ? 0
          : position >= 1 ? span - 1
                          : (uint64_t) ((double) span * position);
  icount = dg_curve_icount_of (curve->source, curve->time,
                               curve->start_time + MIN (value, span - 1));
  return CLAMP (icount, curve->start_icount, curve->end_icount - 1);
}

size_t
dg_curve_column_at (const struct dg_curve *curve, uint64_t icount)
{
  return DG_BISECT (1, curve->n_columns, i,
                    curve->columns[i].start_icount <= icount)
         - 1;
}

uint32_t
dg_curve_series_of (const struct dg_curve *curve,
                    const struct dg_block *block)
{
  const struct owner *owner = (const struct owner *) curve;
  uint32_t origin = dg_curve_origin_of (curve->source, block);

  return origin == DG_NONE ? DG_NONE
                           : owner->series_of[owner->groups->of[origin]];
}

uint32_t
dg_curve_id_of (const struct dg_curve *curve, const struct dg_block *block)
{
  const struct owner *owner = (const struct owner *) curve;
  uint32_t origin = dg_curve_origin_of (curve->source, block);

  return origin == DG_NONE ? DG_NONE : owner->groups->of[origin];
}

void
dg_curve_describe (const struct dg_curve *curve, uint32_t id,
                   struct dg_curve_series *series)
{
  const struct owner *owner = (const struct owner *) curve;
  const struct dg_curve_groups *groups = owner->groups;
  const struct dg_curve_origin *origin =
    (const struct dg_curve_origin *) curve->source->origins.items
    + groups->groups[id].origin;
  const struct candidate candidate = {.group = id};

  *series = (struct dg_curve_series){0};
  fill_series (series, groups, &candidate);
  series->stack = origin->stack;
  series->stack_icount = origin->icount;
}
