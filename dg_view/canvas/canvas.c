/* canvas.c: the widget: how it is drawn, and its life.

   What it shows is canvas_show.c's, making the picture canvas_picture.c's;
   mouse and keys are canvas_input.c's and its like.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas.h"

#include "canvas_parts.h"
#include "i18n.h"
#include "widgets/pieces.h"

static gboolean
draw (GtkWidget *widget, cairo_t *cr, gpointer data)
{
  struct dv_canvas *canvas = data;
  struct dv_plot plot = { .scene = canvas->scene,
                          .look = canvas->look,
                          .view = canvas->viewport.now,
                          .message = dv_canvas_middle_text (canvas),
                          .highlight = canvas->highlight,
                          .bright = canvas->bright,
                          .sharing = canvas->sharing,
                          .fields = dv_canvas_fields (canvas),
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
resized (struct dv_canvas *canvas)
{
  /* What says that drawing was cancelled, or why it failed, takes room.  */
  if (!canvas->gave_up)
    dv_canvas_want_picture (canvas);
}

/* ---- Life ------------------------------------------------------------ */

/* May come more than once; the listener is not called any more.  */
static void
destroyed (struct dv_canvas *canvas)
{
  dv_canvas_stop_hover (canvas);
  g_clear_pointer (&canvas->picture_job, dv_job_drop);
  g_clear_pointer (&canvas->layer_job, dv_job_drop);
  g_clear_pointer (&canvas->pick_job, dv_job_drop);
  g_clear_handle_id (&canvas->picture_timer, g_source_remove);
  g_clear_object (&canvas->pinch);
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
  dv_pieces_name (canvas->widget, _ ("Plot of memory accesses"));
  g_signal_connect (canvas->widget, "draw", G_CALLBACK (draw), canvas);
  g_signal_connect_swapped (canvas->widget, "size-allocate",
                            G_CALLBACK (resized), canvas);
  g_signal_connect_swapped (canvas->widget, "notify::scale-factor",
                            G_CALLBACK (dv_canvas_want_picture), canvas);
  g_signal_connect_swapped (canvas->widget, "destroy", G_CALLBACK (destroyed),
                            canvas);
  g_object_set_data_full (G_OBJECT (canvas->widget), "canvas", canvas,
                          canvas_free);
  dv_canvas_connect_input (canvas);
  return canvas;
}
