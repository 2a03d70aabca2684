/* canvas_input.c: the mouse on the plot.  Wheel and touchpad are
   canvas_scroll.c's, keys canvas_keys.c's, the line about the pointer
   canvas_hover.c's, and how a drag looks canvas_band.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas.h"

#include <math.h>
#include <string.h>

/* Steps of a wheel or key that follow so closely are undone as one.  */
#define GESTURE_US (700 * 1000)
#define CLICK_ZOOM 2.5

bool
dv_canvas_begins_gesture (struct dv_canvas *canvas)
{
  gint64 now = g_get_monotonic_time ();
  bool begins = now - canvas->last_step > GESTURE_US;
  canvas->last_step = now;
  return begins;
}

bool
dv_canvas_has_view (const struct dv_canvas *canvas)
{
  return canvas->scene != NULL && !dv_view_is_empty (&canvas->viewport.now);
}

void
dv_canvas_activate (struct dv_canvas *canvas, const char *action,
                    GVariant *parameter)
{
  GtkWidget *window = gtk_widget_get_toplevel (canvas->widget);
  if (G_IS_ACTION_GROUP (window)
      && g_action_group_get_action_enabled (G_ACTION_GROUP (window), action))
    g_action_group_activate_action (G_ACTION_GROUP (window), action,
                                    parameter);
  else if (parameter != NULL)
    g_variant_unref (g_variant_ref_sink (parameter));
}

void
dv_canvas_ask_menu (struct dv_canvas *canvas, double x, double y)
{
  dv_canvas_activate (canvas, "plot-menu", g_variant_new ("(dd)", x, y));
}

void
dv_canvas_set_pointer (struct dv_canvas *canvas, const char *name)
{
  GdkWindow *window = gtk_widget_get_window (canvas->widget);
  if (window == NULL
      || (canvas->pointer != NULL && strcmp (canvas->pointer, name) == 0))
    return;
  GdkCursor *cursor = gdk_cursor_new_from_name (
    gdk_window_get_display (window), name);
  gdk_window_set_cursor (window, cursor);
  g_clear_object (&cursor);
  canvas->pointer = name;
}

/* ---- Where ----------------------------------------------------------- */

/* What a drag that begins there selects: in the data both axes, on an axis
   that one; 0: nothing.  */
static enum dv_axis
axes_at (const struct dv_canvas *canvas, double x, double y)
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

static void
shape_pointer (struct dv_canvas *canvas, double x, double y)
{
  enum dv_axis axes = axes_at (canvas, x, y);
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

static void
travel (struct dv_canvas *canvas, bool back)
{
  if (back ? dv_viewport_back (&canvas->viewport)
           : dv_viewport_forward (&canvas->viewport))
    dv_canvas_view_changed (canvas);
}

/* ---- Drags ----------------------------------------------------------- */

static void
begin_drag (struct dv_canvas *canvas, const GdkEventButton *event)
{
  enum dv_axis axes = axes_at (canvas, event->x, event->y);
  if (canvas->drag != DV_DRAG_NONE || axes == 0)
    return;
  canvas->drag = event->button == 1 ? DV_DRAG_BAND : DV_DRAG_PAN;
  canvas->drag_axes = axes;
  canvas->start_x = canvas->at_x = event->x;
  canvas->start_y = canvas->at_y = event->y;
  canvas->drag_view = canvas->viewport.now;
  canvas->drag_moved = false;
  shape_pointer (canvas, event->x, event->y);
}

static void
pan (struct dv_canvas *canvas)
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
  shape_pointer (canvas, canvas->hover_x, canvas->hover_y);
  gtk_widget_queue_draw (canvas->widget);
  if (drag == DV_DRAG_PAN && canvas->drag_moved)
    travel (canvas, true);
  return true;
}

/* ---- Events ---------------------------------------------------------- */

static void
zoom_by_click (struct dv_canvas *canvas, const GdkEventButton *event)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  enum dv_axis axes = axes_at (canvas, event->x, event->y);
  bool out = event->state & GDK_SHIFT_MASK;
  canvas->drag = DV_DRAG_NONE;
  if (axes != 0
      && dv_viewport_zoom (&canvas->viewport, axes,
                           out ? CLICK_ZOOM : 1 / CLICK_ZOOM,
                           CLAMP ((event->x - area.x) / area.width, 0, 1),
                           CLAMP ((event->y - area.y) / area.height, 0, 1),
                           true))
    dv_canvas_view_changed (canvas);
}

static gboolean
pressed (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  gtk_widget_grab_focus (widget);
  if (!dv_canvas_has_view (canvas))
    return TRUE;
  canvas->has_cursor = false;
  if (event->type == GDK_2BUTTON_PRESS && event->button == 1)
    zoom_by_click (canvas, event);
  else if (event->type != GDK_BUTTON_PRESS)
    return TRUE;
  else if (gdk_event_triggers_context_menu ((const GdkEvent *) event))
    dv_canvas_ask_menu (canvas, event->x, event->y);
  else if (event->button == 8 || event->button == 9)
    travel (canvas, event->button == 8);
  else if (event->button == 1 || event->button == 2)
    begin_drag (canvas, event);
  return TRUE;
}

static gboolean
moved (GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  canvas->at_x = event->x;
  canvas->at_y = event->y;
  if (canvas->drag == DV_DRAG_PAN)
    pan (canvas);
  else if (canvas->drag == DV_DRAG_BAND)
    gtk_widget_queue_draw (widget);
  /* The pointer takes over, if it was really moved.  */
  if (canvas->has_cursor && canvas->hover_x >= 0
      && fabs (event->x - canvas->hover_x)
         + fabs (event->y - canvas->hover_y) > 2) {
    canvas->has_cursor = false;
    gtk_widget_queue_draw (widget);
  }
  canvas->hover_x = event->x;
  canvas->hover_y = event->y;
  shape_pointer (canvas, event->x, event->y);
  if (!canvas->has_cursor)
    dv_canvas_hover (canvas);
  return TRUE;
}

static gboolean
released (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  enum dv_drag drag = canvas->drag;
  struct dv_view view;
  struct dv_plot_area band;
  if (drag == DV_DRAG_NONE || (drag == DV_DRAG_BAND && event->button != 1)
      || (drag == DV_DRAG_PAN && event->button != 2))
    return TRUE;
  canvas->at_x = event->x;
  canvas->at_y = event->y;
  canvas->drag = DV_DRAG_NONE;
  shape_pointer (canvas, event->x, event->y);
  gtk_widget_queue_draw (widget);
  if (drag != DV_DRAG_BAND || !dv_canvas_has_view (canvas))
    return TRUE;
  if (!dv_canvas_band (canvas, &view, &band)) {
    if (canvas->drag_axes == DV_AXIS_BOTH)
      dv_canvas_pick (canvas, event->x, event->y, false);
  } else if (dv_viewport_show (&canvas->viewport, &view, true)) {
    dv_canvas_view_changed (canvas);
  }
  return TRUE;
}

static gboolean
left (GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  canvas->hover_x = canvas->hover_y = -1;
  if (canvas->has_cursor)
    return FALSE;
  dv_canvas_stop_hover (canvas);
  canvas->listener.hover (canvas->listener.user, "", DG_NEVER);
  return FALSE;
}

static void
realized (GtkWidget *widget, gpointer data)
{
  struct dv_canvas *canvas = data;
  canvas->pointer = NULL;
  dv_canvas_set_pointer (canvas, "crosshair");
}

static gboolean
focus_changed (GtkWidget *widget, GdkEventFocus *event, gpointer data)
{
  gtk_widget_queue_draw (widget);
  return FALSE;
}

void
dv_canvas_connect_input (struct dv_canvas *canvas)
{
  GtkWidget *widget = canvas->widget;
  gtk_widget_add_events (widget, GDK_BUTTON_PRESS_MASK
                                   | GDK_BUTTON_RELEASE_MASK
                                   | GDK_POINTER_MOTION_MASK
                                   | GDK_LEAVE_NOTIFY_MASK);
  const struct {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "button-press-event", G_CALLBACK (pressed) },
    { "button-release-event", G_CALLBACK (released) },
    { "motion-notify-event", G_CALLBACK (moved) },
    { "leave-notify-event", G_CALLBACK (left) },
    { "realize", G_CALLBACK (realized) },
    { "focus-in-event", G_CALLBACK (focus_changed) },
    { "focus-out-event", G_CALLBACK (focus_changed) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect (widget, handlers[i].signal, handlers[i].handler,
                      canvas);
  dv_canvas_connect_scroll (canvas);
  dv_canvas_connect_keys (canvas);
}
