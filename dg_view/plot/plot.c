/* plot.c: the data area of the picture, and the order of all its parts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot.h"

#include <math.h>

#include "drawing.h"

/* How much an image of another view may be enlarged.  */
#define MAX_STRETCH 16

/* How much of what does not stand out is hidden.  */
#define FADED 0.75

struct dv_plot_area
dv_plot_area (const struct dv_scene *scene, const struct dv_look *look,
              bool has_title, double width, double height)
{
  double top = DV_HEADER + (has_title ? 6 : 0);
  double right = DV_MARGIN;
  if (scene != NULL && dv_bands_has_ranges (scene))
    top += DV_RANGE_STRIP;
  if (scene != NULL && dv_bands_has_events (scene) && width > 500)
    right = DV_EVENT_STRIP;
  if (scene != NULL && look->clock && dv_frame_has_clock (scene))
    right += DV_CLOCK;
  struct dv_plot_area area = { DV_LEFT, top, 0, 0 };
  area.width = fmax (1, floor (width - DV_LEFT - right));
  area.height = fmax (1, floor (height - top - DV_BOTTOM));
  return area;
}

/* Draws an image of the view `shown`, of which the plot's is a part or that is
   a part of the plot's, until the right one has been made; into an area that
   is this wide.  */
static void
draw_image (struct dv_drawing *drawing, cairo_surface_t *image,
            const struct dv_view *shown, double left, double right)
{
  cairo_t *cr = drawing->cr;
  double scale_x, scale_y;
  cairo_surface_get_device_scale (image, &scale_x, &scale_y);
  double width = cairo_image_surface_get_width (image) / scale_x;
  double height = cairo_image_surface_get_height (image) / scale_y;
  double y0 = dv_drawing_y (drawing, shown->y0);
  double y1 = dv_drawing_y (drawing, shown->y1);
  /* Beyond this pixman's coordinates end, and nothing could be seen but
     bricks.  */
  if (right - left > MAX_STRETCH * width || y1 - y0 > MAX_STRETCH * height)
    return;
  cairo_save (cr);
  cairo_translate (cr, left, y0);
  cairo_scale (cr, (right - left) / width, (y1 - y0) / height);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_picture (struct dv_drawing *drawing, const struct dv_picture *picture,
              const struct dv_view *shown)
{
  draw_image (drawing, picture->image, shown,
              dv_drawing_x (drawing, shown->x0),
              dv_drawing_x (drawing, shown->x1));
}

/* Left of the data: who ran.  */
static void
draw_lane (struct dv_drawing *drawing)
{
  const struct dv_picture *picture = drawing->plot->picture;
  const struct dv_plot_area *area = &drawing->area;
  if (picture == NULL || picture->lane == NULL)
    return;
  cairo_save (drawing->cr);
  double left = area->x - DV_LANE - 2;
  cairo_rectangle (drawing->cr, left, area->y, DV_LANE, area->height);
  cairo_clip (drawing->cr);
  draw_image (drawing, picture->lane, &drawing->plot->shown, left,
              left + DV_LANE);
  cairo_restore (drawing->cr);
}

static void
draw_mark (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  cairo_t *cr = drawing->cr;
  uint64_t position;
  if (!plot->has_mark
      || !dv_layout_position (&plot->scene->layout, plot->mark.address,
                              &position))
    return;
  double x0 = dv_drawing_x (drawing, position);
  double x1 = dv_drawing_x (drawing, position + plot->mark.size);
  double y0 = dv_drawing_y (drawing, plot->mark.icount);
  double y1 = dv_drawing_y (drawing, plot->mark.icount + 1);
  double x = (x0 + x1) / 2, y = (y0 + y1) / 2;
  double radius = fmax (7, fmin (40, hypot (x1 - x0, y1 - y0) / 2 + 4));
  for (int pass = 0; pass < 2; pass++) {
    static const struct dv_rgb shadow = { 0, 0, 0 };
    dv_set_colour (cr, pass == 0 ? &shadow : &plot->look.palette->mark,
                   pass == 0 ? 0.7 : 1);
    cairo_set_line_width (cr, pass == 0 ? 4 : 1.6);
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
    for (int side = 0; side < 4; side++) {
      double dx = side == 0 ? 1 : side == 1 ? -1 : 0;
      double dy = side == 2 ? 1 : side == 3 ? -1 : 0;
      cairo_move_to (cr, x + dx * radius, y + dy * radius);
      cairo_line_to (cr, x + dx * (radius + 7), y + dy * (radius + 7));
    }
    cairo_stroke (cr);
  }
}

/* What stands out is drawn over what does not, which fades.  */
static void
draw_data (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  if (plot->picture != NULL)
    draw_picture (drawing, plot->picture, &plot->shown);
  if (plot->highlight == NULL)
    return;
  bool has_accesses = dv_highlight_has_accesses (plot->highlight);
  dv_set_colour (drawing->cr, &plot->look.palette->area,
                 has_accesses ? FADED : FADED / 2);
  cairo_paint (drawing->cr);
  if (has_accesses && plot->bright != NULL)
    draw_picture (drawing, plot->bright, &plot->bright->raster->view);
}

void
dv_plot_draw (const struct dv_plot *plot, cairo_t *cr, double width,
              double height, GString *svg)
{
  struct dv_drawing drawing = { .plot = plot, .cr = cr, .width = width,
                                .height = height };
  drawing.area = dv_plot_area (plot->scene, &plot->look, plot->title != NULL,
                               width, height);
  dv_text_init (&drawing.text, cr, svg);
  dv_set_colour (cr, &plot->look.palette->back, 1);
  cairo_paint (cr);

  const struct dv_plot_area *area = &drawing.area;
  cairo_save (cr);
  cairo_rectangle (cr, area->x, area->y, area->width, area->height);
  cairo_clip (cr);
  dv_set_colour (cr, &plot->look.palette->area, 1);
  cairo_paint (cr);
  bool has_data = plot->scene != NULL && !dv_view_is_empty (&plot->view);
  if (has_data) {
    draw_data (&drawing);
    dv_grid_draw (&drawing);
    dv_boxes_draw (&drawing);
    dv_marks_draw (&drawing);
    draw_mark (&drawing);
  }
  cairo_restore (cr);
  if (has_data) {
    draw_lane (&drawing);
    dv_bands_draw (&drawing);
  }
  dv_frame_draw (&drawing);
  if (plot->message != NULL)
    dv_text_draw (&drawing.text, area->x + area->width / 2,
                  area->y + area->height / 2, 0.5, 0, DV_STYLE_TITLE,
                  &plot->look.palette->message, plot->message);
  dv_text_fini (&drawing.text);
}
