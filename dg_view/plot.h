/* plot.h: the whole picture: data, grid, axes, bands, legend, title.

   The window and --render draw with this and nothing else, so their pictures
   are the same.  Knows cairo, but no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PLOT_H
#define DV_PLOT_H

#include <stdbool.h>

#include <cairo.h>
#include <glib.h>

#include "look.h"
#include "raster.h"
#include "scene.h"

#define DV_NO_MATCH "No accesses match the criteria."

/* What to draw.  Everything belongs to the caller.  */
struct dv_plot {
  const struct dv_scene *scene;      /* NULL: nothing is known yet */
  struct dv_look look;
  struct dv_view view;
  const char *title;                 /* NULL: none */
  const char *message;               /* in the middle; NULL: none */
  cairo_surface_t *image;            /* of the raster; NULL: not yet there */
  struct dv_view image_view;         /* what the image shows */
  uint64_t max;                      /* accesses at full brightness */
  const GArray *boxes;               /* see overlay.h; may be NULL */
  bool has_mark;                     /* mark the access below */
  struct dg_access mark;
};

/* In pixels; the data area stands on whole ones.  */
struct dv_plot_area {
  double x, y, width, height;
};

/* Where the data go in a picture of the given size; at least 1 x 1.  */
struct dv_plot_area dv_plot_area (const struct dv_scene *scene,
                                  bool has_title, double width,
                                  double height);

/* svg: see dv_text_init.  */
void dv_plot_draw (const struct dv_plot *plot, cairo_t *cr, double width,
                   double height, GString *svg);

/* A new image of a raster, to be shown at 1 / scale.  */
cairo_surface_t *dv_plot_image (const struct dv_raster *raster,
                                const struct dv_palette *palette,
                                double scale);

#endif /* DV_PLOT_H */
