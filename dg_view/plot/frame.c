/* frame.c: what stands around the data: axes, title, legend.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "drawing.h"

#include <math.h>
#include <string.h>

#include "model/log/axis.h"
#include "model/picture/ruler.h"
#include "i18n.h"

#define TICK  5
/* Below the data.  */
#define NAMES 24
#define RULER 43
/* Left of the instruction counts.  */
#define TITLE_WIDE 19

static void
draw_tick (struct dv_drawing *drawing, double x, double y, double width,
           double height)
{
  dv_set_colour (drawing->cr, &drawing->plot->look.palette->faint, 1);
  cairo_rectangle (drawing->cr, x, y, width, height);
  cairo_fill (drawing->cr);
}

/* Below the title, beside the middle of the data if it is short enough.  */
static void
draw_y_name (struct dv_drawing *drawing)
{
  const struct dv_plot_area *area = &drawing->area;
  const char *name = _ ("← Instructions executed");
  double top = drawing->plot->title != NULL ? DV_HEADER : 2;
  double room = drawing->height - 2 - top;
  double length = fmin (dv_text_width (&drawing->text, DV_STYLE_NORMAL, name),
                        room);
  double y = fmax (fmin (area->y + area->height / 2,
                         drawing->height - 2 - length / 2),
                   top + length / 2);
  dv_text_draw (&drawing->text, 11, y, 0.5, room,
                DV_STYLE_NORMAL | DV_STYLE_UPRIGHT,
                &drawing->plot->look.palette->faint, name);
}

static void
draw_y_axis (struct dv_drawing *drawing)
{
  const struct dv_plot_area *area = &drawing->area;
  const struct dv_palette *palette = drawing->plot->look.palette;
  double right = area->x - 1;
  if (drawing->plot->picture != NULL && drawing->plot->picture->lane != NULL)
    right -= DV_LANE + 1;
  double least = right;
  const struct dv_view *view = &drawing->plot->view;
  GArray *ticks = dv_ticks_counts (view->y0, view->y1, area->height, 46);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double y = floor (area->y + tick->pixel);
    draw_tick (drawing, right - TICK + 1, y, TICK - 1, 1);
    dv_text_draw (&drawing->text, right - TICK - 2,
                  fmax (y, area->y + 5), 1, 0, DV_STYLE_SMALL,
                  &palette->ink, tick->label);
    least = fmin (least, right - TICK - 2
                         - dv_text_width (&drawing->text, DV_STYLE_SMALL,
                                          tick->label));
  }
  g_array_unref (ticks);
  /* Long numbers stand where the axis has its name.  */
  if (least >= TITLE_WIDE)
    draw_y_name (drawing);
}

bool
dv_frame_has_clock (const struct dv_scene *scene)
{
  size_t n;
  dg_log_clock (scene->data->log, &n);
  return n > 1;
}

static void
draw_clock (struct dv_drawing *drawing)
{
  const struct dv_plot_area *area = &drawing->area;
  const struct dv_palette *palette = drawing->plot->look.palette;
  double left = area->x + area->width;
  size_t n;
  const struct dg_clock *clock
    = dg_log_clock (drawing->plot->scene->data->log, &n);
  const struct dv_view *view = &drawing->plot->view;
  GArray *ticks = dv_ticks_times (view->y0, view->y1, clock, n, area->height,
                                  46);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double y = floor (area->y + tick->pixel);
    draw_tick (drawing, left + 1, y, TICK - 1, 1);
    dv_text_draw (&drawing->text, left + TICK + 3, fmax (y, area->y + 5), 0,
                  0, DV_STYLE_SMALL, &palette->faint, tick->label);
  }
  g_array_unref (ticks);
}

/* The fields of objects: a line over each, with its name if it fits.  */
static void
draw_field (struct dv_drawing *drawing, const struct dv_ruler_field *field,
            double y)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_plot_area *area = &drawing->area;
  double left = floor (fmax (dv_drawing_x (drawing, field->x0), area->x));
  double right = floor (fmin (dv_drawing_x (drawing, field->x1),
                              area->x + area->width));
  if (right <= left)
    return;
  dv_set_colour (drawing->cr, &palette->faint, 1);
  cairo_rectangle (drawing->cr, left, y, right - left, 1);
  cairo_rectangle (drawing->cr, left, y - (field->begins ? 2 : 0), 1,
                   field->begins ? 7 : 4);
  cairo_fill (drawing->cr);
  double length = dv_text_width (&drawing->text, DV_STYLE_SMALL, field->name);
  const char *name = field->name;
  /* Of what is too long, the end is what differs.  */
  if (length > right - left - 4) {
    const char *dot = strrchr (name, '.'), *bracket = strrchr (name, '[');
    name = dot > bracket ? dot : bracket;
    if (name == NULL
        || dv_text_width (&drawing->text, DV_STYLE_SMALL, name)
             > right - left - 4)
      return;
  }
  dv_text_draw (&drawing->text, (left + right) / 2, y + 8, 0.5, 0,
                DV_STYLE_SMALL, &palette->ink, name);
}

static void
draw_ruler (struct dv_drawing *drawing, const GArray *fields)
{
  double y = drawing->area.y + drawing->area.height + RULER;
  for (guint i = 0; i < fields->len; i++)
    draw_field (drawing,
                &g_array_index (fields, struct dv_ruler_field, i), y);
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
  const GArray *fields = drawing->plot->fields;
  if (fields != NULL && fields->len > 0)
    draw_ruler (drawing, fields);
  else
    dv_text_draw (&drawing->text, area->x + area->width / 2, bottom + 48, 0.5,
                  0, DV_STYLE_NORMAL, &palette->faint, _ ("Address →"));
}

/* ---- Names of the areas ---------------------------------------------- */

/* A bracket with the name in its middle, if there is room for it.  */
static void
draw_name (struct dv_drawing *drawing, double left, double right,
           const char *name)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  double y = drawing->area.y + drawing->area.height + NAMES;
  double x = floor (left) + 1, width = floor (right) - x;
  if (width < 1)
    return;
  dv_set_colour (drawing->cr, &palette->faint, 0.6);
  cairo_rectangle (drawing->cr, x, y, width, 1);
  if (width > 4) {
    cairo_rectangle (drawing->cr, x, y - 2, 1, 2);
    cairo_rectangle (drawing->cr, x + width - 1, y - 2, 1, 2);
  }
  cairo_fill (drawing->cr);
  if (width < 26)
    return;
  double length = dv_text_width (&drawing->text, DV_STYLE_SMALL, name);
  dv_text_draw (&drawing->text, x + width / 2, y + 9, 0.5,
                length > width ? width : 0, DV_STYLE_SMALL, &palette->faint,
                name);
}

static void
draw_names (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->area;
  if (plot->picture == NULL || plot->picture->areas == NULL)
    return;
  const GArray *areas = plot->picture->areas;
  double done = -1;
  for (guint i = 0; i < areas->len; i++) {
    const struct dv_area *a = &g_array_index (areas, struct dv_area, i);
    double left = fmax (dv_drawing_x (drawing, a->x0), area->x);
    double right = fmin (dv_drawing_x (drawing, a->x1),
                         area->x + area->width);
    /* Many that share a pixel are one stroke.  */
    if (right - left < 1 && right < done + 1)
      continue;
    draw_name (drawing, left, fmax (right, left + 2), a->name);
    done = right;
  }
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
    if (plot->look.clock)
      draw_clock (drawing);
    draw_x_axis (drawing);
    draw_names (drawing);
    room = dv_legend_draw (drawing, y) - 2 * DV_MARGIN;
  }
  if (plot->title != NULL && room > 60)
    dv_text_draw (&drawing->text, DV_MARGIN, y, 0, room, DV_STYLE_TITLE,
                  &plot->look.palette->ink, plot->title);
}
