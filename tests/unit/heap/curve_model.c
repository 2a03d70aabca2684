/* curve_model.c: curves of the heap, worked out moment by moment from the
   list of blocks, to compare dg_curve with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve_model.h"

#include "all_blocks.h"
#include "dg_record.h"

static bool
counts (const struct dg_block *block)
{
  return block->allocator != DG_ALLOC_POOL
         && block->alloc_icount < block->free_icount;
}

void
curve_model_init (struct curve_model *model, const struct dg_log *log)
{
  model->log = log;
  model->blocks = all_blocks (log, &model->n_blocks);
  model->end = dg_log_summary (log)->last_icount + 1;
  model->total = g_new0 (uint64_t, model->end + 1);
  model->turnover = g_new0 (uint64_t, model->end + 1);
  model->count = g_new0 (uint64_t, model->end + 1);
  for (size_t i = 0; i < model->n_blocks; i++) {
    const struct dg_block *block = model->blocks + i;

    if (!counts (block))
      continue;
    model->total[block->alloc_icount] += block->size;
    model->turnover[block->alloc_icount] += block->size;
    model->count[block->alloc_icount]++;
    if (block->free_icount < model->end) {
      model->total[block->free_icount] -= block->size;
      model->turnover[block->free_icount] += block->size;
      model->count[block->free_icount]--;
    }
  }
  for (uint64_t t = 1; t < model->end; t++) {
    model->total[t] += model->total[t - 1];
    model->turnover[t] += model->turnover[t - 1];
    model->count[t] += model->count[t - 1];
  }
}

void
curve_model_fini (struct curve_model *model)
{
  g_free (model->blocks);
  g_free (model->total);
  g_free (model->turnover);
  g_free (model->count);
}

static uint64_t
time_of (const struct curve_model *model, enum dg_curve_time time, uint64_t t)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (model->log, &n);
  uint64_t ns;

  if (time != DG_CURVE_NS)
    return time == DG_CURVE_BYTES ? model->turnover[t] : t;
  /* An axis goes on behind the last reading.  */
  return dg_log_ns (model->log, t, &ns) ? ns : clock[n - 1].ns;
}

static uint64_t
edge (const struct dg_curve *curve, size_t c)
{
  return curve->start_time
         + (curve->end_time - curve->start_time) * c / curve->n_columns;
}

/* Moments first..last, the states of which a column has.  */
static void
moments_of (const struct curve_model *model, const struct dg_curve *curve,
            size_t c, uint64_t *first, uint64_t *last)
{
  uint64_t from = edge (curve, c), to = edge (curve, c + 1) - 1;

  *first = *last = curve->start_icount;
  for (uint64_t t = curve->start_icount; t < curve->end_icount; t++) {
    uint64_t here = time_of (model, curve->time, t);

    switch (curve->time) {
    case DG_CURVE_BYTES:
      /* The last moments of the states that have come so far.  */
      if (here <= from)
        *first = t;
      if (here <= to)
        *last = t;
      break;
    default:
      if (here < from)
        *first = t + 1;
      if (here <= to)
        *last = t;
      break;
    }
  }
  if (*first >= curve->end_icount)
    *first = curve->end_icount;
  if (*last < *first)
    *last = *first;
}

static void
check_column (const struct curve_model *model, const struct dg_curve *curve,
              size_t c)
{
  const struct dg_curve_column *column = curve->columns + c;
  uint64_t first, last, most = 0, least = UINT64_MAX, when = DG_NEVER;
  uint64_t *sums = g_new0 (uint64_t, curve->n_series + 1);

  moments_of (model, curve, c, &first, &last);
  if (c == 0)
    g_assert_cmpuint (column->start_icount, ==, curve->start_icount);
  else
    g_assert_cmpuint (column->start_icount, ==, column[-1].end_icount);
  if (c + 1 == curve->n_columns)
    g_assert_cmpuint (column->end_icount, ==, curve->end_icount);
  if (curve->time != DG_CURVE_BYTES)
    g_assert_cmpuint (column->start_icount, ==, first);
  for (uint64_t t = first; t <= MIN (last, model->end - 1); t++) {
    least = MIN (least, model->total[t]);
    if (when == DG_NEVER || model->total[t] > most) {
      when = t;
      most = model->total[t];
    }
  }
  if (when != DG_NEVER) {
    g_assert_cmpuint (column->total, ==, most);
    g_assert_cmpuint (column->min_total, ==, least);
    if (curve->time == DG_CURVE_INSTRUCTIONS)
      g_assert_cmpuint (column->icount, ==, when);
  }
  when = MIN (column->icount, model->end - 1);
  g_assert_cmpuint (column->total, ==, model->total[when]);
  g_assert_cmpuint (column->blocks, ==, model->count[when]);
  for (size_t i = 0; i < model->n_blocks; i++) {
    const struct dg_block *block = model->blocks + i;

    if (!counts (block) || block->alloc_icount > when
        || block->free_icount <= when || block->size == 0)
      continue;
    g_assert_cmpuint (dg_curve_series_of (curve, block), <, curve->n_series);
    sums[dg_curve_series_of (curve, block)] += block->size;
  }
  for (size_t s = 0; s < curve->n_series; s++) {
    g_assert_cmpuint (sums[s], ==, curve->bytes[c * curve->n_series + s]);
    g_assert_cmpuint (sums[s], <=, curve->series[s].max_bytes);
  }
  g_free (sums);
}

static uint64_t
key_of (const struct dg_curve *curve, const struct dg_block *block)
{
  uint32_t n = block->alloc_stack.n;
  uint32_t i = n > 1 && dg_site_is_call (block->allocator);

  switch (curve->by) {
  case DG_CURVE_BY_SITE:
    return n > 0 ? block->alloc_stack.sites[i] : 0;
  case DG_CURVE_BY_ALLOCATOR:
    return block->allocator;
  case DG_CURVE_BY_THREAD:
    return block->alloc_thread;
  default:
    return 0;
  }
}

static void
check_series (const struct curve_model *model, const struct dg_curve *curve)
{
  uint64_t *keys = g_new (uint64_t, curve->n_series + 1);
  bool *known = g_new0 (bool, curve->n_series + 1);
  uint64_t *peak = g_new0 (uint64_t, 2 * curve->n_series + 1);

  for (size_t i = 0; i < model->n_blocks; i++) {
    const struct dg_block *block = model->blocks + i;
    uint32_t s = dg_curve_series_of (curve, block);

    if (!counts (block))
      g_assert_cmpuint (s, ==, DG_NONE);
    if (s == DG_NONE)
      continue;
    g_assert_cmpuint (s, <, curve->n_series);
    if (block->alloc_icount <= curve->peak_icount
        && block->free_icount > curve->peak_icount) {
      peak[2 * s] += block->size;
      peak[2 * s + 1]++;
    }
    if (curve->series[s].id == DG_NONE)
      continue;
    if (known[s])
      g_assert_cmpuint (keys[s], ==, key_of (curve, block));
    keys[s] = key_of (curve, block);
    known[s] = true;
  }
  for (size_t s = 0; s < curve->n_series; s++) {
    const struct dg_curve_series *series = curve->series + s;
    uint64_t most = 0;

    g_assert_nonnull (series->name);
    g_assert_cmpuint (series->peak_bytes, ==, peak[2 * s]);
    if (series->id == DG_NONE) {
      g_assert_cmpuint (s, ==, curve->n_series - 1);
      g_assert_cmpuint (series->members, >, 1);
      continue;
    }
    g_assert_cmpuint (series->peak_blocks, ==, peak[2 * s + 1]);
    g_assert_true (known[s]);
    for (size_t other = 0; other < s; other++)
      g_assert_cmpuint (keys[other], !=, keys[s]);
    if (s > 0)
      g_assert_cmpuint (series->peak_bytes, <=, series[-1].peak_bytes);
    for (size_t c = 0; c < curve->n_columns; c++)
      most = MAX (most, curve->bytes[c * curve->n_series + s]);
    g_assert_cmpuint (series->max_bytes, ==, most);
  }
  g_free (keys);
  g_free (known);
  g_free (peak);
}

/* Events and gaps, from the log's own lists.  */
static void
check_marks (const struct dg_curve *curve)
{
  size_t n, n_events = 0;
  const struct dg_event *events = dg_log_events (curve->log, &n);

  for (size_t i = 0; i < n; i++) {
    if (events[i].start_icount >= curve->end_icount
        || (events[i].end_icount <= curve->start_icount
            && events[i].start_icount < curve->start_icount))
      continue;
    g_assert_cmpuint (n_events, <, curve->n_events);
    g_assert_cmpuint (curve->events[n_events++], ==, i);
  }
  g_assert_cmpuint (n_events, ==, curve->n_events);
  for (size_t i = 0; i < curve->n_gaps; i++) {
    g_assert_cmpuint (curve->gaps[i].start_icount, <, curve->end_icount);
    g_assert_cmpuint (curve->gaps[i].start_icount, <=,
                      curve->gaps[i].end_icount);
    if (i > 0)
      g_assert_cmpuint (curve->gaps[i - 1].end_icount, <=,
                        curve->gaps[i].start_icount);
  }
}

static void
check_places (const struct curve_model *model, const struct dg_curve *curve)
{
  double last = 0;

  for (uint64_t t = curve->start_icount; t < curve->end_icount;
       t += 1 + (curve->end_icount - curve->start_icount) / 50) {
    double position = dg_curve_position (curve, t);
    uint64_t back = dg_curve_moment (curve, position);
    size_t c = dg_curve_column_at (curve, t);

    g_assert_cmpfloat (position, >=, last);
    g_assert_cmpfloat (position, <=, 1);
    last = position;
    g_assert_cmpuint (back, >=, curve->start_icount);
    g_assert_cmpuint (back, <, curve->end_icount);
    if (curve->time == DG_CURVE_INSTRUCTIONS)
      g_assert_true (back == t || back + 1 == t);
    g_assert_cmpuint (curve->columns[c].start_icount, <=, t);
    g_assert_true (c + 1 == curve->n_columns
                   || curve->columns[c + 1].start_icount > t);
  }
  g_assert_cmpfloat (dg_curve_position (curve, DG_NEVER), ==, 1);
  g_assert_cmpuint (dg_curve_moment (curve, -1), >=, curve->start_icount);
  g_assert_cmpuint (dg_curve_moment (curve, 2), <, curve->end_icount);
}

/* A log may say that time ran backwards; then there is nothing to compare
   with.  */
static bool
goes_forward (const struct dg_log *log)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);

  for (size_t i = 1; i < n; i++)
    if (clock[i].ns < clock[i - 1].ns)
      return false;
  return true;
}

void
curve_model_check (const struct curve_model *model,
                   struct dg_curve_source *source,
                   const struct dg_curve_options *options)
{
  struct dg_error err = {0};
  struct dg_curve *curve;
  uint64_t most = 0;
  int code = dg_curve_build (source, options, NULL, NULL, &curve, &err);

  if (options->time == DG_CURVE_NS && !goes_forward (model->log)) {
    dg_curve_free (curve);
    return;
  }
  if (options->time == DG_CURVE_NS && code < 0) {
    size_t n;

    dg_log_clock (model->log, &n);
    g_assert_cmpuint (n, ==, 0);
    g_assert_cmpint (code, ==, DG_ERR_INVALID);
    g_assert_null (curve);
    return;
  }
  g_assert_cmpint (code, ==, 0);
  g_assert_cmpuint (curve->n_columns, <=, options->columns);
  for (size_t c = 0; c < curve->n_columns; c++) {
    check_column (model, curve, c);
    most = MAX (most, curve->columns[c].total);
  }
  g_assert_cmpuint (curve->peak_bytes, ==, most);
  g_assert_cmpuint (curve->peak_icount, ==,
                    curve->columns[curve->peak_column].icount);
  g_assert_cmpuint (curve->peak_blocks, ==,
                    curve->columns[curve->peak_column].blocks);
  for (size_t c = 0; c < curve->peak_column; c++)
    g_assert_cmpuint (curve->columns[c].total, <, most);
  check_series (model, curve);
  check_marks (curve);
  check_places (model, curve);
  dg_curve_free (curve);
}
