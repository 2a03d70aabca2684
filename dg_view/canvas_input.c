/* canvas_input.c: mouse, wheel and keys on the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas.h"

#include <math.h>

#include "format.h"

/* Pixels that the pointer must move for a drag.  */
#define DRAG_LEAST 5
/* A drag at most this much of the other direction zooms one axis only.  */
#define DRAG_FLAT  0.15
#define WHEEL_STEP 1.25
#define KEY_STEP   1.5
#define KEY_MOVE   0.15
/* Steps of a wheel or key that follow so closely are undone as one.  */
#define GESTURE_US (700 * 1000)
#define HOVER_MS   120
/* How far from an access the pointer still means it, in pixels.  */
#define HOVER_REACH 3

/* Whether a step begins a new entry of the history.  */
static bool
begins_gesture (struct dv_canvas *canvas)
{
  gint64 now = g_get_monotonic_time ();
  bool begins = now - canvas->last_step > GESTURE_US;
  canvas->last_step = now;
  return begins;
}

static bool
has_view (const struct dv_canvas *canvas)
{
  return canvas->scene != NULL && !dv_view_is_empty (&canvas->viewport.now);
}

/* ---- Rubber band ----------------------------------------------------- */

bool
dv_canvas_band (const struct dv_canvas *canvas, struct dv_view *view,
                struct dv_plot_area *band)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  double x0 = CLAMP (fmin (canvas->start_x, canvas->at_x), area.x,
                     area.x + area.width);
  double x1 = CLAMP (fmax (canvas->start_x, canvas->at_x), area.x,
                     area.x + area.width);
  double y0 = CLAMP (fmin (canvas->start_y, canvas->at_y), area.y,
                     area.y + area.height);
  double y1 = CLAMP (fmax (canvas->start_y, canvas->at_y), area.y,
                     area.y + area.height);
  double dx = x1 - x0, dy = y1 - y0;
  if (dx < DRAG_LEAST && dy < DRAG_LEAST)
    return false;
  if (dy < DRAG_LEAST || dy < dx * DRAG_FLAT) {
    y0 = area.y;
    y1 = area.y + area.height;
  } else if (dx < DRAG_LEAST || dx < dy * DRAG_FLAT) {
    x0 = area.x;
    x1 = area.x + area.width;
  }
  *band = (struct dv_plot_area){ x0, y0, x1 - x0, y1 - y0 };

  const struct dv_view *now = &canvas->viewport.now;
  double span_x = (double) (now->x1 - now->x0) / area.width;
  double span_y = (double) (now->y1 - now->y0) / area.height;
  *view = (struct dv_view){
    now->x0 + (uint64_t) floor ((x0 - area.x) * span_x),
    now->x0 + (uint64_t) ceil ((x1 - area.x) * span_x),
    now->y0 + (uint64_t) floor ((y0 - area.y) * span_y),
    now->y0 + (uint64_t) ceil ((y1 - area.y) * span_y) };
  return true;
}

/* ---- Under the pointer ----------------------------------------------- */

/* What the pointer is on; false outside of the data.  */
static bool
hover_point (const struct dv_canvas *canvas, uint64_t *position,
             uint64_t *icount, double *fx, double *fy)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  *fx = (canvas->hover_x - area.x) / area.width;
  *fy = (canvas->hover_y - area.y) / area.height;
  if (!has_view (canvas) || *fx < 0 || *fx >= 1 || *fy < 0 || *fy >= 1)
    return false;
  const struct dv_view *now = &canvas->viewport.now;
  *position = now->x0 + (uint64_t) (*fx * (double) (now->x1 - now->x0));
  *icount = now->y0 + (uint64_t) (*fy * (double) (now->y1 - now->y0));
  return true;
}

/* "3 reads, 1 write" of the pixel, if that is known.  */
static void
append_counts (GString *text, const struct dv_canvas *canvas, double fx,
               double fy)
{
  const struct dv_picture *picture = canvas->picture;
  if (picture == NULL || picture->scene != canvas->scene
      || !dv_view_equal (&picture->raster->view, &canvas->viewport.now))
    return;
  const struct dv_raster *raster = picture->raster;
  const struct dv_cell *cell
    = dv_raster_cell (raster, (uint32_t) (fx * raster->width),
                      (uint32_t) (fy * raster->height));
  static const char *const names[] = { "read", "write" };
  for (int kind = 0; kind < 2; kind++) {
    char number[32];
    if (cell->count[kind] == 0)
      continue;
    dv_format_exact (number, sizeof number, cell->count[kind]);
    bool second = kind == 1 && cell->count[0] > 0;
    g_string_append_printf (text, "%s%s %s%s", second ? ", " : "   ·   ",
                            number, names[kind],
                            cell->count[kind] == 1 ? "" : "s");
  }
}

/* The line about the point, with what the access there adds.  */
static void
tell_hover (struct dv_canvas *canvas, const struct dv_answer *answer)
{
  uint64_t position, icount;
  double fx, fy;
  if (!hover_point (canvas, &position, &icount, &fx, &fy)) {
    canvas->listener.hover (canvas->listener.user, "");
    return;
  }
  uint64_t address = dv_layout_address (&canvas->scene->layout, position);
  char *owner = NULL;
  if (answer != NULL) {
    address = answer->access.address;
    icount = answer->access.icount;
  } else {
    owner = dv_answer_owner (canvas->scene->data, address, icount);
  }
  char number[32];
  dv_format_exact (number, sizeof number, icount);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x   ·   "
                          "instruction %s   ·   %s", address, number,
                          answer != NULL ? answer->owner : owner);
  if (answer != NULL && answer->has_range)
    g_string_append_printf (text, "   ·   range %s", answer->range_label);
  append_counts (text, canvas, fx, fy);
  if (answer != NULL)
    g_string_append_printf (text, "   ·   %s", answer->place);
  canvas->listener.hover (canvas->listener.user, text->str);
  g_string_free (text, TRUE);
  g_free (owner);
}

static void
hover_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  struct dv_inquiry *inquiry = result;
  canvas->hover_job = NULL;
  if (inquiry == NULL)
    return;
  tell_hover (canvas, inquiry->answer);
  dv_inquiry_free (inquiry);
}

static gboolean
ask_hover (gpointer data)
{
  struct dv_canvas *canvas = data;
  uint64_t position, icount;
  double fx, fy;
  canvas->hover_timer = 0;
  const struct dv_picture *picture = canvas->picture;
  if (picture == NULL || picture->scene != canvas->scene
      || picture->scene->data->is_glance
      || !dv_view_equal (&picture->raster->view, &canvas->viewport.now)
      || !hover_point (canvas, &position, &icount, &fx, &fy))
    return G_SOURCE_REMOVE;
  canvas->hover_job = dv_inquiry_at (canvas->picture,
                                     fx * picture->raster->width,
                                     fy * picture->raster->height,
                                     HOVER_REACH, hover_done, canvas);
  return G_SOURCE_REMOVE;
}

static void
stop_hover (struct dv_canvas *canvas)
{
  dv_job_drop (canvas->hover_job);
  canvas->hover_job = NULL;
  if (canvas->hover_timer != 0)
    g_source_remove (canvas->hover_timer);
  canvas->hover_timer = 0;
}

void
dv_canvas_hover (struct dv_canvas *canvas)
{
  stop_hover (canvas);
  tell_hover (canvas, NULL);
  canvas->hover_timer = g_timeout_add (HOVER_MS, ask_hover, canvas);
}

/* ---- Mouse ----------------------------------------------------------- */

static void
set_cursor (struct dv_canvas *canvas, const char *name)
{
  GdkWindow *window = gtk_widget_get_window (canvas->widget);
  GdkCursor *cursor = gdk_cursor_new_from_name (
    gdk_window_get_display (window), name);
  gdk_window_set_cursor (window, cursor);
  g_clear_object (&cursor);
}

static void
travel (struct dv_canvas *canvas, bool back)
{
  if (back ? dv_viewport_back (&canvas->viewport)
           : dv_viewport_forward (&canvas->viewport))
    dv_canvas_view_changed (canvas);
}

static gboolean
pressed (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  struct dv_plot_area area = dv_canvas_area (canvas);
  gtk_widget_grab_focus (widget);
  if (event->type != GDK_BUTTON_PRESS || !has_view (canvas))
    return TRUE;
  if (event->button == 8 || event->button == 9)
    travel (canvas, event->button == 8);
  else if ((event->button == 1 || event->button == 2)
           && canvas->drag == DV_DRAG_NONE && event->x >= area.x
           && event->x < area.x + area.width && event->y >= area.y
           && event->y < area.y + area.height) {
    canvas->drag = event->button == 1 ? DV_DRAG_BAND : DV_DRAG_PAN;
    canvas->start_x = canvas->at_x = event->x;
    canvas->start_y = canvas->at_y = event->y;
    canvas->drag_view = canvas->viewport.now;
    if (event->button == 2)
      set_cursor (canvas, "grabbing");
  }
  return TRUE;
}

static void
pan (struct dv_canvas *canvas)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  bool first = dv_view_equal (&canvas->viewport.now, &canvas->drag_view);
  double dx = (canvas->start_x - canvas->at_x) / area.width;
  double dy = (canvas->start_y - canvas->at_y) / area.height;
  /* Always from where it began, so that nothing is lost to rounding.  */
  struct dv_view before = canvas->viewport.now;
  struct dv_viewport whole = canvas->viewport;
  whole.now = canvas->drag_view;
  dv_viewport_move (&whole, dx, dy, false);
  struct dv_view view = whole.now;
  if (!dv_view_equal (&view, &before)
      && dv_viewport_show (&canvas->viewport, &view, first))
    dv_canvas_view_changed (canvas);
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
  canvas->hover_x = event->x;
  canvas->hover_y = event->y;
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
  if ((drag == DV_DRAG_BAND && event->button != 1)
      || (drag == DV_DRAG_PAN && event->button != 2))
    return TRUE;
  canvas->at_x = event->x;
  canvas->at_y = event->y;
  canvas->drag = DV_DRAG_NONE;
  set_cursor (canvas, "crosshair");
  gtk_widget_queue_draw (widget);
  if (drag != DV_DRAG_BAND)
    return TRUE;
  if (!dv_canvas_band (canvas, &view, &band))
    dv_canvas_pick (canvas, event->x, event->y);
  else if (dv_viewport_show (&canvas->viewport, &view, true))
    dv_canvas_view_changed (canvas);
  return TRUE;
}

static enum dv_axis
axes_of (guint state)
{
  if (state & GDK_SHIFT_MASK)
    return DV_AXIS_X;
  if (state & GDK_CONTROL_MASK)
    return DV_AXIS_Y;
  return DV_AXIS_BOTH;
}

static gboolean
scrolled (GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  struct dv_plot_area area = dv_canvas_area (canvas);
  double steps = 0, sideways = 0;
  if (!has_view (canvas))
    return TRUE;
  switch (event->direction) {
  case GDK_SCROLL_UP: steps = -1; break;
  case GDK_SCROLL_DOWN: steps = 1; break;
  case GDK_SCROLL_LEFT: sideways = -1; break;
  case GDK_SCROLL_RIGHT: sideways = 1; break;
  case GDK_SCROLL_SMOOTH:
    steps = event->delta_y;
    sideways = event->delta_x;
    break;
  }
  /* X turns the wheel sideways when Shift is held.  */
  if (event->state & GDK_SHIFT_MASK && steps == 0) {
    steps = sideways;
    sideways = 0;
  }
  bool changed = false;
  bool begins = begins_gesture (canvas);
  if (fabs (steps) > fabs (sideways))
    changed = dv_viewport_zoom (
      &canvas->viewport, axes_of (event->state), pow (WHEEL_STEP, steps),
      CLAMP ((event->x - area.x) / area.width, 0, 1),
      CLAMP ((event->y - area.y) / area.height, 0, 1), begins);
  else if (sideways != 0)
    changed = dv_viewport_move (&canvas->viewport, sideways * KEY_MOVE / 2, 0,
                                begins);
  if (changed)
    dv_canvas_view_changed (canvas);
  return TRUE;
}

static gboolean
left (GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  stop_hover (canvas);
  canvas->hover_x = canvas->hover_y = -1;
  canvas->listener.hover (canvas->listener.user, "");
  return FALSE;
}

/* ---- Keys ------------------------------------------------------------ */

static bool
zoom_key (struct dv_canvas *canvas, enum dv_axis axes, bool in)
{
  return dv_viewport_zoom (&canvas->viewport, axes,
                           in ? 1 / KEY_STEP : KEY_STEP, 0.5, 0.5,
                           begins_gesture (canvas));
}

static bool
move_key (struct dv_canvas *canvas, double dx, double dy)
{
  return dv_viewport_move (&canvas->viewport, dx, dy,
                           begins_gesture (canvas));
}

/* Whether the key is one of the plot's; *changed, whether the view did.  */
static bool
use_key (struct dv_canvas *canvas, guint key, bool *changed)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  switch (key) {
  case GDK_KEY_plus: case GDK_KEY_equal: case GDK_KEY_KP_Add:
    *changed = zoom_key (canvas, DV_AXIS_BOTH, true);
    return true;
  case GDK_KEY_minus: case GDK_KEY_KP_Subtract:
    *changed = zoom_key (canvas, DV_AXIS_BOTH, false);
    return true;
  case GDK_KEY_x: case GDK_KEY_X:
    *changed = zoom_key (canvas, DV_AXIS_X, key == GDK_KEY_x);
    return true;
  case GDK_KEY_y: case GDK_KEY_Y:
    *changed = zoom_key (canvas, DV_AXIS_Y, key == GDK_KEY_y);
    return true;
  case GDK_KEY_Left: *changed = move_key (canvas, -KEY_MOVE, 0); return true;
  case GDK_KEY_Right: *changed = move_key (canvas, KEY_MOVE, 0); return true;
  case GDK_KEY_Up: *changed = move_key (canvas, 0, -KEY_MOVE); return true;
  case GDK_KEY_Down: *changed = move_key (canvas, 0, KEY_MOVE); return true;
  case GDK_KEY_Page_Up: *changed = move_key (canvas, 0, -0.9); return true;
  case GDK_KEY_Page_Down: *changed = move_key (canvas, 0, 0.9); return true;
  case GDK_KEY_Home: case GDK_KEY_0: case GDK_KEY_KP_0:
    *changed = dv_viewport_fit (&canvas->viewport);
    return true;
  case GDK_KEY_Return: case GDK_KEY_KP_Enter: case GDK_KEY_space:
    /* As a click would: where the pointer is, or in the middle.  */
    if (canvas->hover_x >= area.x && canvas->hover_y >= area.y)
      dv_canvas_pick (canvas, canvas->hover_x, canvas->hover_y);
    else
      dv_canvas_pick (canvas, area.x + area.width / 2,
                      area.y + area.height / 2);
    return true;
  case GDK_KEY_Escape:
    canvas->drag = DV_DRAG_NONE;
    dv_canvas_set_mark (canvas, NULL);
    return true;
  default:
    return false;
  }
}

static gboolean
key_pressed (GtkWidget *widget, GdkEventKey *event, gpointer data)
{
  struct dv_canvas *canvas = data;
  bool changed = false;
  if (!has_view (canvas) || event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK))
    return FALSE;
  bool used = use_key (canvas, event->keyval, &changed);
  if (changed)
    dv_canvas_view_changed (canvas);
  return used;
}

static void
realized (GtkWidget *widget, gpointer data)
{
  set_cursor (data, "crosshair");
}

void
dv_canvas_connect_input (struct dv_canvas *canvas)
{
  GtkWidget *widget = canvas->widget;
  gtk_widget_add_events (widget, GDK_BUTTON_PRESS_MASK
                                   | GDK_BUTTON_RELEASE_MASK
                                   | GDK_POINTER_MOTION_MASK
                                   | GDK_LEAVE_NOTIFY_MASK | GDK_SCROLL_MASK
                                   | GDK_SMOOTH_SCROLL_MASK
                                   | GDK_KEY_PRESS_MASK);
  const struct {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "button-press-event", G_CALLBACK (pressed) },
    { "button-release-event", G_CALLBACK (released) },
    { "motion-notify-event", G_CALLBACK (moved) },
    { "scroll-event", G_CALLBACK (scrolled) },
    { "leave-notify-event", G_CALLBACK (left) },
    { "key-press-event", G_CALLBACK (key_pressed) },
    { "realize", G_CALLBACK (realized) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect (widget, handlers[i].signal, handlers[i].handler,
                      canvas);
}
