/* axis.c: ticks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "axis.h"

#include <math.h>
#include <string.h>

#include "format.h"

/* Segment starts that compete for a label.  */
#define MAX_STARTS 512

/* 1, 2 or 5 times a power of ten.  */
static uint64_t
round_step (double least)
{
  uint64_t power = 1;
  while ((double) power * 10 <= least && power < 1000000000000000000u)
    power *= 10;
  if ((double) power >= least)
    return power;
  if ((double) power * 2 >= least)
    return power * 2;
  if ((double) power * 5 >= least)
    return power * 5;
  return power * 10;
}

GArray *
dv_axis_counts (const struct dv_view *view, double pixels, double apart)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double span = (double) (view->y1 - view->y0);
  if (span <= 0 || pixels <= 0)
    return ticks;
  uint64_t step = round_step (span * apart / pixels);
  uint64_t count = (view->y0 + step - 1) / step * step;
  for (; count < view->y1; count += step) {
    struct dv_tick tick = { .value = count };
    tick.pixel = (double) (count - view->y0) * pixels / span;
    dv_format_count (tick.label, sizeof tick.label, count, step);
    g_array_append_val (ticks, tick);
  }
  return ticks;
}

/* The entry before which the clock has not reached `value`.  */
static size_t
find_clock (const struct dg_clock *clock, size_t n, uint64_t value,
            bool by_time)
{
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t there = by_time ? clock[middle].ns : clock[middle].icount;
    if (there <= value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Between two entries; `low` is that behind it, as of find_clock.  */
static double
between (double x, double x0, double x1, double y0, double y1)
{
  return x1 > x0 ? y0 + (x - x0) * (y1 - y0) / (x1 - x0) : y0;
}

static double
time_at (const struct dg_clock *clock, size_t n, uint64_t icount)
{
  size_t i = CLAMP (find_clock (clock, n, icount, false), 1, n - 1);
  double ns = between ((double) icount, (double) clock[i - 1].icount,
                       (double) clock[i].icount, (double) clock[i - 1].ns,
                       (double) clock[i].ns);
  return CLAMP (ns, (double) clock[0].ns, (double) clock[n - 1].ns);
}

/* In the unit that suits the step.  */
static void
format_time (char *text, size_t size, uint64_t ns, uint64_t step)
{
  static const struct { uint64_t ns; const char *name; } units[] = {
    { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "µs" }, { 1, "ns" }
  };
  guint u = 0;
  /* Up to two decimals.  */
  while (units[u].ns > 1 && step * 100 < units[u].ns)
    u++;
  int decimals = step >= units[u].ns ? 0 : step * 10 >= units[u].ns ? 1 : 2;
  g_snprintf (text, size, "%.*f %s", decimals,
              (double) ns / (double) units[u].ns, units[u].name);
}

GArray *
dv_axis_times (const struct dv_view *view, const struct dg_clock *clock,
               size_t n, double pixels, double apart)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double span = (double) (view->y1 - view->y0);
  if (n < 2 || span <= 0 || pixels <= 0)
    return ticks;
  double start = time_at (clock, n, view->y0);
  double end = time_at (clock, n, view->y1);
  if (end - start < 1)
    return ticks;
  uint64_t step = round_step ((end - start) * apart / pixels);
  uint64_t ns = ((uint64_t) start + step - 1) / step * step;
  double last = -apart;
  for (; (double) ns < end; ns += step) {
    size_t i = find_clock (clock, n, ns, true);
    if (i == 0 || i == n)
      continue;
    double icount = between ((double) ns, (double) clock[i - 1].ns,
                             (double) clock[i].ns,
                             (double) clock[i - 1].icount,
                             (double) clock[i].icount);
    struct dv_tick tick = { .value = (uint64_t) icount };
    tick.pixel = (icount - (double) view->y0) * pixels / span;
    /* Where little is executed in a long time, they crowd.  */
    if (tick.pixel < 0 || tick.pixel >= pixels
        || tick.pixel < last + apart / 3)
      continue;
    last = tick.pixel;
    format_time (tick.label, sizeof tick.label, ns, step);
    g_array_append_val (ticks, tick);
  }
  return ticks;
}

/* A tick, and how much room the segment has that it begins.  */
struct candidate {
  struct dv_tick tick;
  double room;
};

static int
compare_rooms (const void *a, const void *b)
{
  double x = ((const struct candidate *) a)->room;
  double y = ((const struct candidate *) b)->room;
  return (x < y) - (x > y);
}

static int
compare_pixels (const void *a, const void *b)
{
  double x = ((const struct dv_tick *) a)->pixel;
  double y = ((const struct dv_tick *) b)->pixel;
  return (x > y) - (x < y);
}

static void
set_address (struct dv_tick *tick, uint64_t address, double pixel)
{
  tick->value = address;
  tick->pixel = pixel;
  g_snprintf (tick->label, sizeof tick->label, "0x%" G_GINT64_MODIFIER "x",
              address);
}

/* Adds the tick unless its label would touch another.  */
static void
place (GArray *ticks, const struct dv_tick *tick, double char_width)
{
  double half = (double) strlen (tick->label) * char_width / 2;
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *other = &g_array_index (ticks, struct dv_tick, i);
    double other_half = (double) strlen (other->label) * char_width / 2;
    if (fabs (other->pixel - tick->pixel)
        < half + other_half + 2 * char_width)
      return;
  }
  g_array_append_val (ticks, *tick);
}

/* The part of a segment that is in view.  */
static bool
visible_part (const struct dv_segment *segment, const struct dv_view *view,
              uint64_t *start, uint64_t *end)
{
  *start = MAX (segment->position, view->x0);
  *end = MIN (segment->position + segment->size, view->x1);
  return *start < *end;
}

static void
place_starts (GArray *ticks, const struct dv_layout *layout,
              const struct dv_view *view, double scale, double char_width)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  const struct dv_segment *end = layout->segments + layout->n;
  const struct dv_segment *s = dv_layout_segment (layout, view->x0);
  for (; s < end && s->position < view->x1; s++) {
    uint64_t first, last;
    if (s->position < view->x0 || !visible_part (s, view, &first, &last))
      continue;
    struct candidate start = { .room = (double) (last - first) * scale };
    set_address (&start.tick, s->address,
                 (double) (s->position - view->x0) * scale);
    g_array_append_val (starts, start);
  }
  g_array_sort (starts, compare_rooms);
  for (guint i = 0; i < MIN (starts->len, MAX_STARTS); i++)
    place (ticks, &g_array_index (starts, struct candidate, i).tick,
           char_width);
  g_array_unref (starts);
}

static void
place_round (GArray *ticks, const struct dv_layout *layout,
             const struct dv_view *view, double scale, double char_width)
{
  uint64_t step = 8;
  while ((double) step * scale < 20 * char_width && step < UINT64_MAX / 4)
    step *= 2;
  const struct dv_segment *end = layout->segments + layout->n;
  const struct dv_segment *s = dv_layout_segment (layout, view->x0);
  for (; s < end && s->position < view->x1; s++) {
    uint64_t first, last;
    if (!visible_part (s, view, &first, &last))
      continue;
    uint64_t address = s->address + (first - s->position);
    uint64_t size = last - first;
    uint64_t skip = -address & (step - 1);
    for (; skip < size; skip += step) {
      struct dv_tick tick;
      set_address (&tick, address + skip,
                   (double) (first + skip - view->x0) * scale);
      place (ticks, &tick, char_width);
    }
  }
}

GArray *
dv_axis_addresses (const struct dv_layout *layout, const struct dv_view *view,
                   double pixels, double char_width)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  if (layout->n == 0 || view->x0 >= view->x1 || pixels <= 0)
    return ticks;
  double scale = pixels / (double) (view->x1 - view->x0);
  place_starts (ticks, layout, view, scale, char_width);
  place_round (ticks, layout, view, scale, char_width);
  g_array_sort (ticks, compare_pixels);
  return ticks;
}
