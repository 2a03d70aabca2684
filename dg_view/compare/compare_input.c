/* compare_input.c: mouse, wheel and keys on the plots of two logs, as on that
   of one (canvas_input.c and its like).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_plot.h"

#include <math.h>

#include "canvas/view_steps.h"
#include "format.h"
#include "i18n.h"

/* A drag of less is a click, or along one axis.  */
#define LEAST_DRAG 4
#define DRAG_FLAT  0.08
/* Steps that follow so closely are undone as one.  */
#define GESTURE_US (700 * 1000)

/* ---- Where ---------------------------------------------------------- */

/* The part that is meant: the one at y, else the nearest.  */
static struct dv_plot_area
part_at (const struct dv_compare_plot *plot, double y, int *part)
{
  struct dv_plot_area areas[DV_PAIR_PARTS];
  double best = INFINITY;
  dv_compare_plot_areas (plot, areas);
  *part = 0;
  for (int i = 0; i < DV_PAIR_PARTS; i++) {
    double far = fmax (areas[i].y - y, y - areas[i].y - areas[i].height);
    if (areas[i].height <= 0 || far >= best)
      continue;
    best = far;
    *part = i;
  }
  return areas[*part];
}

/* What a point is about: left of the data the time, below them the memory.  */
static enum dv_axis
axes_at (const struct dv_compare_plot *plot, double x, double y)
{
  struct dv_plot_area areas[DV_PAIR_PARTS];
  double bottom = 0;
  dv_compare_plot_areas (plot, areas);
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    bottom = fmax (bottom, areas[i].y + areas[i].height);
  return y >= bottom ? DV_AXIS_X : x < areas[0].x ? DV_AXIS_Y : DV_AXIS_BOTH;
}

static bool
begins_gesture (struct dv_compare_plot *plot)
{
  gint64 now = g_get_monotonic_time ();
  bool begins = now - plot->last_step > GESTURE_US;
  plot->last_step = now;
  return begins;
}

static bool
zoom_at (struct dv_compare_plot *plot, enum dv_axis axes, double factor,
         double x, double y)
{
  int part;
  struct dv_plot_area area = part_at (plot, y, &part);
  return dv_viewport_zoom (&plot->viewport, axes, factor,
                           CLAMP ((x - area.x) / area.width, 0, 1),
                           CLAMP ((y - area.y) / area.height, 0, 1),
                           begins_gesture (plot));
}

/* ---- What is there -------------------------------------------------- */

/* false: it is outside of the data.  */
static bool
point_at (const struct dv_compare_plot *plot, double x, double y,
          uint64_t *position, uint64_t *moment, uint32_t *column,
          uint32_t *row)
{
  const struct dv_view *now = &plot->viewport.now;
  int part;
  struct dv_plot_area area = part_at (plot, y, &part);
  double fx = (x - area.x) / area.width, fy = (y - area.y) / area.height;
  if (!dv_compare_plot_has_view (plot) || fx < 0 || fx >= 1 || fy < 0
      || fy >= 1)
    return false;
  *position = now->x0 + (uint64_t) (fx * (double) (now->x1 - now->x0));
  *moment = now->y0 + (uint64_t) (fy * (double) (now->y1 - now->y0));
  const struct dv_pair_counts *counts =
    plot->picture != NULL ? plot->picture->counts : NULL;
  *column = counts != NULL ? (uint32_t) (fx * counts->width) : 0;
  *row = counts != NULL ? (uint32_t) (fy * counts->height) : 0;
  return true;
}

static void
append_side (GString *text, const struct dv_compare_plot *plot, unsigned side,
             uint64_t moment, uint32_t column, uint32_t row)
{
  char icount[40], count[40];
  uint64_t n = 0;
  if (plot->picture != NULL
      && dv_view_equal (&plot->picture->counts->view, &plot->viewport.now))
    n = dv_pair_counts_at (plot->picture->counts, side, column, row);
  dg_number_text (icount, sizeof icount,
                  dv_pair_time_icount (&plot->pair->time, side, moment));
  dg_number_text (count, sizeof count, n);
  g_string_append_printf (
    text,
    plot->pair->scenes[1] == NULL ? _ (" · instruction %s: %s accesses")
    : side == 0 ? _ (" · before, instruction %s: %s accesses")
                : _ (" · after, instruction %s: %s accesses"),
    icount, count);
}

static void
hover (struct dv_compare_plot *plot, double x, double y)
{
  uint64_t position, moment;
  uint32_t column, row;
  GString *text = g_string_new ("");
  if (point_at (plot, x, y, &position, &moment, &column, &row)) {
    const struct dv_pair_axis *axis = &plot->pair->axis;
    const struct dv_pair_owner *owner =
      dv_pair_axis_owner (axis, dv_pair_axis_at (axis, position));
    g_string_append (text, owner->name);
    if (plot->pair->is_laid_over && owner->kind == DV_PAIR_HEAP) {
      char offset[40];
      dg_number_text (offset, sizeof offset, position - owner->x0);
      g_string_append_printf (text, _ (" · byte %s of the block"), offset);
    }
    for (unsigned s = 0; s < dv_pair_sides (plot->pair); s++)
      append_side (text, plot, s, moment, column, row);
  }
  plot->listener.hover (plot->listener.user, text->str);
  g_string_free (text, TRUE);
}

static void
click (struct dv_compare_plot *plot, double x, double y)
{
  uint64_t position, moment;
  uint32_t column, row, owner = DG_NONE;
  if (point_at (plot, x, y, &position, &moment, &column, &row))
    owner = dv_pair_axis_at (&plot->pair->axis, position);
  plot->listener.pointed (plot->listener.user, owner);
}

/* ---- Dragging ------------------------------------------------------- */

/* The view that the rubber band selects; false: it is too small.  */
static bool
band (const struct dv_compare_plot *plot, struct dv_view *view,
      struct dv_plot_area *box)
{
  int part;
  struct dv_plot_area area = part_at (plot, plot->start_y, &part);
  const struct dv_view *now = &plot->viewport.now;
  double x0 = CLAMP (fmin (plot->start_x, plot->at_x), area.x,
                     area.x + area.width);
  double x1 = CLAMP (fmax (plot->start_x, plot->at_x), area.x,
                     area.x + area.width);
  double y0 = CLAMP (fmin (plot->start_y, plot->at_y), area.y,
                     area.y + area.height);
  double y1 = CLAMP (fmax (plot->start_y, plot->at_y), area.y,
                     area.y + area.height);
  bool wide = (plot->drag_axes & DV_AXIS_X) != 0 && x1 - x0 >= LEAST_DRAG;
  bool high = (plot->drag_axes & DV_AXIS_Y) != 0 && y1 - y0 >= LEAST_DRAG;
  if (wide && high && y1 - y0 < (x1 - x0) * DRAG_FLAT)
    high = false;
  else if (wide && high && x1 - x0 < (y1 - y0) * DRAG_FLAT)
    wide = false;
  *view = *now;
  *box = area;
  if (wide) {
    double unit = (double) (now->x1 - now->x0) / area.width;
    view->x0 = now->x0 + (uint64_t) ((x0 - area.x) * unit);
    view->x1 = now->x0 + (uint64_t) ceil ((x1 - area.x) * unit);
    box->x = x0;
    box->width = x1 - x0;
  }
  if (high) {
    double unit = (double) (now->y1 - now->y0) / area.height;
    view->y0 = now->y0 + (uint64_t) ((y0 - area.y) * unit);
    view->y1 = now->y0 + (uint64_t) ceil ((y1 - area.y) * unit);
    box->y = y0;
    box->height = y1 - y0;
  }
  return wide || high;
}

void
dv_compare_input_draw (const struct dv_compare_plot *plot, cairo_t *cr)
{
  struct dv_view view;
  struct dv_plot_area box;
  if (plot->drag != DV_COMPARE_BAND || !band (plot, &view, &box))
    return;
  cairo_rectangle (cr, floor (box.x) + 0.5, floor (box.y) + 0.5,
                   floor (box.width), floor (box.height));
  cairo_set_source_rgba (cr, 0.45, 0.7, 1, 0.22);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0.7, 0.85, 1, 0.95);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
pan (struct dv_compare_plot *plot)
{
  int part;
  struct dv_plot_area area = part_at (plot, plot->start_y, &part);
  struct dv_viewport whole = plot->viewport;
  whole.now = plot->drag_view;
  dv_viewport_move (&whole, (plot->start_x - plot->at_x) / area.width,
                    (plot->start_y - plot->at_y) / area.height, false);
  struct dv_view view = whole.now;
  if (!dv_viewport_show (&plot->viewport, &view, !plot->drag_moved))
    return;
  plot->drag_moved = true;
  dv_compare_plot_view_changed (plot);
}

static gboolean
pressed (GtkWidget *area, GdkEventButton *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  gtk_widget_grab_focus (area);
  if (!dv_compare_plot_has_view (plot))
    return TRUE;
  if (event->type == GDK_2BUTTON_PRESS && event->button == 1) {
    plot->drag = DV_COMPARE_NO_DRAG;
    if (zoom_at (plot, axes_at (plot, event->x, event->y),
                 event->state & GDK_SHIFT_MASK ? 2 : 0.5, event->x, event->y))
      dv_compare_plot_view_changed (plot);
    return TRUE;
  }
  if (event->type != GDK_BUTTON_PRESS || plot->drag != DV_COMPARE_NO_DRAG
      || (event->button != 1 && event->button != 2))
    return FALSE;
  plot->drag = event->button == 1 ? DV_COMPARE_BAND : DV_COMPARE_PAN;
  plot->drag_axes = axes_at (plot, event->x, event->y);
  plot->start_x = plot->at_x = event->x;
  plot->start_y = plot->at_y = event->y;
  plot->drag_view = plot->viewport.now;
  plot->drag_moved = false;
  return TRUE;
}

static gboolean
moved (GtkWidget *area, GdkEventMotion *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  plot->at_x = event->x;
  plot->at_y = event->y;
  if (plot->drag == DV_COMPARE_PAN)
    pan (plot);
  else if (plot->drag == DV_COMPARE_BAND)
    gtk_widget_queue_draw (area);
  hover (plot, event->x, event->y);
  return TRUE;
}

static gboolean
released (GtkWidget *area, GdkEventButton *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  struct dv_view view;
  struct dv_plot_area box;
  bool was_band = plot->drag == DV_COMPARE_BAND && event->button == 1;
  plot->at_x = event->x;
  plot->at_y = event->y;
  if (plot->drag == DV_COMPARE_NO_DRAG)
    return FALSE;
  bool is_meant = was_band && band (plot, &view, &box);
  plot->drag = DV_COMPARE_NO_DRAG;
  gtk_widget_queue_draw (area);
  if (is_meant && dv_viewport_show (&plot->viewport, &view, true))
    dv_compare_plot_view_changed (plot);
  else if (was_band && !is_meant)
    click (plot, event->x, event->y);
  return TRUE;
}

static gboolean
left (GtkWidget *area, GdkEventCrossing *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  plot->listener.hover (plot->listener.user, "");
  return FALSE;
}

/* ---- Wheel ---------------------------------------------------------- */

static gboolean
scrolled (GtkWidget *area, GdkEventScroll *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  double dx, dy;
  if (!dv_compare_plot_has_view (plot))
    return TRUE;
  dv_view_steps_scrolled (event, &dx, &dy);
  /* X turns the wheel sideways when Shift is held.  */
  if ((event->state & GDK_SHIFT_MASK) != 0 && dy == 0) {
    dy = dx;
    dx = 0;
  }
  enum dv_axis axes = event->state & GDK_SHIFT_MASK     ? DV_AXIS_X
                      : event->state & GDK_CONTROL_MASK ? DV_AXIS_Y
                      : axes_at (plot, event->x, event->y);
  bool changed = fabs (dy) > fabs (dx)
    ? zoom_at (plot, axes, pow (DV_WHEEL_STEP, dy), event->x, event->y)
    : dx != 0 && dv_viewport_move (&plot->viewport, dx * DV_TILT_STEP, 0,
                                   begins_gesture (plot));
  if (changed)
    dv_compare_plot_view_changed (plot);
  return TRUE;
}

/* ---- Keys ----------------------------------------------------------- */

static bool
use_key (struct dv_compare_plot *plot, guint key, bool *changed)
{
  struct dv_view_step step;
  bool begins = begins_gesture (plot);
  if (dv_view_steps_of_key (key, &step)) {
    *changed = step.is_zoom
                 ? dv_viewport_zoom (&plot->viewport, step.axes, step.factor,
                                     0.5, 0.5, begins)
                 : dv_viewport_move (&plot->viewport, step.dx, step.dy,
                                     begins);
    return true;
  }
  switch (key) {
  case GDK_KEY_Home: case GDK_KEY_KP_Home: case GDK_KEY_0: case GDK_KEY_KP_0:
    *changed = dv_viewport_fit (&plot->viewport);
    return true;
  case GDK_KEY_Escape:
    plot->drag = DV_COMPARE_NO_DRAG;
    plot->listener.pointed (plot->listener.user, DG_NONE);
    gtk_widget_queue_draw (plot->area);
    return true;
  default:
    return false;
  }
}

static gboolean
key_pressed (GtkWidget *area, GdkEventKey *event, gpointer data)
{
  struct dv_compare_plot *plot = data;
  guint state = event->state & gtk_accelerator_get_default_mod_mask ();
  bool changed = false;
  if (!dv_compare_plot_has_view (plot) || (state & ~GDK_SHIFT_MASK) != 0)
    return FALSE;
  bool used = use_key (plot, event->keyval, &changed);
  if (changed)
    dv_compare_plot_view_changed (plot);
  return used;
}

void
dv_compare_input_connect (struct dv_compare_plot *plot)
{
  gtk_widget_add_events (plot->area,
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK
                           | GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK
                           | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK
                           | GDK_KEY_PRESS_MASK);
  g_signal_connect (plot->area, "button-press-event", G_CALLBACK (pressed),
                    plot);
  g_signal_connect (plot->area, "button-release-event",
                    G_CALLBACK (released), plot);
  g_signal_connect (plot->area, "motion-notify-event", G_CALLBACK (moved),
                    plot);
  g_signal_connect (plot->area, "leave-notify-event", G_CALLBACK (left),
                    plot);
  g_signal_connect (plot->area, "scroll-event", G_CALLBACK (scrolled), plot);
  g_signal_connect (plot->area, "key-press-event", G_CALLBACK (key_pressed),
                    plot);
}
