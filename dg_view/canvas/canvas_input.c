/* canvas_input.c: the mouse on the plot.  Wheel and touchpad are
   canvas_scroll.c's, keys canvas_keys.c's, the line about the pointer
   canvas_hover.c's, and how a drag looks canvas_band.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>

#define CLICK_ZOOM 2.5

static void
zoom_by_click (struct dv_canvas *canvas, const GdkEventButton *event)
{
  enum dv_axis axes = dv_canvas_axes_at (canvas, event->x, event->y);
  bool out = event->state & GDK_SHIFT_MASK;
  canvas->drag = DV_DRAG_NONE;
  if (axes != 0
      && dv_canvas_zoom_at (canvas, axes, out ? CLICK_ZOOM : 1 / CLICK_ZOOM,
                            event->x, event->y, true))
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
    dv_canvas_travel (canvas, event->button == 8);
  else if (event->button == 1 || event->button == 2)
    dv_canvas_begin_drag (canvas, event);
  return TRUE;
}

static gboolean
moved (GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  canvas->at_x = event->x;
  canvas->at_y = event->y;
  if (canvas->drag == DV_DRAG_PAN)
    dv_canvas_pan (canvas);
  else if (canvas->drag != DV_DRAG_NONE)
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
  dv_canvas_shape_pointer (canvas, event->x, event->y);
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
  if (drag == DV_DRAG_NONE || (drag != DV_DRAG_PAN && event->button != 1)
      || (drag == DV_DRAG_PAN && event->button != 2))
    return TRUE;
  canvas->at_x = event->x;
  canvas->at_y = event->y;
  canvas->drag = DV_DRAG_NONE;
  dv_canvas_shape_pointer (canvas, event->x, event->y);
  gtk_widget_queue_draw (widget);
  if (drag == DV_DRAG_PAN || !dv_canvas_has_view (canvas))
    return TRUE;
  if (!dv_canvas_band (canvas, &view, &band)) {
    if (canvas->drag_axes == DV_AXIS_BOTH)
      dv_canvas_pick (canvas, event->x, event->y, false);
  } else if (drag == DV_DRAG_BOX) {
    dv_canvas_set_box (canvas, &view, canvas->counts_box);
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
