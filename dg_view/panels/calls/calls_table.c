/* calls_table.c: the columns of a call tree.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_table.h"

#include <libdatagrind.h>

#include "panels/base/bar_cell.h"
#include "calls_model.h"
#include "model/calls/calls_text.h"
#include "format.h"
#include "i18n.h"
#include "panels/base/table_pieces.h"
#include "panels/base/tree_cell.h"

enum column { COLUMN_FUNCTION, COLUMN_SHARE, COLUMN_ACCESSES, COLUMN_SELF,
              COLUMN_READS, COLUMN_WRITES, COLUMN_BYTES, COLUMN_WHERE,
              N_COLUMNS };

static const struct {
  const char *title, *tip;
  enum dv_call_order order;
  int width;
} columns[N_COLUMNS] = {
  {N_ ("Function"), NULL, DV_CALL_BY_NAME, 220},
  {N_ ("Share"), N_ ("Share of the accesses in view, including callees"),
   DV_CALL_BY_ALL, 86},
  {N_ ("Accesses"), N_ ("Including callees"), DV_CALL_BY_ALL, 76},
  {N_ ("Self"), N_ ("Accesses by the function itself"), DV_CALL_BY_SELF, 66},
  {N_ ("Reads"), N_ ("Including callees"), DV_CALL_BY_READS, 66},
  {N_ ("Writes"), N_ ("Including callees"), DV_CALL_BY_WRITES, 66},
  {N_ ("Bytes"), N_ ("Bytes read and written, including callees"),
   DV_CALL_BY_BYTES, 76},
  {N_ ("Source"),
   N_ ("The line that makes most of the accesses, or the "
       "module"),
   DV_CALL_BY_NAME, 150},
};

struct calls_table {
  dv_calls_order_fn order_changed;
  void *user;
  GtkTreeViewColumn *columns[N_COLUMNS];
};

static struct dv_calls_subject
subject_of (const struct dv_callrows *rows, const struct dv_callrow *row)
{
  return (struct dv_calls_subject){ rows->tree, row->function, row->line,
                                    row->file, &row->self, &row->all };
}

/* ---- Cells ------------------------------------------------------------ */

static char *
cell_text (const struct dv_callrows *rows, uint32_t number,
           enum column column)
{
  const struct dv_callrow *row = dv_callrows_row (rows, number);
  struct dv_calls_subject subject = subject_of (rows, row);
  char text[40] = "";
  switch (column) {
  case COLUMN_FUNCTION:
    return g_strdup (dv_callrows_label (rows, number));
  case COLUMN_WHERE:
    return dv_calls_where (&subject);
  case COLUMN_SHARE:
    dv_calls_share (text, sizeof text, dv_tally_count_accesses (&row->all),
                    dv_tally_count_accesses (&rows->tree->nodes[0].all));
    break;
  case COLUMN_ACCESSES:
    dg_number_text_about (text, sizeof text,
                          dv_tally_count_accesses (&row->all));
    break;
  case COLUMN_SELF:
    if (dv_tally_count_accesses (&row->self) > 0)
      dg_number_text_about (text, sizeof text,
                            dv_tally_count_accesses (&row->self));
    break;
  case COLUMN_READS:
    dg_number_text_about (text, sizeof text, row->all.reads);
    break;
  case COLUMN_WRITES:
    dg_number_text_about (text, sizeof text, row->all.writes);
    break;
  case COLUMN_BYTES:
    dv_format_bytes (text, sizeof text,
                     dv_call_weigh (&row->all, DV_CALL_BYTES));
    break;
  case N_COLUMNS:
    break;
  }
  return g_strdup (text);
}

static int
depth_of (const struct dv_callrows *rows, uint32_t row)
{
  int depth = -1;
  for (; row != 0; row = dv_callrows_row (rows, row)->parent)
    depth++;
  return depth;
}

static void
set_cell (GtkTreeViewColumn *column, GtkCellRenderer *cell,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  enum column number = GPOINTER_TO_INT (data);
  const struct dv_callrows *rows = dv_calls_model_rows (model);
  uint32_t row = dv_calls_model_row (model, iter);
  char *text = cell_text (rows, row, number);
  g_object_set (cell, "text", text, NULL);
  const struct dv_callrow *shown = dv_callrows_row (rows, row);
  if (number == COLUMN_FUNCTION)
    dv_tree_cell_set (cell, depth_of (rows, row), shown->has_children);
  else if (number == COLUMN_SHARE)
    dv_bar_cell_set (
      cell,
      dv_calls_fraction (dv_tally_count_accesses (&shown->all),
                         dv_tally_count_accesses (&rows->tree->nodes[0].all)));
  g_free (text);
}

static char *
row_tip (const void *user, GtkTreeModel *model, GtkTreeIter *iter)
{
  const struct dv_callrows *rows = dv_calls_model_rows (model);
  struct dv_calls_subject subject = subject_of (
    rows, dv_callrows_row (rows, dv_calls_model_row (model, iter)));
  return dv_calls_tip (&subject);
}

/* A press on a row's arrow expands or collapses it.  */
static gboolean
button_pressed (GtkWidget *view, GdkEventButton *event, gpointer data)
{
  const struct calls_table *table = data;
  GtkTreeView *tree = GTK_TREE_VIEW (view);
  GtkTreePath *path;
  GtkTreeViewColumn *column;
  int x;
  if (event->button != GDK_BUTTON_PRIMARY || event->type != GDK_BUTTON_PRESS
      || event->window != gtk_tree_view_get_bin_window (tree)
      || !gtk_tree_view_get_path_at_pos (tree, (int) event->x,
                                         (int) event->y, &path, &column, &x,
                                         NULL))
    return FALSE;
  if (gtk_widget_get_direction (view) == GTK_TEXT_DIR_RTL)
    x = gtk_tree_view_column_get_width (column) - x;
  int end = dv_tree_cell_margin (gtk_tree_path_get_depth (path) - 1);
  bool is_arrow = column == table->columns[COLUMN_FUNCTION] && x <= end
                  && x >= end - dv_tree_cell_margin (0);
  if (is_arrow && gtk_tree_view_row_expanded (tree, path))
    gtk_tree_view_collapse_row (tree, path);
  else if (is_arrow)
    is_arrow = gtk_tree_view_expand_row (tree, path, FALSE);
  gtk_tree_path_free (path);
  return is_arrow;
}

/* ---- Columns ---------------------------------------------------------- */

static void
show_order (const struct calls_table *table, enum column sorted)
{
  for (int i = 0; i < N_COLUMNS; i++)
    gtk_tree_view_column_set_sort_indicator (table->columns[i],
                                             i == (int) sorted);
}

static void
column_clicked (GtkTreeViewColumn *column, gpointer data)
{
  struct calls_table *table = data;
  for (int i = 0; i < N_COLUMNS; i++)
    if (table->columns[i] == column) {
      show_order (table, i);
      table->order_changed (table->user, columns[i].order);
    }
}

static GtkCellRenderer *
new_cell (enum column number)
{
  GtkCellRenderer *cell = number == COLUMN_SHARE ? dv_bar_cell_new ()
    : number == COLUMN_FUNCTION ? dv_tree_cell_new ()
    : gtk_cell_renderer_text_new ();
  if (number == COLUMN_FUNCTION)
    g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 12,
                  NULL);
  else if (number == COLUMN_WHERE)
    g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, NULL);
  else
    g_object_set (cell, "xalign", 1.0, NULL);
  return cell;
}

static void
add_column (struct calls_table *table, GtkWidget *view, enum column number)
{
  GtkCellRenderer *cell = new_cell (number);
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  bool is_number = number != COLUMN_FUNCTION && number != COLUMN_WHERE;
  gtk_tree_view_column_set_title (column, _ (columns[number].title));
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, set_cell,
                                           GINT_TO_POINTER (number), NULL);
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_alignment (column, is_number ? 1.0f : 0.0f);
  gtk_tree_view_column_set_min_width (column, columns[number].width);
  gtk_tree_view_column_set_expand (column, !is_number);
  gtk_tree_view_append_column (GTK_TREE_VIEW (view), column);
  table->columns[number] = column;
  if (columns[number].tip != NULL)
    gtk_widget_set_tooltip_text (gtk_tree_view_column_get_button (column),
                                 _ (columns[number].tip));
  if (number != COLUMN_WHERE) {
    gtk_tree_view_column_set_clickable (column, TRUE);
    /* For GTK, an arrow down is "ascending".  */
    gtk_tree_view_column_set_sort_order (column, GTK_SORT_ASCENDING);
    g_signal_connect (column, "clicked", G_CALLBACK (column_clicked), table);
  }
}

GtkWidget *
dv_calls_table_new (dv_calls_order_fn order_changed, void *user)
{
  struct calls_table *table = g_new0 (struct calls_table, 1);
  GtkWidget *view = gtk_tree_view_new ();
  table->order_changed = order_changed;
  table->user = user;
  for (int i = 0; i < N_COLUMNS; i++)
    add_column (table, view, i);
  show_order (table, COLUMN_SHARE);
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (view), FALSE);
  gtk_tree_view_set_show_expanders (GTK_TREE_VIEW (view), FALSE);
  g_signal_connect (view, "button-press-event", G_CALLBACK (button_pressed),
                    table);
  dv_table_connect_tip (view, row_tip, true, NULL);
  g_object_set_data_full (G_OBJECT (view), "table", table, g_free);
  return view;
}

void
dv_calls_table_set_direction (GtkWidget *view, bool are_callers)
{
  struct calls_table *table = g_object_get_data (G_OBJECT (view), "table");
  gtk_tree_view_column_set_visible (table->columns[COLUMN_SELF],
                                    !are_callers);
}
