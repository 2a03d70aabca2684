/* canvas_layers.c: what lies over the picture and takes longer to make: the
   accesses that stand out, the lines that threads share.  Begun when the
   picture is done, and dropped when another one is due.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"
#include "model/picture/ruler.h"
#include "model/tally/tally_lines.h"

/* A layer that cannot be made is missed, and nothing else: its picture is
   there.  */
static void
layer_done (struct dv_canvas *canvas)
{
  canvas->layer_job = NULL;
  canvas->listener.busy (canvas->listener.user, false);
  gtk_widget_queue_draw (canvas->widget);
}

/* ---- What stands out ------------------------------------------------- */

static void *
make_bright (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  const struct dv_canvas_order *order = input;
  struct dv_look look = order->look;
  look.colouring = DV_COLOUR_KIND;
  return dv_picture_highlight (order->scene, &order->view, &look,
                               order->highlight, order->width, order->height,
                               order->scale, progress, user, err);
}

static void
bright_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  dv_picture_unref (canvas->bright);
  canvas->bright = result;
  canvas->bright_failed = result == NULL;
  layer_done (canvas);
  canvas->listener.bright_changed (canvas->listener.user);
  dv_canvas_want_layers (canvas);
}

static bool
lacks_bright (const struct dv_canvas *canvas)
{
  const struct dv_picture *bright = canvas->bright;
  if (canvas->highlight == NULL || canvas->bright_failed
      || !dv_highlight_has_accesses (canvas->highlight))
    return false;
  return bright == NULL || bright->scene != canvas->scene
         || !dv_view_equal (&bright->raster->view, &canvas->viewport.now)
         || bright->raster->width != canvas->picture->raster->width
         || bright->raster->height != canvas->picture->raster->height
         || bright->look.palette != canvas->look.palette;
}

enum dv_bright
dv_canvas_bright (const struct dv_canvas *canvas)
{
  if (canvas->scene == NULL || canvas->highlight == NULL
      || !dv_highlight_has_accesses (canvas->highlight)
      || canvas->bright_failed || canvas->gave_up)
    return DV_BRIGHT_NOT_KNOWN;
  if (!dv_canvas_is_drawn (canvas) || lacks_bright (canvas))
    return DV_BRIGHT_DUE;
  return canvas->bright->raster->max > 0 ? DV_BRIGHT_SOME : DV_BRIGHT_NONE;
}

/* ---- Lines that are shared ------------------------------------------- */

static void *
make_sharing (void *input, dg_progress_fn progress, void *user,
              struct dg_error *err)
{
  const struct dv_canvas_order *order = input;
  return dv_tally_lines_new (order->scene, &order->view, progress, user,
                             err);
}

static void
sharing_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  if (canvas->sharing != NULL)
    g_array_unref (canvas->sharing);
  canvas->sharing = result;
  canvas->sharing_view = canvas->viewport.now;
  layer_done (canvas);
  dv_canvas_want_layers (canvas);
}

static bool
lacks_sharing (const struct dv_canvas *canvas)
{
  return canvas->look.sharing
         && dg_log_summary (canvas->scene->data->log)->threads > 1
         && !dv_view_equal (&canvas->sharing_view, &canvas->viewport.now);
}

/* ---- The fields of objects ------------------------------------------- */

static void *
make_fields (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  const struct dv_canvas_order *order = input;
  return dv_ruler_new (order->scene, &order->view, order->width, progress,
                       user, err);
}

static void
forget_fields (struct dv_canvas *canvas)
{
  if (canvas->fields != NULL)
    g_array_unref (canvas->fields);
  canvas->fields = NULL;
  canvas->fields_width = 0;
}

static void
fields_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  forget_fields (canvas);
  canvas->fields = result;
  canvas->fields_view = canvas->viewport.now;
  canvas->fields_width = dv_canvas_area (canvas).width;
  layer_done (canvas);
  dv_canvas_want_layers (canvas);
}

static bool
lacks_fields (const struct dv_canvas *canvas)
{
  return canvas->fields_width != dv_canvas_area (canvas).width
         || !dv_view_equal (&canvas->fields_view, &canvas->viewport.now);
}

/* While a picture is made, those of the same addresses will do.  */
const GArray *
dv_canvas_fields (const struct dv_canvas *canvas)
{
  const struct dv_view *now = &canvas->viewport.now;
  return canvas->fields_view.x0 == now->x0 && canvas->fields_view.x1 == now->x1
           ? canvas->fields : NULL;
}

/* ---- Life ------------------------------------------------------------ */

void
dv_canvas_want_layers (struct dv_canvas *canvas)
{
  static const struct dv_job_class bright_class = {
    make_bright, dv_canvas_order_free, (GDestroyNotify) dv_picture_unref};
  static const struct dv_job_class sharing_class = {
    make_sharing, dv_canvas_order_free, (GDestroyNotify) g_array_unref};
  static const struct dv_job_class fields_class = {
    make_fields, dv_canvas_order_free, (GDestroyNotify) g_array_unref};
  if (canvas->layer_job != NULL || !dv_canvas_is_drawn (canvas)
      || canvas->scene->data->is_glance)
    return;
  if (lacks_bright (canvas))
    canvas->layer_job = dv_job_start (
      &bright_class, dv_canvas_order_new (canvas), bright_done, canvas);
  else if (lacks_sharing (canvas))
    canvas->layer_job = dv_job_start (
      &sharing_class, dv_canvas_order_new (canvas), sharing_done, canvas);
  else if (lacks_fields (canvas))
    canvas->layer_job = dv_job_start (
      &fields_class, dv_canvas_order_new (canvas), fields_done, canvas);
  if (canvas->layer_job != NULL)
    canvas->listener.busy (canvas->listener.user, true);
}

void
dv_canvas_drop_layers (struct dv_canvas *canvas)
{
  if (canvas->layer_job == NULL)
    return;
  g_clear_pointer (&canvas->layer_job, dv_job_drop);
  canvas->listener.busy (canvas->listener.user, false);
}

void
dv_canvas_forget_layers (struct dv_canvas *canvas)
{
  static const struct dv_view nothing = { 0 };
  g_clear_pointer (&canvas->bright, dv_picture_unref);
  canvas->bright_failed = false;
  if (canvas->sharing != NULL)
    g_array_unref (canvas->sharing);
  canvas->sharing = NULL;
  canvas->sharing_view = nothing;
  forget_fields (canvas);
}

void
dv_canvas_set_highlight (struct dv_canvas *canvas,
                         struct dv_highlight *highlight)
{
  if (highlight == canvas->highlight)
    return;
  if (highlight != NULL)
    dv_highlight_ref (highlight);
  dv_highlight_unref (canvas->highlight);
  canvas->highlight = highlight;
  dv_canvas_drop_layers (canvas);
  g_clear_pointer (&canvas->bright, dv_picture_unref);
  canvas->bright_failed = false;
  dv_canvas_want_layers (canvas);
  gtk_widget_queue_draw (canvas->widget);
}
