/* row_table.c: see row_table.h.

   The model's only column has the rows' numbers, in their order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "row_table.h"

#include <string.h>

#include "bar_cell.h"
#include "i18n.h"
#include "table_pieces.h"
#include "widgets/pieces.h"

#define SWATCH 14
#define LEAST_WIDTH 40

/* ---- Cells -------------------------------------------------------------- */

/* False: it has gone.  */
static bool
row_at (const struct dv_row_table *table, GtkTreeModel *model,
        GtkTreeIter *iter, guint *row)
{
  gtk_tree_model_get (model, iter, 0, row, -1);
  return *row < table->n_rows;
}

static guint
number_of (GtkTreeViewColumn *column)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "number"));
}

static void
set_cell (GtkTreeViewColumn *column, GtkCellRenderer *cell,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct dv_row_table *table = data;
  const struct dv_row_table_class *class = table->class;
  guint row, number = number_of (column);
  if (!row_at (table, model, iter, &row))
    return;
  char *text = class->text (table->user, row, number);
  g_object_set (cell, "text", text, NULL);
  if (class->is_bold != NULL)
    g_object_set (cell, "weight",
                  class->is_bold (table->user, row, number)
                    ? PANGO_WEIGHT_BOLD
                    : PANGO_WEIGHT_NORMAL,
                  NULL);
  g_free (text);
}

/* The same of a column with bars.  */
static void
set_bar (GtkTreeViewColumn *column, GtkCellRenderer *cell, GtkTreeModel *model,
         GtkTreeIter *iter, gpointer data)
{
  const struct dv_row_table *table = data;
  guint row;
  set_cell (column, cell, model, iter, data);
  if (row_at (table, model, iter, &row))
    dv_bar_cell_set (cell, table->class->share (table->user, row));
}

static void
set_swatch (GtkTreeViewColumn *column, GtkCellRenderer *cell,
            GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct dv_row_table *table = data;
  int scale = gtk_widget_get_scale_factor (table->table);
  struct dv_rgb colour;
  guint row;
  if (!row_at (table, model, iter, &row)
      || !table->class->colour (table->user, row, &colour)) {
    g_object_set (cell, "surface", NULL, NULL);
    return;
  }
  cairo_surface_t *surface = cairo_image_surface_create (
    CAIRO_FORMAT_ARGB32, SWATCH * scale, SWATCH * scale);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  cairo_rectangle (cr, 1, 1, SWATCH - 2, SWATCH - 2);
  cairo_set_source_rgb (cr, colour.r, colour.g, colour.b);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.4);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
  g_object_set (cell, "surface", surface, NULL);
  cairo_surface_destroy (surface);
}

static char *
row_tip (const void *user, GtkTreeModel *model, GtkTreeIter *iter)
{
  const struct dv_row_table *table = user;
  guint row;
  return row_at (table, model, iter, &row)
           ? table->class->tip (table->user, row)
           : NULL;
}

/* False where it matches, as GTK wants it: in whatever case.  */
static gboolean
search_equal (GtkTreeModel *model, gint column, const gchar *key,
              GtkTreeIter *iter, gpointer data)
{
  const struct dv_row_table *table = data;
  const char *names[2];
  bool found = false;
  guint row;
  if (!row_at (table, model, iter, &row))
    return TRUE;
  table->class->names (table->user, row, names);
  char *wanted = g_utf8_casefold (key, -1);
  for (int i = 0; i < 2 && !found; i++) {
    char *text = g_utf8_casefold (names[i], -1);
    found = strstr (text, wanted) != NULL;
    g_free (text);
  }
  g_free (wanted);
  return !found;
}

/* ---- Filling ------------------------------------------------------------ */

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_row_table *table = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  int order = table->class->compare (table->user, x, y, table->sorted_by);
  if (order == 0)
    return (x > y) - (x < y);
  return table->descending ? -order : order;
}

/* Selects the row of table->key, as far as there is one.  */
static void
show_selected (struct dv_row_table *table, bool scroll)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  GtkTreeSelection *selection = gtk_tree_view_get_selection (view);
  bool was_filling = table->is_filling;
  table->is_filling = true;
  gtk_tree_selection_unselect_all (selection);
  for (guint i = 0; table->key != 0 && i < table->n_rows; i++) {
    if (table->class->key (table->user, table->order[i]) != table->key)
      continue;
    GtkTreePath *path = gtk_tree_path_new_from_indices ((gint) i, -1);
    gtk_tree_selection_select_path (selection, path);
    if (scroll)
      gtk_tree_view_scroll_to_cell (view, path, NULL, FALSE, 0, 0);
    gtk_tree_path_free (path);
    break;
  }
  table->is_filling = was_filling;
}

/* scroll: to the selected row; else what is seen stays.  */
static void
fill (struct dv_row_table *table, bool scroll)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  GtkListStore *store = gtk_list_store_new (1, G_TYPE_UINT);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (table->scrolled));
  double offset = gtk_adjustment_get_value (down);
  table->is_filling = true;
  table->order = g_renew (guint, table->order, table->n_rows + 1);
  for (guint i = 0; i < table->n_rows; i++)
    table->order[i] = i;
  g_qsort_with_data (table->order, (gint) table->n_rows, sizeof (guint),
                     compare, table);
  for (guint i = 0; i < table->n_rows; i++)
    gtk_list_store_insert_with_values (store, NULL, -1, 0, table->order[i],
                                       -1);
  gtk_tree_view_set_model (view, GTK_TREE_MODEL (store));
  gtk_tree_view_set_search_column (view, 0);
  g_object_unref (store);
  show_selected (table, scroll);
  if (!scroll)
    gtk_adjustment_set_value (down, offset);
  table->is_filling = false;
}

void
dv_row_table_set (struct dv_row_table *table, guint n_rows)
{
  table->n_rows = n_rows;
  fill (table, false);
}

/* ---- Selection ---------------------------------------------------------- */

bool
dv_row_table_selected (const struct dv_row_table *table, guint *row)
{
  GtkTreeModel *model;
  GtkTreeIter iter;
  return gtk_tree_selection_get_selected (
           gtk_tree_view_get_selection (GTK_TREE_VIEW (table->table)), &model,
           &iter)
         && row_at (table, model, &iter, row);
}

static void
selection_changed (struct dv_row_table *table)
{
  guint row;
  if (table->is_filling)
    return;
  uint64_t key = dv_row_table_selected (table, &row)
                   ? table->class->key (table->user, row)
                   : 0;
  if (key == table->key)
    return;
  table->key = key;
  table->class->selected (table->user);
}

void
dv_row_table_select (struct dv_row_table *table, uint64_t key)
{
  if (key == table->key)
    return;
  table->key = key;
  show_selected (table, true);
}

/* ---- Columns ------------------------------------------------------------ */

/* Says by which column the rows are sorted.  */
static void
show_sorted (const struct dv_row_table *table)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  guint n = gtk_tree_view_get_n_columns (view);
  for (guint i = 0; i < n; i++) {
    GtkTreeViewColumn *column = gtk_tree_view_get_column (view, (gint) i);
    gtk_tree_view_column_set_sort_indicator (column, number_of (column)
                                                       == table->sorted_by);
    /* The arrow points down when the most is at the top, as in the calls.  */
    gtk_tree_view_column_set_sort_order (
      column, table->descending ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
  }
}

/* The same title again: the other way round.  */
static void
column_clicked (GtkTreeViewColumn *column, gpointer data)
{
  struct dv_row_table *table = data;
  guint number = number_of (column);
  table->descending =
    number == table->sorted_by
      ? !table->descending
      : table->class->column (table->user, number).is_most_first;
  table->sorted_by = number;
  show_sorted (table);
  fill (table, true);
}

static GtkTreeViewColumn *
find_column (const struct dv_row_table *table, guint number)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  GtkTreeViewColumn *column;
  for (int i = 0; (column = gtk_tree_view_get_column (view, i)) != NULL; i++)
    if (number_of (column) == number)
      break;
  return column;
}

static void
sort_by (struct dv_row_table *table, guint column)
{
  table->sorted_by = column;
  table->descending = table->class->column (table->user, column).is_most_first;
  show_sorted (table);
}

void
dv_row_table_sort (struct dv_row_table *table, guint column)
{
  sort_by (table, column);
  fill (table, true);
  gtk_tree_view_scroll_to_cell (GTK_TREE_VIEW (table->table), NULL,
                                find_column (table, column), FALSE, 0, 0);
}

void
dv_row_table_show_column (struct dv_row_table *table, guint column,
                          bool is_shown)
{
  gtk_tree_view_column_set_visible (find_column (table, column), is_shown);
  if (is_shown || table->sorted_by != column)
    return;
  sort_by (table, table->sorted_first);
  fill (table, true);
}

static GtkTreeViewColumn *
new_column (struct dv_row_table *table, guint number, int width,
            GtkCellRenderer *cell, GtkTreeCellDataFunc set)
{
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (column, width);
  gtk_tree_view_column_set_cell_data_func (column, cell, set, table, NULL);
  g_object_set_data (G_OBJECT (column), "number", GUINT_TO_POINTER (number));
  gtk_tree_view_append_column (GTK_TREE_VIEW (table->table), column);
  return column;
}

static GtkCellRenderer *
new_cell (const struct dv_row_column *info)
{
  if (info->is_share)
    return dv_bar_cell_new ();
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  g_object_set (cell, "xpad", 6, NULL);
  if (info->is_number)
    g_object_set (cell, "xalign", 1.0, NULL);
  else
    g_object_set (cell, "ellipsize", info->shorten, NULL);
  return cell;
}

static void
add_column (struct dv_row_table *table, guint number)
{
  struct dv_row_column info = table->class->column (table->user, number);
  GtkTreeViewColumn *column =
    new_column (table, number, info.width, new_cell (&info),
                info.is_share ? set_bar : set_cell);
  gtk_tree_view_column_set_title (column, _ (info.title));
  gtk_tree_view_column_set_min_width (column, LEAST_WIDTH);
  gtk_tree_view_column_set_resizable (column, TRUE);
  gtk_tree_view_column_set_expand (column, number == 0);
  gtk_tree_view_column_set_clickable (column, TRUE);
  if (info.is_number)
    gtk_tree_view_column_set_alignment (column, 1);
  if (info.tip != NULL)
    gtk_widget_set_tooltip_text (gtk_tree_view_column_get_button (column),
                                 _ (info.tip));
  g_signal_connect (column, "clicked", G_CALLBACK (column_clicked), table);
}

/* ---- Life --------------------------------------------------------------- */

void
dv_row_table_init (struct dv_row_table *table,
                   const struct dv_row_table_class *class, guint n_columns,
                   guint sorted_by, const char *name, void *user)
{
  GtkWidget *widget = gtk_tree_view_new ();
  GtkTreeView *view = GTK_TREE_VIEW (widget);
  table->class = class;
  table->user = user;
  table->table = widget;
  table->sorted_by = table->sorted_first = sorted_by;
  table->descending = !table->is_ascending;
  if (table->has_colours)
    new_column (table, n_columns, 2 * SWATCH, gtk_cell_renderer_pixbuf_new (),
                set_swatch);
  for (guint i = 0; i < n_columns; i++)
    add_column (table, i);
  show_sorted (table);
  /* All heights are the same, which makes thousands of rows quick.  */
  gtk_tree_view_set_fixed_height_mode (view, TRUE);
  gtk_tree_view_set_search_column (view, 0);
  gtk_tree_view_set_search_equal_func (view, search_equal, table, NULL);
  dv_table_connect_tip (widget, row_tip, false, table);
  dv_pieces_name (widget, name);
  table->scrolled = dv_pieces_scrolled_new (widget);
  g_signal_connect_swapped (gtk_tree_view_get_selection (view), "changed",
                            G_CALLBACK (selection_changed), table);
  g_signal_connect_swapped (widget, "row-activated",
                            G_CALLBACK (class->activated), user);
}

void
dv_row_table_fini (struct dv_row_table *table)
{
  g_clear_pointer (&table->order, g_free);
}
