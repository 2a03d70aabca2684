/* canvas_drag.c: what a button that is held down does to the view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

/* What a drag that begins there selects: in the data both axes, on an axis
   that one; 0: nothing.  */
enum dv_axis
dv_canvas_axes_at (const struct dv_canvas *canvas, double x, double y)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  bool across = x >= area.x && x < area.x + area.width;
  bool down = y >= area.y && y < area.y + area.height;
  if (across && down)
    return DV_AXIS_BOTH;
  if (across && y >= area.y + area.height)
    return DV_AXIS_X;
  if (down && x < area.x)
    return DV_AXIS_Y;
  return 0;
}

void
dv_canvas_shape_pointer (struct dv_canvas *canvas, double x, double y)
{
  enum dv_axis axes = dv_canvas_axes_at (canvas, x, y);
  if (canvas->drag == DV_DRAG_PAN)
    dv_canvas_set_pointer (canvas, "grabbing");
  else if (canvas->drag == DV_DRAG_NONE)
    dv_canvas_set_pointer (canvas,
                           !dv_canvas_has_view (canvas) ? "default"
                           : axes == DV_AXIS_X ? "ew-resize"
                           : axes == DV_AXIS_Y ? "ns-resize"
                           : axes == DV_AXIS_BOTH ? "crosshair"
                           : "default");
}

void
dv_canvas_travel (struct dv_canvas *canvas, bool back)
{
  if (back ? dv_viewport_back (&canvas->viewport)
           : dv_viewport_forward (&canvas->viewport))
    dv_canvas_view_changed (canvas);
}

void
dv_canvas_begin_drag (struct dv_canvas *canvas, const GdkEventButton *event)
{
  enum dv_axis axes = dv_canvas_axes_at (canvas, event->x, event->y);
  if (canvas->drag != DV_DRAG_NONE || axes == 0)
    return;
  canvas->drag = event->button != 1                ? DV_DRAG_PAN
                 : event->state & GDK_SHIFT_MASK ? DV_DRAG_BOX
                                                   : DV_DRAG_BAND;
  canvas->drag_axes = axes;
  canvas->start_x = canvas->at_x = event->x;
  canvas->start_y = canvas->at_y = event->y;
  canvas->drag_view = canvas->viewport.now;
  canvas->drag_moved = false;
  dv_canvas_shape_pointer (canvas, event->x, event->y);
}

void
dv_canvas_pan (struct dv_canvas *canvas)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  double dx = (canvas->start_x - canvas->at_x) / area.width;
  double dy = (canvas->start_y - canvas->at_y) / area.height;
  /* Always from where it began, so that nothing is lost to rounding.  */
  struct dv_viewport whole = canvas->viewport;
  whole.now = canvas->drag_view;
  dv_viewport_move (&whole, canvas->drag_axes & DV_AXIS_X ? dx : 0,
                    canvas->drag_axes & DV_AXIS_Y ? dy : 0, false);
  struct dv_view view = whole.now;
  if (!dv_viewport_show (&canvas->viewport, &view, !canvas->drag_moved))
    return;
  canvas->drag_moved = true;
  dv_canvas_view_changed (canvas);
}

bool
dv_canvas_cancel_drag (struct dv_canvas *canvas)
{
  enum dv_drag drag = canvas->drag;
  if (drag == DV_DRAG_NONE)
    return false;
  canvas->drag = DV_DRAG_NONE;
  dv_canvas_shape_pointer (canvas, canvas->hover_x, canvas->hover_y);
  gtk_widget_queue_draw (canvas->widget);
  if (drag == DV_DRAG_PAN && canvas->drag_moved)
    dv_canvas_travel (canvas, true);
  return true;
}
