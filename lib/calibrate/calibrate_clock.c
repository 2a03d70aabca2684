/* calibrate_clock.c: how many cycles of the core a loop takes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate_clock.h"

#include <glib.h>
#include <time.h>

#include "calibrate_keep.h"

/* Additions between two runs: long for the clock, short for the scheduler.  */
#define ADDITIONS 262144
/* A loop whose runs spread more than this is measured again, so often.  */
#define GOOD     0.05
#define ATTEMPTS 3

static double
now (void *user)
{
  struct timespec time;

  (void) user;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

/* Of registers: some cores add a small constant at no cost.  */
static void
add (void *user, unsigned additions)
{
  size_t x = additions, y = additions;

  (void) user;
  KEEP (y);
  for (unsigned i = 0; i < additions / 64; i++) {
    TIMES64 (x += y; KEEP (x);)
  }
}

void
dg_calibrate_clock_init (struct dg_calibrate_clock *clock, unsigned runs)
{
  *clock = (struct dg_calibrate_clock) {
    .now = now, .add = add, .runs = MIN (runs, DG_CALIBRATE_RUNS)};
  dg_calibrate_clock_start (clock);
}

void
dg_calibrate_clock_start (struct dg_calibrate_clock *clock)
{
  double least = G_MAXDOUBLE;

  for (unsigned i = 0; i < 100; i++) {
    double start = clock->now (clock->user),
           cost = clock->now (clock->user) - start;

    least = MIN (least, cost);
  }
  clock->cost = MAX (least, 0);
}

/* ns of a cycle, now.  */
static double
cycle (struct dg_calibrate_clock *clock)
{
  double start = clock->now (clock->user), ns;

  clock->add (clock->user, ADDITIONS);
  ns = (clock->now (clock->user) - start - clock->cost) / ADDITIONS;
  return MAX (ns, 1e-3);
}

static bool
is_late (const struct dg_calibrate_clock *clock)
{
  return clock->hurry_us > 0 && g_get_monotonic_time () > clock->hurry_us;
}

static struct dg_calibrate_sample
measure_once (struct dg_calibrate_clock *clock,
              const struct dg_calibrate_loop *loop)
{
  unsigned n = is_late (clock) ? MAX (clock->runs / 4, 1) : clock->runs;
  double runs[DG_CALIBRATE_RUNS], cycles[DG_CALIBRATE_RUNS], ns_of_cycle;

  for (unsigned i = 0; i < n; i++) {
    double start;

    if (loop->prepare != NULL)
      loop->prepare (loop->user);
    cycles[i] = cycle (clock);
    start = clock->now (clock->user);
    loop->run (loop->user);
    runs[i] = (clock->now (clock->user) - start - clock->cost)
              / loop->operations;
  }
  ns_of_cycle = dg_calibrate_summary (cycles, n).value;
  for (unsigned i = 0; i < n; i++)
    runs[i] /= ns_of_cycle;
  return dg_calibrate_summary (runs, n);
}

struct dg_calibrate_sample
dg_calibrate_measure (struct dg_calibrate_clock *clock,
                      const struct dg_calibrate_loop *loop)
{
  struct dg_calibrate_sample best = measure_once (clock, loop);

  for (unsigned i = 1; i < ATTEMPTS && best.spread > GOOD && !is_late (clock);
       i++) {
    struct dg_calibrate_sample again = measure_once (clock, loop);

    if (again.spread < best.spread)
      best = again;
  }
  return best;
}

struct dg_calibrate_sample
dg_calibrate_cycle (struct dg_calibrate_clock *clock)
{
  double cycles[DG_CALIBRATE_RUNS];

  for (unsigned i = 0; i < clock->runs; i++)
    cycles[i] = cycle (clock);
  return dg_calibrate_summary (cycles, clock->runs);
}
