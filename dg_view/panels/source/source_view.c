/* source_view.c: showing a source.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "source_view.h"

#include <stdbool.h>

#define MARK       "datagrind-line"
#define NEEDS      "needs-scroll"
#define FOLLOWED   "followed-up"
#define LOOK_MS    60
#define MOST_LOOKS 40
#define GOOD_LOOKS 5           /* in sight at so many, one after the other */
#define MIN_HEIGHT 40          /* pixels of a view that can be seen */

static GtkSourceBuffer *
buffer_of (GtkWidget *view)
{
  return GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)));
}

/* ---- Colours ----------------------------------------------------------- */

/* The first of some schemes that is installed.  */
static GtkSourceStyleScheme *
find_scheme (bool is_dark)
{
  static const char *const names[2][3] = {
    { "Adwaita", "tango", "classic" },
    { "Adwaita-dark", "oblivion", "solarized-dark" }
  };
  GtkSourceStyleSchemeManager *manager
    = gtk_source_style_scheme_manager_get_default ();
  for (int i = 0; i < 3; i++) {
    GtkSourceStyleScheme *scheme
      = gtk_source_style_scheme_manager_get_scheme (manager,
                                                    names[is_dark][i]);
    if (scheme != NULL)
      return scheme;
  }
  return NULL;
}

/* The window's style says whether it is dark: the view's own colours come
   from the scheme.  */
static void
set_colours (GtkWidget *view)
{
  GtkWidget *parent = gtk_widget_get_parent (view);
  GtkStyleContext *style = gtk_widget_get_style_context (
    parent != NULL ? parent : view);
  GtkSourceMarkAttributes *attributes = gtk_source_mark_attributes_new ();
  GdkRGBA ink, accent;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &ink);
  bool is_dark = 0.3 * ink.red + 0.6 * ink.green + 0.1 * ink.blue > 0.5;
  gtk_source_buffer_set_style_scheme (buffer_of (view),
                                      find_scheme (is_dark));
  if (!gtk_style_context_lookup_color (style, "theme_selected_bg_color",
                                       &accent))
    accent = ink;
  accent.alpha = 0.28;
  gtk_source_mark_attributes_set_background (attributes, &accent);
  gtk_source_mark_attributes_set_icon_name (attributes,
                                            "go-next-symbolic");
  gtk_source_view_set_mark_attributes (GTK_SOURCE_VIEW (view), MARK,
                                       attributes, 1);
  g_object_unref (attributes);
}

static void
style_updated (GtkWidget *view, gpointer data)
{
  set_colours (view);
}

static void
parent_changed (GtkWidget *view, GParamSpec *spec, gpointer data)
{
  set_colours (view);
}

/* ---- Text -------------------------------------------------------------- */

void
dv_source_view_set_text (GtkWidget *view, const char *path, const char *text,
                         size_t length)
{
  GtkSourceBuffer *buffer = buffer_of (view);
  GtkSourceLanguage *language = NULL;
  if (path != NULL) {
    char *type = g_content_type_guess (path, (const guchar *) text,
                                       MIN (length, 4096), NULL);
    language = gtk_source_language_manager_guess_language (
      gtk_source_language_manager_get_default (), path, type);
    g_free (type);
  }
  gtk_source_buffer_set_language (buffer, language);
  gtk_source_buffer_begin_not_undoable_action (buffer);
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (buffer), text, (gint) length);
  gtk_source_buffer_end_not_undoable_action (buffer);
}

/* The marked line in the middle.  By a mark, since lines do not have their
   heights yet.  */
static void
scroll (GtkWidget *view)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (buffer_of (view));
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (view),
                                gtk_text_buffer_get_insert (buffer), 0, TRUE,
                                0, 0.5);
}

/* Whether the marked line is where it should be, or as near as it can.  */
static bool
is_in_sight (GtkWidget *view)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (buffer_of (view));
  GtkTextIter iter;
  GdkRectangle line, seen;
  gtk_text_buffer_get_iter_at_mark (buffer, &iter,
                                    gtk_text_buffer_get_insert (buffer));
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (view), &iter, &line);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (view), &seen);
  return line.y >= seen.y + seen.height / 8 * (seen.y > 0)
         && line.y + line.height <= seen.y + seen.height * 7 / 8;
}

/* A scroll that is still going on, and lines that get their heights, move the
   text away again: so it is looked after until it stays.  */
struct follow_up {
  GtkWidget *view;
  int left, good;          /* looks */
};

static gboolean
look_again (gpointer data)
{
  struct follow_up *follow_up = data;
  GtkWidget *view = follow_up->view;
  if (g_object_get_data (G_OBJECT (view), FOLLOWED) != follow_up
      || follow_up->left-- == 0)
    return G_SOURCE_REMOVE;
  if (is_in_sight (view))
    return ++follow_up->good < GOOD_LOOKS;
  follow_up->good = 0;
  scroll (view);
  return G_SOURCE_CONTINUE;
}

static void
follow_up_free (gpointer data)
{
  struct follow_up *follow_up = data;
  if (g_object_get_data (G_OBJECT (follow_up->view), FOLLOWED) == follow_up)
    g_object_set_data (G_OBJECT (follow_up->view), FOLLOWED, NULL);
  g_object_unref (follow_up->view);
  g_free (follow_up);
}

static void
scroll_until_it_stays (GtkWidget *view)
{
  struct follow_up *follow_up = g_new0 (struct follow_up, 1);
  follow_up->view = g_object_ref (view);
  follow_up->left = MOST_LOOKS;
  g_object_set_data (G_OBJECT (view), FOLLOWED, follow_up);
  scroll (view);
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, look_again, follow_up,
                      follow_up_free);
}

static gboolean
scroll_later (gpointer view)
{
  scroll_until_it_stays (view);
  return G_SOURCE_REMOVE;
}

/* A view that was not seen has no middle before it has its size.  */
static void
size_allocated (GtkWidget *view, GdkRectangle *size, gpointer data)
{
  if (size->height < MIN_HEIGHT
      || g_object_get_data (G_OBJECT (view), NEEDS) == NULL)
    return;
  g_object_set_data (G_OBJECT (view), NEEDS, NULL);
  g_idle_add_full (G_PRIORITY_LOW, scroll_later, g_object_ref (view),
                   g_object_unref);
}

void
dv_source_view_mark (GtkWidget *view, unsigned line)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (buffer_of (view));
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (buffer_of (view), &start, &end,
                                         MARK);
  if (line == 0 || (int) line > gtk_text_buffer_get_line_count (buffer))
    return;
  gtk_text_buffer_get_iter_at_line (buffer, &start, (gint) line - 1);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_source_buffer_create_source_mark (buffer_of (view), NULL, MARK, &start);
  scroll_until_it_stays (view);
  if (!gtk_widget_get_mapped (view)
      || gtk_widget_get_allocated_height (view) < MIN_HEIGHT)
    g_object_set_data (G_OBJECT (view), NEEDS, view);
}

GtkWidget *
dv_source_view_new (void)
{
  GtkWidget *view = gtk_source_view_new ();
  GtkSourceView *source = GTK_SOURCE_VIEW (view);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_source_view_set_show_line_numbers (source, TRUE);
  gtk_source_view_set_show_line_marks (source, TRUE);
  gtk_source_view_set_tab_width (source, 8);
  gtk_source_buffer_set_max_undo_levels (buffer_of (view), 0);
  gtk_source_buffer_set_highlight_matching_brackets (buffer_of (view), FALSE);
  set_colours (view);
  g_signal_connect (view, "style-updated", G_CALLBACK (style_updated), NULL);
  g_signal_connect_after (view, "size-allocate", G_CALLBACK (size_allocated),
                          NULL);
  g_signal_connect (view, "notify::parent", G_CALLBACK (parent_changed),
                    NULL);
  return view;
}
