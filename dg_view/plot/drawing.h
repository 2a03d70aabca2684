/* drawing.h: what the parts of the plot share while it is drawn.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_DRAWING_H
#define DV_DRAWING_H

#include "plot.h"
#include "text.h"

struct dv_drawing {
  const struct dv_plot *plot;
  cairo_t *cr;
  struct dv_text text;
  struct dv_plot_area area;
  double width, height;       /* of the whole picture */
  bool gaps, pages, lines;    /* which grid lines there are */
  bool has_sharing, has_false_sharing;   /* which marks */
};

/* Of the picture: header with title and legend; strip of the ranges; of the
   events; room for the Y and X axes, with the lane of the threads and the
   names of the areas; for the time.  */
#define DV_HEADER      26
#define DV_RANGE_STRIP 20
#define DV_EVENT_STRIP 132
#define DV_LEFT        84
#define DV_BOTTOM      58
#define DV_MARGIN      12
#define DV_LANE        5
#define DV_CLOCK       56

static inline void
dv_set_colour (cairo_t *cr, const struct dv_rgb *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, alpha);
}

/* Where a position and an icount are in the picture; may be outside.  */
static inline double
dv_drawing_x (const struct dv_drawing *drawing, uint64_t position)
{
  const struct dv_view *view = &drawing->plot->view;
  return drawing->area.x
         + ((double) position - (double) view->x0) * drawing->area.width
           / (double) (view->x1 - view->x0);
}

static inline double
dv_drawing_y (const struct dv_drawing *drawing, uint64_t icount)
{
  const struct dv_view *view = &drawing->plot->view;
  return drawing->area.y
         + ((double) icount - (double) view->y0) * drawing->area.height
           / (double) (view->y1 - view->y0);
}

/* Whether the log has what the strips show.  */
bool dv_bands_has_events (const struct dv_scene *scene);
bool dv_bands_has_ranges (const struct dv_scene *scene);
/* Whether it tells the time.  */
bool dv_frame_has_clock (const struct dv_scene *scene);
/* Where the strips on the right begin.  */
static inline double
dv_drawing_right (const struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  bool has_clock = plot->scene != NULL && plot->look.clock
                   && dv_frame_has_clock (plot->scene);
  return drawing->area.x + drawing->area.width + (has_clock ? DV_CLOCK : 0);
}

/* The parts, each in its own file.  */
void dv_grid_draw (struct dv_drawing *drawing);
void dv_bands_draw (struct dv_drawing *drawing);
void dv_boxes_draw (struct dv_drawing *drawing);
void dv_marks_draw (struct dv_drawing *drawing);
void dv_frame_draw (struct dv_drawing *drawing);
/* The legend, from the right; returns where it begins.  */
double dv_legend_draw (struct dv_drawing *drawing, double y);

#endif /* DV_DRAWING_H */
