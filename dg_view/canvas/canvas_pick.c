/* canvas_pick.c: finds the access at a point of the plot.

   The picture of this view may still be due: the point waits for it, and
   stays where it is in the log when the view, or the log, becomes another.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>

/* How far from an access a click still means it, in pixels of the screen;
   what is farther away is not what anybody has pointed at.  */
#define PICK_REACH 20

bool
dv_canvas_is_picking (const struct dv_canvas *canvas)
{
  return canvas->pick_job != NULL || canvas->pick_waits;
}

void
dv_canvas_stop_pick (struct dv_canvas *canvas)
{
  bool was_picking = dv_canvas_is_picking (canvas);
  g_clear_pointer (&canvas->pick_job, dv_job_drop);
  canvas->pick_waits = false;
  if (was_picking)
    canvas->listener.unpicked (canvas->listener.user);
}

static void
pick_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  canvas->pick_job = NULL;
  if (result != NULL) {
    canvas->listener.picked (canvas->listener.user, result);
    return;
  }
  canvas->listener.unpicked (canvas->listener.user);
  if (err->code != DG_ERR_INVALID)
    canvas->listener.failed (canvas->listener.user, err);
}

/* Where the point is in the picture, in its pixels; false: not in it.  */
static bool
pick_pixel (const struct dv_canvas *canvas, double *x, double *y)
{
  const struct dv_view *now = &canvas->viewport.now;
  double fx = (canvas->pick_x - (double) now->x0)
              / (double) (now->x1 - now->x0);
  double fy = (canvas->pick_y - (double) now->y0)
              / (double) (now->y1 - now->y0);
  if (canvas->picture != NULL) {
    *x = fx * canvas->picture->raster->width;
    *y = fy * canvas->picture->raster->height;
  }
  return fx >= 0 && fx < 1 && fy >= 0 && fy < 1;
}

void
dv_canvas_pick_in_view (struct dv_canvas *canvas)
{
  double x, y;
  if (canvas->pick_waits && !pick_pixel (canvas, &x, &y))
    dv_canvas_stop_pick (canvas);
}

bool
dv_canvas_go_on_picking (struct dv_canvas *canvas)
{
  double x, y;
  canvas->pick_waits = !dv_canvas_is_drawn (canvas)
                       || canvas->scene->data->is_glance;
  if (canvas->pick_waits)
    return false;
  pick_pixel (canvas, &x, &y);
  dv_job_drop (canvas->pick_job);
  canvas->pick_job = dv_inquiry_at (
    canvas->picture, DV_INQUIRY_CLICK, x, y,
    canvas->pick_anywhere
      ? INFINITY
      : PICK_REACH * gtk_widget_get_scale_factor (canvas->widget),
    pick_done, canvas);
  return true;
}

void
dv_canvas_point_pick (struct dv_canvas *canvas, double x, double y,
                      bool anywhere)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  const struct dv_view *now = &canvas->viewport.now;
  canvas->pick_anywhere = anywhere;
  canvas->pick_x = (double) now->x0
                   + CLAMP ((x - area.x) / area.width, 0, 0.9999999)
                       * (double) (now->x1 - now->x0);
  canvas->pick_y = (double) now->y0
                   + CLAMP ((y - area.y) / area.height, 0, 0.9999999)
                       * (double) (now->y1 - now->y0);
}

void
dv_canvas_move_pick (struct dv_canvas *canvas, const struct dv_scene *before)
{
  uint64_t whole = (uint64_t) canvas->pick_x, position;
  double part = canvas->pick_x - (double) whole;
  /* One that is being looked for is so in pictures of another scene.  */
  canvas->pick_waits = dv_canvas_is_picking (canvas);
  g_clear_pointer (&canvas->pick_job, dv_job_drop);
  if (before == NULL || canvas->scene == NULL)
    return;
  dv_layout_position (&canvas->scene->layout,
                      dv_layout_address (&before->layout, whole), &position);
  canvas->pick_x = (double) position + part;
}
