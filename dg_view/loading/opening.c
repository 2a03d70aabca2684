/* opening.c: choosing files, and taking those that are dropped.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "opening.h"

#include "i18n.h"
#include "widgets/pieces.h"

/* So many windows at once can be meant.  */
#define MOST_WINDOWS 8

struct dv_opening {
  struct dv_host *host;
  struct dv_pieces_chooser chooser;
  bool is_other;           /* what the chooser asks for is to be compared */
};

/* ---- Files by their addresses ----------------------------------------- */

/* NULL: it is not a file of this machine.  */
static char *
path_of (const char *uri)
{
  GFile *file = g_file_new_for_uri (uri);
  char *path = g_file_get_path (file);
  g_object_unref (file);
  return path;
}

void
dv_opening_uris (struct dv_opening *opening, char **uris)
{
  struct dv_host *host = opening->host;
  bool first = true;
  guint opened = 0, foreign = 0, left = 0;
  for (; *uris != NULL; uris++) {
    char *path = path_of (*uris);
    if (path == NULL) {
      foreign++;
    } else if (opened == MOST_WINDOWS) {
      left++;
    } else {
      if (first)
        host->open (host->user, path);
      else
        host->open_another (host->user, path);
      first = false;
      opened++;
    }
    g_free (path);
  }
  if (foreign > 0)
    dv_host_error (host, _ ("This is not a file of this machine."),
                   _ ("Only files that can be read here, or in folders that "
                      "are mounted here, can be opened."));
  else if (left > 0)
    dv_host_error (host, _ ("These are too many logs."),
                   _ ("The first few were opened."));
}

static void
do_open_uri (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  char *uris[] = { (char *) g_variant_get_string (parameter, NULL), NULL };
  dv_opening_uris (data, uris);
}

/* ---- The file chooser ------------------------------------------------- */

static void
add_filter (GtkFileChooser *chooser, const char *name,
            const char *const *patterns)
{
  GtkFileFilter *filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  for (; *patterns != NULL; patterns++)
    gtk_file_filter_add_pattern (filter, *patterns);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
chosen (void *user, const char *path)
{
  const struct dv_opening *opening = user;
  const struct dv_host *host = opening->host;
  if (opening->is_other)
    host->compare (host->user, path);
  else
    host->open (host->user, path);
}

/* "open", "compare".  */
static void
do_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const logs[] = { "datagrind.out.*", "*.dg", "*.dgz",
                                      NULL };
  static const char *const all[] = { "*", NULL };
  struct dv_opening *opening = data;
  const struct dv_host *host = opening->host;
  bool is_other = g_str_equal (g_action_get_name (G_ACTION (action)),
                               "compare");
  if (is_other && host->path == NULL)
    return;
  GtkFileChooser *chooser = dv_pieces_chooser_new (
    &opening->chooser, host->window, GTK_FILE_CHOOSER_ACTION_OPEN,
    is_other ? _ ("Compare With a Later Log") : _ ("Open a Log"),
    is_other ? _ ("_Compare") : _ ("_Open"));
  if (chooser == NULL)
    return;
  opening->is_other = is_other;
  add_filter (chooser, _ ("All files"), all);
  add_filter (chooser, _ ("Logs with the usual names"), logs);
  char *folder = host->path != NULL ? g_path_get_dirname (host->path)
                                    : g_get_current_dir ();
  gtk_file_chooser_set_current_folder (chooser, folder);
  g_free (folder);
  dv_pieces_chooser_show (&opening->chooser);
}

/* ---- Drag and drop ---------------------------------------------------- */

static void
dropped (GtkWidget *widget, GdkDragContext *context, gint x, gint y,
         GtkSelectionData *selection, guint info, guint when, gpointer data)
{
  char **uris = gtk_selection_data_get_uris (selection);
  if (uris != NULL)
    dv_opening_uris (data, uris);
  g_strfreev (uris);
}

static void
do_by_owner (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_host *host = ((struct dv_opening *) data)->host;
  if (host->path != NULL)
    host->compare (host->user, NULL);
}

static const GActionEntry actions[] = {
  { "open", do_open },
  { "compare", do_open },
  { "by-owner", do_by_owner },
  { "open-uri", do_open_uri, "s" },
};

struct dv_opening *
dv_opening_new (struct dv_host *host)
{
  struct dv_opening *opening = g_new0 (struct dv_opening, 1);
  opening->host = host;
  opening->chooser.chosen = chosen;
  opening->chooser.user = opening;
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), opening);
  gtk_drag_dest_set (host->window, GTK_DEST_DEFAULT_ALL, NULL, 0,
                     GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (host->window);
  g_signal_connect (host->window, "drag-data-received", G_CALLBACK (dropped),
                    opening);
  return opening;
}

void
dv_opening_free (struct dv_opening *opening)
{
  dv_pieces_chooser_fini (&opening->chooser);
  g_free (opening);
}
