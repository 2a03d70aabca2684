/* marks.c: marks along the addresses: cache lines that threads share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <math.h>

#include "drawing.h"
#include "model/tally/tally_lines.h"

/* A line is at least so wide; true sharing is a bar, false sharing a
   triangle.  */
#define LEAST_WIDE 2
#define BAR_HIGH   5
#define TIP_HIGH   9
/* Wider ones get a tint over all of the data.  */
#define TINT_WIDE  4

static void
draw_mark (struct dv_drawing *drawing, double left, double right,
           bool is_false)
{
  const struct dv_plot_area *area = &drawing->area;
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_rgb *colour = is_false ? &palette->false_shared
                                         : &palette->shared;
  cairo_t *cr = drawing->cr;
  double bottom = area->y + area->height;
  if (right - left >= TINT_WIDE) {
    dv_set_colour (cr, colour, 0.18);
    cairo_rectangle (cr, left, area->y, right - left, area->height);
    cairo_fill (cr);
  }
  dv_set_colour (cr, colour, 1);
  if (is_false) {
    double middle = (left + right) / 2;
    double half = fmax (4, (right - left) / 2);
    cairo_move_to (cr, middle - half, bottom);
    cairo_line_to (cr, middle, bottom - TIP_HIGH);
    cairo_line_to (cr, middle + half, bottom);
    cairo_close_path (cr);
  } else {
    cairo_rectangle (cr, left, bottom - BAR_HIGH, right - left, BAR_HIGH);
  }
  cairo_fill (cr);
}

void
dv_marks_draw (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->area;
  if (plot->sharing == NULL || !plot->look.sharing)
    return;
  /* Of those that fall on one another, one of each kind is drawn; false
     sharing on top.  */
  for (int is_false = 0; is_false < 2; is_false++) {
    double done = -1;
    for (guint i = 0; i < plot->sharing->len; i++) {
      const struct dv_tally_line *line
        = &g_array_index (plot->sharing, struct dv_tally_line, i);
      if ((line->sharing >= DV_SHARING_MIXED) != is_false)
        continue;
      double left = floor (dv_drawing_x (drawing, line->x0));
      double right = ceil (dv_drawing_x (drawing, line->x1));
      if (right <= area->x || left >= area->x + area->width || left < done)
        continue;
      right = fmax (right, left + LEAST_WIDE);
      draw_mark (drawing, left, right, is_false);
      if (is_false)
        drawing->has_false_sharing = true;
      else
        drawing->has_sharing = true;
      done = right;
    }
  }
}
