/* rectangle.c: the line about the selected rectangle; it is counted in the
   background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rectangle.h"

#include "format.h"
#include "host/activities.h"
#include "i18n.h"
#include "model/tally/rows.h"
#include "widgets/pieces.h"

struct dv_rectangle {
  struct dv_host *host;
  GtkWidget *row, *note;
  struct dv_job *job;          /* counting it; NULL: not */
  struct dv_scene *scene;      /* what is shown, or counted, is of; NULL */
  struct dv_view box;
};

struct order {
  struct dv_scene *scene;
  struct dv_view box;
};

struct held {
  struct dv_tally_count count;
  uint64_t functions;
};

/* ---- Counting -------------------------------------------------------- */

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_scene_unref (order->scene);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  struct held *held = NULL;
  struct dv_tally *tally = dv_tally_new (order->scene, &order->box, 0, NULL,
                                         progress, user, err);
  struct dv_rows *rows
    = tally != NULL ? dv_rows_new (tally, DV_ROWS_FUNCTIONS, progress, user,
                                   err)
                    : NULL;
  if (rows != NULL) {
    held = g_new0 (struct held, 1);
    held->count = tally->code_total;
    for (guint i = 0; i < rows->rows.n; i++)
      held->functions
        += dv_tally_count_accesses (&dv_rows_at (rows, i)->count) > 0;
  }
  dv_rows_unref (rows);
  dv_tally_unref (tally);
  return held;
}

static char *
held_text (const struct held *held)
{
  char all[40], reads[40], writes[40], bytes[40], functions[40];
  const struct dv_tally_count *count = &held->count;
  dg_number_text (all, sizeof all, dv_tally_count_accesses (count));
  dg_number_text (reads, sizeof reads, count->reads);
  dg_number_text (writes, sizeof writes, count->writes);
  dg_number_text (functions, sizeof functions, held->functions);
  dv_format_bytes (bytes, sizeof bytes,
                   count->read_bytes + count->written_bytes);
  /* Translators: of a rectangle that is selected in the plot.  */
  return g_strdup_printf (_ ("accesses: %s, reads: %s, writes: %s, "
                             "accessed: %s, functions: %s"),
                          all, reads, writes, bytes, functions);
}

static char *
size_text (const struct dv_view *box)
{
  char bytes[40], count[40];
  dv_format_bytes (bytes, sizeof bytes, box->x1 - box->x0);
  dg_number_text_about (count, sizeof count, box->y1 - box->y0);
  return g_strdup_printf (_ ("%s × %s instructions"), bytes, count);
}

/* Takes the text over.  */
static void
tell (struct dv_rectangle *rectangle, char *what)
{
  char *size = size_text (&rectangle->box);
  dv_pieces_note_take (rectangle->note,
                       g_strdup_printf ("%s: %s", size, what));
  g_free (size);
  g_free (what);
}

static void
counted (void *user, void *result, const struct dg_error *err)
{
  struct dv_rectangle *rectangle = user;
  rectangle->job = NULL;
  dv_activities_watch (rectangle->host->progress);
  tell (rectangle, result != NULL ? held_text (result)
                                  : g_strdup (err->message));
  g_free (result);
}

static void
stop (struct dv_rectangle *rectangle)
{
  g_clear_pointer (&rectangle->job, dv_job_drop);
  g_clear_pointer (&rectangle->scene, dv_scene_unref);
  dv_activities_watch (rectangle->host->progress);
}

static void
start (struct dv_rectangle *rectangle)
{
  static const struct dv_job_class class = {run_order, order_free, g_free};
  const struct dv_canvas *canvas = rectangle->host->canvas;
  struct order *order = g_new0 (struct order, 1);
  stop (rectangle);
  rectangle->scene = dv_scene_ref (canvas->scene);
  rectangle->box = canvas->box;
  order->scene = dv_scene_ref (canvas->scene);
  order->box = canvas->box;
  tell (rectangle, g_strdup (_ ("counting…")));
  rectangle->job = dv_job_start (&class, order, counted, rectangle);
  dv_activities_watch (rectangle->host->progress);
}

static void
cancel (void *user)
{
  struct dv_rectangle *rectangle = user;
  g_clear_pointer (&rectangle->job, dv_job_drop);
  tell (rectangle, g_strdup (_ ("not counted")));
}

/* ---- What is selected ------------------------------------------------ */

void
dv_rectangle_changed (struct dv_rectangle *rectangle)
{
  struct dv_host *host = rectangle->host;
  const struct dv_canvas *canvas = host->canvas;
  bool is_there = canvas->scene != NULL && !canvas->scene->data->is_glance
                  && !dv_view_is_empty (&canvas->box);
  dv_host_enable (host, "zoom-to-rectangle", is_there);
  dv_host_enable (host, "count-rectangle", is_there);
  dv_host_enable (host, "clear-rectangle", is_there);
  dv_host_set_state (host, "count-rectangle",
                     g_variant_new_boolean (canvas->counts_box));
  gtk_widget_set_visible (rectangle->row, is_there);
  if (!is_there)
    stop (rectangle);
  else if (rectangle->scene != canvas->scene
           || !dv_view_equal (&rectangle->box, &canvas->box))
    start (rectangle);
}

static void
do_zoom (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_rectangle *) data)->host;
  struct dv_view box = host->canvas->box;
  dv_canvas_set_box (host->canvas, NULL, false);
  dv_host_go_to (host, &box);
}

static void
do_count (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_host *host = ((struct dv_rectangle *) data)->host;
  struct dv_view box = host->canvas->box;
  dv_canvas_set_box (host->canvas, &box, g_variant_get_boolean (value));
}

static void
do_clear (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_rectangle *) data)->host;
  dv_canvas_set_box (host->canvas, NULL, false);
  gtk_widget_grab_focus (host->canvas->widget);
}

/* ---- Life ------------------------------------------------------------ */

GtkWidget *
dv_rectangle_widget (const struct dv_rectangle *rectangle)
{
  return rectangle->row;
}

static GtkWidget *
new_button (GtkWidget *button, const char *action, const char *tip)
{
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  return button;
}

struct dv_rectangle *
dv_rectangle_new (struct dv_host *host)
{
  static const GActionEntry actions[] = {
    {"zoom-to-rectangle", do_zoom},
    {"count-rectangle", NULL, NULL, "false", do_count},
    {"clear-rectangle", do_clear},
  };
  struct dv_rectangle *rectangle = g_new0 (struct dv_rectangle, 1);
  const struct dv_activity activity = {N_ ("Counting"), &rectangle->job,
                                       cancel, rectangle};
  rectangle->host = host;
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), rectangle);
  rectangle->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  rectangle->note = dv_pieces_note_new (_ ("Selected rectangle"), 0);
  gtk_widget_set_hexpand (rectangle->note, TRUE);
  dv_pieces_add (
    rectangle->row, rectangle->note,
    new_button (gtk_toggle_button_new_with_mnemonic (_ ("_Filter Tables")),
                "win.count-rectangle",
                _ ("Tables show only what the rectangle holds")),
    new_button (gtk_button_new_with_mnemonic (_ ("_Zoom")),
                "win.zoom-to-rectangle", _ ("Zoom to the rectangle")),
    new_button (gtk_button_new_with_mnemonic (_ ("_Clear")),
                "win.clear-rectangle", _ ("Select no rectangle (Escape)")),
    NULL);
  dv_pieces_margins (rectangle->row, 6, 6, 0, 0);
  gtk_widget_show_all (rectangle->row);
  gtk_widget_set_no_show_all (rectangle->row, TRUE);
  gtk_widget_hide (rectangle->row);
  dv_host_enable (host, "zoom-to-rectangle", false);
  dv_host_enable (host, "count-rectangle", false);
  dv_host_enable (host, "clear-rectangle", false);
  dv_activities_add (host->progress, DV_ACTIVITY_BOX, &activity);
  return rectangle;
}

void
dv_rectangle_free (struct dv_rectangle *rectangle)
{
  g_clear_pointer (&rectangle->job, dv_job_drop);
  dv_scene_unref (rectangle->scene);
  g_free (rectangle);
}
