/* loading.c: opening a log and filtering it in the background, with progress,
   cancelling, and what is said when it fails.

   Where the picture can be had at once, it is shown while the rest of the log
   is still being read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

#include <string.h>

#include "scene.h"
#include "select.h"

#define WATCH_MS 100
/* Work that ends within this needs no progress bar.  */
#define QUIET_SECONDS 0.25

struct load {
  char *path;               /* to load; NULL: only filter `data` */
  bool glance;              /* a picture first, if there is an index */
  struct dv_data *data;
  char *events, *ranges;
};

static void
load_free (void *memory)
{
  struct load *load = memory;
  dv_data_unref (load->data);
  g_free (load->path);
  g_free (load->events);
  g_free (load->ranges);
  g_free (load);
}

/* Loading a log takes the first half of the progress, going through its
   accesses the second.  */
struct half {
  dg_progress_fn progress;
  void *user;
  bool second, only;
};

static int
half_progress (void *user, uint64_t done, uint64_t total)
{
  struct half *half = user;
  if (half->only)
    return half->progress (half->user, done, total);
  return half->progress (half->user, (half->second ? total : 0) + done,
                         2 * total);
}

static void *
run_load (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct load *load = input;
  struct half half = { progress, user, false, load->path == NULL };
  if (load->glance && *load->events == '\0' && *load->ranges == '\0') {
    struct dv_data *glance = dv_data_glance (load->path);
    struct dv_scene *scene = glance == NULL ? NULL
      : dv_scene_new (glance, NULL, NULL, NULL, NULL, err);
    dv_data_unref (glance);
    if (scene != NULL)
      return scene;
  }
  if (load->path != NULL)
    load->data = dv_data_new (load->path, true, half_progress, &half,
                              err);
  if (load->data == NULL)
    return NULL;
  half.second = true;
  return dv_scene_new (load->data, load->events, load->ranges, half_progress,
                       &half, err);
}

static void
scene_free (void *scene)
{
  dv_scene_unref (scene);
}

static const struct dv_job_class load_class = {
  run_load, load_free, scene_free
};

/* ---- Information ----------------------------------------------------- */

static void
show_info (struct dv_window *window, GtkMessageType type, const char *text,
           const char *button)
{
  gtk_info_bar_set_message_type (GTK_INFO_BAR (window->info_bar), type);
  gtk_label_set_text (GTK_LABEL (window->info_text), text);
  gtk_widget_set_visible (window->info_button, button != NULL);
  if (button != NULL)
    gtk_button_set_label (GTK_BUTTON (window->info_button), button);
  gtk_widget_show (window->info_bar);
  gtk_info_bar_set_revealed (GTK_INFO_BAR (window->info_bar), TRUE);
}

void
dv_loading_tell (struct dv_window *window, GtkMessageType type,
                 const char *text)
{
  show_info (window, type, text, NULL);
}

static void
hide_info (struct dv_window *window)
{
  gtk_widget_hide (window->info_bar);
}

static void
info_response (GtkInfoBar *bar, gint response, gpointer data)
{
  struct dv_window *window = data;
  hide_info (window);
  if (response == GTK_RESPONSE_OK && window->path != NULL) {
    char *path = g_strdup (window->path);
    dv_loading_open (window, path);
    g_free (path);
  }
}

GtkWidget *
dv_loading_info_bar (struct dv_window *window)
{
  GtkWidget *bar = gtk_info_bar_new ();
  window->info_bar = bar;
  window->info_text = gtk_label_new (NULL);
  gtk_label_set_line_wrap (GTK_LABEL (window->info_text), TRUE);
  gtk_label_set_selectable (GTK_LABEL (window->info_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (window->info_text), 0);
  gtk_widget_show (window->info_text);
  gtk_container_add (
    GTK_CONTAINER (gtk_info_bar_get_content_area (GTK_INFO_BAR (bar))),
    window->info_text);
  window->info_button = gtk_info_bar_add_button (GTK_INFO_BAR (bar), "",
                                                 GTK_RESPONSE_OK);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar), TRUE);
  g_signal_connect (bar, "response", G_CALLBACK (info_response), window);
  gtk_widget_set_no_show_all (bar, TRUE);
  return bar;
}

/* ---- Results --------------------------------------------------------- */

static void
set_title (struct dv_window *window, const struct dv_data *data)
{
  char *file = g_path_get_basename (window->path);
  char *program = data != NULL ? dv_data_program (data) : NULL;
  const char *name = window->options->title != NULL ? window->options->title
                     : program != NULL ? program : file;
  char *title = g_strdup_printf ("%s — %s", name, file);
  char *shown = g_filename_display_name (window->path);
  gtk_window_set_title (GTK_WINDOW (window->window),
                        strcmp (name, file) == 0 ? file : title);
  gtk_header_bar_set_title (GTK_HEADER_BAR (window->header), name);
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (window->header), shown);
  g_free (shown);
  g_free (title);
  g_free (program);
  g_free (file);
}

/* The entries say what the scene shows.  */
static void
restore_entries (struct dv_window *window)
{
  const struct dv_scene *scene = window->canvas->scene;
  gtk_entry_set_text (GTK_ENTRY (window->events),
                      scene != NULL ? scene->events : "");
  gtk_entry_set_text (GTK_ENTRY (window->ranges),
                      scene != NULL ? scene->ranges : "");
}

static void
mark_entries (struct dv_window *window, bool wrong)
{
  GtkWidget *entries[] = { window->events, window->ranges };
  for (int i = 0; i < 2; i++) {
    GtkStyleContext *style = gtk_widget_get_style_context (entries[i]);
    if (wrong)
      gtk_style_context_add_class (style, GTK_STYLE_CLASS_ERROR);
    else
      gtk_style_context_remove_class (style, GTK_STYLE_CLASS_ERROR);
  }
}

static void
load_failed (struct dv_window *window, const struct dg_error *err)
{
  if (err->code == DG_ERR_FILTER && window->data != NULL) {
    mark_entries (window, true);
    show_info (window, GTK_MESSAGE_ERROR, err->message, NULL);
    return;
  }
  window->status = err->code == DG_ERR_FILTER ? 2 : 1;
  char *shown = g_filename_display_name (window->path);
  char *why = g_strdup_printf ("%s: %s", shown, err->message);
  dv_canvas_set_message (window->canvas, "No log is shown.");
  dv_window_error (window, "This log cannot be shown.",
                   err->code == DG_ERR_FILTER ? err->message : why);
  g_free (why);
  g_free (shown);
}

static void
tell_flaw (struct dv_window *window)
{
  const struct dg_error *flaw = &window->data->flaw;
  if (flaw->code == 0)
    return;
  char *text = g_strdup_printf (
    "%s What stands before that is shown. (%s)",
    flaw->code == DG_ERR_TRUNCATED ? "The log is cut short."
                                   : "The log is damaged.",
    flaw->message);
  show_info (window, GTK_MESSAGE_WARNING, text, NULL);
  g_free (text);
}

static void start (struct dv_window *window, const char *path, bool glance);

static void
load_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_window *window = user;
  struct dv_scene *scene = result;
  window->load_job = NULL;
  dv_loading_watch (window);
  if (scene == NULL) {
    load_failed (window, err);
    return;
  }
  struct dv_view view = { 0 };
  bool another = scene->data != window->data;
  if (another) {
    dv_indexing_stop (window);
    dv_data_unref (window->data);
    window->data = scene->data->is_glance ? NULL : dv_data_ref (scene->data);
    set_title (window, scene->data);
  }
  const struct dv_scene *before = window->canvas->scene;
  if (before != NULL && before->data->is_glance && scene->filter == NULL) {
    dv_canvas_set_message (window->canvas, NULL);
    dv_canvas_replace_scene (window->canvas, scene);
    dv_window_scene_changed (window);
    tell_flaw (window);
    dv_indexing_start (window);
    dv_scene_unref (scene);
    return;
  }
  if (window->first_view
      && !dv_select_view (scene, window->options, &view)
      && scene->accesses > 0)
    show_info (window, GTK_MESSAGE_INFO, "No accesses match the criteria of "
               "--addresses and --instructions: everything is shown.", NULL);
  window->first_view = false;
  mark_entries (window, false);
  dv_window_forget_pick (window);
  dv_canvas_set_message (window->canvas, NULL);
  dv_canvas_set_scene (window->canvas, scene, &view);
  dv_window_scene_changed (window);
  restore_entries (window);
  if (scene->data->is_glance) {
    start (window, window->path, false);
  } else if (another) {
    tell_flaw (window);
    dv_indexing_start (window);
  }
  dv_scene_unref (scene);
}

/* ---- Starting and stopping ------------------------------------------- */

static void
start (struct dv_window *window, const char *path, bool glance)
{
  struct load *load = g_new0 (struct load, 1);
  dv_job_drop (window->load_job);
  hide_info (window);
  mark_entries (window, false);
  load->path = g_strdup (path);
  load->glance = glance;
  if (path == NULL)
    load->data = dv_data_ref (window->data);
  load->events = g_strdup (gtk_entry_get_text (GTK_ENTRY (window->events)));
  load->ranges = g_strdup (gtk_entry_get_text (GTK_ENTRY (window->ranges)));
  window->filtering = path == NULL;
  window->load_job = dv_job_start (&load_class, load, load_done, window);
  dv_loading_watch (window);
}

void
dv_loading_open (struct dv_window *window, const char *path)
{
  g_free (window->path);
  window->path = g_strdup (path);
  dv_indexing_stop (window);
  dv_data_unref (window->data);
  window->data = NULL;
  dv_window_forget_pick (window);
  dv_canvas_set_scene (window->canvas, NULL, NULL);
  dv_window_scene_changed (window);
  dv_canvas_set_message (window->canvas, NULL);
  set_title (window, NULL);
  start (window, path, true);
}

static void
apply_filter (struct dv_window *window)
{
  if (window->data != NULL)
    start (window, NULL, false);
  else if (window->path != NULL)
    start (window, window->path, true);
  gtk_widget_grab_focus (window->canvas->widget);
}

void
dv_loading_filter (struct dv_window *window, const char *events,
                   const char *ranges)
{
  if (events != NULL)
    gtk_entry_set_text (GTK_ENTRY (window->events), events);
  if (ranges != NULL)
    gtk_entry_set_text (GTK_ENTRY (window->ranges), ranges);
  apply_filter (window);
}

static void
filter_activated (GtkEntry *entry, gpointer data)
{
  apply_filter (data);
}

static void
filter_cleared (GtkEntry *entry, GtkEntryIconPosition position,
                GdkEvent *event, gpointer data)
{
  gtk_entry_set_text (entry, "");
  filter_activated (entry, data);
}

static void
cancel_clicked (GtkButton *button, gpointer data)
{
  struct dv_window *window = data;
  if (window->load_job == NULL) {
    dv_indexing_stop (window);
    return;
  }
  dv_job_drop (window->load_job);
  window->load_job = NULL;
  if (window->filtering) {
    restore_entries (window);
  } else {
    if (window->canvas->scene == NULL)
      dv_canvas_set_message (window->canvas, "Loading was cancelled.");
    show_info (window, GTK_MESSAGE_INFO, "Loading was cancelled.",
               "_Load Again");
  }
  dv_loading_watch (window);
}

void
dv_loading_stop (struct dv_window *window)
{
  dv_job_drop (window->load_job);
  window->load_job = NULL;
  dv_indexing_stop (window);
  if (window->progress_timer != 0)
    g_source_remove (window->progress_timer);
  window->progress_timer = 0;
}

/* ---- Progress -------------------------------------------------------- */

static void
show_progress (struct dv_window *window, const struct dv_job *job,
               const char *what)
{
  double fraction = dv_job_fraction (job), seconds = dv_job_seconds (job);
  char text[120];
  if (fraction > 0.02 && seconds > 1) {
    double rest = seconds * (1 - fraction) / fraction;
    if (rest >= 90)
      g_snprintf (text, sizeof text, "%s — %.0f min left", what,
                  rest / 60 + 0.5);
    else
      g_snprintf (text, sizeof text, "%s — %.0f s left", what, rest + 0.5);
  } else {
    g_snprintf (text, sizeof text, "%s…", what);
  }
  gtk_label_set_text (GTK_LABEL (window->progress_text), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (window->progress),
                                 fraction);
  gtk_widget_set_visible (window->progress_box, seconds > QUIET_SECONDS);
}

static gboolean
watch (gpointer data)
{
  struct dv_window *window = data;
  if (window->load_job != NULL) {
    show_progress (window, window->load_job,
                   window->filtering ? "Filtering" : "Reading the log");
    return G_SOURCE_CONTINUE;
  }
  if (window->canvas->picture_job != NULL) {
    show_progress (window, window->canvas->picture_job, "Drawing");
    return G_SOURCE_CONTINUE;
  }
  if (dv_tallying_job (window) != NULL) {
    show_progress (window, dv_tallying_job (window), "Adding up");
    return G_SOURCE_CONTINUE;
  }
  if (window->index_job != NULL) {
    show_progress (window, window->index_job, "Indexing");
    return G_SOURCE_CONTINUE;
  }
  gtk_widget_hide (window->progress_box);
  window->progress_timer = 0;
  return G_SOURCE_REMOVE;
}

void
dv_loading_watch (struct dv_window *window)
{
  if (window->progress_timer == 0)
    window->progress_timer = g_timeout_add (WATCH_MS, watch, window);
}

/* ---- Rows ------------------------------------------------------------ */

GtkWidget *
dv_loading_progress (struct dv_window *window)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  window->progress_text = gtk_label_new (NULL);
  window->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (window->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (window->progress, 160, -1);
  GtkWidget *cancel = gtk_button_new_with_mnemonic ("_Cancel");
  g_signal_connect (cancel, "clicked", G_CALLBACK (cancel_clicked), window);
  gtk_container_add (GTK_CONTAINER (box), window->progress_text);
  gtk_container_add (GTK_CONTAINER (box), window->progress);
  gtk_container_add (GTK_CONTAINER (box), cancel);
  gtk_widget_show_all (box);
  gtk_widget_hide (box);
  gtk_widget_set_no_show_all (box, TRUE);
  window->progress_box = box;
  return box;
}

static GtkWidget *
new_entry (struct dv_window *window, const char *name, const char *hint,
           const char *tip, const char *text)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_entry_set_text (GTK_ENTRY (entry), text != NULL ? text : "");
  gtk_entry_set_icon_from_icon_name (GTK_ENTRY (entry),
                                     GTK_ENTRY_ICON_SECONDARY,
                                     "edit-clear-symbolic");
  gtk_widget_set_tooltip_text (entry, tip);
  gtk_widget_set_hexpand (entry, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (entry), name);
  g_signal_connect (entry, "activate", G_CALLBACK (filter_activated),
                    window);
  g_signal_connect (entry, "icon-press", G_CALLBACK (filter_cleared),
                    window);
  return entry;
}

GtkWidget *
dv_loading_filter_bar (struct dv_window *window)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_container_set_border_width (GTK_CONTAINER (box), 6);
  window->events = new_entry (
    window, "Events", "everything — or fn:, file:, dso:, user:",
    "Show accesses by these instructions: fn:FUNCTION, file:SOURCE, "
    "dso:MODULE, user:EVENT, separated by commas", window->options->events);
  window->ranges = new_entry (
    window, "Ranges", "all memory — or malloc, range, user:, fn:, file:, "
    "dso:",
    "Show accesses to this memory: malloc, range, user:RANGE, or allocated "
    "by fn:FUNCTION, file:SOURCE, dso:MODULE, separated by commas",
    window->options->ranges);
  GtkWidget *events_label = gtk_label_new_with_mnemonic ("_Events");
  GtkWidget *ranges_label = gtk_label_new_with_mnemonic ("_Ranges");
  gtk_label_set_mnemonic_widget (GTK_LABEL (events_label), window->events);
  gtk_label_set_mnemonic_widget (GTK_LABEL (ranges_label), window->ranges);
  GtkWidget *parts[] = { events_label, window->events, ranges_label,
                         window->ranges };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_container_add (GTK_CONTAINER (box), parts[i]);
  return box;
}
