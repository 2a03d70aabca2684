/* canvas_keys.c: the plot by keyboard, with a cursor that can point at any
   pixel.  What its keys are is told by shortcuts.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>

#include "view_steps.h"

/* How far the view follows a cursor that leaves it.  */
#define EDGE_MOVE  0.25
#define FAR_PIXELS 10

/* Where a click would be meant: the cursor, the pointer; else the middle, and
   false.  */
static bool
meant_point (const struct dv_canvas *canvas, double *x, double *y)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  if (dv_canvas_point (canvas, x, y))
    return true;
  *x = area.x + area.width / 2;
  *y = area.y + area.height / 2;
  return false;
}

/* Keys zoom at the cursor, if there is one.  */
static bool
zoom_key (struct dv_canvas *canvas, const struct dv_view_step *step)
{
  return dv_viewport_zoom (&canvas->viewport, step->axes, step->factor,
                           canvas->has_cursor ? canvas->cursor_x : 0.5,
                           canvas->has_cursor ? canvas->cursor_y : 0.5,
                           dv_canvas_begins_gesture (canvas));
}

static bool
move_key (struct dv_canvas *canvas, double dx, double dy)
{
  return dv_viewport_move (&canvas->viewport, dx, dy,
                           dv_canvas_begins_gesture (canvas));
}

/* ---- The cursor ------------------------------------------------------ */

/* Along one axis; where it would leave, returns the direction in which the
   view is to follow.  */
static int
step_cursor (double *at, double pixels, int by)
{
  double next = floor (*at * pixels) + by + 0.5;
  int beyond = next < 0 ? -1 : next > pixels ? 1 : 0;
  *at = CLAMP (next, 0.5, fmax (0.5, pixels - 0.5)) / pixels;
  return beyond;
}

/* Moves the view; the cursor stays on what it points at.  */
static bool
follow_cursor (struct dv_canvas *canvas, int x, int y)
{
  struct dv_view before = canvas->viewport.now;
  const struct dv_view *now = &canvas->viewport.now;
  if (!move_key (canvas, x * EDGE_MOVE, y * EDGE_MOVE))
    return false;
  canvas->cursor_x -= ((double) now->x0 - (double) before.x0)
                      / (double) (now->x1 - now->x0);
  canvas->cursor_y -= ((double) now->y0 - (double) before.y0)
                      / (double) (now->y1 - now->y0);
  return true;
}

static void
move_cursor (struct dv_canvas *canvas, int x, int y)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  bool moved = false;
  if (!canvas->has_cursor) {
    double at_x, at_y;
    meant_point (canvas, &at_x, &at_y);
    canvas->cursor_x = (at_x - area.x) / area.width;
    canvas->cursor_y = (at_y - area.y) / area.height;
    canvas->has_cursor = true;
  }
  int beyond_x = step_cursor (&canvas->cursor_x, area.width, x);
  int beyond_y = step_cursor (&canvas->cursor_y, area.height, y);
  if (beyond_x != 0 || beyond_y != 0)
    moved = follow_cursor (canvas, beyond_x, beyond_y);
  if (moved)
    dv_canvas_view_changed (canvas);
  else
    dv_canvas_hover (canvas);
  gtk_widget_queue_draw (canvas->widget);
}

/* With Control; with Shift, too, far.  */
static bool
use_control_key (struct dv_canvas *canvas, guint key, bool far)
{
  int by = far ? FAR_PIXELS : 1;
  switch (key) {
  case GDK_KEY_Left: case GDK_KEY_KP_Left: move_cursor (canvas, -by, 0); break;
  case GDK_KEY_Right: case GDK_KEY_KP_Right: move_cursor (canvas, by, 0);
    break;
  case GDK_KEY_Up: case GDK_KEY_KP_Up: move_cursor (canvas, 0, -by); break;
  case GDK_KEY_Down: case GDK_KEY_KP_Down: move_cursor (canvas, 0, by); break;
  case GDK_KEY_c: dv_canvas_activate (canvas, "copy-address", NULL); break;
  default: return false;
  }
  return true;
}

/* ---- Keys ------------------------------------------------------------ */

/* Keys that zoom or move; *changed: whether the view did.  */
static bool
use_view_key (struct dv_canvas *canvas, guint key, bool *changed)
{
  struct dv_view_step step;
  if (!dv_view_steps_of_key (key, &step))
    return false;
  *changed = step.is_zoom ? zoom_key (canvas, &step)
                          : move_key (canvas, step.dx, step.dy);
  return true;
}

/* Keys that are actions of the window, where typing is not meant.  */
static bool
use_action_key (struct dv_canvas *canvas, guint key)
{
  static const struct { guint key; const char *action; } actions[] = {
    { GDK_KEY_n, "next-access" },      { GDK_KEY_p, "previous-access" },
    { GDK_KEY_bracketright, "next-touch" },
    { GDK_KEY_bracketleft, "previous-touch" },
    { GDK_KEY_period, "next-touch" },  { GDK_KEY_comma, "previous-touch" },
    { GDK_KEY_Home, "fit" },           { GDK_KEY_KP_Home, "fit" },
    { GDK_KEY_0, "fit" },              { GDK_KEY_KP_0, "fit" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (actions[i].key == key) {
      dv_canvas_activate (canvas, actions[i].action, NULL);
      return true;
    }
  return false;
}

/* The innermost thing that there is to leave.  */
static void
escape (struct dv_canvas *canvas)
{
  if (dv_canvas_cancel_drag (canvas) || dv_canvas_leave_box (canvas))
    return;
  if (canvas->has_cursor) {
    canvas->has_cursor = false;
    dv_canvas_hover (canvas);
    gtk_widget_queue_draw (canvas->widget);
  }
  dv_canvas_activate (canvas, "clear-selection", NULL);
}

static bool
use_key (struct dv_canvas *canvas, guint key, bool *changed)
{
  double x, y;
  bool is_meant;
  switch (key) {
  case GDK_KEY_Return: case GDK_KEY_KP_Enter: case GDK_KEY_ISO_Enter:
  case GDK_KEY_space:
    is_meant = meant_point (canvas, &x, &y);
    dv_canvas_pick (canvas, x, y, !is_meant);
    return true;
  case GDK_KEY_Escape:
    escape (canvas);
    return true;
  case GDK_KEY_h:
    is_meant = meant_point (canvas, &x, &y);
    dv_canvas_pick (canvas, x, y, !is_meant);
    dv_canvas_activate (canvas, "line-history", NULL);
    return true;
  case GDK_KEY_r:
    return dv_canvas_mark_corner (canvas);
  default:
    return use_view_key (canvas, key, changed)
           || use_action_key (canvas, key);
  }
}

static gboolean
key_pressed (GtkWidget *widget, GdkEventKey *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  guint state = event->state & gtk_accelerator_get_default_mod_mask ();
  bool changed = false, used = false;
  if (!dv_canvas_has_view (canvas))
    return FALSE;
  if ((state & ~GDK_SHIFT_MASK) == GDK_CONTROL_MASK)
    used = use_control_key (canvas, event->keyval, state & GDK_SHIFT_MASK);
  else if ((state & ~GDK_SHIFT_MASK) == 0)
    used = use_key (canvas, event->keyval, &changed);
  if (changed)
    dv_canvas_view_changed (canvas);
  return used;
}

/* The menu key, or Shift+F10.  */
static gboolean
menu_wanted (GtkWidget *widget, gpointer data)
{
  struct dv_canvas *canvas = data;
  double x, y;
  if (!dv_canvas_has_view (canvas))
    return FALSE;
  meant_point (canvas, &x, &y);
  dv_canvas_ask_menu (canvas, x, y);
  return TRUE;
}

void
dv_canvas_connect_keys (struct dv_canvas *canvas)
{
  gtk_widget_add_events (canvas->widget, GDK_KEY_PRESS_MASK
                                           | GDK_FOCUS_CHANGE_MASK);
  g_signal_connect (canvas->widget, "key-press-event",
                    G_CALLBACK (key_pressed), canvas);
  g_signal_connect (canvas->widget, "popup-menu", G_CALLBACK (menu_wanted),
                    canvas);
}
