/* picture.c: all that is drawn of a view, made at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "picture.h"

#include "model/picture/heat.h"
#include "model/picture/overlay.h"
#include "model/picture/paint.h"
#include "model/log/refs.h"

static void
picture_clear (void *memory)
{
  struct dv_picture *picture = memory;
  if (picture->origin == NULL)
    dv_raster_free (picture->raster);
  dv_picture_unref (picture->origin);
  if (picture->image != NULL)
    cairo_surface_destroy (picture->image);
  if (picture->lane != NULL)
    cairo_surface_destroy (picture->lane);
  if (picture->boxes != NULL)
    g_array_unref (picture->boxes);
  if (picture->areas != NULL)
    g_array_unref (picture->areas);
  dv_scene_unref (picture->scene);
}

DV_DEFINE_REFS (dv_picture, picture_clear)

cairo_surface_t *
dv_picture_image (const struct dv_raster *raster,
                  const struct dv_palette *palette, double scale)
{
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) raster->width,
                                  (int) raster->height);
  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush (image);
    dv_paint_raster (palette, raster, cairo_image_surface_get_data (image),
                      cairo_image_surface_get_stride (image));
    cairo_surface_mark_dirty (image);
    cairo_surface_set_device_scale (image, scale, scale);
  }
  return image;
}

static cairo_surface_t *
paint_lane (const struct dv_raster *raster, const struct dv_palette *palette)
{
  if (raster->lane == NULL)
    return NULL;
  cairo_surface_t *lane
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1,
                                  (int) raster->height);
  if (cairo_surface_status (lane) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush (lane);
    dv_paint_lane (palette, raster,
                           cairo_image_surface_get_data (lane),
                           cairo_image_surface_get_stride (lane));
    cairo_surface_mark_dirty (lane);
  }
  return lane;
}

static void
paint (struct dv_picture *picture, const struct dv_look *look, double scale)
{
  picture->look = *look;
  picture->image = dv_picture_image (picture->raster, look->palette, scale);
  picture->lane = paint_lane (picture->raster, look->palette);
}

static struct dv_raster_order
order_for (const struct dv_view *view, const struct dv_look *look,
           double width, double height, double scale)
{
  return (struct dv_raster_order){
    .view = *view,
    .width = (uint32_t) CLAMP (width * scale, 1, DV_RASTER_MAX_SIDE),
    .height = (uint32_t) CLAMP (height * scale, 1, DV_RASTER_MAX_SIDE),
    .by_thread = look->colouring == DV_COLOUR_THREAD,
  };
}

/* A draft has none yet.  */
static bool
add_heat (struct dv_raster *raster, const struct dv_scene *scene,
          const struct dv_look *look, enum dv_detail detail,
          dg_progress_fn progress, void *user, struct dg_error *err)
{
  if (!dv_colouring_is_heat (look->colouring))
    return true;
  if (detail == DV_DETAIL_DRAFT || scene->data->is_glance) {
    raster->is_draft = true;
    return true;
  }
  raster->heat = dv_heat_new (scene, raster, look->colouring, progress, user,
                              err);
  return raster->heat != NULL;
}

struct dv_picture *
dv_picture_new (struct dv_scene *scene, const struct dv_view *view,
                const struct dv_look *look, double width, double height,
                double scale, enum dv_detail detail, dg_progress_fn progress,
                void *user, struct dg_error *err)
{
  struct dv_raster_order order = order_for (view, look, width, height, scale);
  order.detail = detail;
  struct dv_raster *raster = dv_raster_make (scene, &order, progress, user,
                                             err);
  if (raster != NULL
      && !add_heat (raster, scene, look, detail, progress, user, err))
    g_clear_pointer (&raster, dv_raster_free);
  if (raster == NULL)
    return NULL;
  struct dv_picture *picture = g_atomic_rc_box_new0 (struct dv_picture);
  picture->scene = dv_scene_ref (scene);
  picture->raster = raster;
  paint (picture, look, scale);
  picture->boxes = dv_overlay_for (scene, view, width, height);
  picture->areas = dv_areas_for (scene, view);
  return picture;
}

struct dv_picture *
dv_picture_highlight (struct dv_scene *scene, const struct dv_view *view,
                      const struct dv_look *look,
                      const struct dv_highlight *highlight, double width,
                      double height, double scale, dg_progress_fn progress,
                      void *user, struct dg_error *err)
{
  struct dv_raster_order order = order_for (view, look, width, height, scale);
  order.detail = DV_DETAIL_FINE;
  order.only = highlight;
  struct dv_raster *raster = dv_raster_make (scene, &order, progress, user,
                                             err);
  if (raster == NULL)
    return NULL;
  struct dv_picture *picture = g_atomic_rc_box_new0 (struct dv_picture);
  picture->scene = dv_scene_ref (scene);
  picture->raster = raster;
  raster->max = MIN (raster->max, 1);
  paint (picture, look, scale);
  return picture;
}

struct dv_picture *
dv_picture_repaint (struct dv_picture *picture, const struct dv_look *look)
{
  double scale, unused;
  struct dv_picture *other = g_atomic_rc_box_new0 (struct dv_picture);
  /* Of the first one: there is no chain.  */
  other->origin = dv_picture_ref (picture->origin != NULL ? picture->origin
                                                          : picture);
  other->scene = dv_scene_ref (picture->scene);
  other->raster = picture->raster;
  cairo_surface_get_device_scale (picture->image, &scale, &unused);
  paint (other, look, scale);
  if (picture->boxes != NULL)
    other->boxes = g_array_ref (picture->boxes);
  if (picture->areas != NULL)
    other->areas = g_array_ref (picture->areas);
  return other;
}

bool
dv_picture_has_counts (const struct dv_picture *picture,
                       const struct dv_look *look)
{
  return picture->look.colouring == look->colouring;
}

bool
dv_picture_has_colours (const struct dv_picture *picture,
                        const struct dv_look *look)
{
  return dv_picture_has_counts (picture, look)
         && picture->look.palette == look->palette;
}
