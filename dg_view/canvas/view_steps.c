/* view_steps.c: what keys and the wheel do to a view, in all plots.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "view_steps.h"

#define KEY_STEP  1.5
#define KEY_MOVE  0.15
#define PAGE_MOVE 0.9

bool
dv_view_steps_of_key (guint key, struct dv_view_step *step)
{
  static const struct { guint key; double dx, dy; } moves[] = {
    { GDK_KEY_Left, -KEY_MOVE, 0 },    { GDK_KEY_Right, KEY_MOVE, 0 },
    { GDK_KEY_Up, 0, -KEY_MOVE },      { GDK_KEY_Down, 0, KEY_MOVE },
    { GDK_KEY_KP_Left, -KEY_MOVE, 0 }, { GDK_KEY_KP_Right, KEY_MOVE, 0 },
    { GDK_KEY_KP_Up, 0, -KEY_MOVE },   { GDK_KEY_KP_Down, 0, KEY_MOVE },
    { GDK_KEY_Page_Up, 0, -PAGE_MOVE },   { GDK_KEY_Page_Down, 0, PAGE_MOVE },
  };
  static const struct { guint key; enum dv_axis axes; bool in; } zooms[] = {
    { GDK_KEY_plus, DV_AXIS_BOTH, true },
    { GDK_KEY_equal, DV_AXIS_BOTH, true },
    { GDK_KEY_KP_Add, DV_AXIS_BOTH, true },
    { GDK_KEY_minus, DV_AXIS_BOTH, false },
    { GDK_KEY_KP_Subtract, DV_AXIS_BOTH, false },
    { GDK_KEY_x, DV_AXIS_X, true }, { GDK_KEY_X, DV_AXIS_X, false },
    { GDK_KEY_y, DV_AXIS_Y, true }, { GDK_KEY_Y, DV_AXIS_Y, false },
  };
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    if (moves[i].key == key) {
      *step = (struct dv_view_step){ .dx = moves[i].dx, .dy = moves[i].dy };
      return true;
    }
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    if (zooms[i].key == key) {
      *step = (struct dv_view_step){
        true, zooms[i].axes, zooms[i].in ? 1 / KEY_STEP : KEY_STEP, 0, 0 };
      return true;
    }
  return false;
}

void
dv_view_steps_scrolled (const GdkEventScroll *event, double *dx, double *dy)
{
  *dx = *dy = 0;
  switch (event->direction) {
  case GDK_SCROLL_UP: *dy = -1; break;
  case GDK_SCROLL_DOWN: *dy = 1; break;
  case GDK_SCROLL_LEFT: *dx = -1; break;
  case GDK_SCROLL_RIGHT: *dx = 1; break;
  case GDK_SCROLL_SMOOTH:
    *dx = event->delta_x;
    *dy = event->delta_y;
    break;
  }
}
