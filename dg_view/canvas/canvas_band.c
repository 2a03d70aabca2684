/* canvas_band.c: the rubber band, with what it holds, and the cursor of the
   keyboard.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>
#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

/* Pixels that the pointer must move for a drag.  */
#define DRAG_LEAST 5
/* A drag at most this much of the other direction zooms one axis only.  */
#define DRAG_FLAT  0.15
/* Of the cursor, around its point.  */
#define CURSOR_GAP 6
/* How far a line at a moment stands out of the data.  */
#define MOMENT_OUT 8

/* The part of an axis between two points of the widget, in pixels; false if
   they are too near to one another.  */
static bool
stretch (double a, double b, double low, double length, double *start,
         double *size)
{
  *start = CLAMP (fmin (a, b), low, low + length);
  *size = CLAMP (fmax (a, b), low, low + length) - *start;
  return *size >= DRAG_LEAST;
}

/* What pixels [start, start + size) of an axis show.  */
static void
stretch_units (double start, double size, double low, double length,
               uint64_t *from, uint64_t *to)
{
  double per_pixel = (double) (*to - *from) / length;
  uint64_t first = *from;
  *from = first + (uint64_t) floor ((start - low) * per_pixel);
  *to = first + (uint64_t) ceil ((start + size - low) * per_pixel);
}

bool
dv_canvas_band (const struct dv_canvas *canvas, struct dv_view *view,
                struct dv_plot_area *band)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  enum dv_axis axes = canvas->drag_axes;
  *band = area;
  *view = canvas->viewport.now;
  bool wide = axes & DV_AXIS_X
              && stretch (canvas->start_x, canvas->at_x, area.x, area.width,
                          &band->x, &band->width);
  bool high = axes & DV_AXIS_Y
              && stretch (canvas->start_y, canvas->at_y, area.y, area.height,
                          &band->y, &band->height);
  if (wide && high && band->height < band->width * DRAG_FLAT)
    high = false;
  else if (wide && high && band->width < band->height * DRAG_FLAT)
    wide = false;
  if (!wide) {
    band->x = area.x;
    band->width = area.width;
  } else {
    stretch_units (band->x, band->width, area.x, area.width, &view->x0,
                   &view->x1);
  }
  if (!high) {
    band->y = area.y;
    band->height = area.height;
  } else {
    stretch_units (band->y, band->height, area.y, area.height, &view->y0,
                   &view->y1);
  }
  return wide || high;
}

/* ---- Drawing --------------------------------------------------------- */

static void
set_colour (cairo_t *cr, const struct dv_rgb *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, alpha);
}

char *
dv_canvas_band_text (const struct dv_view *view)
{
  char bytes[40], count[40];
  dv_format_bytes (bytes, sizeof bytes, view->x1 - view->x0);
  dg_number_text_about (count, sizeof count, view->y1 - view->y0);
  /* Translators: bytes of memory × a number of instructions.  */
  return g_strdup_printf (_ ("%s × %s instructions"), bytes, count);
}

/* A line on a plate, beside the band where there is room.  */
static void
draw_label (const struct dv_canvas *canvas, cairo_t *cr,
            const struct dv_plot_area *band, const char *text)
{
  const struct dv_palette *palette = canvas->look.palette;
  struct dv_plot_area area = dv_canvas_area (canvas);
  PangoLayout *layout = gtk_widget_create_pango_layout (canvas->widget, text);
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  double w = width + 12, h = height + 6;
  double x = CLAMP (band->x + (band->width - w) / 2, area.x + 2,
                    fmax (area.x + 2, area.x + area.width - w - 2));
  double y = band->y + band->height + 4;
  if (y + h > area.y + area.height)
    y = band->y - h - 4;
  if (y < area.y)
    y = area.y + 4;
  x = floor (x);
  y = floor (y);
  cairo_rectangle (cr, x, y, w, h);
  set_colour (cr, &palette->area, 0.85);
  cairo_fill (cr);
  set_colour (cr, &palette->message, 1);
  cairo_move_to (cr, x + 6, y + 3);
  pango_cairo_show_layout (cr, layout);
  g_object_unref (layout);
}

/* One that stays has an outline of two colours, and dashes.  */
void
dv_canvas_draw_band (const struct dv_canvas *canvas, cairo_t *cr,
                     const struct dv_plot_area *band, bool is_box,
                     const char *text)
{
  static const double dashes[] = {5, 4};
  cairo_save (cr);
  cairo_rectangle (cr, floor (band->x) + 0.5, floor (band->y) + 0.5,
                   floor (band->width), floor (band->height));
  cairo_set_source_rgba (cr, 0.45, 0.7, 1, is_box ? 0.12 : 0.22);
  cairo_fill_preserve (cr);
  cairo_set_line_width (cr, 1);
  if (is_box) {
    set_colour (cr, &canvas->look.palette->area, 1);
    cairo_stroke_preserve (cr);
    set_colour (cr, &canvas->look.palette->message, 1);
    cairo_set_dash (cr, dashes, 2, 0);
  } else {
    cairo_set_source_rgba (cr, 0.7, 0.85, 1, 0.95);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
  if (text != NULL)
    draw_label (canvas, cr, band, text);
}

static void
draw_band (const struct dv_canvas *canvas, cairo_t *cr)
{
  struct dv_view view;
  struct dv_plot_area band;
  if ((canvas->drag != DV_DRAG_BAND && canvas->drag != DV_DRAG_BOX)
      || !dv_canvas_band (canvas, &view, &band))
    return;
  char *text = dv_canvas_band_text (&view);
  dv_canvas_draw_band (canvas, cr, &band, canvas->drag == DV_DRAG_BOX, text);
  g_free (text);
}

/* Lines across the data, but not over the point itself.  */
static void
cursor_path (cairo_t *cr, const struct dv_plot_area *area, double x, double y)
{
  cairo_move_to (cr, area->x, y);
  cairo_line_to (cr, fmax (area->x, x - CURSOR_GAP), y);
  cairo_move_to (cr, fmin (area->x + area->width, x + CURSOR_GAP), y);
  cairo_line_to (cr, area->x + area->width, y);
  cairo_move_to (cr, x, area->y);
  cairo_line_to (cr, x, fmax (area->y, y - CURSOR_GAP));
  cairo_move_to (cr, x, fmin (area->y + area->height, y + CURSOR_GAP));
  cairo_line_to (cr, x, area->y + area->height);
}

/* Two colours, to be seen on whatever is there.  */
static void
stroke_twice (const struct dv_canvas *canvas, cairo_t *cr)
{
  const struct dv_palette *palette = canvas->look.palette;
  set_colour (cr, &palette->area, 0.6);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  set_colour (cr, &palette->message, 0.9);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
draw_cursor (const struct dv_canvas *canvas, cairo_t *cr)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  double x, y;
  if (!canvas->has_cursor || !gtk_widget_has_focus (canvas->widget)
      || !dv_canvas_point (canvas, &x, &y))
    return;
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  cursor_path (cr, &area, floor (x) + 0.5, floor (y) + 0.5);
  stroke_twice (canvas, cr);
  cairo_restore (cr);
}

static void
draw_moment (const struct dv_canvas *canvas, cairo_t *cr)
{
  const struct dv_view *now = &canvas->viewport.now;
  struct dv_plot_area area = dv_canvas_area (canvas);
  if (canvas->moment < now->y0 || canvas->moment >= now->y1)
    return;
  double share = (double) (canvas->moment - now->y0)
                 / (double) (now->y1 - now->y0);
  double y = floor (area.y + share * area.height) + 0.5;
  cairo_move_to (cr, area.x - MOMENT_OUT, y);
  cairo_line_to (cr, area.x + area.width, y);
  stroke_twice (canvas, cr);
}

void
dv_canvas_draw_input (const struct dv_canvas *canvas, cairo_t *cr)
{
  if (!dv_canvas_has_view (canvas))
    return;
  dv_canvas_draw_box (canvas, cr);
  draw_moment (canvas, cr);
  draw_cursor (canvas, cr);
  draw_band (canvas, cr);
}
