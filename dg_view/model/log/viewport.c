/* viewport.c: zooming, moving, and the way back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "viewport.h"

#include <math.h>

#define HISTORY_MAX 200

void
dv_viewport_init (struct dv_viewport *viewport)
{
  *viewport = (struct dv_viewport){ 0 };
  viewport->back = g_array_new (FALSE, FALSE, sizeof (struct dv_view));
  viewport->forward = g_array_new (FALSE, FALSE, sizeof (struct dv_view));
}

void
dv_viewport_fini (struct dv_viewport *viewport)
{
  g_array_unref (viewport->back);
  g_array_unref (viewport->forward);
}

void
dv_viewport_reset (struct dv_viewport *viewport, const struct dv_view *full)
{
  viewport->full = *full;
  viewport->now = *full;
  g_array_set_size (viewport->back, 0);
  g_array_set_size (viewport->forward, 0);
}

static void
map_all (GArray *views, dv_viewport_map_fn map, void *user)
{
  for (guint i = 0; i < views->len; i++) {
    struct dv_view *view = &g_array_index (views, struct dv_view, i);
    *view = map (user, view);
  }
}

void
dv_viewport_map (struct dv_viewport *viewport, const struct dv_view *full,
                 dv_viewport_map_fn map, void *user)
{
  struct dv_view now = map (user, &viewport->now);
  viewport->full = *full;
  viewport->now = dv_view_clamp (now, full);
  map_all (viewport->back, map, user);
  map_all (viewport->forward, map, user);
}

static void
push (GArray *stack, const struct dv_view *view)
{
  if (stack->len >= HISTORY_MAX)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *view);
}

bool
dv_viewport_show (struct dv_viewport *viewport, const struct dv_view *view,
                  bool remember)
{
  struct dv_view next = dv_view_clamp (*view, &viewport->full);
  if (dv_view_equal (&next, &viewport->now))
    return false;
  if (remember) {
    push (viewport->back, &viewport->now);
    g_array_set_size (viewport->forward, 0);
  }
  viewport->now = next;
  return true;
}

bool
dv_viewport_fit (struct dv_viewport *viewport)
{
  struct dv_view full = viewport->full;
  return dv_viewport_show (viewport, &full, true);
}

/* From the top of one stack to the view, and the view to the other.  */
static bool
travel (struct dv_viewport *viewport, GArray *from, GArray *to)
{
  if (from->len == 0)
    return false;
  push (to, &viewport->now);
  viewport->now = g_array_index (from, struct dv_view, from->len - 1);
  g_array_set_size (from, from->len - 1);
  return true;
}

bool
dv_viewport_back (struct dv_viewport *viewport)
{
  return travel (viewport, viewport->back, viewport->forward);
}

bool
dv_viewport_forward (struct dv_viewport *viewport)
{
  return travel (viewport, viewport->forward, viewport->back);
}

/* The point at `fraction` stays, as far as the ends allow.  */
static void
zoom_axis (struct dv_viewport_axis *axis, uint64_t low, uint64_t high,
           uint64_t least, double factor, double fraction)
{
  long double all = (long double) (high - low);
  long double smallest = fminl ((long double) least, all);
  /* At the closest, the point under the pointer would only slide.  */
  if (factor < 1 && axis->span <= smallest)
    return;
  long double wanted = fminl (fmaxl (axis->span * factor, smallest), all);
  long double rest = axis->rest + (axis->span - wanted) * fraction;
  long double whole = floorl (rest);
  axis->rest = rest - whole;
  axis->span = wanted;
  if (whole >= 0) {
    axis->start += (uint64_t) whole;
  } else if (-whole > (long double) (axis->start - low)) {
    axis->start = low;
    axis->rest = 0;
  } else {
    axis->start -= (uint64_t) -whole;
  }
  if ((long double) (high - axis->start) - axis->rest < wanted) {
    axis->start = high - (uint64_t) ceill (wanted);
    axis->rest = ceill (wanted) - wanted;
  }
}

/* To whole ends.  */
static void
round_axis (const struct dv_viewport_axis *axis, uint64_t low, uint64_t high,
            uint64_t *first, uint64_t *last)
{
  uint64_t span = MIN ((uint64_t) roundl (axis->span), high - low);
  *first = MIN (axis->start + (axis->rest >= 0.5L ? 1 : 0), high - span);
  *last = *first + span;
}

bool
dv_viewport_zoom (struct dv_viewport *viewport, enum dv_axis axes,
                  double factor, double fx, double fy, bool remember)
{
  const struct dv_view *full = &viewport->full, *now = &viewport->now;
  struct dv_view view = *now;
  if (!dv_view_equal (now, &viewport->rounded)) {
    viewport->exact_x = (struct dv_viewport_axis){
      now->x0, 0, (long double) (now->x1 - now->x0) };
    viewport->exact_y = (struct dv_viewport_axis){
      now->y0, 0, (long double) (now->y1 - now->y0) };
  }
  if (axes & DV_AXIS_X) {
    zoom_axis (&viewport->exact_x, full->x0, full->x1, DV_MIN_BYTES, factor,
               fx);
    round_axis (&viewport->exact_x, full->x0, full->x1, &view.x0, &view.x1);
  }
  if (axes & DV_AXIS_Y) {
    zoom_axis (&viewport->exact_y, full->y0, full->y1, DV_MIN_INSTRUCTIONS,
               factor, fy);
    round_axis (&viewport->exact_y, full->y0, full->y1, &view.y0, &view.y1);
  }
  viewport->rounded = view;
  return dv_viewport_show (viewport, &view, remember);
}

static void
move_axis (uint64_t *start, uint64_t *end, uint64_t low, uint64_t high,
           double fraction)
{
  uint64_t span = *end - *start;
  double by = round ((double) span * fraction);
  double first = fmin (fmax ((double) *start + by, (double) low),
                       (double) (high - span));
  *start = (uint64_t) first;
  *end = *start + span;
}

bool
dv_viewport_move (struct dv_viewport *viewport, double dx, double dy,
                  bool remember)
{
  struct dv_view view = viewport->now;
  const struct dv_view *full = &viewport->full;
  move_axis (&view.x0, &view.x1, full->x0, full->x1, dx);
  move_axis (&view.y0, &view.y1, full->y0, full->y1, dy);
  return dv_viewport_show (viewport, &view, remember);
}
