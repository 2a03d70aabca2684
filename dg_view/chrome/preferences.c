/* preferences.c: the dialog of what the user prefers.  All of it takes effect
   at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "preferences.h"

#include <string.h>

#include "i18n.h"
#include "widgets/pieces.h"

enum { COLUMN_FROM, COLUMN_TO, N_COLUMNS };

#define MAP_HEIGHT 110

struct preferences {
  struct dv_choices *choices;
  GtkWidget *dialog;
  GtkListStore *map;            /* of source folders */
  GtkWidget *view, *remove;     /* of the map */
};

/* ---- Rows ------------------------------------------------------------ */

/* A label with a mnemonic and what it names.  */
static void
attach (GtkGrid *grid, int row, const char *text, GtkWidget *widget,
        GtkWidget *target)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), target);
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_hexpand (widget, TRUE);
  if (widget != target) {
    gtk_widget_set_valign (label, GTK_ALIGN_START);
    gtk_widget_set_margin_top (label, 6);
  }
  atk_object_add_relationship (gtk_widget_get_accessible (target),
                               ATK_RELATION_LABELLED_BY,
                               gtk_widget_get_accessible (label));
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);
}

static GtkWidget *
new_hint (const char *text)
{
  GtkWidget *label = dv_pieces_label_new (text, DV_LEFT | DV_WRAP | DV_DIM);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  return label;
}

/* ---- Appearance ------------------------------------------------------ */

static void
theme_chosen (GtkComboBox *combo, gpointer data)
{
  struct preferences *preferences = data;
  dv_choices_set_theme (preferences->choices,
                        (enum dv_theme) gtk_combo_box_get_active (combo));
}

static GtkWidget *
new_theme (struct preferences *preferences)
{
  /* In the order of enum dv_theme.  */
  static const char *const titles[] = {N_ ("As the desktop"), N_ ("Dark"),
                                       N_ ("Light")};
  return dv_pieces_combo_new (titles, G_N_ELEMENTS (titles),
                              preferences->choices->theme,
                              G_CALLBACK (theme_chosen), preferences);
}

static void
palette_chosen (GtkComboBox *combo, gpointer data)
{
  struct preferences *preferences = data;
  dv_choices_set_palette (preferences->choices,
                          gtk_combo_box_get_active_id (combo));
}

static GtkWidget *
new_palette (struct preferences *preferences)
{
  GtkWidget *combo = gtk_combo_box_text_new ();
  for (const char *const *name = dv_palette_names (); *name != NULL; name++)
    gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (combo), *name,
                               _ (dv_palette_find (*name, true)->title));
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (combo),
                               preferences->choices->palette);
  g_signal_connect (combo, "changed", G_CALLBACK (palette_chosen),
                    preferences);
  return combo;
}

static void
colour_chosen (GtkComboBox *combo, gpointer data)
{
  struct preferences *preferences = data;
  struct dv_look look = preferences->choices->look;
  int active = gtk_combo_box_get_active (combo);
  if (active < 0)
    return;
  look.colouring = (enum dv_colouring) active;
  dv_choices_set_look (preferences->choices, &look);
}

static GtkWidget *
new_colour (struct preferences *preferences)
{
  static const char *const titles[] = {N_ ("Reads and writes"),
                                       N_ ("Threads"), N_ ("Cache misses"),
                                       N_ ("Reuse distances"),
                                       N_ ("Use of cache lines")};
  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == DV_N_COLOURINGS);
  return dv_pieces_combo_new (titles, G_N_ELEMENTS (titles),
                              preferences->choices->look.colouring,
                              G_CALLBACK (colour_chosen), preferences);
}

/* ---- Sources --------------------------------------------------------- */

static void
editor_changed (GtkEditable *editable, gpointer data)
{
  struct preferences *preferences = data;
  GtkEntry *entry = GTK_ENTRY (editable);
  const char *command = gtk_entry_get_text (entry);
  bool blank = strspn (command, " \t") == strlen (command);
  bool good = blank || g_shell_parse_argv (command, NULL, NULL, NULL);
  dv_pieces_error (GTK_WIDGET (entry), !good);
  gtk_widget_set_tooltip_text (
    GTK_WIDGET (entry), good ? NULL : _ ("A quotation mark is not closed"));
  if (good)
    dv_choices_set_editor (preferences->choices, blank ? NULL : command);
}

static GtkWidget *
new_editor (struct preferences *preferences)
{
  const char *command = preferences->choices->editor;
  const char *usual = g_getenv ("DG_EDITOR");
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_text (GTK_ENTRY (entry), command != NULL ? command : "");
  gtk_entry_set_placeholder_text (
    GTK_ENTRY (entry),
    usual != NULL && *usual != '\0' ? usual : _ ("As the desktop"));
  gtk_entry_set_width_chars (GTK_ENTRY (entry), 34);
  g_signal_connect (entry, "changed", G_CALLBACK (editor_changed),
                    preferences);
  return entry;
}

/* Rows that say nothing yet are not kept.  */
static void
store_map (struct preferences *preferences)
{
  GtkTreeModel *model = GTK_TREE_MODEL (preferences->map);
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  GtkTreeIter iter;
  bool more = gtk_tree_model_get_iter_first (model, &iter);
  for (; more; more = gtk_tree_model_iter_next (model, &iter)) {
    char *from, *to;
    gtk_tree_model_get (model, &iter, COLUMN_FROM, &from, COLUMN_TO, &to, -1);
    if (*from != '\0' && strchr (from, '=') == NULL)
      g_ptr_array_add (lines, g_strconcat (from, "=", to, NULL));
    g_free (from);
    g_free (to);
  }
  g_ptr_array_add (lines, NULL);
  dv_choices_set_source_map (preferences->choices,
                             (const char *const *) lines->pdata);
  g_ptr_array_unref (lines);
}

static void
cell_edited (GtkCellRendererText *cell, gchar *path, gchar *text,
             gpointer data)
{
  struct preferences *preferences = data;
  int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (cell),
                                                   "column"));
  GtkTreeIter iter;
  if (!gtk_tree_model_get_iter_from_string (
        GTK_TREE_MODEL (preferences->map), &iter, path))
    return;
  gtk_list_store_set (preferences->map, &iter, column, text, -1);
  store_map (preferences);
}

static void
add_column (struct preferences *preferences, const char *title, int column)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  g_object_set (cell, "editable", TRUE, "ellipsize", PANGO_ELLIPSIZE_MIDDLE,
                "placeholder-text", _ ("Folder"), NULL);
  g_object_set_data (G_OBJECT (cell), "column", GINT_TO_POINTER (column));
  g_signal_connect (cell, "edited", G_CALLBACK (cell_edited), preferences);
  GtkTreeViewColumn *c = gtk_tree_view_column_new_with_attributes (
    title, cell, "text", column, NULL);
  gtk_tree_view_column_set_expand (c, TRUE);
  gtk_tree_view_append_column (GTK_TREE_VIEW (preferences->view), c);
}

static void
add_clicked (struct preferences *preferences)
{
  GtkTreeView *view = GTK_TREE_VIEW (preferences->view);
  GtkTreeIter iter;
  gtk_list_store_insert_with_values (preferences->map, &iter, -1, COLUMN_FROM,
                                     "", COLUMN_TO, "", -1);
  GtkTreePath *path = gtk_tree_model_get_path (
    GTK_TREE_MODEL (preferences->map), &iter);
  gtk_widget_grab_focus (preferences->view);
  gtk_tree_view_set_cursor (view, path, gtk_tree_view_get_column (view, 0),
                            TRUE);
  gtk_tree_path_free (path);
}

static void
remove_clicked (struct preferences *preferences)
{
  GtkTreeSelection *selection
    = gtk_tree_view_get_selection (GTK_TREE_VIEW (preferences->view));
  GtkTreeIter iter;
  if (!gtk_tree_selection_get_selected (selection, NULL, &iter))
    return;
  gtk_list_store_remove (preferences->map, &iter);
  store_map (preferences);
}

static void
selection_changed (GtkTreeSelection *selection, gpointer data)
{
  struct preferences *preferences = data;
  gtk_widget_set_sensitive (
    preferences->remove,
    gtk_tree_selection_get_selected (selection, NULL, NULL));
}

static void
fill_map (struct preferences *preferences)
{
  char **own = dv_choices_own_source_map (preferences->choices);
  for (char **map = own; *map != NULL; map++) {
    char **parts = g_strsplit (*map, "=", 2);
    gtk_list_store_insert_with_values (preferences->map, NULL, -1,
                                       COLUMN_FROM, parts[0], COLUMN_TO,
                                       parts[1], -1);
    g_strfreev (parts);
  }
  g_strfreev (own);
}

static GtkWidget *
new_map (struct preferences *preferences)
{
  preferences->map = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING,
                                         G_TYPE_STRING);
  preferences->view
    = gtk_tree_view_new_with_model (GTK_TREE_MODEL (preferences->map));
  g_object_unref (preferences->map);
  fill_map (preferences);
  add_column (preferences, _ ("Built in"), COLUMN_FROM);
  add_column (preferences, _ ("Is now here"), COLUMN_TO);
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (preferences->view), FALSE);
  GtkWidget *scrolled = dv_pieces_scrolled_new (preferences->view);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scrolled),
                                       GTK_SHADOW_IN);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              MAP_HEIGHT);
  gtk_style_context_set_junction_sides (
    gtk_widget_get_style_context (scrolled), GTK_JUNCTION_BOTTOM);

  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkStyleContext *style = gtk_widget_get_style_context (bar);
  gtk_style_context_add_class (style, GTK_STYLE_CLASS_INLINE_TOOLBAR);
  gtk_style_context_set_junction_sides (style, GTK_JUNCTION_TOP);
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  dv_pieces_class (tools, GTK_STYLE_CLASS_LINKED);
  gtk_container_add (
    GTK_CONTAINER (tools),
    dv_pieces_button_new ("list-add-symbolic", _ ("Add a folder"),
                          G_CALLBACK (add_clicked), preferences));
  preferences->remove =
    dv_pieces_button_new ("list-remove-symbolic", _ ("Remove the folder"),
                          G_CALLBACK (remove_clicked), preferences);
  gtk_widget_set_sensitive (preferences->remove, FALSE);
  gtk_container_add (GTK_CONTAINER (tools), preferences->remove);
  gtk_container_add (GTK_CONTAINER (bar), tools);
  g_signal_connect (
    gtk_tree_view_get_selection (GTK_TREE_VIEW (preferences->view)),
    "changed", G_CALLBACK (selection_changed), preferences);

  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_pack_start (GTK_BOX (box), scrolled, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (box), bar);
  return box;
}

/* ---- The dialog ------------------------------------------------------ */

static GtkWidget *
new_content (struct preferences *preferences)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_row_spacing (grid, 8);
  gtk_grid_set_column_spacing (grid, 12);
  g_object_set (grid, "margin", 18, NULL);
  gtk_grid_attach (grid,
                   dv_pieces_label_new (_ ("Appearance"), DV_BOLD | DV_LEFT),
                   0, 0, 2, 1);
  GtkWidget *widget = new_theme (preferences);
  attach (grid, 1, _ ("_Theme"), widget, widget);
  widget = new_palette (preferences);
  attach (grid, 2, _ ("_Palette"), widget, widget);
  widget = new_colour (preferences);
  attach (grid, 3, _ ("_Colours show"), widget, widget);

  GtkWidget *heading = dv_pieces_label_new (_ ("Sources"), DV_BOLD | DV_LEFT);
  gtk_widget_set_margin_top (heading, 12);
  gtk_grid_attach (grid, heading, 0, 4, 2, 1);
  widget = new_editor (preferences);
  attach (grid, 5, _ ("_Editor"), widget, widget);
  gtk_grid_attach (
    grid,
    new_hint (
      _ ("A command in which %f stands for the file and %l for the line")),
    1, 6, 1, 1);
  widget = new_map (preferences);
  attach (grid, 7, _ ("_Folders"), widget, preferences->view);
  gtk_grid_attach (
    grid,
    new_hint (
      _ ("Folders of sources that have moved since the program was built")),
    1, 8, 1, 1);
  gtk_widget_set_vexpand (widget, TRUE);
  return GTK_WIDGET (grid);
}

void
dv_preferences_show (struct dv_host *host)
{
  struct preferences *preferences = g_new0 (struct preferences, 1);
  preferences->choices = host->choices;
  preferences->dialog = gtk_dialog_new_with_buttons (
    _ ("Preferences"), GTK_WINDOW (host->window),
    GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT
      | GTK_DIALOG_USE_HEADER_BAR,
    NULL, NULL);
  g_object_set_data_full (G_OBJECT (preferences->dialog), "preferences",
                          preferences, g_free);
  GtkWidget *area = gtk_dialog_get_content_area (
    GTK_DIALOG (preferences->dialog));
  gtk_container_set_border_width (GTK_CONTAINER (area), 0);
  gtk_box_pack_start (GTK_BOX (area), new_content (preferences), TRUE, TRUE,
                      0);
  g_signal_connect (preferences->dialog, "response",
                    G_CALLBACK (gtk_widget_destroy), NULL);
  gtk_widget_show_all (preferences->dialog);
}
