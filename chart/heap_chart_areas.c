/* heap_chart_areas.c: bytes alive as areas, one on the other.

   Each area is drawn from the bottom up to its upper edge, the highest first,
   so that no background shows between two.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>
#include <string.h>

/* How pale the others are beside the selected one.  */
#define PALE 0.72

size_t
dv_heap_steps (const struct dg_curve *curve, double width,
               double device_scale)
{
  double pixels = fmax (floor (width * device_scale), 1);
  return pixels < (double) curve->n_columns ? (size_t) pixels
                                            : curve->n_columns;
}

size_t
dv_heap_step_column (const struct dg_curve *curve, size_t steps, size_t step)
{
  size_t first = step * curve->n_columns / steps;
  size_t end = (step + 1) * curve->n_columns / steps;
  size_t best = first;
  for (size_t c = first + 1; c < end; c++)
    if (curve->columns[c].total > curve->columns[best].total)
      best = c;
  return best;
}

/* The heights of an edge, as a path of steps from left to right; neighbours of
   the same height are one.  */
static void
trace_edge (const struct dv_heap_drawing *drawing, const double *heights,
            size_t steps)
{
  const struct dv_heap_layout *layout = drawing->layout;
  double bottom = layout->y + layout->area_height;
  double wide = layout->area_width / (double) steps;
  size_t from = 0;
  for (size_t i = 1; i <= steps; i++) {
    if (i < steps && fabs (heights[i] - heights[from]) < 0.02)
      continue;
    double y = bottom - heights[from];
    cairo_line_to (drawing->cr, layout->x + (double) from * wide, y);
    cairo_line_to (drawing->cr, layout->x + (double) i * wide, y);
    from = i;
  }
}

static void
fill_area (const struct dv_heap_drawing *drawing, const double *heights,
           size_t steps, const struct dv_rgb *colour)
{
  const struct dv_heap_layout *layout = drawing->layout;
  double bottom = layout->y + layout->area_height;
  cairo_move_to (drawing->cr, layout->x, bottom);
  trace_edge (drawing, heights, steps);
  cairo_line_to (drawing->cr, layout->x + layout->area_width, bottom);
  cairo_close_path (drawing->cr);
  dv_heap_set_colour (drawing->cr, colour, 1);
  cairo_fill (drawing->cr);
}

static void
stroke_edge (const struct dv_heap_drawing *drawing, const double *heights,
             size_t steps, const struct dv_rgb *colour, double alpha,
             double width)
{
  cairo_new_path (drawing->cr);
  trace_edge (drawing, heights, steps);
  dv_heap_set_colour (drawing->cr, colour, alpha);
  cairo_set_line_width (drawing->cr, width);
  cairo_set_line_join (drawing->cr, CAIRO_LINE_JOIN_BEVEL);
  cairo_stroke (drawing->cr);
}

static struct dv_rgb
colour_of (const struct dv_heap_drawing *drawing, size_t series)
{
  const struct dv_heap_chart *chart = drawing->chart;
  return chart->selected == DG_NONE || chart->selected == series
             || chart->selected >= chart->curve->n_series
           ? drawing->colours[series]
           : dv_palette_blend (&drawing->colours[series],
                               &chart->palette->back, PALE);
}

/* The height of a series and all below it, at each step.  */
static void
add_up (const struct dv_heap_drawing *drawing, double *sums,
        const size_t *columns, size_t steps, size_t series)
{
  const struct dg_curve *curve = drawing->chart->curve;
  double scale = drawing->layout->area_height
                 / (double) drawing->layout->top;
  for (size_t i = 0; i < steps; i++) {
    const uint64_t *bytes = curve->bytes + columns[i] * curve->n_series;
    uint64_t sum = 0;
    for (size_t s = 0; s <= series; s++)
      sum += bytes[s];
    sums[i] = (double) sum * scale;
  }
}

void
dv_heap_areas_draw (struct dv_heap_drawing *drawing)
{
  const struct dg_curve *curve = drawing->chart->curve;
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dv_palette *palette = drawing->chart->palette;
  double scale_x = 1, scale_y = 1;
  if (curve->n_series == 0)
    return;
  cairo_surface_get_device_scale (cairo_get_target (drawing->cr), &scale_x,
                                  &scale_y);
  size_t steps = dv_heap_steps (curve, layout->area_width, scale_x);
  size_t *columns = g_new (size_t, steps);
  double *sums = g_new (double, steps);
  for (size_t i = 0; i < steps; i++)
    columns[i] = dv_heap_step_column (curve, steps, i);
  cairo_save (drawing->cr);
  cairo_rectangle (drawing->cr, layout->x, layout->y - 1,
                   layout->area_width, layout->area_height + 1);
  cairo_clip (drawing->cr);
  for (size_t s = curve->n_series; s-- > 0;) {
    struct dv_rgb colour = colour_of (drawing, s);
    add_up (drawing, sums, columns, steps, s);
    fill_area (drawing, sums, steps, &colour);
    if (s + 1 < curve->n_series)
      stroke_edge (drawing, sums, steps, &palette->back, 0.55, 0.6);
  }
  /* The outline last: where the highest areas have nothing, edges of others
     are part of it.  */
  add_up (drawing, sums, columns, steps, curve->n_series - 1);
  stroke_edge (drawing, sums, steps, &palette->ink, 0.55, 1);
  cairo_restore (drawing->cr);
  g_free (columns);
  g_free (sums);
}
