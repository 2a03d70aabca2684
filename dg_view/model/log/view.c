/* view.c: parts of the picture, compared and made to fit.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "view.h"

#include <glib.h>

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
