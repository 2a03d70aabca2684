/* canvas_state.c: what the canvas shows, and whether that is as it should be.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <string.h>

/* Steps of a wheel or key that follow so closely are undone as one.  */
#define GESTURE_US (700 * 1000)

struct dv_plot_area
dv_canvas_area (const struct dv_canvas *canvas)
{
  return dv_plot_area (canvas->scene, &canvas->look, false,
                       gtk_widget_get_allocated_width (canvas->widget),
                       gtk_widget_get_allocated_height (canvas->widget));
}

bool
dv_canvas_has_counts (const struct dv_canvas *canvas)
{
  const struct dv_picture *picture = canvas->picture;
  if (picture == NULL
      || (picture->scene != canvas->scene && !canvas->shown_is_right)
      || !dv_view_equal (&picture->raster->view, &canvas->viewport.now)
      || !dv_picture_has_counts (picture, &canvas->look))
    return false;
  struct dv_plot_area area = dv_canvas_area (canvas);
  double scale = gtk_widget_get_scale_factor (canvas->widget);
  return picture->raster->width == (uint32_t) (area.width * scale)
         && picture->raster->height == (uint32_t) (area.height * scale);
}

bool
dv_canvas_has_picture (const struct dv_canvas *canvas)
{
  return dv_canvas_has_counts (canvas) && !canvas->picture->raster->is_draft
         && dv_picture_has_colours (canvas->picture, &canvas->look);
}

bool
dv_canvas_is_drawn (const struct dv_canvas *canvas)
{
  return canvas->scene != NULL && dv_canvas_has_picture (canvas);
}

struct dv_job *
dv_canvas_job (const struct dv_canvas *canvas)
{
  return canvas->picture_job != NULL ? canvas->picture_job
                                     : canvas->layer_job;
}

/* ---- What is made of it ------------------------------------------------- */

void
dv_canvas_order_free (void *memory)
{
  struct dv_canvas_order *order = memory;
  dv_highlight_unref (order->highlight);
  dv_picture_unref (order->counted);
  dv_scene_unref (order->scene);
  g_free (order);
}

struct dv_canvas_order *
dv_canvas_order_new (const struct dv_canvas *canvas)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  struct dv_canvas_order *order = g_new0 (struct dv_canvas_order, 1);
  order->scene = dv_scene_ref (canvas->scene);
  order->view = canvas->viewport.now;
  order->look = canvas->look;
  if (canvas->highlight != NULL)
    order->highlight = dv_highlight_ref (canvas->highlight);
  order->width = area.width;
  order->height = area.height;
  order->scale = gtk_widget_get_scale_factor (canvas->widget);
  return order;
}

/* ---- Zooming ------------------------------------------------------------ */

bool
dv_canvas_zoom_at (struct dv_canvas *canvas, enum dv_axis axes, double factor,
                   double x, double y, bool remember)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  return dv_viewport_zoom (&canvas->viewport, axes, factor,
                           CLAMP ((x - area.x) / area.width, 0, 1),
                           CLAMP ((y - area.y) / area.height, 0, 1), remember);
}

/* ---- The window that it is in ---------------------------------------- */

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
