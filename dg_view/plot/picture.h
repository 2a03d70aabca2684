/* picture.h: what the background makes for one view: counts, image, boxes,
   names of the areas.

   Counted references; never changed once made.  No GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICTURE_H
#define DV_PICTURE_H

#include <cairo.h>
#include <glib.h>

#include "model/log/areas.h"
#include "model/log/look.h"
#include "model/picture/raster.h"

struct dv_picture {
  struct dv_scene *scene;
  struct dv_look look;
  struct dv_raster *raster;
  cairo_surface_t *image;    /* of the raster, to be shown at 1 / scale */
  cairo_surface_t *lane;     /* a column of the raster's height: which thread
                                ran; NULL: there is one only */
  GArray *boxes;             /* struct dv_box; NULL of a highlight */
  GArray *areas;             /* struct dv_area, of the view; likewise */
  struct dv_picture *origin; /* whose raster it is; NULL: its own */
};

/* For a data area of width x height pixels, each `scale` device pixels wide
   and high.  As dv_raster_make otherwise.  */
struct dv_picture *dv_picture_new (struct dv_scene *scene,
                                   const struct dv_view *view,
                                   const struct dv_look *look, double width,
                                   double height, double scale,
                                   enum dv_detail detail,
                                   dg_progress_fn progress, void *user,
                                   struct dg_error *err);
/* Of the accesses that stand out only, all as bright as can be.  */
struct dv_picture *
dv_picture_highlight (struct dv_scene *scene, const struct dv_view *view,
                      const struct dv_look *look,
                      const struct dv_highlight *highlight, double width,
                      double height, double scale, dg_progress_fn progress,
                      void *user, struct dg_error *err);
/* The same counts in other colours.  */
struct dv_picture *dv_picture_repaint (struct dv_picture *picture,
                                       const struct dv_look *look);
struct dv_picture *dv_picture_ref (struct dv_picture *picture);
/* NULL is fine.  */
void dv_picture_unref (struct dv_picture *picture);

/* A new image of a raster, to be shown at 1 / scale.  */
cairo_surface_t *dv_picture_image (const struct dv_raster *raster,
                                   const struct dv_palette *palette,
                                   double scale);

/* Whether it would have to be painted, or counted, again for a look.  */
bool dv_picture_has_colours (const struct dv_picture *picture,
                             const struct dv_look *look);
bool dv_picture_has_counts (const struct dv_picture *picture,
                            const struct dv_look *look);

#endif /* DV_PICTURE_H */
