/* canvas_picture.c: making the picture in the background, and what is said of
   it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include "format.h"
#include "i18n.h"
#include "widgets/pieces.h"

/* While the view keeps changing, no picture is begun.  */
#define PICTURE_DELAY_MS 25

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct dv_canvas_order *order = input;
  if (order->counted != NULL)
    return dv_picture_repaint (order->counted, &order->look);
  return dv_picture_new (order->scene, &order->view, &order->look,
                         order->width, order->height, order->scale,
                         order->detail, progress, user, err);
}

static const struct dv_job_class order_class = {
  run_order, dv_canvas_order_free, (GDestroyNotify) dv_picture_unref};

/* ---- In words --------------------------------------------------------- */

/* What stands in the middle of the plot; NULL: nothing.  */
const char *
dv_canvas_middle_text (const struct dv_canvas *canvas)
{
  if (canvas->scene == NULL)
    return canvas->message;
  if (dv_view_is_empty (&canvas->scene->full))
    return dv_scene_nothing (canvas->scene);
  if (dv_canvas_has_picture (canvas) && canvas->picture->raster->max == 0)
    return _ ("No accesses in this part.");
  return canvas->message;
}

/* For those who cannot see it.  */
void
dv_canvas_describe (struct dv_canvas *canvas)
{
  const char *middle = dv_canvas_middle_text (canvas);
  GString *text = g_string_new (middle);
  if (canvas->scene != NULL && !dv_view_is_empty (&canvas->viewport.now)) {
    const struct dv_view *now = &canvas->viewport.now;
    const struct dv_layout *layout = &canvas->scene->layout;
    char numbers[4][32];
    g_snprintf (numbers[0], 32, DV_ADDRESS,
                dv_layout_address (layout, now->x0));
    g_snprintf (numbers[1], 32, DV_ADDRESS,
                dv_layout_address (layout, now->x1 - 1));
    g_snprintf (numbers[2], 32, "%" G_GUINT64_FORMAT, now->y0);
    g_snprintf (numbers[3], 32, "%" G_GUINT64_FORMAT, now->y1 - 1);
    if (middle != NULL)
      g_string_append_c (text, ' ');
    if (dv_canvas_has_picture (canvas)
        || (canvas->picture_job == NULL && canvas->picture_timer == 0))
      g_string_append_printf (text,
                              _ ("Addresses %s to %s, instructions %s to %s"),
                              numbers[0], numbers[1], numbers[2], numbers[3]);
    else
      g_string_append_printf (
        text, _ ("Addresses %s to %s, instructions %s to %s (being drawn)"),
        numbers[0], numbers[1], numbers[2], numbers[3]);
  }
  dv_pieces_describe (canvas->widget, text->str);
  g_string_free (text, TRUE);
}

/* ---- When it is due --------------------------------------------------- */

/* What will be another in a second is not worth decoding, unless somebody
   points at it.  */
static bool
keeps_draft (const struct dv_canvas *canvas)
{
  const struct dv_scene *scene = canvas->scene;
  return scene->data->is_glance
         || (scene->data->is_growing && !canvas->pick_waits
             && canvas->viewport.now.y1 >= scene->full.y1);
}

static void start_picture (struct dv_canvas *canvas);

/* A draft is not enough any more: somebody points at something.  */
static void
want_fine (struct dv_canvas *canvas)
{
  if (dv_canvas_has_counts (canvas) && canvas->picture_job == NULL
      && !canvas->scene->data->is_glance)
    start_picture (canvas);
}

static void
picture_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  canvas->picture_job = NULL;
  if (result != NULL) {
    dv_picture_unref (canvas->picture);
    canvas->picture = result;
    canvas->shown = canvas->picture->raster->view;
    canvas->shown_is_right = false;
  } else {
    dv_canvas_stop_pick (canvas);
    canvas->gave_up = true;
    /* An index that is no good: the log itself is being read.  */
    if (!canvas->scene->data->is_glance)
      canvas->listener.failed (canvas->listener.user, err);
  }
  canvas->listener.busy (canvas->listener.user, false);
  dv_canvas_hover (canvas);
  gtk_widget_queue_draw (canvas->widget);
  if (canvas->pick_waits && !dv_canvas_go_on_picking (canvas))
    want_fine (canvas);
  if (result != NULL && canvas->picture_job == NULL
      && dv_canvas_has_counts (canvas)
      && !dv_canvas_has_picture (canvas) && !keeps_draft (canvas))
    start_picture (canvas);
  dv_canvas_want_layers (canvas);
  dv_canvas_describe (canvas);
}

static void
start_picture (struct dv_canvas *canvas)
{
  struct dv_canvas_order *order = dv_canvas_order_new (canvas);
  order->detail =
    dv_canvas_has_counts (canvas) ? DV_DETAIL_FINE : DV_DETAIL_DRAFT;
  if (dv_canvas_has_counts (canvas)
      && !dv_picture_has_colours (canvas->picture, &canvas->look))
    order->counted = dv_picture_ref (canvas->picture);
  canvas->picture_job = dv_job_start (&order_class, order, picture_done,
                                      canvas);
  canvas->listener.busy (canvas->listener.user, true);
}

static gboolean
picture_is_due (gpointer data)
{
  struct dv_canvas *canvas = data;
  canvas->picture_timer = 0;
  start_picture (canvas);
  return G_SOURCE_REMOVE;
}

static void
drop_picture (struct dv_canvas *canvas)
{
  if (canvas->picture_job != NULL) {
    g_clear_pointer (&canvas->picture_job, dv_job_drop);
    canvas->listener.busy (canvas->listener.user, false);
  }
  g_clear_handle_id (&canvas->picture_timer, g_source_remove);
}

/* Sees to it that the right picture is there or being made.  */
void
dv_canvas_want_picture (struct dv_canvas *canvas)
{
  canvas->gave_up = false;
  drop_picture (canvas);
  dv_canvas_drop_layers (canvas);
  dv_canvas_want_layers (canvas);
  if (canvas->scene == NULL || dv_view_is_empty (&canvas->viewport.now)
      || dv_canvas_has_picture (canvas)
      || gtk_widget_get_allocated_width (canvas->widget) <= 1)
    return;
  canvas->picture_timer = g_timeout_add (PICTURE_DELAY_MS, picture_is_due,
                                         canvas);
}

void
dv_canvas_redraw (struct dv_canvas *canvas)
{
  dv_canvas_want_picture (canvas);
  dv_canvas_describe (canvas);
}

void
dv_canvas_cancel (struct dv_canvas *canvas)
{
  dv_canvas_stop_pick (canvas);
  canvas->gave_up = true;
  drop_picture (canvas);
  dv_canvas_drop_layers (canvas);
  dv_canvas_describe (canvas);
  gtk_widget_queue_draw (canvas->widget);
  canvas->listener.bright_changed (canvas->listener.user);
}

void
dv_canvas_pick (struct dv_canvas *canvas, double x, double y, bool anywhere)
{
  if (canvas->scene == NULL || dv_view_is_empty (&canvas->viewport.now))
    return;
  dv_canvas_point_pick (canvas, x, y, anywhere);
  if (!dv_canvas_go_on_picking (canvas))
    want_fine (canvas);
}
