/* grid.c: the vertical lines: gaps in the addresses, pages, cache lines.

   Each kind only where its lines do not crowd: they would hide the data.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "drawing.h"

#include <math.h>

/* Pixels between lines of a kind.  */
#define LINES_APART 7
#define GAPS_APART  4

static void
draw_line (struct dv_drawing *drawing, uint64_t position)
{
  double x = floor (dv_drawing_x (drawing, position));
  cairo_rectangle (drawing->cr, x, drawing->area.y, 1, drawing->area.height);
}

/* Lines every `1 << shift` bytes.  Positions begin at a page, so multiples
   of a line's or a page's size are where lines and pages begin.  */
static bool
draw_multiples (struct dv_drawing *drawing, unsigned shift, unsigned but,
                const struct dv_rgb *colour, double alpha)
{
  const struct dv_view *view = &drawing->plot->view;
  uint64_t step = (uint64_t) 1 << shift;
  double apart = drawing->area.width * (double) step
                 / (double) (view->x1 - view->x0);
  if (apart < LINES_APART)
    return false;
  uint64_t but_mask = ((uint64_t) 1 << but) - 1;
  uint64_t position = (view->x0 + step - 1) >> shift << shift;
  for (; position < view->x1; position += step)
    if (but == shift || (position & but_mask) != 0)
      draw_line (drawing, position);
  /* Stronger as there is more room for it.  */
  dv_set_colour (drawing->cr, colour,
                 alpha * fmin (1, 0.4 + apart / 60));
  cairo_fill (drawing->cr);
  return true;
}

static bool
draw_gaps (struct dv_drawing *drawing)
{
  const struct dv_layout *layout = &drawing->plot->scene->layout;
  const struct dv_view *view = &drawing->plot->view;
  const struct dv_segment *end = layout->segments + layout->n;
  const struct dv_segment *s = dv_layout_segment (layout, view->x0);
  double last = -GAPS_APART;
  bool any = false;
  for (; s < end && s->position < view->x1; s++) {
    if (s->position <= view->x0)
      continue;
    double x = dv_drawing_x (drawing, s->position);
    double next = s + 1 < end ? dv_drawing_x (drawing, s[1].position)
                              : INFINITY;
    /* A crowd shows its borders only.  */
    if (x - last >= GAPS_APART || next - x >= GAPS_APART) {
      draw_line (drawing, s->position);
      any = true;
    }
    last = x;
  }
  dv_set_colour (drawing->cr, &drawing->plot->look.palette->gap, 0.9);
  cairo_fill (drawing->cr);
  return any;
}

void
dv_grid_draw (struct dv_drawing *drawing)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_data *data = drawing->plot->scene->data;
  if (!drawing->plot->look.no_grid) {
    drawing->lines = draw_multiples (drawing, data->line_shift,
                                     data->page_shift, &palette->line, 0.5);
    drawing->pages = draw_multiples (drawing, data->page_shift,
                                     data->page_shift, &palette->page, 0.6);
  }
  drawing->gaps = draw_gaps (drawing);
}
