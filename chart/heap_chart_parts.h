/* heap_chart_parts.h: what the files of heap_chart share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_CHART_PARTS_H
#define DV_HEAP_CHART_PARTS_H

#include "heap_chart.h"
#include "text.h"

/* Pixels around everything.  */
#define DV_HEAP_MARGIN 12

/* While a picture is drawn.  */
struct dv_heap_drawing {
  const struct dv_heap_chart *chart;
  const struct dv_heap_layout *layout;
  cairo_t *cr;
  struct dv_text text;
  struct dv_rgb *colours;  /* by series */
};

/* ---- heap_chart.c ----------------------------------------------------- */

void dv_heap_set_colour (cairo_t *cr, const struct dv_rgb *colour,
                         double alpha);
/* A rectangle with round corners, as a path.  */
void dv_heap_round (cairo_t *cr, double x, double y, double width,
                    double height, double radius);
/* The height of so many bytes.  */
double dv_heap_chart_y (const struct dv_heap_layout *layout, double bytes);

/* ---- heap_chart_axes.c ------------------------------------------------ */

/* Ticks of the axes, struct dv_tick; bytes count from the bottom.  */
GArray *dv_heap_ticks_bytes (uint64_t top, double height);
GArray *dv_heap_ticks_time (const struct dg_curve *curve, double width);
/* Lines behind the areas.  */
void dv_heap_grid_draw (struct dv_heap_drawing *drawing);
void dv_heap_axes_draw (struct dv_heap_drawing *drawing);

/* ---- heap_chart_areas.c ----------------------------------------------- */

/* Areas are drawn in steps: as many as there are columns, but not more than
   pixels, so that each shows the highest of its columns.  */
size_t dv_heap_steps (const struct dg_curve *curve, double width,
                      double device_scale);
size_t dv_heap_step_column (const struct dg_curve *curve, size_t steps,
                            size_t step);
void dv_heap_areas_draw (struct dv_heap_drawing *drawing);

/* ---- heap_chart_marks.c ----------------------------------------------- */

/* An event as it stands in a lane.  */
struct dv_heap_span {
  uint32_t event;          /* of dg_log_events */
  unsigned lane;
  double x, width;
};
/* Those that are shown, at most `lanes` one above the other: an array of
   struct dv_heap_span.  *needed, unless NULL, receives the lanes that all of
   them would need, up to a bound.  */
GArray *dv_heap_spans (const struct dv_heap_chart *chart, double x,
                       double width, unsigned lanes, unsigned *needed);
void dv_heap_events_draw (struct dv_heap_drawing *drawing);
/* Gaps, the band and the mark; the peak.  */
void dv_heap_bands_draw (struct dv_heap_drawing *drawing);
void dv_heap_peak_draw (struct dv_heap_drawing *drawing);

/* ---- heap_chart_legend.c ---------------------------------------------- */

/* Fills the legend's part of a layout, the rest of which has its size and the
   room for it: beside from x on, or below from y on.  */
void dv_heap_legend_beside (const struct dv_heap_chart *chart, cairo_t *cr,
                            struct dv_heap_layout *layout);
void dv_heap_legend_below (const struct dv_heap_chart *chart,
                           struct dv_heap_layout *layout, double most);
void dv_heap_legend_draw (struct dv_heap_drawing *drawing);

#endif /* DV_HEAP_CHART_PARTS_H */
