/* picture.c: all that is drawn of a view, made at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "picture.h"

#include "overlay.h"
#include "plot.h"

static void
picture_clear (void *memory)
{
  struct dv_picture *picture = memory;
  dv_raster_free (picture->raster);
  if (picture->image != NULL)
    cairo_surface_destroy (picture->image);
  if (picture->boxes != NULL)
    g_array_unref (picture->boxes);
  dv_scene_unref (picture->scene);
}

struct dv_picture *
dv_picture_ref (struct dv_picture *picture)
{
  return g_atomic_rc_box_acquire (picture);
}

void
dv_picture_unref (struct dv_picture *picture)
{
  if (picture != NULL)
    g_atomic_rc_box_release_full (picture, picture_clear);
}

struct dv_picture *
dv_picture_new (struct dv_scene *scene, const struct dv_view *view,
                const struct dv_look *look, double width,
                double height, double scale, enum dv_detail detail,
                dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_picture *picture = g_atomic_rc_box_new0 (struct dv_picture);
  picture->scene = dv_scene_ref (scene);
  uint32_t columns = (uint32_t) CLAMP (width * scale, 1, DV_RASTER_MAX_SIDE);
  uint32_t rows = (uint32_t) CLAMP (height * scale, 1, DV_RASTER_MAX_SIDE);
  picture->raster = dv_raster_new (scene, view, columns, rows, detail,
                                   progress, user, err);
  if (picture->raster == NULL) {
    dv_picture_unref (picture);
    return NULL;
  }
  picture->image = dv_plot_image (picture->raster, look->palette, scale);
  picture->boxes = dv_overlay_for (scene, view, width, height);
  return picture;
}
