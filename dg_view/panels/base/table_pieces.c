/* table_pieces.c: tool tips and menus of tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "table_pieces.h"

/* ---- Tool tips ---------------------------------------------------------- */

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
