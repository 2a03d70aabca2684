/* canvas_show.c: what the canvas is told to show: scenes, views, marks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include "model/access/select.h"

void
dv_canvas_view_changed (struct dv_canvas *canvas)
{
  dv_canvas_pick_in_view (canvas);
  dv_canvas_want_picture (canvas);
  dv_canvas_describe (canvas);
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
  g_clear_pointer (&canvas->hover_job, dv_job_drop);
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
  struct dv_view box = canvas->box;
  bool was_right = dv_canvas_has_counts (canvas);
  take_scene (canvas, scene);
  dv_canvas_move_pick (canvas, before);
  canvas->shown_is_right = was_right
                           && dv_select_is_same (before, &canvas->shown,
                                                 scene);
  if (!dv_view_is_empty (&canvas->shown) && !canvas->shown_is_right)
    canvas->shown = dv_select_place (before, &canvas->shown, scene);
  dv_viewport_map (&canvas->viewport, &scene->full, map_view, &growth);
  canvas->has_corner = false;
  if (!dv_view_is_empty (&box)) {
    box = dv_select_place (before, &box, scene);
    dv_canvas_set_box (canvas, &box, canvas->counts_box);
  }
  dv_scene_unref (before);
  dv_canvas_view_changed (canvas);
}

void
dv_canvas_set_scene (struct dv_canvas *canvas, struct dv_scene *scene,
                     const struct dv_view *view)
{
  static const struct dv_view nothing = { 0 };
  dv_canvas_stop_pick (canvas);
  dv_canvas_set_box (canvas, NULL, false);
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
  dv_canvas_want_picture (canvas);
  gtk_widget_queue_draw (canvas->widget);
  canvas->listener.look_changed (canvas->listener.user);
}

void
dv_canvas_set_message (struct dv_canvas *canvas, const char *message)
{
  g_free (canvas->message);
  canvas->message = g_strdup (message);
  dv_canvas_describe (canvas);
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
