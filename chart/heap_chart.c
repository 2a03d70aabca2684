/* heap_chart.c: a picture of the heap over time: where everything is, and what
   is at a point.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>
#include <string.h>

#include "format.h"
#include "i18n.h"
#include "ticks.h"

/* Heights.  */
#define HEADER    28
#define SUBTITLE  17
#define TICKS     20
#define AXIS_NAME 17
#define LANE      17
/* Above the highest area, where the peak has its label.  */
#define HEADROOM  26

/* From these sizes on there is room for them.  */
#define LEAST_HEIGHT_TITLE    100
#define LEAST_HEIGHT_SUBTITLE 230
#define LEAST_WIDTH_SUBTITLE  420
#define LEAST_HEIGHT_NAME     170
#define LEAST_HEIGHT_LANES    150
#define LEAST_WIDTH_BESIDE    800
#define LEAST_HEIGHT_BESIDE   150
#define LEAST_WIDTH_BELOW     260
#define LEAST_HEIGHT_BELOW    260

void
dv_heap_set_colour (cairo_t *cr, const struct dv_rgb *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, alpha);
}

void
dv_heap_round (cairo_t *cr, double x, double y, double width, double height,
               double radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0,
             G_PI / 2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

double
dv_heap_chart_y (const struct dv_heap_layout *layout, double bytes)
{
  return layout->y + layout->area_height
         - bytes * layout->area_height / (double) layout->top;
}

double
dv_heap_chart_x (const struct dv_heap_chart *chart,
                 const struct dv_heap_layout *layout, uint64_t icount)
{
  return layout->x
         + dg_curve_position (chart->curve, icount) * layout->area_width;
}

/* ---- Colours ---------------------------------------------------------- */

void
dv_heap_chart_colours (const struct dg_curve *curve,
                       const struct dv_palette *palette,
                       struct dv_rgb *colours)
{
  size_t n = curve->n_series;
  size_t *order = g_new (size_t, n + 1);
  uint32_t slots = (uint32_t) (n + DV_PALETTE_SERIES);
  bool *taken = g_new0 (bool, slots);
  /* By rank, so that what is large in the whole log chooses first.  */
  for (size_t i = 0; i < n; i++) {
    size_t at = i;
    for (; at > 0 && curve->series[order[at - 1]].rank
                       > curve->series[i].rank; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (size_t i = 0; i < n; i++) {
    const struct dg_curve_series *series = curve->series + order[i];
    uint32_t slot = series->rank % DV_PALETTE_SERIES;
    if (series->id == DG_NONE) {
      colours[order[i]] = palette->others;
      continue;
    }
    if (taken[slot])
      for (slot = 0; taken[slot]; slot++)
        ;
    taken[slot] = true;
    colours[order[i]] = dv_palette_series (palette, slot);
  }
  g_free (order);
  g_free (taken);
}

/* ---- Layout ----------------------------------------------------------- */

/* The widest label of the bytes' axis, with what stands around it.  */
static double
left_of (cairo_t *cr, uint64_t top, double height)
{
  struct dv_text text;
  double widest = 0;
  dv_text_init (&text, cr, NULL);
  GArray *ticks = dv_heap_ticks_bytes (top, height);
  for (guint i = 0; i < ticks->len; i++)
    widest = fmax (widest,
                   dv_text_width (&text, DV_STYLE_SMALL,
                                  g_array_index (ticks, struct dv_tick, i)
                                    .label));
  g_array_unref (ticks);
  dv_text_fini (&text);
  return ceil (widest) + 10;
}

/* Where the data begin: below the title and what is told of the peak.  */
static double
header_height (const struct dv_heap_chart *chart, double width,
               double height)
{
  double y = 6;
  if (chart->title != NULL && height >= LEAST_HEIGHT_TITLE) {
    y = HEADER;
    if (height >= LEAST_HEIGHT_SUBTITLE && width >= LEAST_WIDTH_SUBTITLE)
      y += SUBTITLE;
  }
  return y;
}

void
dv_heap_chart_layout (const struct dv_heap_chart *chart, cairo_t *cr,
                      double width, double height,
                      struct dv_heap_layout *layout)
{
  const struct dg_curve *curve = chart->curve;
  double right = width - DV_HEAP_MARGIN, bottom = height - TICKS;
  bool has_legend = chart->has_legend && curve->n_series > 0;
  memset (layout, 0, sizeof *layout);
  layout->width = width;
  layout->height = height;
  layout->y = header_height (chart, width, height);
  if (height >= LEAST_HEIGHT_NAME)
    bottom -= AXIS_NAME;
  else
    bottom -= 2;
  if (has_legend && width >= LEAST_WIDTH_BESIDE
      && height >= LEAST_HEIGHT_BESIDE) {
    dv_heap_legend_beside (chart, cr, layout);
    right = layout->legend_x - 2 * DV_HEAP_MARGIN;
  } else if (has_legend && width >= LEAST_WIDTH_BELOW
             && height >= LEAST_HEIGHT_BELOW) {
    dv_heap_legend_below (chart, layout, height * 0.35);
    bottom -= height - layout->legend_y;
  }
  layout->top = 1;
  layout->lanes_y = layout->y;
  layout->lane_height = LANE;
  if (curve->n_events > 0 && height >= LEAST_HEIGHT_LANES) {
    unsigned most = height >= 420 ? 4 : height >= 280 ? 2 : 1;
    g_array_unref (dv_heap_spans (chart, 0, fmax (right - 70, 1), most,
                                  &layout->lanes));
    layout->lanes = MIN (layout->lanes, most);
    layout->y += layout->lanes * LANE + 3;
  }
  layout->area_height = fmax (bottom - layout->y, 1);
  double free = fmin (HEADROOM, layout->area_height / 3);
  layout->top = (uint64_t) ((double) curve->peak_bytes * layout->area_height
                            / (layout->area_height - free));
  layout->top = MAX (layout->top, 16);
  layout->x = fmin (DV_HEAP_MARGIN
                      + left_of (cr, layout->top, layout->area_height),
                    fmax (right - 1, 0));
  layout->x = floor (layout->x);
  layout->y = floor (layout->y);
  layout->area_width = fmax (floor (right) - layout->x, 1);
  layout->area_height = floor (fmax (bottom - layout->y, 1));
}

/* ---- Drawing ---------------------------------------------------------- */

static const char *
what_is_told (enum dg_curve_by by)
{
  switch (by) {
  case DG_CURVE_BY_FUNCTION:
    return _ ("Heap usage by allocating function");
  case DG_CURVE_BY_MODULE:
    return _ ("Heap usage by allocating module");
  case DG_CURVE_BY_ALLOCATOR:
    return _ ("Heap usage by allocator");
  case DG_CURVE_BY_THREAD:
    return _ ("Heap usage by allocating thread");
  default:
    return _ ("Heap usage by allocating line");
  }
}

static void
draw_title (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_chart *chart = drawing->chart;
  const struct dv_heap_layout *layout = drawing->layout;
  double room = layout->width - 2 * DV_HEAP_MARGIN;
  if (chart->title == NULL || layout->height < LEAST_HEIGHT_TITLE)
    return;
  dv_text_draw (&drawing->text, DV_HEAP_MARGIN, 16, 0, room,
                DV_STYLE_TITLE | DV_STYLE_MIDDLE, &chart->palette->ink,
                chart->title);
  if (layout->height < LEAST_HEIGHT_SUBTITLE
      || layout->width < LEAST_WIDTH_SUBTITLE)
    return;
  dv_text_draw (&drawing->text, DV_HEAP_MARGIN, 35, 0, room, DV_STYLE_NORMAL,
                &chart->palette->faint, what_is_told (chart->curve->by));
}

void
dv_heap_chart_draw (const struct dv_heap_chart *chart,
                    const struct dv_heap_layout *layout, cairo_t *cr,
                    GString *texts)
{
  struct dv_heap_drawing drawing = {
    .chart = chart, .layout = layout, .cr = cr,
    .colours = g_new (struct dv_rgb, chart->curve->n_series + 1)
  };
  dv_heap_chart_colours (chart->curve, chart->palette, drawing.colours);
  cairo_save (cr);
  dv_text_init (&drawing.text, cr, texts);
  dv_heap_set_colour (cr, &chart->palette->back, 1);
  cairo_rectangle (cr, 0, 0, layout->width, layout->height);
  cairo_fill (cr);
  draw_title (&drawing);
  dv_heap_grid_draw (&drawing);
  dv_heap_areas_draw (&drawing);
  dv_heap_bands_draw (&drawing);
  dv_heap_axes_draw (&drawing);
  dv_heap_events_draw (&drawing);
  dv_heap_peak_draw (&drawing);
  dv_heap_legend_draw (&drawing);
  dv_text_fini (&drawing.text);
  cairo_restore (cr);
  g_free (drawing.colours);
}

/* ---- What is at a point ----------------------------------------------- */

static uint32_t
series_at (const struct dg_curve *curve, size_t column, double bytes)
{
  const uint64_t *here = curve->bytes + column * curve->n_series;
  double sum = 0;
  for (size_t s = 0; s < curve->n_series; s++) {
    sum += (double) here[s];
    if (bytes < sum)
      return (uint32_t) s;
  }
  return DG_NONE;
}

static void
hit_data (const struct dv_heap_chart *chart,
          const struct dv_heap_layout *layout, double x, double y,
          struct dv_heap_hit *hit)
{
  const struct dg_curve *curve = chart->curve;
  double place = CLAMP ((x - layout->x) / layout->area_width, 0, 1);
  size_t steps = dv_heap_steps (curve, layout->area_width, 1);
  size_t step = MIN ((size_t) (place * (double) steps), steps - 1);
  hit->icount = dg_curve_moment (curve, place);
  hit->column = dv_heap_step_column (curve, steps, step);
  if (hit->place != DV_HEAP_DATA)
    return;
  double up = (layout->y + layout->area_height - y) / layout->area_height;
  hit->bytes = (uint64_t) (CLAMP (up, 0, 1) * (double) layout->top);
  hit->series = series_at (curve, hit->column, up * (double) layout->top);
}

static void
hit_event (const struct dv_heap_chart *chart,
           const struct dv_heap_layout *layout, double x, double y,
           struct dv_heap_hit *hit)
{
  unsigned lane = (unsigned) ((y - layout->lanes_y) / layout->lane_height);
  GArray *spans = dv_heap_spans (chart, layout->x, layout->area_width,
                                 layout->lanes, NULL);
  for (guint i = 0; i < spans->len; i++) {
    const struct dv_heap_span *span
      = &g_array_index (spans, struct dv_heap_span, i);
    if (span->lane == lane && x >= span->x && x < span->x + span->width) {
      hit->place = DV_HEAP_EVENT;
      hit->event = span->event;
      hit_data (chart, layout, x, y, hit);
    }
  }
  g_array_unref (spans);
}

static void
hit_legend (const struct dv_heap_chart *chart,
            const struct dv_heap_layout *layout, double x, double y,
            struct dv_heap_hit *hit)
{
  unsigned columns = layout->legend_columns;
  unsigned n = layout->legend_rows + (layout->legend_more > 0);
  unsigned rows = (n + columns - 1) / columns;
  double left = x - layout->legend_x, down = y - layout->legend_y;
  if (left < 0 || left >= layout->legend_width || down < 0
      || down >= rows * layout->legend_row)
    return;
  unsigned row = (unsigned) (down / layout->legend_row);
  unsigned column = (unsigned) (left * columns / layout->legend_width);
  if (column * rows + row < layout->legend_rows) {
    hit->place = DV_HEAP_LEGEND;
    hit->series = column * rows + row;
  }
}

struct dv_heap_hit
dv_heap_chart_hit (const struct dv_heap_chart *chart,
                   const struct dv_heap_layout *layout, double x, double y)
{
  struct dv_heap_hit hit = { .series = DG_NONE, .event = DG_NONE };
  bool is_within = x >= layout->x && x < layout->x + layout->area_width;
  if (is_within && y >= layout->y && y < layout->y + layout->area_height) {
    hit.place = DV_HEAP_DATA;
    hit_data (chart, layout, x, y, &hit);
  } else if (is_within && y >= layout->lanes_y
             && y < layout->lanes_y + layout->lanes * layout->lane_height)
    hit_event (chart, layout, x, y, &hit);
  else if (layout->legend_rows > 0)
    hit_legend (chart, layout, x, y, &hit);
  return hit;
}
