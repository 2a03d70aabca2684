/* heap_chart_legend.c: which colour is whose, and how much that is at the
   peak.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>

#include "format.h"
#include "i18n.h"

#define ROW    18
#define HEADER 18
#define SWATCH 10
/* Widths of the columns of figures.  */
#define BYTES  66
#define SHARE  36
/* Below the data, a column is so wide at least.  */
#define COLUMN 240

void
dv_heap_legend_beside (const struct dv_heap_chart *chart,
                       struct dv_heap_layout *layout)
{
  double room = layout->height - layout->y - 2 * HEADER - DV_HEAP_MARGIN;
  unsigned n = (unsigned) chart->curve->n_series;
  layout->legend_width = floor (CLAMP (layout->width * 0.34, 230, 400));
  layout->legend_x = layout->width - DV_HEAP_MARGIN - layout->legend_width;
  layout->legend_y = layout->y + HEADER;
  layout->legend_row = ROW;
  layout->legend_columns = 1;
  layout->legend_rows = (unsigned) CLAMP (room / ROW, 1, n);
}

void
dv_heap_legend_below (const struct dv_heap_chart *chart,
                      struct dv_heap_layout *layout, double most)
{
  unsigned n = (unsigned) chart->curve->n_series;
  double width = layout->width - 2 * DV_HEAP_MARGIN;
  unsigned columns = (unsigned) fmax (floor (width / COLUMN), 1);
  unsigned rows = (unsigned) fmax (floor ((most - 10) / ROW), 1);
  layout->legend_columns = MIN (columns, n);
  layout->legend_rows = MIN (n, rows * columns);
  rows = (layout->legend_rows + layout->legend_columns - 1)
         / layout->legend_columns;
  layout->legend_row = ROW;
  layout->legend_width = width;
  layout->legend_x = DV_HEAP_MARGIN;
  layout->legend_y = layout->height - 6 - rows * ROW;
}

static void
format_share (char *text, size_t size, uint64_t part, uint64_t whole)
{
  double share = whole > 0 ? 100 * (double) part / (double) whole : 0;
  if (part > 0 && share < 1)
    g_strlcpy (text, _("< 1 %"), size);
  else
    g_snprintf (text, size, _("%.0f %%"), share);
}

static void
draw_figures (struct dv_heap_drawing *drawing, double right, double y,
              const struct dv_rgb *colour, uint64_t bytes)
{
  char text[40];
  format_share (text, sizeof text, bytes, drawing->chart->curve->peak_bytes);
  dv_text_draw (&drawing->text, right, y, 1, 0, DV_STYLE_NORMAL, colour,
                text);
  dv_format_bytes (text, sizeof text, bytes);
  dv_text_draw (&drawing->text, right - SHARE, y, 1, 0, DV_STYLE_NORMAL,
                colour, text);
}

static void
draw_row (struct dv_heap_drawing *drawing, size_t s, double x, double y,
          double width)
{
  const struct dv_heap_chart *chart = drawing->chart;
  const struct dg_curve_series *series = chart->curve->series + s;
  const struct dv_palette *palette = chart->palette;
  bool is_pale = chart->selected != DG_NONE && chart->selected != s;
  const struct dv_rgb *ink = is_pale ? &palette->faint : &palette->ink;
  double middle = y + ROW / 2.0;
  dv_heap_round (drawing->cr, x, middle - SWATCH / 2.0, SWATCH, SWATCH, 2);
  dv_heap_set_colour (drawing->cr, &drawing->colours[s], 1);
  cairo_fill_preserve (drawing->cr);
  dv_heap_set_colour (drawing->cr, &palette->ink, 0.25);
  cairo_set_line_width (drawing->cr, 0.6);
  cairo_stroke (drawing->cr);
  dv_text_draw (&drawing->text, x + SWATCH + 6, middle, 0,
                width - SWATCH - 6 - BYTES - SHARE - 8,
                DV_STYLE_NORMAL | DV_STYLE_MIDDLE, ink,
                series->name != NULL ? series->name : "?");
  draw_figures (drawing, x + width, middle, ink, series->peak_bytes);
}

/* What the columns are, and, if there is room, their sum.  */
static void
draw_header (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dv_palette *palette = drawing->chart->palette;
  const struct dg_curve *curve = drawing->chart->curve;
  double right = layout->legend_x + layout->legend_width;
  double bottom = layout->legend_y + layout->legend_rows * ROW;
  char blocks[40];
  dv_text_draw (&drawing->text, right, layout->legend_y - HEADER / 2.0, 1, 0,
                DV_STYLE_SMALL, &palette->faint, _("at the peak"));
  if (layout->legend_rows < curve->n_series
      || bottom + 8 + ROW > layout->height)
    return;
  dv_heap_set_colour (drawing->cr, &palette->frame, 1);
  cairo_rectangle (drawing->cr, layout->legend_x, bottom + 3,
                   layout->legend_width, 1);
  cairo_fill (drawing->cr);
  dv_format_exact (blocks, sizeof blocks, curve->peak_blocks);
  char *text = g_strdup_printf (ngettext ("%s block", "%s blocks",
                                          (gulong) curve->peak_blocks),
                                blocks);
  dv_text_draw (&drawing->text, layout->legend_x + SWATCH + 6,
                bottom + 6 + ROW / 2.0, 0,
                layout->legend_width - SWATCH - 6 - BYTES - SHARE - 8,
                DV_STYLE_NORMAL, &palette->faint, text);
  g_free (text);
  draw_figures (drawing, right, bottom + 6 + ROW / 2.0, &palette->faint,
                curve->peak_bytes);
}

void
dv_heap_legend_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  unsigned columns = layout->legend_columns;
  if (layout->legend_rows == 0)
    return;
  unsigned rows = (layout->legend_rows + columns - 1) / columns;
  double wide = layout->legend_width / columns;
  for (unsigned i = 0; i < layout->legend_rows; i++)
    draw_row (drawing, i, layout->legend_x + i / rows * wide,
              layout->legend_y + i % rows * ROW,
              wide - (columns > 1 ? 2 * DV_HEAP_MARGIN : 0));
  if (layout->legend_x > DV_HEAP_MARGIN)
    draw_header (drawing);
}
