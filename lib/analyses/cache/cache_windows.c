/* cache_windows.c: how long the windows of a sample would have to be for the
   misses of a level.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include "base/number.h"

/* What is at most so many times what is at least, is good enough.  */
#define FACTOR 2.0

static double
sum (const uint64_t *numbers, size_t n)
{
  double all = 0;

  for (size_t i = 0; i < n; i++)
    all += (double) numbers[i];
  return all;
}

/* Lines that became known in a level, of n kinds.  */
static double
lines_of (const struct dg_cache_depths *depths, unsigned n)
{
  double lines = 0;

  for (unsigned i = 0; i < n; i++)
    lines += sum (depths[i].unknown, depths[i].n)
             + sum (depths[i].maybe_unknown, depths[i].n);
  return lines;
}

uint64_t
dg_cache_run_window (const struct dg_cache_run *run,
                     const struct dg_cache_shape *shape,
                     const struct dg_cache_depths *depths, unsigned n)
{
  uint64_t counted[DG_EVENTS_ALL];
  double lines = lines_of (depths, n);

  dg_cache_run_counted (run, counted);
  if (lines <= 0)
    return 0;
  return (uint64_t) ((double) (shape->size / shape->line)
                     * (double) counted[DG_EV_IR] / lines);
}

/* 1234567 as 1,200,000: more digits would say too much.  */
static void
write_about (char *text, size_t size, uint64_t n)
{
  uint64_t unit = 1;

  while (n / unit >= 100)
    unit *= 10;
  dg_number_text (text, size, (n + unit / 2) / unit * unit);
}

void
dg_cache_tell_window (const char *name, uint64_t least, uint64_t most,
                      uint64_t window, struct dg_report *report)
{
  char from[DG_NUMBER_TEXT], to[DG_NUMBER_TEXT], about[DG_NUMBER_TEXT];

  if ((double) most <= FACTOR * (double) least || window == 0)
    return;
  dg_number_text (from, sizeof from, least);
  dg_number_text (to, sizeof to, most);
  write_about (about, sizeof about, window);
  dg_report_note (report,
                  "Windows are too short for %s: of its misses in them, %s "
                  "are certain, and %s are possible.  It has as many lines as "
                  "are touched in about %s instructions; windows "
                  "(--datagrind-window) should be several times as long.",
                  name, from, to, about);
}
