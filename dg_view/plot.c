/* plot.c: the data area of the picture, and the order of all its parts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot.h"

#include <math.h>

#include <dg_record.h>

#include "drawing.h"
#include "overlay.h"

/* How much an image of another view may be enlarged.  */
#define MAX_STRETCH 16

struct dv_plot_area
dv_plot_area (const struct dv_scene *scene, bool has_title, double width,
              double height)
{
  double top = DV_HEADER + (has_title ? 6 : 0);
  double right = DV_MARGIN;
  if (scene != NULL && dv_bands_has_ranges (scene))
    top += DV_RANGE_STRIP;
  if (scene != NULL && dv_bands_has_events (scene) && width > 500)
    right = DV_EVENT_STRIP;
  struct dv_plot_area area = { DV_LEFT, top, 0, 0 };
  area.width = fmax (1, floor (width - DV_LEFT - right));
  area.height = fmax (1, floor (height - top - DV_BOTTOM));
  return area;
}

cairo_surface_t *
dv_plot_image (const struct dv_raster *raster,
               const struct dv_palette *palette, double scale)
{
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) raster->width,
                                  (int) raster->height);
  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush (image);
    dv_palette_paint (palette, raster, cairo_image_surface_get_data (image),
                      cairo_image_surface_get_stride (image));
    cairo_surface_mark_dirty (image);
    cairo_surface_set_device_scale (image, scale, scale);
  }
  return image;
}

/* The image may show another view, of which this one is a part or that is a
   part of it, until the right one has been made.  */
static void
draw_image (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  cairo_t *cr = drawing->cr;
  if (plot->image == NULL || dv_view_is_empty (&plot->image_view))
    return;
  double scale_x, scale_y;
  cairo_surface_get_device_scale (plot->image, &scale_x, &scale_y);
  double width = cairo_image_surface_get_width (plot->image) / scale_x;
  double height = cairo_image_surface_get_height (plot->image) / scale_y;
  double x0 = dv_drawing_x (drawing, plot->image_view.x0);
  double x1 = dv_drawing_x (drawing, plot->image_view.x1);
  double y0 = dv_drawing_y (drawing, plot->image_view.y0);
  double y1 = dv_drawing_y (drawing, plot->image_view.y1);
  /* Beyond this pixman's coordinates end, and nothing could be seen but
     bricks.  */
  if (x1 - x0 > MAX_STRETCH * width || y1 - y0 > MAX_STRETCH * height)
    return;
  cairo_save (cr);
  cairo_translate (cr, x0, y0);
  cairo_scale (cr, (x1 - x0) / width, (y1 - y0) / height);
  cairo_set_source_surface (cr, plot->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_boxes (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  cairo_t *cr = drawing->cr;
  const struct dv_plot_area *area = &drawing->area;
  cairo_set_line_width (cr, 1);
  for (guint i = 0; plot->boxes != NULL && i < plot->boxes->len; i++) {
    const struct dv_box *box = &g_array_index (plot->boxes, struct dv_box, i);
    /* Just outside of the area where a box goes on.  */
    double x0 = fmax (dv_drawing_x (drawing, box->x0), area->x - 2);
    double x1 = fmin (dv_drawing_x (drawing, box->x1),
                      area->x + area->width + 2);
    double y0 = fmax (dv_drawing_y (drawing, box->y0), area->y - 2);
    double y1 = fmin (dv_drawing_y (drawing, box->y1),
                      area->y + area->height + 2);
    if (x1 - x0 < 3 || y1 - y0 < 3)
      continue;
    bool range = box->kind == DV_BOX_RANGE;
    dv_set_colour (cr, range ? &drawing->plot->look.palette->range
                             : &drawing->plot->look.palette->block,
                   range ? 0.8 : 0.45);
    cairo_rectangle (cr, floor (x0) + 0.5, floor (y0) + 0.5,
                     floor (x1) - floor (x0) - 1, floor (y1) - floor (y0) - 1);
    cairo_stroke (cr);
  }
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

void
dv_plot_draw (const struct dv_plot *plot, cairo_t *cr, double width,
              double height, GString *svg)
{
  struct dv_drawing drawing = { .plot = plot, .cr = cr, .width = width,
                                .height = height };
  drawing.area = dv_plot_area (plot->scene, plot->title != NULL, width,
                               height);
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
    draw_image (&drawing);
    dv_grid_draw (&drawing);
    draw_boxes (&drawing);
    draw_mark (&drawing);
  }
  cairo_restore (cr);
  if (has_data)
    dv_bands_draw (&drawing);
  dv_frame_draw (&drawing);
  if (plot->message != NULL)
    dv_text_draw (&drawing.text, area->x + area->width / 2,
                  area->y + area->height / 2, 0.5, 0, DV_STYLE_TITLE,
                  &plot->look.palette->message, plot->message);
  dv_text_fini (&drawing.text);
}
