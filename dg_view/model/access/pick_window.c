/* pick_window.c: accesses as they come, and those around the best one.

   What is kept is a row around the best one so far and, when that lies far
   back, another with the latest, which the next best would need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pick_window.h"

#include <math.h>

/* Half a row.  */
#define HALF  2048u
#define LIMIT (8 * HALF)

void
dv_pick_window_init (struct dv_pick_window *window)
{
  *window = (struct dv_pick_window){ .badness = INFINITY };
  window->accesses = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
}

void
dv_pick_window_fini (struct dv_pick_window *window)
{
  g_array_unref (window->accesses);
}

/* Takes [from, to) out.  */
static void
take_out (struct dv_pick_window *window, guint from, guint to)
{
  if (to > from)
    g_array_remove_range (window->accesses, from, to - from);
}

static void
drop_first_row (struct dv_pick_window *window)
{
  take_out (window, 0, window->gap);
  window->first = window->after;
  window->best -= window->gap;
  window->gap = 0;
}

/* Makes room.  */
static void
compact (struct dv_pick_window *window)
{
  if (window->gap > 0 && window->best >= window->gap)
    drop_first_row (window);
  guint n = window->accesses->len;
  if (window->gap > 0) {
    window->after += n - HALF - window->gap;
    take_out (window, window->gap, n - HALF);
    return;
  }
  guint low = window->best > HALF ? window->best - HALF : 0;
  guint high = MIN (window->best + HALF, n);
  if (high < n - HALF) {
    window->gap = high - low;
    window->after = window->first + n - HALF;
    take_out (window, high, n - HALF);
  }
  take_out (window, 0, low);
  window->first += low;
  window->best -= low;
}

void
dv_pick_window_add (struct dv_pick_window *window,
                    const struct dg_access *access, double badness)
{
  if (window->accesses->len == LIMIT)
    compact (window);
  if (badness < window->badness) {
    window->badness = badness;
    window->best = window->accesses->len;
  }
  g_array_append_val (window->accesses, *access);
  window->total++;
}

void
dv_pick_window_close (struct dv_pick_window *window, guint kept)
{
  if (window->gap > 0 && window->best >= window->gap)
    drop_first_row (window);
  else if (window->gap > 0)
    g_array_set_size (window->accesses, window->gap);
  window->gap = 0;
  guint n = window->accesses->len;
  if (n <= kept)
    return;
  guint low = window->best > kept / 2 ? window->best - kept / 2 : 0;
  low = MIN (low, n - kept);
  g_array_set_size (window->accesses, low + kept);
  take_out (window, 0, low);
  window->first += low;
  window->best -= low;
}
