/* heap_chart_legend.c: which colour is whose, and how much that is at the
   peak.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>
#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

#define ROW    18
#define HEADER 18
#define SWATCH 10
/* Widths of the columns of figures.  */
#define BYTES  72
#define SHARE  46
/* Below the data, a column is so wide at least.  */
#define COLUMN 240

static const char *
name_of (const struct dg_curve_series *series)
{
  return series->name != NULL ? series->name : "?";
}

/* As wide as the names need, from least to most.  */
static double
fit_names (const struct dg_curve *curve, cairo_t *cr, double least,
           double most)
{
  struct dv_text text;
  double widest = 0, figures = SWATCH + 6 + 8 + BYTES + SHARE;
  dv_text_init (&text, cr, NULL);
  for (size_t i = 0; i < curve->n_series && widest + figures < most; i++)
    widest = fmax (widest, dv_text_width (&text, DV_STYLE_NORMAL,
                                          name_of (curve->series + i)));
  dv_text_fini (&text);
  return floor (CLAMP (widest + figures + 4, least, most));
}

/* Rows of a column.  */
static unsigned
rows_of (const struct dv_heap_layout *layout)
{
  unsigned n = layout->legend_rows + (layout->legend_more > 0);
  return (n + layout->legend_columns - 1) / layout->legend_columns;
}

/* All series, or as many as there is room for beside a row for the others.  */
static void
set_rows (struct dv_heap_layout *layout, unsigned n, unsigned room)
{
  layout->legend_rows = n <= room ? n : room - 1;
  layout->legend_more = n - layout->legend_rows;
}

void
dv_heap_legend_beside (const struct dv_heap_chart *chart, cairo_t *cr,
                       struct dv_heap_layout *layout)
{
  double room = layout->height - layout->y - 2 * HEADER - DV_HEAP_MARGIN;
  unsigned n = (unsigned) chart->curve->n_series;
  layout->legend_width = fit_names (chart->curve, cr, 230,
                                    fmax (layout->width * 0.36, 240));
  layout->legend_x = layout->width - DV_HEAP_MARGIN - layout->legend_width;
  layout->legend_y = layout->y + HEADER;
  layout->legend_row = ROW;
  layout->legend_columns = 1;
  set_rows (layout, n, (unsigned) fmax (room / ROW, 2));
}

void
dv_heap_legend_below (const struct dv_heap_chart *chart,
                      struct dv_heap_layout *layout, double most)
{
  unsigned n = (unsigned) chart->curve->n_series;
  double width = layout->width - 2 * DV_HEAP_MARGIN;
  unsigned columns = (unsigned) fmax (floor (width / COLUMN), 1);
  unsigned rows = (unsigned) fmax (floor ((most - 10) / ROW), 2);
  layout->legend_columns = MIN (columns, n);
  set_rows (layout, n, rows * layout->legend_columns);
  rows = rows_of (layout);
  layout->legend_row = ROW;
  layout->legend_width = width;
  layout->legend_x = DV_HEAP_MARGIN;
  layout->legend_y = layout->height - 6 - rows * ROW;
}

static void
format_share (char *text, size_t size, uint64_t part, uint64_t whole)
{
  double share = whole > 0 ? (double) part / (double) whole : 0;
  if (part > 0 && share < 0.01)
    g_strlcpy (text, _ ("< 1 %"), size);
  else
    dv_format_about_percent (text, size, share);
}

static void
draw_figures (struct dv_heap_drawing *drawing, double right, double y,
              const struct dv_rgb *colour, uint64_t bytes)
{
  char text[40];
  format_share (text, sizeof text, bytes, drawing->chart->curve->peak_bytes);
  dv_text_draw (&drawing->text, right, y, 1, 0, DV_STYLE_NORMAL, colour,
                text);
  dv_format_size (text, sizeof text, bytes);
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
                name_of (series));
  draw_figures (drawing, x + width, middle, ink, series->peak_bytes);
}

/* What there is no room for.  */
static void
draw_more (struct dv_heap_drawing *drawing, double x, double y, double width)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dg_curve *curve = drawing->chart->curve;
  const struct dv_rgb *colour = &drawing->chart->palette->faint;
  uint64_t bytes = 0;
  for (size_t s = layout->legend_rows; s < curve->n_series; s++)
    bytes += curve->series[s].peak_bytes;
  char *text = g_strdup_printf (ngettext ("%u more", "%u more",
                                          layout->legend_more),
                                layout->legend_more);
  dv_text_draw (&drawing->text, x + SWATCH + 6, y + ROW / 2.0, 0,
                width - SWATCH - 6 - BYTES - SHARE - 8, DV_STYLE_NORMAL,
                colour, text);
  g_free (text);
  draw_figures (drawing, x + width, y + ROW / 2.0, colour, bytes);
}

/* What the columns are, and, if there is room, their sum.  */
static void
draw_header (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dv_palette *palette = drawing->chart->palette;
  const struct dg_curve *curve = drawing->chart->curve;
  double right = layout->legend_x + layout->legend_width;
  double bottom = layout->legend_y + rows_of (layout) * ROW;
  char blocks[40];
  dv_text_draw (&drawing->text, right, layout->legend_y - HEADER / 2.0, 1, 0,
                DV_STYLE_SMALL, &palette->faint, _ ("at the peak"));
  if (bottom + 8 + ROW > layout->height)
    return;
  dv_heap_set_colour (drawing->cr, &palette->frame, 1);
  cairo_rectangle (drawing->cr, layout->legend_x, bottom + 3,
                   layout->legend_width, 1);
  cairo_fill (drawing->cr);
  dg_number_text (blocks, sizeof blocks, curve->peak_blocks);
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
  if (layout->legend_rows == 0)
    return;
  unsigned rows = rows_of (layout), columns = layout->legend_columns;
  double wide = layout->legend_width / columns;
  double width = wide - (columns > 1 ? 2 * DV_HEAP_MARGIN : 0);
  for (unsigned i = 0; i <= layout->legend_rows; i++) {
    double x = layout->legend_x + i / rows * wide;
    double y = layout->legend_y + i % rows * ROW;
    if (i < layout->legend_rows)
      draw_row (drawing, i, x, y, width);
    else if (layout->legend_more > 0)
      draw_more (drawing, x, y, width);
  }
  if (layout->legend_x > DV_HEAP_MARGIN)
    draw_header (drawing);
}
