/* activities.c: one row for all that goes on in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "activities.h"

#include "i18n.h"
#include "info.h"
#include "widgets/pieces.h"

#define WATCH_MS 100
/* Work that ends within this needs no progress bar.  */
#define QUIET_SECONDS 0.25

/* Before that, the time left is a guess.  */
#define SURE_FRACTION 0.02
#define SURE_SECONDS 1.0

struct dv_activities {
  struct dv_host *host;
  GtkWidget *box, *bar, *text;
  struct dv_activity activities[DV_N_ACTIVITIES]; /* NULL jobs: none */
  guint timer;
};

/* ---- What is going on ------------------------------------------------ */

void
dv_activities_add (struct dv_activities *progress, enum dv_activity_kind kind,
                   const struct dv_activity *activity)
{
  progress->activities[kind] = *activity;
}

struct dv_job *
dv_activities_job (const struct dv_activities *progress,
                   enum dv_activity_kind kind)
{
  const struct dv_activity *activity = &progress->activities[kind];
  const struct dv_canvas *canvas = progress->host->canvas;
  if (kind == DV_ACTIVITY_DRAWING)
    return canvas != NULL ? dv_canvas_job (canvas) : NULL;
  return activity->job != NULL ? *activity->job : NULL;
}

/* And its job.  */
static const struct dv_activity *
going_on (const struct dv_activities *progress, const struct dv_job **job)
{
  for (int kind = 0; kind < DV_N_ACTIVITIES; kind++) {
    *job = dv_activities_job (progress, (enum dv_activity_kind) kind);
    if (*job != NULL)
      return &progress->activities[kind];
  }
  return NULL;
}

static void
cancel_clicked (struct dv_activities *progress)
{
  const struct dv_job *job;
  const struct dv_activity *now = going_on (progress, &job);
  if (now != NULL)
    now->cancel (now->user);
  dv_activities_watch (progress);
}

/* ---- Drawing --------------------------------------------------------- */

static void
draw_again (void *user)
{
  struct dv_host *host = user;
  dv_canvas_redraw (host->canvas);
}

/* What there is of the picture stays.  */
static void
cancel_drawing (void *user)
{
  struct dv_host *host = user;
  dv_canvas_cancel (host->canvas);
  dv_info_offer (host->info, GTK_MESSAGE_INFO, _ ("Drawing was cancelled."),
                 _ ("_Draw Again"), draw_again, host);
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
                                         (unsigned long) n),
                            what, n);
  }
  int n = (int) (left / 60 + 0.5);
  return g_strdup_printf (g_dngettext (NULL, "%s — %d minute left",
                                       "%s — %d minutes left",
                                       (unsigned long) n),
                          what, n);
}

static void
show (struct dv_activities *progress, const struct dv_activity *now,
      const struct dv_job *job)
{
  double fraction = dv_job_fraction (job), seconds = dv_job_seconds (job);
  char *text =
    describe (now->phase != NULL ? now->phase (now->user) : _ (now->name),
              fraction, seconds);
  gtk_label_set_text (GTK_LABEL (progress->text), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (progress->bar), fraction);
  gtk_widget_set_visible (progress->box, seconds > QUIET_SECONDS);
  g_free (text);
}

static gboolean
watch (gpointer data)
{
  struct dv_activities *progress = data;
  const struct dv_job *job;
  const struct dv_activity *now = going_on (progress, &job);
  if (now != NULL) {
    show (progress, now, job);
    return G_SOURCE_CONTINUE;
  }
  gtk_widget_hide (progress->box);
  progress->timer = 0;
  return G_SOURCE_REMOVE;
}

void
dv_activities_watch (struct dv_activities *progress)
{
  struct dv_host *host = progress->host;
  /* It is drawn again, for whatever reason.  */
  if (dv_info_offers (host->info, draw_again) && host->canvas != NULL
      && host->canvas->picture_job != NULL)
    dv_info_hide (host->info);
  if (progress->timer == 0 && host->window != NULL)
    progress->timer = g_timeout_add (WATCH_MS, watch, progress);
}

GtkWidget *
dv_activities_widget (const struct dv_activities *progress)
{
  return progress->box;
}

struct dv_activities *
dv_activities_new (struct dv_host *host)
{
  struct dv_activities *progress = g_new0 (struct dv_activities, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  const struct dv_activity activity = {N_ ("Drawing"), NULL, cancel_drawing,
                                       host};
  progress->host = host;
  progress->box = box;
  progress->text = gtk_label_new (NULL);
  progress->bar = gtk_progress_bar_new ();
  gtk_widget_set_valign (progress->bar, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (progress->bar, 160, -1);
  dv_pieces_name (progress->bar, _ ("Progress"));
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (cancel_clicked),
                            progress);
  dv_pieces_add (box, progress->text, progress->bar, cancel, NULL);
  gtk_widget_show_all (box);
  gtk_widget_hide (box);
  gtk_widget_set_no_show_all (box, TRUE);
  dv_activities_add (progress, DV_ACTIVITY_DRAWING, &activity);
  return progress;
}

void
dv_activities_stop (struct dv_activities *progress)
{
  g_clear_handle_id (&progress->timer, g_source_remove);
}

void
dv_activities_free (struct dv_activities *progress)
{
  g_free (progress);
}
