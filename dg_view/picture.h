/* picture.h: what the background makes for one view: raster, image, boxes.

   Counted references; never changed once made.  No GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICTURE_H
#define DV_PICTURE_H

#include <cairo.h>
#include <glib.h>

#include "look.h"
#include "raster.h"

struct dv_picture {
  struct dv_scene *scene;
  struct dv_raster *raster;
  cairo_surface_t *image;
  GArray *boxes;             /* struct dv_box */
};

/* For a data area of width x height pixels, each `scale` device pixels wide
   and high.  As dv_raster_new otherwise.  */
struct dv_picture *dv_picture_new (struct dv_scene *scene,
                                   const struct dv_view *view,
                                   const struct dv_look *look,
                                   double width, double height, double scale,
                                   enum dv_detail detail,
                                   dg_progress_fn progress, void *user,
                                   struct dg_error *err);
struct dv_picture *dv_picture_ref (struct dv_picture *picture);
void dv_picture_unref (struct dv_picture *picture);

#endif /* DV_PICTURE_H */
