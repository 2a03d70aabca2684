/* cache_windows.c: how long the windows of a sample would have to be for the
   misses of a level.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include "base/number.h"

/* Limits are good enough if the upper one is at most so many times the lower
   one, or at most such a part of the accesses.  */
#define FACTOR 2
#define NEXT_TO_NONE 1000

/* Lines that became known in a level, of n kinds.  */
static double
lines_of (const struct dg_cache_depths *depths, unsigned n)
{
  double lines = 0;

  for (unsigned i = 0; i < n; i++)
    lines += dg_cache_depths_sum (&depths[i], depths[i].unknown)
             + dg_cache_depths_sum (&depths[i], depths[i].maybe_unknown);
  return lines;
}

uint64_t
dg_cache_run_window (const struct dg_cache_run *run,
                     const struct dg_cache_shape *shape,
                     const struct dg_cache_depths *depths, unsigned n)
{
  uint64_t counted[DG_EVENTS_ALL];
  double lines = lines_of (depths, n), window;

  dg_cache_run_counted (run, counted);
  if (lines <= 0)
    return 0;
  window = (double) (shape->size / shape->line) * (double) counted[DG_EV_IR]
           / lines;
  return window < 1e18 ? (uint64_t) window : 0;
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

bool
dg_cache_is_known (uint64_t least, uint64_t most, uint64_t accesses)
{
  return most / FACTOR <= least || most <= accesses / NEXT_TO_NONE;
}

/* Whether longer windows would help: not if windows already have that length,
   or if the run is shorter.  */
static bool
is_filled (const struct dg_cache_run *run, uint64_t window)
{
  struct dg_sampling sampling;

  return dg_sampling_of (run->log, &sampling, NULL) > 0
         && sampling.windows > 0
         && window > sampling.recorded / sampling.windows
         && window < sampling.executed;
}

void
dg_cache_tell_window (const struct dg_cache_run *run, const char *name,
                      uint64_t least, uint64_t most, uint64_t accesses,
                      uint64_t window, struct dg_report *report)
{
  char from[DG_NUMBER_TEXT], to[DG_NUMBER_TEXT], about[DG_NUMBER_TEXT];

  if (window == 0 || dg_cache_is_known (least, most, accesses))
    return;
  dg_number_text (from, sizeof from, least);
  dg_number_text (to, sizeof to, most);
  write_about (about, sizeof about, window);
  if (is_filled (run, window))
    dg_report_note (report,
                    "Windows are too short for %s: from %s to %s of the "
                    "recorded accesses miss it (not scaled).  The program "
                    "touches as many lines as it has in about %s "
                    "instructions; windows (--datagrind-window) should be "
                    "several times as long.", name, from, to, about);
  else
    dg_report_note (report,
                    "Windows do not fill %s: from %s to %s of the recorded "
                    "accesses miss it (not scaled).  The program seems to "
                    "touch fewer lines than it has: record the whole run to "
                    "know its misses.", name, from, to);
}
