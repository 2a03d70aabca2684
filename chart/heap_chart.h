/* heap_chart.h: a picture of the heap over time: bytes alive as areas, one on
   the other, by who allocated them.

   Draws into any cairo context, from (0, 0) on; translate it for another
   place.  Needs cairo and Pango, no display.  Any thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_CHART_H
#define DV_HEAP_CHART_H

#include <cairo.h>
#include <libdatagrind.h>
#include <glib.h>

#include "palette.h"

/* What to draw.  Everything belongs to the caller.  */
struct dv_heap_chart {
  const struct dg_curve *curve;
  const struct dv_palette *palette;
  const char *title;       /* NULL: none */
  bool has_legend;         /* beside the data, or below, if there is room */
  uint32_t selected;       /* of curve->series, stands out; DG_NONE: none */
  bool has_band;           /* the moments band_start .. band_end - 1 stand
                              out */
  uint64_t band_start, band_end;
  bool has_mark;           /* a line at a moment */
  uint64_t mark;
};

/* Where everything is.  Pixels, y downwards.  */
struct dv_heap_layout {
  double width, height;    /* of the picture */
  double x, y, area_width, area_height;  /* the data */
  uint64_t top;            /* bytes at the upper edge of the data */
  double lanes_y, lane_height;           /* of the user's events, above it */
  unsigned lanes;          /* 0: none */
  /* The legend's rows, from the top: series 0 .. legend_rows - 1.  */
  double legend_x, legend_y, legend_width, legend_row;
  unsigned legend_columns; /* 1 beside the data, or more below */
  unsigned legend_rows;    /* all together; 0: it has none */
  unsigned legend_more;    /* series for which there is no room, told in one
                              more row; 0: none */
};

/* Works out the layout for a picture of that size.  cr: one of the kind that
   will be drawn into, for the widths of texts.  */
void dv_heap_chart_layout (const struct dv_heap_chart *chart, cairo_t *cr,
                           double width, double height,
                           struct dv_heap_layout *layout);

/* Draws it all, background, too.  texts: NULL, or where to gather the texts of
   an SVG (see text.h).  layout: as of dv_heap_chart_layout, for this chart
   (but for what stands out) and a context of the same kind.  */
void dv_heap_chart_draw (const struct dv_heap_chart *chart,
                         const struct dv_heap_layout *layout, cairo_t *cr,
                         GString *texts);

enum dv_heap_place {
  DV_HEAP_NOWHERE = 0,
  DV_HEAP_DATA,            /* in the data area */
  DV_HEAP_EVENT,           /* above it, on one of the user's events */
  DV_HEAP_LEGEND
};

/* What is at a point of the picture.  */
struct dv_heap_hit {
  enum dv_heap_place place;
  uint32_t series;         /* of curve->series; DG_NONE: none, as above all of
                              them */
  uint32_t event;          /* of dg_log_events; DG_NONE: none */
  size_t column;           /* DATA and EVENT only, as what follows */
  uint64_t icount;
  uint64_t bytes;          /* that the height stands for; DATA only */
};
struct dv_heap_hit dv_heap_chart_hit (const struct dv_heap_chart *chart,
                                      const struct dv_heap_layout *layout,
                                      double x, double y);

/* Where a moment stands in the picture.  */
double dv_heap_chart_x (const struct dv_heap_chart *chart,
                        const struct dv_heap_layout *layout,
                        uint64_t icount);

/* The colours of a curve's series, n_series of them, as they are drawn.  A
   series keeps its colour in all curves of a source, unless two that are shown
   would have the same.  */
void dv_heap_chart_colours (const struct dg_curve *curve,
                            const struct dv_palette *palette,
                            struct dv_rgb *colours);

#endif /* DV_HEAP_CHART_H */
