/* frame.c: what stands around the data: axes, title, legend.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "drawing.h"

#include <math.h>

#include "axis.h"
#include "format.h"

#define TICK 5

static void
draw_tick (struct dv_drawing *drawing, double x, double y, double width,
           double height)
{
  dv_set_colour (drawing->cr, &drawing->plot->look.palette->faint, 1);
  cairo_rectangle (drawing->cr, x, y, width, height);
  cairo_fill (drawing->cr);
}

static void
draw_y_axis (struct dv_drawing *drawing)
{
  const struct dv_plot_area *area = &drawing->area;
  const struct dv_palette *palette = drawing->plot->look.palette;
  GArray *ticks = dv_axis_counts (&drawing->plot->view, area->height, 46);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double y = floor (area->y + tick->pixel);
    draw_tick (drawing, area->x - TICK, y, TICK - 1, 1);
    dv_text_draw (&drawing->text, area->x - TICK - 3,
                  fmax (y, area->y + 5), 1, 0, DV_STYLE_SMALL,
                  &palette->ink, tick->label);
  }
  g_array_unref (ticks);
  dv_text_draw (&drawing->text, 11, area->y + area->height / 2, 0.5, 0,
                DV_STYLE_NORMAL | DV_STYLE_UPRIGHT, &palette->faint,
                "← Instructions executed");
}

static void
draw_x_axis (struct dv_drawing *drawing)
{
  const struct dv_plot_area *area = &drawing->area;
  const struct dv_palette *palette = drawing->plot->look.palette;
  double digit = dv_text_width (&drawing->text, DV_STYLE_SMALL, "00000000")
                 / 8;
  GArray *ticks = dv_axis_addresses (&drawing->plot->scene->layout,
                                     &drawing->plot->view, area->width,
                                     digit);
  double bottom = area->y + area->height;
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double x = floor (area->x + tick->pixel);
    draw_tick (drawing, x, bottom + 1, 1, TICK - 1);
    double half = dv_text_width (&drawing->text, DV_STYLE_SMALL,
                                 tick->label) / 2;
    dv_text_draw (&drawing->text, fmin (x + 0.5, drawing->width - half - 2),
                  bottom + TICK + 8, 0.5, 0, DV_STYLE_SMALL, &palette->ink,
                  tick->label);
  }
  g_array_unref (ticks);
  dv_text_draw (&drawing->text, area->x + area->width / 2, bottom + 31, 0.5,
                0, DV_STYLE_NORMAL, &palette->faint, "Address →");
}

/* From right to left: each part is drawn left of x and moves it.  */
static void
legend_text (struct dv_drawing *drawing, double *x, double y,
             const char *text)
{
  dv_text_draw (&drawing->text, *x, y, 1, 0, DV_STYLE_NORMAL,
                &drawing->plot->look.palette->ink, text);
  *x -= dv_text_width (&drawing->text, DV_STYLE_NORMAL, text) + 5;
}

static void
legend_square (struct dv_drawing *drawing, double *x, double y,
               const struct dv_rgb *colour, const char *text)
{
  legend_text (drawing, x, y, text);
  dv_set_colour (drawing->cr, colour, 1);
  cairo_rectangle (drawing->cr, floor (*x) - 11, y - 5.5, 11, 11);
  cairo_fill (drawing->cr);
  *x -= 11 + 14;
}

/* A dark tile with a line down its middle.  */
static void
legend_line (struct dv_drawing *drawing, double *x, double y,
             const struct dv_rgb *colour, const char *text)
{
  legend_text (drawing, x, y, text);
  dv_set_colour (drawing->cr, &drawing->plot->look.palette->area, 1);
  cairo_rectangle (drawing->cr, floor (*x) - 11, y - 5.5, 11, 11);
  cairo_fill (drawing->cr);
  dv_set_colour (drawing->cr, colour, 0.9);
  cairo_rectangle (drawing->cr, floor (*x) - 6, y - 5.5, 1, 11);
  cairo_fill (drawing->cr);
  *x -= 11 + 14;
}

static void
legend_density (struct dv_drawing *drawing, double *x, double y)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_palette *palette = plot->look.palette;
  char most[32], text[80];
  if (plot->max < 2)
    return;
  dv_format_about (most, sizeof most, plot->max);
  g_snprintf (text, sizeof text, "1 to %s per pixel", most);
  legend_text (drawing, x, y, text);
  const int steps = 8, step = 5;
  for (int i = 0; i < steps; i++) {
    double at = dv_palette_density (1, plot->max);
    double v = at + (1 - at) * i / (steps - 1);
    struct dv_rgb c = dv_palette_blend (&palette->area, &palette->both, v);
    dv_set_colour (drawing->cr, &c, 1);
    cairo_rectangle (drawing->cr, floor (*x) - (steps - i) * step, y - 5.5,
                     step, 11);
    cairo_fill (drawing->cr);
  }
  *x -= steps * step + 14;
}

/* Returns where it begins.  */
static double
draw_legend (struct dv_drawing *drawing, double y)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  double x = drawing->width - DV_MARGIN;
  double least = drawing->area.x + drawing->width * 0.3;
  legend_density (drawing, &x, y);
  legend_square (drawing, &x, y, &palette->both, "both");
  legend_square (drawing, &x, y, &palette->write, "write");
  legend_square (drawing, &x, y, &palette->read, "read");
  if (drawing->lines && x > least)
    legend_line (drawing, &x, y, &palette->line, "cache line");
  if (drawing->pages && x > least)
    legend_line (drawing, &x, y, &palette->page, "page");
  if (drawing->gaps && x > least)
    legend_line (drawing, &x, y, &palette->gap, "addresses left out");
  return x;
}

void
dv_frame_draw (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->area;
  cairo_t *cr = drawing->cr;
  dv_set_colour (cr, &plot->look.palette->frame, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, area->x - 0.5, area->y - 0.5, area->width + 1,
                   area->height + 1);
  cairo_stroke (cr);
  double y = plot->title != NULL ? 17 : 13;
  double room = drawing->width - 2 * DV_MARGIN;
  if (plot->scene != NULL && !dv_view_is_empty (&plot->view)) {
    draw_y_axis (drawing);
    draw_x_axis (drawing);
    room = draw_legend (drawing, y) - 2 * DV_MARGIN;
  }
  if (plot->title != NULL && room > 60)
    dv_text_draw (&drawing->text, DV_MARGIN, y, 0, room, DV_STYLE_TITLE,
                  &plot->look.palette->ink, plot->title);
}
