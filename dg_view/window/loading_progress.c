/* loading_progress.c: what the background is doing, how long that will take,
   and a button that ends it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "loading_parts.h"

#include "i18n.h"
#include "stepping.h"

#define WATCH_MS 100
/* Work that ends within this needs no progress bar.  */
#define QUIET_SECONDS 0.25

/* Before that, the time left is a guess.  */
#define SURE_FRACTION 0.02
#define SURE_SECONDS  1.0

/* ---- What is going on ------------------------------------------------ */

/* One thing at a time is told: the one that the user waits for most.  */
struct doing {
  const struct dv_job *job;
  const char *what;
  void (*cancel) (struct dv_window *window);
};

static void
draw_again (struct dv_window *window)
{
  dv_canvas_redraw (window->canvas);
}

/* What there is of the picture stays.  */
static void
cancel_drawing (struct dv_window *window)
{
  dv_canvas_cancel (window->canvas);
  dv_loading_offer (window, GTK_MESSAGE_INFO, _("Drawing was cancelled."),
                    _("_Draw Again"), draw_again);
}

static struct doing
doing (const struct dv_window *window)
{
  if (window->load_job != NULL)
    return (struct doing){ window->load_job, dv_loading_phase (window),
                           dv_loading_cancel };
  if (dv_export_job (window) != NULL)
    return (struct doing){ dv_export_job (window), _("Saving"),
                           dv_export_cancel };
  if (dv_canvas_job (window->canvas) != NULL)
    return (struct doing){ dv_canvas_job (window->canvas), _("Drawing"),
                           cancel_drawing };
  if (dv_stepping_job (window) != NULL)
    return (struct doing){ dv_stepping_job (window), _("Searching"),
                           dv_stepping_stop };
  if (dv_tallying_job (window) != NULL)
    return (struct doing){ dv_tallying_job (window), _("Counting"),
                           dv_tallying_stop };
  if (window->index_job != NULL)
    return (struct doing){ window->index_job, _("Indexing"),
                           dv_indexing_stop };
  return (struct doing){ NULL, NULL, NULL };
}

static void
cancel_clicked (GtkButton *button, gpointer data)
{
  struct dv_window *window = data;
  struct doing now = doing (window);
  if (now.cancel != NULL)
    now.cancel (window);
  dv_loading_watch (window);
}

/* ---- The row --------------------------------------------------------- */

static char *
describe (const char *what, double fraction, double seconds)
{
  if (fraction <= SURE_FRACTION || seconds <= SURE_SECONDS)
    return g_strdup_printf ("%s…", what);
  double left = seconds * (1 - fraction) / fraction;
  if (left < 90) {
    int n = (int) (left + 0.5);
    return g_strdup_printf (g_dngettext (NULL, "%s — %d second left",
                                         "%s — %d seconds left",
                                         (unsigned long) n), what, n);
  }
  int n = (int) (left / 60 + 0.5);
  return g_strdup_printf (g_dngettext (NULL, "%s — %d minute left",
                                       "%s — %d minutes left",
                                       (unsigned long) n), what, n);
}

static void
show (struct dv_window *window, const struct doing *now)
{
  double fraction = dv_job_fraction (now->job);
  double seconds = dv_job_seconds (now->job);
  char *text = describe (now->what, fraction, seconds);
  gtk_label_set_text (GTK_LABEL (window->progress_text), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (window->progress),
                                 fraction);
  gtk_widget_set_visible (window->progress_box, seconds > QUIET_SECONDS);
  g_free (text);
}

static gboolean
watch (gpointer data)
{
  struct dv_window *window = data;
  struct doing now = doing (window);
  if (now.job != NULL) {
    show (window, &now);
    return G_SOURCE_CONTINUE;
  }
  gtk_widget_hide (window->progress_box);
  window->progress_timer = 0;
  return G_SOURCE_REMOVE;
}

void
dv_loading_watch (struct dv_window *window)
{
  /* It is drawn again, for whatever reason.  */
  if (window->info_accepted == draw_again && window->canvas != NULL
      && window->canvas->picture_job != NULL)
    dv_loading_hide_info (window);
  if (window->progress_timer == 0 && window->window != NULL)
    window->progress_timer = g_timeout_add (WATCH_MS, watch, window);
}

GtkWidget *
dv_loading_progress (struct dv_window *window)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  window->follow_text = gtk_label_new (NULL);
  gtk_widget_set_no_show_all (window->follow_text, TRUE);
  window->progress_text = gtk_label_new (NULL);
  window->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (window->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (window->progress, 160, -1);
  atk_object_set_name (gtk_widget_get_accessible (window->progress),
                       _("Progress"));
  window->progress_cancel = gtk_button_new_with_mnemonic (_("_Cancel"));
  g_signal_connect (window->progress_cancel, "clicked",
                    G_CALLBACK (cancel_clicked), window);
  gtk_container_add (GTK_CONTAINER (box), window->progress_text);
  gtk_container_add (GTK_CONTAINER (box), window->progress);
  gtk_container_add (GTK_CONTAINER (box), window->progress_cancel);
  gtk_widget_show_all (box);
  gtk_widget_hide (box);
  gtk_widget_set_no_show_all (box, TRUE);
  window->progress_box = box;
  gtk_container_add (GTK_CONTAINER (row), window->follow_text);
  gtk_container_add (GTK_CONTAINER (row), box);
  return row;
}
