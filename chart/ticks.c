/* ticks.c: ticks of an axis.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ticks.h"

#include <math.h>
#include <libdatagrind.h>


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
dv_ticks_counts (uint64_t first, uint64_t end, double pixels, double apart)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double span = (double) (end - first);
  if (span <= 0 || pixels <= 0)
    return ticks;
  uint64_t step = round_step (span * apart / pixels);
  uint64_t count = first / step * step;
  if (count < first && UINT64_MAX - count < step)
    return ticks;
  count += count < first ? step : 0;
  for (; count < end; count += step) {
    struct dv_tick tick = { .value = count };
    tick.pixel = (double) (count - first) * pixels / span;
    dg_number_text_count (tick.label, sizeof tick.label, count, step);
    g_array_append_val (ticks, tick);
    if (UINT64_MAX - count < step)
      break;
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
dv_ticks_times (uint64_t first, uint64_t end, const struct dg_clock *clock,
                size_t n, double pixels, double apart)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double span = (double) (end - first);
  if (n < 2 || span <= 0 || pixels <= 0)
    return ticks;
  double from = time_at (clock, n, first);
  double to = time_at (clock, n, end);
  if (to - from < 1)
    return ticks;
  uint64_t step = round_step ((to - from) * apart / pixels);
  uint64_t ns = ((uint64_t) from + step - 1) / step * step;
  double last = -apart;
  for (; (double) ns < to; ns += step) {
    size_t i = find_clock (clock, n, ns, true);
    if (i == 0 || i == n)
      continue;
    double icount = between ((double) ns, (double) clock[i - 1].ns,
                             (double) clock[i].ns,
                             (double) clock[i - 1].icount,
                             (double) clock[i].icount);
    struct dv_tick tick = { .value = (uint64_t) icount };
    tick.pixel = (icount - (double) first) * pixels / span;
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

GArray *
dv_ticks_ns (uint64_t first, uint64_t end, double pixels, double apart)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double span = (double) (end - first);
  if (span <= 0 || pixels <= 0)
    return ticks;
  uint64_t step = round_step (span * apart / pixels);
  for (uint64_t i = first / step + (first % step != 0);
       i <= (end - 1) / step; i++) {
    struct dv_tick tick = { .value = i * step };
    tick.pixel = (double) (tick.value - first) * pixels / span;
    format_time (tick.label, sizeof tick.label, tick.value, step);
    g_array_append_val (ticks, tick);
  }
  return ticks;
}

/* 1, 2 or 5 times a power of ten of the unit, or hundredths of it.  */
static double
bytes_step (double least, double unit)
{
  if (unit == 1 || least >= unit)
    return (double) round_step (least / unit) * unit;
  return (double) round_step (least / unit * 100) * unit / 100;
}

GArray *
dv_ticks_bytes (uint64_t first, uint64_t end, double pixels, double apart)
{
  static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB",
                                       "PiB", "EiB" };
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  double unit = 1, span = (double) (end - first);
  guint u = 0;
  if (pixels <= 0 || end <= first)
    return ticks;
  while (u + 1 < G_N_ELEMENTS (names) && (double) end >= 2 * unit * 1024) {
    unit *= 1024;
    u++;
  }
  double step = bytes_step (span * apart / pixels, unit);
  int decimals = unit == 1 || step >= unit ? 0 : step * 10 >= unit ? 1 : 2;
  for (double i = ceil ((double) first / step); i * step <= (double) end;
       i++) {
    struct dv_tick tick = { .value = (uint64_t) (i * step) };
    tick.pixel = (i * step - (double) first) * pixels / span;
    if (i < 1)
      g_strlcpy (tick.label, "0", sizeof tick.label);
    else
      g_snprintf (tick.label, sizeof tick.label, "%.*f %s", decimals,
                  i * step / unit, names[u]);
    g_array_append_val (ticks, tick);
    if (i * step + step <= i * step)
      break;
  }
  return ticks;
}
