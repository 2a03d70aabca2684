/* canvas.c: the plot as a widget: what it shows, and the background work for
   it.  Mouse and keys are the affair of canvas_input.c
   and its like.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas.h"

#include "i18n.h"
#include "model/access/select.h"

/* While the view keeps changing, no picture is begun.  */
#define PICTURE_DELAY_MS 25

/* ---- Pictures -------------------------------------------------------- */

struct order {
  struct dv_scene *scene;
  struct dv_view view;
  struct dv_look look;
  double width, height, scale;
  enum dv_detail detail;
  struct dv_picture *counted;   /* to be painted in other colours; NULL: it is
                                   to be counted */
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_picture_unref (order->counted);
  dv_scene_unref (order->scene);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  if (order->counted != NULL)
    return dv_picture_repaint (order->counted, &order->look);
  return dv_picture_new (order->scene, &order->view, &order->look,
                         order->width, order->height, order->scale,
                         order->detail, progress, user, err);
}

static void
picture_free (void *picture)
{
  dv_picture_unref (picture);
}

static const struct dv_job_class order_class = {
  run_order, order_free, picture_free
};

struct dv_plot_area
dv_canvas_area (const struct dv_canvas *canvas)
{
  return dv_plot_area (canvas->scene, &canvas->look, false,
                       gtk_widget_get_allocated_width (canvas->widget),
                       gtk_widget_get_allocated_height (canvas->widget));
}

/* It may be a draft.  */
static bool
picture_is_right (const struct dv_canvas *canvas)
{
  const struct dv_picture *picture = canvas->picture;
  if (picture == NULL
      || (picture->scene != canvas->scene && !canvas->shown_is_right)
      || !dv_view_equal (&picture->raster->view, &canvas->viewport.now)
      || !dv_picture_has_counts (picture, &canvas->look))
    return false;
  struct dv_plot_area area = dv_canvas_area (canvas);
  double scale = gtk_widget_get_scale_factor (canvas->widget);
  return picture->raster->width == (uint32_t) (area.width * scale)
         && picture->raster->height == (uint32_t) (area.height * scale);
}

static bool
picture_is_last (const struct dv_canvas *canvas)
{
  return picture_is_right (canvas) && !canvas->picture->raster->is_draft
         && dv_picture_has_colours (canvas->picture, &canvas->look);
}

bool
dv_canvas_is_drawn (const struct dv_canvas *canvas)
{
  return canvas->scene != NULL && picture_is_last (canvas);
}

struct dv_job *
dv_canvas_job (const struct dv_canvas *canvas)
{
  return canvas->picture_job != NULL ? canvas->picture_job
                                     : canvas->layer_job;
}

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
static void describe (struct dv_canvas *canvas);

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
    canvas->listener.failed (canvas->listener.user, err);
  }
  canvas->listener.busy (canvas->listener.user, false);
  dv_canvas_hover (canvas);
  gtk_widget_queue_draw (canvas->widget);
  if (canvas->pick_waits)
    dv_canvas_go_on_picking (canvas);
  if (result != NULL && picture_is_right (canvas)
      && !picture_is_last (canvas) && !keeps_draft (canvas))
    start_picture (canvas);
  dv_canvas_want_layers (canvas);
  describe (canvas);
}

static void
start_picture (struct dv_canvas *canvas)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  struct order *order = g_new0 (struct order, 1);
  order->scene = dv_scene_ref (canvas->scene);
  order->view = canvas->viewport.now;
  order->look = canvas->look;
  order->width = area.width;
  order->height = area.height;
  order->scale = gtk_widget_get_scale_factor (canvas->widget);
  order->detail = picture_is_right (canvas) ? DV_DETAIL_FINE
                                            : DV_DETAIL_DRAFT;
  if (picture_is_right (canvas)
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
    dv_job_drop (canvas->picture_job);
    canvas->picture_job = NULL;
    canvas->listener.busy (canvas->listener.user, false);
  }
  if (canvas->picture_timer != 0)
    g_source_remove (canvas->picture_timer);
  canvas->picture_timer = 0;
}

/* Sees to it that the right picture is there or being made.  */
static void
want_picture (struct dv_canvas *canvas)
{
  canvas->gave_up = false;
  drop_picture (canvas);
  dv_canvas_drop_layers (canvas);
  dv_canvas_want_layers (canvas);
  if (canvas->scene == NULL || dv_view_is_empty (&canvas->viewport.now)
      || picture_is_last (canvas)
      || gtk_widget_get_allocated_width (canvas->widget) <= 1)
    return;
  canvas->picture_timer = g_timeout_add (PICTURE_DELAY_MS, picture_is_due,
                                         canvas);
}

void
dv_canvas_redraw (struct dv_canvas *canvas)
{
  want_picture (canvas);
  describe (canvas);
}

void
dv_canvas_want_fine (struct dv_canvas *canvas)
{
  if (picture_is_right (canvas) && canvas->picture_job == NULL
      && !canvas->scene->data->is_glance)
    start_picture (canvas);
}

void
dv_canvas_cancel (struct dv_canvas *canvas)
{
  dv_canvas_stop_pick (canvas);
  canvas->gave_up = true;
  drop_picture (canvas);
  dv_canvas_drop_layers (canvas);
  describe (canvas);
  gtk_widget_queue_draw (canvas->widget);
  canvas->listener.bright_changed (canvas->listener.user);
}

/* ---- Drawing --------------------------------------------------------- */

/* What stands in the middle of the plot; NULL: nothing.  */
static const char *
middle_text (const struct dv_canvas *canvas)
{
  if (canvas->scene == NULL)
    return canvas->message;
  if (dv_view_is_empty (&canvas->scene->full))
    return dv_scene_nothing (canvas->scene);
  if (picture_is_last (canvas) && canvas->picture->raster->max == 0)
    return _("No accesses in this part.");
  return canvas->message;
}

/* For those who cannot see it.  */
static void
describe (struct dv_canvas *canvas)
{
  const char *middle = middle_text (canvas);
  GString *text = g_string_new (middle);
  if (canvas->scene != NULL && !dv_view_is_empty (&canvas->viewport.now)) {
    const struct dv_view *now = &canvas->viewport.now;
    const struct dv_layout *layout = &canvas->scene->layout;
    char numbers[4][32];
    g_snprintf (numbers[0], 32, "0x%" G_GINT64_MODIFIER "x",
                dv_layout_address (layout, now->x0));
    g_snprintf (numbers[1], 32, "0x%" G_GINT64_MODIFIER "x",
                dv_layout_address (layout, now->x1 - 1));
    g_snprintf (numbers[2], 32, "%" G_GUINT64_FORMAT, now->y0);
    g_snprintf (numbers[3], 32, "%" G_GUINT64_FORMAT, now->y1 - 1);
    if (middle != NULL)
      g_string_append_c (text, ' ');
    if (picture_is_last (canvas)
        || (canvas->picture_job == NULL && canvas->picture_timer == 0))
      g_string_append_printf (
        text, _("Addresses %s to %s, instructions %s to %s"), numbers[0],
        numbers[1], numbers[2], numbers[3]);
    else
      g_string_append_printf (
        text, _("Addresses %s to %s, instructions %s to %s (being drawn)"),
        numbers[0], numbers[1], numbers[2], numbers[3]);
  }
  atk_object_set_description (gtk_widget_get_accessible (canvas->widget),
                              text->str);
  g_string_free (text, TRUE);
}

static gboolean
draw (GtkWidget *widget, cairo_t *cr, gpointer data)
{
  struct dv_canvas *canvas = data;
  struct dv_plot plot = { .scene = canvas->scene,
                          .look = canvas->look,
                          .view = canvas->viewport.now,
                          .message = middle_text (canvas),
                          .highlight = canvas->highlight,
                          .bright = canvas->bright,
                          .sharing = canvas->sharing,
                          .has_mark = canvas->has_mark,
                          .mark = canvas->mark };
  const struct dv_picture *picture = canvas->picture;
  if (picture != NULL && !dv_view_is_empty (&canvas->shown)) {
    plot.picture = picture;
    plot.shown = canvas->shown;
  }
  dv_plot_draw (&plot, cr, gtk_widget_get_allocated_width (widget),
                gtk_widget_get_allocated_height (widget), NULL);
  dv_canvas_draw_input (canvas, cr);
  return FALSE;
}

static void
resized (GtkWidget *widget, GdkRectangle *allocation, gpointer data)
{
  struct dv_canvas *canvas = data;
  /* What says that drawing was cancelled, or why it failed, takes room.  */
  if (!canvas->gave_up)
    want_picture (canvas);
}

static void
scale_changed (GObject *object, GParamSpec *spec, gpointer data)
{
  want_picture (data);
}

/* ---- Life ------------------------------------------------------------ */

void
dv_canvas_view_changed (struct dv_canvas *canvas)
{
  dv_canvas_pick_in_view (canvas);
  want_picture (canvas);
  describe (canvas);
  dv_canvas_hover (canvas);
  gtk_widget_queue_draw (canvas->widget);
  canvas->listener.view_changed (canvas->listener.user);
}

static void
take_scene (struct dv_canvas *canvas, struct dv_scene *scene)
{
  if (scene != NULL)
    dv_scene_ref (scene);
  dv_scene_unref (canvas->scene);
  canvas->scene = scene;
  dv_job_drop (canvas->hover_job);
  canvas->hover_job = NULL;
  dv_canvas_drop_layers (canvas);
  dv_canvas_forget_layers (canvas);
}

void
dv_canvas_replace_scene (struct dv_canvas *canvas, struct dv_scene *scene)
{
  if (!dv_view_equal (&canvas->viewport.full, &scene->full)) {
    dv_canvas_set_scene (canvas, scene, &canvas->viewport.now);
    return;
  }
  take_scene (canvas, scene);
  dv_canvas_move_pick (canvas, NULL);
  canvas->shown_is_right = false;
  dv_canvas_view_changed (canvas);
}

struct growth {
  const struct dv_scene *before, *scene;
};

static struct dv_view
map_view (void *user, const struct dv_view *view)
{
  const struct growth *growth = user;
  return dv_select_same (growth->before, view, growth->scene);
}

void
dv_canvas_grow_scene (struct dv_canvas *canvas, struct dv_scene *scene)
{
  if (canvas->scene == NULL || dv_view_is_empty (&canvas->scene->full)) {
    dv_canvas_set_scene (canvas, scene, NULL);
    return;
  }
  struct dv_scene *before = dv_scene_ref (canvas->scene);
  struct growth growth = { before, scene };
  bool was_right = picture_is_right (canvas);
  take_scene (canvas, scene);
  dv_canvas_move_pick (canvas, before);
  canvas->shown_is_right = was_right
                           && dv_select_is_same (before, &canvas->shown,
                                                 scene);
  if (!dv_view_is_empty (&canvas->shown) && !canvas->shown_is_right)
    canvas->shown = dv_select_place (before, &canvas->shown, scene);
  dv_viewport_map (&canvas->viewport, &scene->full, map_view, &growth);
  dv_scene_unref (before);
  dv_canvas_view_changed (canvas);
}

void
dv_canvas_set_scene (struct dv_canvas *canvas, struct dv_scene *scene,
                     const struct dv_view *view)
{
  static const struct dv_view nothing = { 0 };
  dv_canvas_stop_pick (canvas);
  take_scene (canvas, scene);
  canvas->shown = nothing;
  canvas->shown_is_right = false;
  dv_viewport_reset (&canvas->viewport,
                     scene != NULL ? &scene->full : &nothing);
  if (view != NULL && scene != NULL && !dv_view_is_empty (view))
    dv_viewport_show (&canvas->viewport, view, false);
  dv_canvas_view_changed (canvas);
}

void
dv_canvas_set_look (struct dv_canvas *canvas, const struct dv_look *look)
{
  canvas->look = *look;
  want_picture (canvas);
  gtk_widget_queue_draw (canvas->widget);
  canvas->listener.look_changed (canvas->listener.user);
}

void
dv_canvas_set_message (struct dv_canvas *canvas, const char *message)
{
  g_free (canvas->message);
  canvas->message = g_strdup (message);
  describe (canvas);
  gtk_widget_queue_draw (canvas->widget);
}

void
dv_canvas_set_mark (struct dv_canvas *canvas, const struct dg_access *access)
{
  canvas->has_mark = access != NULL;
  if (access != NULL)
    canvas->mark = *access;
  gtk_widget_queue_draw (canvas->widget);
}

void
dv_canvas_set_moment (struct dv_canvas *canvas, uint64_t icount)
{
  if (icount == canvas->moment)
    return;
  canvas->moment = icount;
  gtk_widget_queue_draw (canvas->widget);
}

/* May come more than once; the listener is not called any more.  */
static void
destroyed (GtkWidget *widget, gpointer data)
{
  struct dv_canvas *canvas = data;
  dv_job_drop (canvas->picture_job);
  dv_job_drop (canvas->layer_job);
  canvas->layer_job = NULL;
  dv_job_drop (canvas->pick_job);
  dv_job_drop (canvas->hover_job);
  canvas->picture_job = canvas->pick_job = canvas->hover_job = NULL;
  if (canvas->picture_timer != 0)
    g_source_remove (canvas->picture_timer);
  if (canvas->hover_timer != 0)
    g_source_remove (canvas->hover_timer);
  g_clear_object (&canvas->pinch);
  canvas->picture_timer = canvas->hover_timer = 0;
}

static void
canvas_free (gpointer data)
{
  struct dv_canvas *canvas = data;
  dv_picture_unref (canvas->picture);
  dv_canvas_forget_layers (canvas);
  dv_highlight_unref (canvas->highlight);
  dv_scene_unref (canvas->scene);
  dv_viewport_fini (&canvas->viewport);
  g_free (canvas->message);
  g_free (canvas);
}

struct dv_canvas *
dv_canvas_new (const struct dv_canvas_listener *listener,
               const struct dv_look *look)
{
  struct dv_canvas *canvas = g_new0 (struct dv_canvas, 1);
  canvas->listener = *listener;
  canvas->look = *look;
  dv_viewport_init (&canvas->viewport);
  canvas->widget = gtk_drawing_area_new ();
  canvas->hover_x = canvas->hover_y = -1;
  canvas->moment = DG_NEVER;
  gtk_widget_set_can_focus (canvas->widget, TRUE);
  gtk_widget_set_hexpand (canvas->widget, TRUE);
  gtk_widget_set_vexpand (canvas->widget, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (canvas->widget),
                       _("Plot of memory accesses"));
  g_signal_connect (canvas->widget, "draw", G_CALLBACK (draw), canvas);
  g_signal_connect (canvas->widget, "size-allocate", G_CALLBACK (resized),
                    canvas);
  g_signal_connect (canvas->widget, "notify::scale-factor",
                    G_CALLBACK (scale_changed), canvas);
  g_signal_connect (canvas->widget, "destroy", G_CALLBACK (destroyed),
                    canvas);
  g_object_set_data_full (G_OBJECT (canvas->widget), "canvas", canvas,
                          canvas_free);
  dv_canvas_connect_input (canvas);
  return canvas;
}
