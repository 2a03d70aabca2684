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

bool
dv_view_equal (const struct dv_view *a, const struct dv_view *b)
{
  return a->x0 == b->x0 && a->x1 == b->x1 && a->y0 == b->y0 && a->y1 == b->y1;
}

bool
dv_view_is_empty (const struct dv_view *view)
{
  return view->x0 >= view->x1 || view->y0 >= view->y1;
}

/* One axis of dv_view_clamp.  */
static void
clamp_axis (uint64_t *start, uint64_t *end, uint64_t low, uint64_t high,
            uint64_t least)
{
  uint64_t all = high - low;
  uint64_t span = *end > *start ? *end - *start : 0;
  if (span < MIN (least, all)) {
    uint64_t more = MIN (least, all) - span;
    *start = *start > more / 2 ? *start - more / 2 : 0;
    span += more;
  }
  span = MIN (span, all);
  if (*start < low)
    *start = low;
  if (*start > high - span)
    *start = high - span;
  *end = *start + span;
}

struct dv_view
dv_view_clamp (struct dv_view view, const struct dv_view *full)
{
  clamp_axis (&view.x0, &view.x1, full->x0, full->x1, DV_MIN_BYTES);
  clamp_axis (&view.y0, &view.y1, full->y0, full->y1, DV_MIN_INSTRUCTIONS);
  return view;
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

static void
zoom_axis (uint64_t *start, uint64_t *end, uint64_t low, uint64_t high,
           double factor, double fraction)
{
  double span = (double) (*end - *start);
  double wanted = fmin (fmax (round (span * factor), 1),
                        (double) (high - low));
  /* Rounding must not stop a slow zoom for ever.  */
  if (wanted == span && factor < 1 && span > 1)
    wanted -= 1;
  else if (wanted == span && factor > 1)
    wanted += 1;
  double shift = (span - wanted) * fraction;
  double first = fmax ((double) low, (double) *start + round (shift));
  *start = (uint64_t) first;
  *end = *start + (uint64_t) wanted;
}

bool
dv_viewport_zoom (struct dv_viewport *viewport, enum dv_axis axes,
                  double factor, double fx, double fy, bool remember)
{
  struct dv_view view = viewport->now;
  const struct dv_view *full = &viewport->full;
  /* At the closest, the point under the pointer would only slide.  */
  if (axes & DV_AXIS_X && (factor > 1 || view.x1 - view.x0 > DV_MIN_BYTES))
    zoom_axis (&view.x0, &view.x1, full->x0, full->x1, factor, fx);
  if (axes & DV_AXIS_Y
      && (factor > 1 || view.y1 - view.y0 > DV_MIN_INSTRUCTIONS))
    zoom_axis (&view.y0, &view.y1, full->y0, full->y1, factor, fy);
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
