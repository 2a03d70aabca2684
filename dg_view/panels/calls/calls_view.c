/* calls_view.c: a table of call trees that remembers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_view.h"

#include <gdk/gdkkeysyms.h>

#include "calls_model.h"
#include "widgets/pieces.h"

/* However deep the heaviest path is.  */
#define MAX_DEPTH 60

/* ---- Rows and paths ---------------------------------------------------- */

static GtkTreeModel *
model_of (const struct dv_calls_view *view)
{
  return gtk_tree_view_get_model (GTK_TREE_VIEW (view->table));
}

struct dv_callrows *
dv_calls_view_rows (const struct dv_calls_view *view)
{
  GtkTreeModel *model = model_of (view);
  return model != NULL ? dv_calls_model_rows (model) : NULL;
}

static GtkTreePath *
path_of (const struct dv_calls_view *view, uint32_t row)
{
  GtkTreeIter iter;
  dv_calls_model_iter (model_of (view), row, &iter);
  return gtk_tree_model_get_path (model_of (view), &iter);
}

static void
expand (struct dv_calls_view *view, uint32_t row)
{
  GtkTreePath *path = path_of (view, row);
  gtk_tree_view_expand_row (GTK_TREE_VIEW (view->table), path, FALSE);
  gtk_tree_path_free (path);
}

void
dv_calls_view_select (struct dv_calls_view *view, uint32_t row, bool scroll)
{
  GtkTreeView *table = GTK_TREE_VIEW (view->table);
  GtkTreePath *path = path_of (view, row);
  gtk_tree_view_expand_to_path (table, path);
  /* It scrolls by itself, but only as far as it must.  */
  gtk_tree_view_set_cursor (table, path, NULL, FALSE);
  if (scroll)
    gtk_tree_view_scroll_to_cell (table, path, NULL, TRUE, 0.4f, 0);
  gtk_tree_path_free (path);
}

uint32_t
dv_calls_view_row (const struct dv_calls_view *view)
{
  GtkTreeSelection *selection
    = gtk_tree_view_get_selection (GTK_TREE_VIEW (view->table));
  GtkTreeModel *model;
  GtkTreeIter iter;
  return model_of (view) != NULL
         && gtk_tree_selection_get_selected (selection, &model, &iter)
         ? dv_calls_model_row (model, &iter) : 0;
}

uint32_t
dv_calls_view_expand_heaviest (struct dv_calls_view *view, uint32_t row)
{
  struct dv_callrows *rows = dv_calls_view_rows (view);
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    uint32_t next = dv_callrows_heaviest (rows, row);
    if (row != 0)
      expand (view, row);
    if (next == row)
      break;
    row = next;
  }
  return row;
}

void
dv_calls_view_collapse_all (struct dv_calls_view *view)
{
  gtk_tree_view_collapse_all (GTK_TREE_VIEW (view->table));
  g_hash_table_remove_all (view->expanded);
}

GdkRectangle
dv_calls_view_place (const struct dv_calls_view *view, uint32_t row)
{
  GdkRectangle place = { 0, 0, 1, 1 };
  GtkTreePath *path = path_of (view, row);
  gtk_tree_view_get_cell_area (GTK_TREE_VIEW (view->table), path, NULL,
                               &place);
  gtk_tree_view_convert_bin_window_to_widget_coords (
    GTK_TREE_VIEW (view->table), 40, place.y, &place.x, &place.y);
  gtk_tree_path_free (path);
  return place;
}

/* ---- Remembering ------------------------------------------------------- */

/* What was expanded below `row`, and the selected row.  */
static void
restore (struct dv_calls_view *view, uint32_t row)
{
  struct dv_callrows *rows = dv_calls_view_rows (view);
  uint32_t first, n = dv_callrows_children (rows, row, &first);
  for (uint32_t i = first; i < first + n; i++) {
    uint64_t key = dv_callrows_row (rows, i)->key;
    if (key == view->key)
      dv_calls_view_select (view, i, false);
    if (g_hash_table_contains (view->expanded, &key)) {
      expand (view, i);
      restore (view, i);
    }
  }
}

static void
row_expanded (GtkTreeView *table, GtkTreeIter *iter, GtkTreePath *path,
              gpointer data)
{
  struct dv_calls_view *view = data;
  uint32_t row = dv_calls_model_row (model_of (view), iter);
  uint64_t key = dv_callrows_row (dv_calls_view_rows (view), row)->key;
  g_hash_table_add (view->expanded, g_memdup2 (&key, sizeof key));
  if (view->restoring)
    return;
  view->is_fresh = false;
  view->restoring = true;
  restore (view, row);
  view->restoring = false;
}

static void
row_collapsed (GtkTreeView *table, GtkTreeIter *iter, GtkTreePath *path,
               gpointer data)
{
  struct dv_calls_view *view = data;
  uint32_t row = dv_calls_model_row (model_of (view), iter);
  uint64_t key = dv_callrows_row (dv_calls_view_rows (view), row)->key;
  g_hash_table_remove (view->expanded, &key);
  if (!view->restoring)
    view->is_fresh = false;
}

static void
selection_changed (struct dv_calls_view *view)
{
  struct dv_callrows *rows = dv_calls_view_rows (view);
  if (view->restoring || rows == NULL)
    return;
  view->is_fresh = false;
  uint32_t row = dv_calls_view_row (view);
  view->key = row != 0 ? dv_callrows_row (rows, row)->key : 0;
  view->selected (view->user);
}

static gboolean
scroll_back (gpointer data)
{
  struct dv_calls_view *view = data;
  view->scroll_source = 0;
  gtk_adjustment_set_value (
    gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (view->scrolled)), view->scroll);
  return G_SOURCE_REMOVE;
}

/* The same place of the table, when it has been laid out again.  */
static void
keep_scroll (struct dv_calls_view *view)
{
  if (view->scroll_source != 0)
    return;
  view->scroll = gtk_adjustment_get_value (
    gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (view->scrolled)));
  view->scroll_source = g_idle_add_full (G_PRIORITY_LOW, scroll_back, view,
                                         NULL);
}

void
dv_calls_view_start_afresh (struct dv_calls_view *view)
{
  view->key = 0;
  view->is_fresh = true;
  /* Shown from its top.  */
  gtk_tree_view_set_model (GTK_TREE_VIEW (view->table), NULL);
}

void
dv_calls_view_set (struct dv_calls_view *view, struct dv_callrows *rows)
{
  view->restoring = true;
  if (rows == NULL) {
    gtk_tree_view_set_model (GTK_TREE_VIEW (view->table), NULL);
    view->restoring = false;
    return;
  }
  GtkTreeModel *model = dv_calls_model_new (rows);
  if (model_of (view) != NULL)
    keep_scroll (view);
  gtk_tree_view_set_model (GTK_TREE_VIEW (view->table), model);
  g_object_unref (model);
  if (!view->is_fresh)
    restore (view, 0);
  else {
    /* What was heaviest in a part of the accesses need not be in all.  */
    g_hash_table_remove_all (view->expanded);
    if (!rows->are_callers)
      dv_calls_view_expand_heaviest (view, 0);
  }
  view->restoring = false;
}

/* ---- Keys -------------------------------------------------------------- */

/* Left and right as in trees elsewhere.  */
static gboolean
key_pressed (GtkWidget *widget, GdkEventKey *event, gpointer data)
{
  struct dv_calls_view *view = data;
  GtkTreeView *table = GTK_TREE_VIEW (widget);
  guint modifiers = event->state & gtk_accelerator_get_default_mod_mask ();
  uint32_t first, row = dv_calls_view_row (view);
  bool is_right = event->keyval == GDK_KEY_Right;
  if (modifiers != 0 || row == 0
      || (!is_right && event->keyval != GDK_KEY_Left))
    return FALSE;
  struct dv_callrows *rows = dv_calls_view_rows (view);
  GtkTreePath *path = path_of (view, row);
  bool is_expanded = gtk_tree_view_row_expanded (table, path);
  uint32_t parent = dv_callrows_row (rows, row)->parent;
  if (is_right && !is_expanded)
    gtk_tree_view_expand_row (table, path, FALSE);
  else if (is_right && dv_callrows_children (rows, row, &first) > 0)
    dv_calls_view_select (view, first, false);
  else if (!is_right && is_expanded)
    gtk_tree_view_collapse_row (table, path);
  else if (!is_right && parent != 0)
    dv_calls_view_select (view, parent, false);
  gtk_tree_path_free (path);
  return TRUE;
}

/* ---- Making ------------------------------------------------------------ */

void
dv_calls_view_init (struct dv_calls_view *view, GtkWidget *table)
{
  view->table = table;
  view->scrolled = dv_pieces_scrolled_new (table);
  view->expanded = g_hash_table_new_full (dg_hash_uint64, g_int64_equal,
                                          g_free, NULL);
  view->is_fresh = true;
  g_signal_connect_swapped (
    gtk_tree_view_get_selection (GTK_TREE_VIEW (table)), "changed",
    G_CALLBACK (selection_changed), view);
  g_signal_connect (table, "row-expanded", G_CALLBACK (row_expanded), view);
  g_signal_connect (table, "row-collapsed", G_CALLBACK (row_collapsed),
                    view);
  g_signal_connect (table, "key-press-event", G_CALLBACK (key_pressed),
                    view);
}

void
dv_calls_view_fini (struct dv_calls_view *view)
{
  g_clear_handle_id (&view->scroll_source, g_source_remove);
  g_hash_table_unref (view->expanded);
}
