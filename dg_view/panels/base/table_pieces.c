/* table_pieces.c: columns and cells that several tables use.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "table_pieces.h"

#include <string.h>

#include "i18n.h"

#define SWATCH      14
#define LEAST_WIDTH 40

/* ---- Columns ------------------------------------------------------------ */

static GtkTreeViewColumn *
new_column (GtkWidget *table, guint number, int width, GtkCellRenderer *cell)
{
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (column, width);
  g_object_set_data (G_OBJECT (column), "number", GUINT_TO_POINTER (number));
  gtk_tree_view_append_column (GTK_TREE_VIEW (table), column);
  return column;
}

GtkTreeViewColumn *
dv_table_add_column (GtkWidget *table, guint number,
                     const struct dv_table_column *info,
                     GtkCellRenderer *cell)
{
  GtkTreeViewColumn *column = new_column (table, number, info->width, cell);
  gtk_tree_view_column_set_title (column, _ (info->title));
  gtk_tree_view_column_set_min_width (column, LEAST_WIDTH);
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_expand (column, number == 0);
  gtk_tree_view_column_set_clickable (column, TRUE);
  if (info->is_number)
    gtk_tree_view_column_set_alignment (column, 1);
  if (info->tip != NULL)
    gtk_widget_set_tooltip_text (gtk_tree_view_column_get_button (column),
                                 _ (info->tip));
  return column;
}

GtkTreeViewColumn *
dv_table_add_swatches (GtkWidget *table, guint number, GtkCellRenderer *cell)
{
  return new_column (table, number, 2 * SWATCH, cell);
}

/* ---- Cells -------------------------------------------------------------- */

void
dv_table_set_swatch (GtkTreeViewColumn *column, GtkCellRenderer *cell,
                     const struct dv_rgb *colour)
{
  GtkWidget *table = gtk_tree_view_column_get_tree_view (column);
  int scale = gtk_widget_get_scale_factor (table);
  if (colour == NULL) {
    g_object_set (cell, "surface", NULL, NULL);
    return;
  }
  cairo_surface_t *surface = cairo_image_surface_create (
    CAIRO_FORMAT_ARGB32, SWATCH * scale, SWATCH * scale);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  cairo_rectangle (cr, 1, 1, SWATCH - 2, SWATCH - 2);
  cairo_set_source_rgb (cr, colour->r, colour->g, colour->b);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.4);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
  g_object_set (cell, "surface", surface, NULL);
  cairo_surface_destroy (surface);
}

void
dv_table_set_sorted (GtkWidget *table, guint column, bool descending)
{
  guint n = gtk_tree_view_get_n_columns (GTK_TREE_VIEW (table));
  for (guint i = 0; i < n; i++) {
    GtkTreeViewColumn *c = gtk_tree_view_get_column (GTK_TREE_VIEW (table),
                                                     (gint) i);
    guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (c),
                                                        "number"));
    gtk_tree_view_column_set_sort_indicator (c, number == column);
    /* The arrow points down when the most is at the top, as in the calls.  */
    gtk_tree_view_column_set_sort_order (c, descending
                                            ? GTK_SORT_ASCENDING
                                            : GTK_SORT_DESCENDING);
  }
}

GtkCellRenderer *
dv_table_text_cell_new (bool is_number, PangoEllipsizeMode where)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  g_object_set (cell, "xpad", 6, NULL);
  if (is_number)
    g_object_set (cell, "xalign", 1.0, NULL);
  else
    g_object_set (cell, "ellipsize", where, NULL);
  return cell;
}

struct tip {
  dv_table_tip text;
  bool is_markup;
  const void *user;
};

static gboolean
query_tooltip (GtkWidget *table, int x, int y, gboolean by_key,
               GtkTooltip *tooltip, gpointer data)
{
  const struct tip *tip = data;
  GtkTreeModel *model;
  GtkTreePath *path;
  GtkTreeIter iter;
  if (!gtk_tree_view_get_tooltip_context (GTK_TREE_VIEW (table), &x, &y,
                                          by_key, &model, &path, &iter))
    return FALSE;
  char *text = tip->text (tip->user, model, &iter);
  if (text != NULL && tip->is_markup)
    gtk_tooltip_set_markup (tooltip, text);
  else
    gtk_tooltip_set_text (tooltip, text);
  gtk_tree_view_set_tooltip_row (GTK_TREE_VIEW (table), tooltip, path);
  gtk_tree_path_free (path);
  g_free (text);
  return text != NULL;
}

void
dv_table_connect_tip (GtkWidget *table, dv_table_tip text, bool is_markup,
                      const void *user)
{
  struct tip *tip = g_new (struct tip, 1);
  *tip = (struct tip){text, is_markup, user};
  gtk_widget_set_has_tooltip (table, TRUE);
  g_object_set_data_full (G_OBJECT (table), "tip", tip, g_free);
  g_signal_connect (table, "query-tooltip", G_CALLBACK (query_tooltip), tip);
}

bool
dv_table_matches (const char *key, const char *a, const char *b)
{
  const char *texts[] = { a, b };
  char *wanted = g_utf8_casefold (key, -1);
  bool found = false;
  for (int i = 0; i < 2 && !found; i++) {
    char *text = g_utf8_casefold (texts[i], -1);
    found = strstr (text, wanted) != NULL;
    g_free (text);
  }
  g_free (wanted);
  return found;
}

/* ---- Menus -------------------------------------------------------------- */

GdkRectangle
dv_table_selected_place (GtkTreeView *table)
{
  GdkRectangle place = { 0, 0, 1, 1 };
  GtkTreeModel *model;
  GtkTreeIter iter;
  if (!gtk_tree_selection_get_selected (gtk_tree_view_get_selection (table),
                                        &model, &iter))
    return place;
  GtkTreePath *path = gtk_tree_model_get_path (model, &iter);
  gtk_tree_view_get_cell_area (table, path, NULL, &place);
  gtk_tree_view_convert_bin_window_to_widget_coords (table, place.x, place.y,
                                                     &place.x, &place.y);
  gtk_tree_path_free (path);
  return place;
}

struct menu {
  dv_table_popup popup;
  void (*copy) (void *user);
  void *user;
};

static gboolean
popup_menu (GtkWidget *table, gpointer data)
{
  const struct menu *menu = data;
  menu->popup (menu->user, NULL);
  return TRUE;
}

static gboolean
button_pressed (GtkWidget *table, GdkEventButton *event, gpointer data)
{
  const struct menu *menu = data;
  GtkTreeView *view = GTK_TREE_VIEW (table);
  GtkTreePath *path;
  if (!gdk_event_triggers_context_menu ((GdkEvent *) event)
      || event->window != gtk_tree_view_get_bin_window (view))
    return FALSE;
  if (gtk_tree_view_get_path_at_pos (view, (int) event->x, (int) event->y,
                                     &path, NULL, NULL, NULL)) {
    gtk_tree_view_set_cursor (view, path, NULL, FALSE);
    gtk_tree_path_free (path);
  }
  menu->popup (menu->user, (GdkEvent *) event);
  return TRUE;
}

static gboolean
key_pressed (GtkWidget *table, GdkEventKey *event, gpointer data)
{
  const struct menu *menu = data;
  guint state = event->state & gtk_accelerator_get_default_mod_mask ();
  if (state != GDK_CONTROL_MASK
      || gdk_keyval_to_lower (event->keyval) != GDK_KEY_c)
    return FALSE;
  menu->copy (menu->user);
  return TRUE;
}

void
dv_table_connect_menu (GtkWidget *table, dv_table_popup popup,
                       void (*copy) (void *user), void *user)
{
  struct menu *menu = g_new (struct menu, 1);
  *menu = (struct menu){popup, copy, user};
  g_object_set_data_full (G_OBJECT (table), "menu", menu, g_free);
  g_signal_connect (table, "popup-menu", G_CALLBACK (popup_menu), menu);
  g_signal_connect (table, "button-press-event", G_CALLBACK (button_pressed),
                    menu);
  if (copy != NULL)
    g_signal_connect (table, "key-press-event", G_CALLBACK (key_pressed),
                      menu);
}
