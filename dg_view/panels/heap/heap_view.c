/* heap_view.c: the heap over time as a widget.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_view.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>

#include "format.h"
#include "model/heap/heap_text.h"
#include "i18n.h"
#include "widgets/pieces.h"

/* Pixels that the pointer must move for a drag.  */
#define DRAG_LEAST   5
#define LEAST_WIDTH  120
#define LEAST_HEIGHT 60
/* Columns of a step with Shift; what a zoom by key leaves.  */
#define FAR_STEP     10
#define ZOOM_STEP    1.5

/* ---- The picture -------------------------------------------------------- */

static void
forget_picture (struct dv_heap_view *view)
{
  if (view->picture != NULL)
    cairo_surface_destroy (view->picture);
  view->picture = NULL;
  gtk_widget_queue_draw (view->area);
}

static void
draw_picture (struct dv_heap_view *view, cairo_t *like)
{
  int width = gtk_widget_get_allocated_width (view->area);
  int height = gtk_widget_get_allocated_height (view->area);
  view->picture = cairo_surface_create_similar (
    cairo_get_target (like), CAIRO_CONTENT_COLOR, width, height);
  cairo_t *cr = cairo_create (view->picture);
  view->chart.curve = view->curve->curve;
  view->chart.selected = dv_heap_curve_find (view->curve, view->selected);
  dv_heap_chart_layout (&view->chart, cr, width, height, &view->layout);
  dv_heap_chart_draw (&view->chart, &view->layout, cr, NULL);
  cairo_destroy (cr);
}

/* Two colours, to be seen on whatever is there.  */
static void
draw_line (const struct dv_heap_view *view, cairo_t *cr, uint64_t moment,
           const struct dv_rgb *colour, double dash)
{
  const struct dg_curve *curve = view->curve->curve;
  const struct dv_rgb *back = &view->chart.palette->back;
  if (moment < curve->start_icount || moment >= curve->end_icount)
    return;
  double x = floor (dv_heap_chart_x (&view->chart, &view->layout, moment))
             + 0.5;
  cairo_move_to (cr, x, view->layout.y);
  cairo_line_to (cr, x, view->layout.y + view->layout.area_height);
  cairo_set_source_rgba (cr, back->r, back->g, back->b, 0.7);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, colour->r, colour->g, colour->b);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, &dash, dash > 0 ? 1 : 0, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static double
in_data (const struct dv_heap_view *view, double x)
{
  return CLAMP (x, view->layout.x, view->layout.x + view->layout.area_width);
}

static void
draw_band (const struct dv_heap_view *view, cairo_t *cr)
{
  double from = in_data (view, fmin (view->press_x, view->now_x));
  double to = in_data (view, fmax (view->press_x, view->now_x));
  cairo_rectangle (cr, floor (from) + 0.5, floor (view->layout.y) + 0.5,
                   floor (to - from), floor (view->layout.area_height));
  cairo_set_source_rgba (cr, 0.45, 0.7, 1, 0.22);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0.3, 0.55, 0.9, 0.95);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static gboolean
draw (GtkWidget *area, cairo_t *cr, gpointer data)
{
  struct dv_heap_view *view = data;
  if (view->curve == NULL || view->chart.palette == NULL)
    return FALSE;
  if (view->picture == NULL)
    draw_picture (view, cr);
  cairo_set_source_surface (cr, view->picture, 0, 0);
  cairo_paint (cr);
  draw_line (view, cr, view->moment, &view->chart.palette->ink, 0);
  draw_line (view, cr, view->from_plot, &view->chart.palette->ink, 3);
  if (view->has_moved)
    draw_band (view, cr);
  dv_pieces_draw_focus (area, cr);
  return FALSE;
}

static void
size_allocated (GtkWidget *area, GdkRectangle *size, gpointer data)
{
  struct dv_heap_view *view = data;
  forget_picture (view);
  view->resized (view->user,
                 (uint32_t) (MAX (size->width, 1)
                             * gtk_widget_get_scale_factor (area)));
}

/* ---- What is shown ------------------------------------------------------ */

void
dv_heap_view_set (struct dv_heap_view *view, struct dv_heap_curve *curve)
{
  struct dv_heap_curve *old = view->curve;
  view->curve = curve != NULL ? dv_heap_curve_ref (curve) : NULL;
  view->chart.curve = curve != NULL ? curve->curve : NULL;
  dv_heap_curve_unref (old);
  forget_picture (view);
}

void
dv_heap_view_set_palette (struct dv_heap_view *view,
                          const struct dv_palette *palette)
{
  if (palette == view->chart.palette)
    return;
  view->chart.palette = palette;
  forget_picture (view);
}

void
dv_heap_view_mark (struct dv_heap_view *view, uint64_t moment, uint32_t id)
{
  if (id != view->selected)
    forget_picture (view);
  view->moment = moment;
  view->selected = id;
  gtk_widget_queue_draw (view->area);
}

void
dv_heap_view_point_at (struct dv_heap_view *view, uint64_t moment)
{
  if (moment == view->from_plot)
    return;
  view->from_plot = moment;
  gtk_widget_queue_draw (view->area);
}

/* ---- Pointer ------------------------------------------------------------ */

/* False: there is no picture to point at.  */
static bool
hit_at (const struct dv_heap_view *view, double x, double y,
        struct dv_heap_hit *hit)
{
  if (view->picture == NULL || view->curve == NULL)
    return false;
  *hit = dv_heap_chart_hit (&view->chart, &view->layout, x, y);
  /* What is meant is the moment that the column is drawn for.  */
  if (hit->place == DV_HEAP_DATA)
    hit->icount = view->curve->curve->columns[hit->column].icount;
  return hit->place != DV_HEAP_NOWHERE;
}

static uint32_t
id_of (const struct dv_heap_view *view, uint32_t series)
{
  return series != DG_NONE ? view->curve->curve->series[series].id : DG_NONE;
}

static uint64_t
moment_at (const struct dv_heap_view *view, double x)
{
  return dg_curve_moment (view->curve->curve,
                          (in_data (view, x) - view->layout.x)
                          / view->layout.area_width);
}

static gboolean
pointer_moved (GtkWidget *area, GdkEventMotion *event, gpointer data)
{
  struct dv_heap_view *view = data;
  struct dv_heap_hit hit;
  bool is_there = hit_at (view, event->x, event->y, &hit);
  view->now_x = event->x;
  if (view->is_pressed && fabs (event->x - view->press_x) >= DRAG_LEAST)
    view->has_moved = true;
  if (view->has_moved)
    gtk_widget_queue_draw (area);
  view->pointed (view->user, is_there ? &hit : NULL);
  gtk_widget_trigger_tooltip_query (area);
  return TRUE;
}

static gboolean
pointer_left (GtkWidget *area, GdkEventCrossing *event, gpointer data)
{
  const struct dv_heap_view *view = data;
  view->pointed (view->user, NULL);
  return FALSE;
}

static void
pick (struct dv_heap_view *view, double x, double y)
{
  struct dv_heap_hit hit;
  if (!hit_at (view, x, y, &hit))
    return;
  if (hit.place == DV_HEAP_LEGEND)
    view->picked (view->user, view->moment, id_of (view, hit.series));
  else
    view->picked (view->user, hit.icount, id_of (view, hit.series));
}

static gboolean
button_pressed (GtkWidget *area, GdkEventButton *event, gpointer data)
{
  struct dv_heap_view *view = data;
  gtk_widget_grab_focus (area);
  if (view->curve == NULL)
    return FALSE;
  if (gdk_event_triggers_context_menu ((GdkEvent *) event)) {
    pick (view, event->x, event->y);
    view->menu (view->user, (GdkEvent *) event, NULL);
    return TRUE;
  }
  if (event->button != GDK_BUTTON_PRIMARY)
    return FALSE;
  if (event->type == GDK_2BUTTON_PRESS)
    view->wants_all (view->user);
  if (event->type != GDK_BUTTON_PRESS)
    return TRUE;
  view->is_pressed = view->picture != NULL;
  view->press_x = view->now_x = event->x;
  return TRUE;
}

static gboolean
button_released (GtkWidget *area, GdkEventButton *event, gpointer data)
{
  struct dv_heap_view *view = data;
  bool was_pressed = view->is_pressed, has_moved = view->has_moved;
  if (event->button != GDK_BUTTON_PRIMARY)
    return FALSE;
  view->is_pressed = view->has_moved = false;
  gtk_widget_queue_draw (area);
  if (!was_pressed || view->curve == NULL)
    return TRUE;
  if (has_moved)
    view->zoomed (view->user,
                  moment_at (view, fmin (view->press_x, event->x)),
                  moment_at (view, fmax (view->press_x, event->x)) + 1);
  else
    pick (view, event->x, event->y);
  return TRUE;
}

static gboolean
query_tooltip (GtkWidget *area, int x, int y, gboolean by_key,
               GtkTooltip *tooltip, gpointer data)
{
  const struct dv_heap_view *view = data;
  struct dv_heap_hit hit;
  if (view->has_moved || by_key || !hit_at (view, x, y, &hit)
      || hit.place == DV_HEAP_LEGEND)
    return FALSE;
  char *text = dv_heap_tip (view->curve, hit.series, hit.column);
  if (hit.event != DG_NONE) {
    size_t n;
    const struct dg_event *event
      = &dg_log_events (view->curve->curve->log, &n)[hit.event];
    char *label = dv_format_shown (event->label);
    char *both = g_strdup_printf ("%s\n%s", label, text);
    g_free (label);
    g_free (text);
    text = both;
  }
  gtk_tooltip_set_text (tooltip, text);
  g_free (text);
  return TRUE;
}

/* ---- Keys --------------------------------------------------------------- */

/* To the moment so many columns further.  */
static void
step (struct dv_heap_view *view, int columns)
{
  const struct dg_curve *curve = view->curve->curve;
  uint64_t moment = view->moment != DG_NEVER ? view->moment
                                             : curve->peak_icount;
  gint64 column = (gint64) dg_curve_column_at (curve, moment) + columns;
  column = CLAMP (column, 0, (gint64) curve->n_columns - 1);
  view->picked (view->user, curve->columns[column].icount, view->selected);
}

/* To the series above or below the selected one.  */
static void
step_series (struct dv_heap_view *view, int by)
{
  const struct dg_curve *curve = view->curve->curve;
  uint32_t now = dv_heap_curve_find (view->curve, view->selected);
  gint64 next = now == DG_NONE ? 0 : (gint64) now + by;
  if (next >= 0 && next < (gint64) curve->n_series
      && curve->series[next].id != DG_NONE)
    view->picked (view->user, view->moment, curve->series[next].id);
}

/* Around the chosen moment.  */
static void
zoom (struct dv_heap_view *view, double factor)
{
  const struct dg_curve *curve = view->curve->curve;
  double share = view->moment >= curve->start_icount
                 && view->moment < curve->end_icount
                 ? dg_curve_position (curve, view->moment) : 0.5;
  double span = (double) (curve->end_icount - curve->start_icount);
  double at = (double) curve->start_icount + share * span;
  double start = fmax (0, at - share * span * factor);
  view->zoomed (view->user, (uint64_t) start,
                (uint64_t) ceil (start + span * factor));
}

static gboolean
key_pressed (GtkWidget *area, GdkEventKey *event, gpointer data)
{
  struct dv_heap_view *view = data;
  guint modifiers = event->state & gtk_accelerator_get_default_mod_mask ();
  int far = modifiers == GDK_SHIFT_MASK ? FAR_STEP : 1;
  if (view->curve == NULL || (modifiers & ~GDK_SHIFT_MASK) != 0)
    return FALSE;
  switch (event->keyval) {
  case GDK_KEY_Left:
    step (view, -far);
    return TRUE;
  case GDK_KEY_Right:
    step (view, far);
    return TRUE;
  case GDK_KEY_Home:
    step (view, -(int) DG_CURVE_MAX_COLUMNS);
    return TRUE;
  case GDK_KEY_End:
    step (view, (int) DG_CURVE_MAX_COLUMNS);
    return TRUE;
  case GDK_KEY_Up:
    step_series (view, -1);
    return TRUE;
  case GDK_KEY_Down:
    step_series (view, 1);
    return TRUE;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    zoom (view, 1 / ZOOM_STEP);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    zoom (view, ZOOM_STEP);
    return TRUE;
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    view->wants_all (view->user);
    return TRUE;
  case GDK_KEY_p:
    view->wants_preset (view->user, DV_HEAP_AT_PEAK);
    return TRUE;
  case GDK_KEY_e:
    view->wants_preset (view->user, DV_HEAP_AT_EXIT);
    return TRUE;
  case GDK_KEY_t:
    view->wants_preset (view->user, DV_HEAP_TEMPORARY);
    return TRUE;
  case GDK_KEY_Escape:
    view->picked (view->user, view->moment, DG_NONE);
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
popup_menu (GtkWidget *area, gpointer data)
{
  const struct dv_heap_view *view = data;
  GdkRectangle place = { (int) view->layout.x, (int) view->layout.y, 1, 1 };
  view->menu (view->user, NULL, &place);
  return TRUE;
}

/* ---- Making ------------------------------------------------------------- */

void
dv_heap_view_init (struct dv_heap_view *view)
{
  GtkWidget *area = gtk_drawing_area_new ();
  view->area = area;
  view->selected = view->chart.selected = DG_NONE;
  view->moment = view->from_plot = DG_NEVER;
  gtk_widget_set_size_request (area, LEAST_WIDTH, LEAST_HEIGHT);
  gtk_widget_set_can_focus (area, TRUE);
  gtk_widget_set_has_tooltip (area, TRUE);
  gtk_widget_add_events (area, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK
                               | GDK_POINTER_MOTION_MASK
                               | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK);
  dv_pieces_name (area, _ ("Heap over time"));
  g_signal_connect (area, "draw", G_CALLBACK (draw), view);
  g_signal_connect_after (area, "size-allocate", G_CALLBACK (size_allocated),
                          view);
  g_signal_connect (area, "motion-notify-event", G_CALLBACK (pointer_moved),
                    view);
  g_signal_connect (area, "leave-notify-event", G_CALLBACK (pointer_left),
                    view);
  g_signal_connect (area, "button-press-event", G_CALLBACK (button_pressed),
                    view);
  g_signal_connect (area, "button-release-event",
                    G_CALLBACK (button_released), view);
  g_signal_connect (area, "query-tooltip", G_CALLBACK (query_tooltip), view);
  g_signal_connect (area, "key-press-event", G_CALLBACK (key_pressed), view);
  g_signal_connect (area, "popup-menu", G_CALLBACK (popup_menu), view);
}

void
dv_heap_view_fini (struct dv_heap_view *view)
{
  if (view->picture != NULL)
    cairo_surface_destroy (view->picture);
  view->picture = NULL;
  g_clear_pointer (&view->curve, dv_heap_curve_unref);
}
