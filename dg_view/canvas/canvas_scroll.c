/* canvas_scroll.c: wheel, touchpad and pinch on the plot.

   A wheel zooms and its tilt moves, as ever in such plots; two fingers on a
   touchpad move, since they go both ways, and zoom with Control.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>

#include "view_steps.h"

/* ---- Which axes ------------------------------------------------------ */

/* Over an axis, that one only.  */
static enum dv_axis
axes_at (const struct dv_canvas *canvas, double x, double y)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  if (y >= area.y + area.height)
    return DV_AXIS_X;
  if (x < area.x)
    return DV_AXIS_Y;
  return DV_AXIS_BOTH;
}

static enum dv_axis
wheel_axes (const struct dv_canvas *canvas, const GdkEventScroll *event)
{
  if (event->state & GDK_SHIFT_MASK)
    return DV_AXIS_X;
  if (event->state & GDK_CONTROL_MASK)
    return DV_AXIS_Y;
  return axes_at (canvas, event->x, event->y);
}

/* Two fingers zoom with Control only: then both axes, or with Shift too the
   addresses.  */
static enum dv_axis
touch_axes (const struct dv_canvas *canvas, const GdkEventScroll *event)
{
  if (event->state & GDK_SHIFT_MASK)
    return DV_AXIS_X;
  return axes_at (canvas, event->x, event->y);
}

/* ---- Steps ----------------------------------------------------------- */

static bool
use_wheel (struct dv_canvas *canvas, const GdkEventScroll *event, double dx,
           double dy)
{
  /* X turns the wheel sideways when Shift is held.  */
  if (event->state & GDK_SHIFT_MASK && dy == 0) {
    dy = dx;
    dx = 0;
  }
  if (fabs (dy) > fabs (dx))
    return dv_canvas_zoom_at (canvas, wheel_axes (canvas, event),
                              pow (DV_WHEEL_STEP, dy), event->x, event->y,
                              dv_canvas_begins_gesture (canvas));
  return dx != 0
         && dv_viewport_move (&canvas->viewport, dx * DV_TILT_STEP, 0,
                              dv_canvas_begins_gesture (canvas));
}

/* As far as a scrolled window of the same size would go.  */
static bool
use_fingers (struct dv_canvas *canvas, const GdkEventScroll *event, double dx,
             double dy)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  if (event->state & GDK_CONTROL_MASK)
    return dy != 0
           && dv_canvas_zoom_at (canvas, touch_axes (canvas, event),
                                 pow (DV_WHEEL_STEP, dy), event->x, event->y,
                                 dv_canvas_begins_gesture (canvas));
  if (dx == 0 && dy == 0)
    return false;
  return dv_viewport_move (&canvas->viewport, dx / cbrt (area.width),
                           dy / cbrt (area.height),
                           dv_canvas_begins_gesture (canvas));
}

static bool
is_touchpad (const GdkEventScroll *event)
{
  GdkDevice *device = gdk_event_get_source_device ((const GdkEvent *) event);
  return device != NULL
         && gdk_device_get_source (device) == GDK_SOURCE_TOUCHPAD;
}

static gboolean
scrolled (GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  double dx, dy;
  if (!dv_canvas_has_view (canvas))
    return TRUE;
  dv_view_steps_scrolled (event, &dx, &dy);
  if (is_touchpad (event) ? use_fingers (canvas, event, dx, dy)
                          : use_wheel (canvas, event, dx, dy))
    dv_canvas_view_changed (canvas);
  return TRUE;
}

/* ---- Pinch ----------------------------------------------------------- */

static void
pinch_begins (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  struct dv_canvas *canvas = data;
  dv_canvas_cancel_drag (canvas);
  if (!dv_canvas_has_view (canvas))
    return;
  canvas->drag_view = canvas->viewport.now;
  canvas->drag_moved = false;
  gtk_gesture_get_bounding_box_center (gesture, &canvas->start_x,
                                       &canvas->start_y);
}

/* Always from where it began, so that nothing is lost to rounding; the
   fingers may also move.  */
static void
pinch_scaled (GtkGestureZoom *gesture, gdouble scale, gpointer data)
{
  struct dv_canvas *canvas = data;
  struct dv_plot_area area = dv_canvas_area (canvas);
  double x = canvas->start_x, y = canvas->start_y;
  if (!dv_canvas_has_view (canvas) || scale <= 0)
    return;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y);
  struct dv_viewport whole = canvas->viewport;
  whole.now = canvas->drag_view;
  whole.rounded = (struct dv_view){ 0 };
  dv_viewport_zoom (&whole, axes_at (canvas, canvas->start_x,
                                     canvas->start_y), 1 / scale,
                    CLAMP ((canvas->start_x - area.x) / area.width, 0, 1),
                    CLAMP ((canvas->start_y - area.y) / area.height, 0, 1),
                    false);
  dv_viewport_move (&whole, (canvas->start_x - x) / area.width,
                    (canvas->start_y - y) / area.height, false);
  struct dv_view view = whole.now;
  if (dv_viewport_show (&canvas->viewport, &view, !canvas->drag_moved)) {
    canvas->drag_moved = true;
    dv_canvas_view_changed (canvas);
  }
}

void
dv_canvas_connect_scroll (struct dv_canvas *canvas)
{
  gtk_widget_add_events (canvas->widget, GDK_SCROLL_MASK
                                           | GDK_SMOOTH_SCROLL_MASK
                                           | GDK_TOUCH_MASK
                                           | GDK_TOUCHPAD_GESTURE_MASK);
  g_signal_connect (canvas->widget, "scroll-event", G_CALLBACK (scrolled),
                    canvas);
  canvas->pinch = gtk_gesture_zoom_new (canvas->widget);
  g_signal_connect (canvas->pinch, "begin", G_CALLBACK (pinch_begins),
                    canvas);
  g_signal_connect (canvas->pinch, "scale-changed",
                    G_CALLBACK (pinch_scaled), canvas);
}
