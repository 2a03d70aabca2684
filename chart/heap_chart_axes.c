/* heap_chart_axes.c: axes and grid of a picture of the heap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>

#include "i18n.h"
#include "ticks.h"

#define TICK 4

GArray *
dv_heap_ticks_bytes (uint64_t top, double height)
{
  return dv_ticks_bytes (0, top, height, 50);
}

GArray *
dv_heap_ticks_time (const struct dg_curve *curve, double width)
{
  double apart = 92;
  switch (curve->time) {
  case DG_CURVE_BYTES:
    return dv_ticks_bytes (curve->start_time, curve->end_time, width, apart);
  case DG_CURVE_NS:
    return dv_ticks_ns (curve->start_time, curve->end_time, width, apart);
  default:
    return dv_ticks_counts (curve->start_icount, curve->end_icount, width,
                            apart);
  }
}

static const char *
time_name (enum dg_curve_time time)
{
  switch (time) {
  case DG_CURVE_BYTES:
    return _ ("Bytes allocated and freed →");
  case DG_CURVE_NS:
    return _ ("Time →");
  default:
    return _ ("Instructions executed →");
  }
}

void
dv_heap_grid_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  GArray *ticks = dv_heap_ticks_bytes (layout->top, layout->area_height);
  dv_heap_set_colour (drawing->cr, &drawing->chart->palette->frame, 0.45);
  for (guint i = 1; i < ticks->len; i++) {
    double pixel = g_array_index (ticks, struct dv_tick, i).pixel;
    cairo_rectangle (drawing->cr, layout->x,
                     floor (layout->y + layout->area_height - pixel),
                     layout->area_width, 1);
  }
  cairo_fill (drawing->cr);
  g_array_unref (ticks);
}

static void
draw_bytes (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  GArray *ticks = dv_heap_ticks_bytes (layout->top, layout->area_height);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double y = layout->y + layout->area_height - tick->pixel;
    dv_text_draw (&drawing->text, layout->x - 7, fmax (y, layout->y + 5), 1,
                  0, DV_STYLE_SMALL, &drawing->chart->palette->faint,
                  tick->label);
  }
  g_array_unref (ticks);
}

static void
draw_time (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dv_palette *palette = drawing->chart->palette;
  double bottom = layout->y + layout->area_height;
  double last = 0;
  GArray *ticks = dv_heap_ticks_time (drawing->chart->curve,
                                      layout->area_width);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double x = floor (layout->x + tick->pixel);
    double half = dv_text_width (&drawing->text, DV_STYLE_SMALL,
                                 tick->label) / 2;
    dv_heap_set_colour (drawing->cr, &palette->frame, 1);
    cairo_rectangle (drawing->cr, x, bottom + 1, 1, TICK);
    cairo_fill (drawing->cr);
    /* Within the picture, but not over each other.  */
    x = fmin (x + 0.5, layout->width - half - 2);
    if (x - half < last + 6 && i > 0)
      continue;
    last = x + half;
    dv_text_draw (&drawing->text, x, bottom + TICK + 9, 0.5, 0,
                  DV_STYLE_SMALL, &palette->faint, tick->label);
  }
  g_array_unref (ticks);
  if (layout->height >= 170)
    dv_text_draw (&drawing->text, layout->x + layout->area_width / 2,
                  bottom + 27, 0.5, layout->area_width, DV_STYLE_SMALL,
                  &palette->faint, time_name (drawing->chart->curve->time));
}

void
dv_heap_axes_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  dv_heap_set_colour (drawing->cr, &drawing->chart->palette->frame, 1);
  cairo_rectangle (drawing->cr, layout->x - 1,
                   layout->y + layout->area_height, layout->area_width + 1,
                   1);
  cairo_fill (drawing->cr);
  draw_bytes (drawing);
  draw_time (drawing);
}
