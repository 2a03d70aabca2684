/* start_page.c: what stands in the window while no log is shown: how to open
   one, the recent ones, and how to record one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "start_page.h"

#include "i18n.h"
#include "recent.h"
#include "widgets/pieces.h"

#define WIDTH     560
#define ICON_SIZE 96
#define MOST_LOGS 6

struct dv_start_page {
  struct dv_opening *opening;
  GtkWidget *root;
  GtkWidget *recent, *nearby;           /* lists */
  GtkWidget *recent_box, *nearby_box;   /* with their headings */
  gulong changed;                       /* handler of the recent manager */
  struct dv_job *job;                   /* looking into the folder; or NULL */
  bool is_seen;
};

/* ---- Lists ----------------------------------------------------------- */

static GtkWidget *
new_row (const struct dv_recent_log *log)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  dv_pieces_margins (box, 12, 12, 8, 8);
  dv_pieces_add (
    box, dv_pieces_label_new (log->name, DV_LEFT | DV_SHORTEN_MIDDLE),
    dv_pieces_label_new (log->detail, DV_LEFT | DV_SHORTEN_MIDDLE | DV_DIM),
    NULL);
  gtk_container_add (GTK_CONTAINER (row), box);
  g_object_set_data_full (G_OBJECT (row), "uri", g_strdup (log->uri), g_free);
  dv_pieces_name (row, log->name);
  dv_pieces_describe (row, log->detail);
  gtk_widget_show_all (row);
  return row;
}

/* Without logs the box is hidden.  */
static void
fill (GtkWidget *list, GtkWidget *box, const GPtrArray *logs)
{
  dv_pieces_clear (list);
  for (guint i = 0; i < logs->len; i++)
    gtk_container_add (GTK_CONTAINER (list),
                       new_row (g_ptr_array_index (logs, i)));
  gtk_widget_set_visible (box, logs->len > 0);
}

static void
set_separator (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  GtkWidget *separator = before == NULL ? NULL
    : gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_list_box_row_set_header (row, separator);
}

static void
row_activated (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
  char *uris[] = { g_object_get_data (G_OBJECT (row), "uri"), NULL };
  dv_opening_uris (((struct dv_start_page *) data)->opening, uris);
}

static GtkWidget *
new_list (struct dv_start_page *page, const char *title, GtkWidget **list)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *heading = dv_pieces_label_new (title, DV_BOLD | DV_LEFT);
  *list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (*list), GTK_SELECTION_NONE);
  gtk_list_box_set_header_func (GTK_LIST_BOX (*list), set_separator, NULL,
                                NULL);
  dv_pieces_name (*list, title);
  g_signal_connect (*list, "row-activated", G_CALLBACK (row_activated), page);
  GtkWidget *frame = gtk_frame_new (NULL);
  gtk_container_add (GTK_CONTAINER (frame), *list);
  dv_pieces_add (box, heading, frame, NULL);
  gtk_widget_show_all (box);
  gtk_widget_set_no_show_all (box, TRUE);
  gtk_widget_hide (box);
  return box;
}

static void
recent_changed (GtkRecentManager *manager, gpointer data)
{
  struct dv_start_page *page = data;
  if (!page->is_seen)
    return;
  GPtrArray *logs = dv_recent_list (MOST_LOGS);
  fill (page->recent, page->recent_box, logs);
  g_ptr_array_unref (logs);
}

static void
nearby_found (void *user, void *result, const struct dg_error *err)
{
  struct dv_start_page *page = user;
  page->job = NULL;
  fill (page->nearby, page->nearby_box, result);
  g_ptr_array_unref (result);
}

/* ---- The page -------------------------------------------------------- */

static GtkWidget *
new_command (const char *name, const char *command)
{
  GtkWidget *label =
    dv_pieces_label_new (command, DV_SELECTABLE | DV_LEFT | DV_WRAP);
  dv_pieces_class (label, GTK_STYLE_CLASS_MONOSPACE);
  dv_pieces_margins (label, 12, 12, 8, 8);
  dv_pieces_describe (label, name);
  return label;
}

static GtkWidget *
new_recording (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *heading =
    dv_pieces_label_new (_ ("To record a program"), DV_BOLD | DV_LEFT);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *commands = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  dv_pieces_add (commands,
                 new_command (_ ("Command that records a log"),
                              "valgrind --tool=exp-datagrind ./program"),
                 gtk_separator_new (GTK_ORIENTATION_HORIZONTAL),
                 new_command (_ ("Command that records an archive"),
                              "dg record -o program.dgz -- ./program"),
                 NULL);
  gtk_container_add (GTK_CONTAINER (frame), commands);
  dv_pieces_add (box, heading, frame, NULL);
  GtkWidget *hint = dv_pieces_label_new (
    _ (
      "The first writes datagrind.out.PID; the second is faster and smaller."),
    DV_LEFT | DV_WRAP | DV_DIM);
  gtk_container_add (GTK_CONTAINER (box), hint);
  return box;
}

static GtkWidget *
new_greeting (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  const char *icon = gtk_window_get_default_icon_name ();
  if (icon == NULL
      || !gtk_icon_theme_has_icon (gtk_icon_theme_get_default (), icon))
    icon = "folder-documents-symbolic";
  GtkWidget *image = gtk_image_new_from_icon_name (icon,
                                                   GTK_ICON_SIZE_DIALOG);
  gtk_image_set_pixel_size (GTK_IMAGE (image), ICON_SIZE);
  dv_pieces_class (image, GTK_STYLE_CLASS_DIM_LABEL);
  char *markup = g_markup_printf_escaped (
    "<span size='xx-large' weight='bold'>%s</span>", _ ("No Log Is Open"));
  GtkWidget *title = gtk_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (title), markup);
  g_free (markup);
  GtkWidget *hint =
    dv_pieces_label_new (_ ("Open a log, or drop its file here."), DV_DIM);
  GtkWidget *open = gtk_button_new_with_mnemonic (_ ("_Open a Log…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open");
  dv_pieces_class (open, GTK_STYLE_CLASS_SUGGESTED_ACTION);
  gtk_widget_set_halign (open, GTK_ALIGN_CENTER);
  dv_pieces_add (box, image, title, hint, open, NULL);
  return box;
}

GtkWidget *
dv_start_page_widget (const struct dv_start_page *page)
{
  return page->root;
}

struct dv_start_page *
dv_start_page_new (struct dv_opening *opening)
{
  struct dv_start_page *page = g_new0 (struct dv_start_page, 1);
  page->opening = opening;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  g_object_set (box, "halign", GTK_ALIGN_CENTER, "valign", GTK_ALIGN_CENTER,
                "margin", 24, NULL);
  gtk_widget_set_size_request (box, WIDTH, -1);
  page->recent_box = new_list (page, _ ("Recent logs"), &page->recent);
  page->nearby_box = new_list (page, _ ("Logs in this folder"), &page->nearby);
  dv_pieces_add (box, new_greeting (), page->recent_box, page->nearby_box,
                 new_recording (), NULL);
  page->root = dv_pieces_scrolled_new (box);
  page->changed = g_signal_connect (gtk_recent_manager_get_default (),
                                    "changed", G_CALLBACK (recent_changed),
                                    page);
  gtk_widget_show_all (page->root);
  return page;
}

void
dv_start_page_show (struct dv_start_page *page, bool is_seen)
{
  page->is_seen = is_seen;
  if (!is_seen)
    return;
  recent_changed (gtk_recent_manager_get_default (), page);
  if (page->job != NULL)
    return;
  char *folder = g_get_current_dir ();
  page->job = dv_recent_nearby (folder, nearby_found, page);
  g_free (folder);
}

void
dv_start_page_free (struct dv_start_page *page)
{
  g_signal_handler_disconnect (gtk_recent_manager_get_default (),
                               page->changed);
  dv_job_drop (page->job);
  g_free (page);
}
