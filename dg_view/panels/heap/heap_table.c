/* heap_table.c: the table of the Heap panel.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_table.h"

#include "panels/base/bar_cell.h"
#include "model/heap/heap_text.h"
#include "i18n.h"
#include "panels/base/table_pieces.h"
#include "widgets/pieces.h"

/* Bytes at the moment.  */
#define SORTED_BY 2

static const struct {
  const char *title, *tip; /* N_ (); tip: NULL: none */
  enum dv_heap_column column;
  int width;
} columns[] = {
  {N_ ("Allocated by"), NULL, DV_HEAP_NAME, 190},
  {N_ ("Share"), N_ ("Share of all live bytes at the selected time"),
   DV_HEAP_SHARE, 76},
  {N_ ("Bytes"), N_ ("Live at the selected time"), DV_HEAP_BYTES, 96},
  {N_ ("Blocks"), N_ ("Live at the selected time"), DV_HEAP_BLOCKS, 76},
  {N_ ("At peak"), N_ ("Live bytes at the peak in view"), DV_HEAP_PEAK_BYTES,
   96},
  {N_ ("Peak blocks"), N_ ("Live blocks at that peak"), DV_HEAP_PEAK_BLOCKS,
   90},
  {N_ ("Source"), NULL, DV_HEAP_WHERE, 120},
  {N_ ("Module"), NULL, DV_HEAP_MODULE, 110},
};

/* ---- Cells -------------------------------------------------------------- */

static const struct dv_heap_row *
row_at (const struct dv_heap_table *table, GtkTreeModel *model,
        GtkTreeIter *iter)
{
  guint number;
  gtk_tree_model_get (model, iter, 0, &number, -1);
  return table->rows != NULL && number < table->rows->rows->len
         ? dv_heap_rows_at (table->rows, number) : NULL;
}

static guint
number_of (GtkTreeViewColumn *column)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "number"));
}

static enum dv_heap_column
column_of (GtkTreeViewColumn *column)
{
  return columns[number_of (column)].column;
}

static void
set_cell (GtkTreeViewColumn *column, GtkCellRenderer *cell,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct dv_heap_table *table = data;
  const struct dv_heap_row *row = row_at (table, model, iter);
  if (row == NULL)
    return;
  char *text = dv_heap_rows_text (table->rows, row, column_of (column));
  g_object_set (cell, "text", text, NULL);
  if (column_of (column) == DV_HEAP_SHARE)
    g_object_set (cell, "share", dv_heap_rows_share (table->rows, row), NULL);
  g_free (text);
}

static void
set_swatch (GtkTreeViewColumn *column, GtkCellRenderer *cell,
            GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct dv_heap_table *table = data;
  const struct dv_heap_row *row = row_at (table, model, iter);
  struct dv_rgb colour;
  bool has_colour = row != NULL && table->colour (table->user, row, &colour);
  dv_table_set_swatch (column, cell, has_colour ? &colour : NULL);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
               GtkTooltip *tooltip, gpointer data)
{
  const struct dv_heap_table *table = data;
  GtkTreeModel *model;
  GtkTreePath *path;
  GtkTreeIter iter;
  if (!gtk_tree_view_get_tooltip_context (GTK_TREE_VIEW (widget), &x, &y,
                                          keyboard, &model, &path, &iter))
    return FALSE;
  const struct dv_heap_row *row = row_at (table, model, &iter);
  if (row != NULL) {
    char *text = *row->module != '\0'
                 ? g_strdup_printf ("%s\n%s", row->name, row->module)
                 : g_strdup (row->name);
    gtk_tooltip_set_text (tooltip, text);
    gtk_tree_view_set_tooltip_row (GTK_TREE_VIEW (widget), tooltip, path);
    g_free (text);
  }
  gtk_tree_path_free (path);
  return row != NULL;
}

/* ---- Order -------------------------------------------------------------- */

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_heap_table *table = data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  int order = dv_heap_rows_compare (dv_heap_rows_at (table->rows, i),
                                    dv_heap_rows_at (table->rows, j),
                                    columns[table->sorted_by].column);
  /* Those with the most bytes come first among equals.  */
  if (order == 0)
    return (i > j) - (i < j);
  return table->descending ? -order : order;
}

static GtkListStore *
new_store (struct dv_heap_table *table)
{
  GtkListStore *store = gtk_list_store_new (1, G_TYPE_UINT);
  guint n = table->rows != NULL ? table->rows->rows->len : 0;
  guint *order = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare, table);
  for (guint i = 0; i < n; i++)
    gtk_list_store_insert_with_values (store, NULL, -1, 0, order[i], -1);
  g_free (order);
  return store;
}

/* The most first, names from A to Z; the same title again: the other way
   round.  */
static void
column_clicked (GtkTreeViewColumn *column, gpointer data)
{
  struct dv_heap_table *table = data;
  table->descending = table->sorted_by == number_of (column)
                      ? !table->descending
                      : dv_heap_column_is_number (column_of (column));
  table->sorted_by = number_of (column);
  dv_table_set_sorted (table->table, table->sorted_by,
                       table->descending);
  dv_heap_table_set (table, table->rows);
}

/* ---- Selection ---------------------------------------------------------- */

static void
selection_changed (GtkTreeSelection *selection, gpointer data)
{
  struct dv_heap_table *table = data;
  GtkTreeModel *model;
  GtkTreeIter iter;
  if (table->is_filling)
    return;
  const struct dv_heap_row *row
    = gtk_tree_selection_get_selected (selection, &model, &iter)
      ? row_at (table, model, &iter) : NULL;
  uint32_t id = row != NULL ? row->id : DG_NONE;
  if (id == table->id)
    return;
  table->id = id;
  table->selected (table->user, id);
}

static void
row_activated (const struct dv_heap_table *table)
{
  table->activated (table->user);
}

/* Selects the row of table->id, as far as there is one.  */
static void
show_selected (struct dv_heap_table *table, bool scroll)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  GtkTreeModel *model = gtk_tree_view_get_model (view);
  GtkTreeSelection *selection = gtk_tree_view_get_selection (view);
  GtkTreeIter iter;
  bool was_filling = table->is_filling;
  bool more = model != NULL && table->id != DG_NONE
              && gtk_tree_model_get_iter_first (model, &iter);
  table->is_filling = true;
  gtk_tree_selection_unselect_all (selection);
  for (; more; more = gtk_tree_model_iter_next (model, &iter)) {
    if (row_at (table, model, &iter)->id != table->id)
      continue;
    GtkTreePath *path = gtk_tree_model_get_path (model, &iter);
    gtk_tree_selection_select_iter (selection, &iter);
    if (scroll)
      gtk_tree_view_scroll_to_cell (view, path, NULL, FALSE, 0, 0);
    gtk_tree_path_free (path);
    break;
  }
  table->is_filling = was_filling;
}

void
dv_heap_table_select (struct dv_heap_table *table, uint32_t id)
{
  if (id == table->id)
    return;
  table->id = id;
  show_selected (table, true);
}

void
dv_heap_table_set (struct dv_heap_table *table, struct dv_heap_rows *rows)
{
  GtkTreeView *view = GTK_TREE_VIEW (table->table);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (table->scrolled));
  double offset = gtk_adjustment_get_value (down);
  struct dv_heap_rows *old = table->rows;
  table->is_filling = true;
  table->rows = rows != NULL ? dv_heap_rows_ref (rows) : NULL;
  GtkListStore *store = new_store (table);
  gtk_tree_view_set_model (view, GTK_TREE_MODEL (store));
  g_object_unref (store);
  dv_heap_rows_unref (old);
  show_selected (table, false);
  gtk_adjustment_set_value (down, offset);
  table->is_filling = false;
}

char *
dv_heap_table_copy (const struct dv_heap_table *table)
{
  const char *titles[G_N_ELEMENTS (columns)];
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    titles[columns[i].column] = _ (columns[i].title);
  return dv_heap_table_text (table->rows, titles);
}

/* ---- Menu --------------------------------------------------------------- */

static void
popup (void *user, const GdkEvent *event)
{
  const struct dv_heap_table *table = user;
  GdkRectangle place = dv_table_selected_place (GTK_TREE_VIEW (table->table));
  table->menu (table->user, event, &place);
}

/* ---- Making ------------------------------------------------------------- */

static void
add_column (struct dv_heap_table *table, guint i)
{
  enum dv_heap_column column = columns[i].column;
  bool is_number = dv_heap_column_is_number (column);
  GtkCellRenderer *cell = column == DV_HEAP_SHARE ? dv_bar_cell_new ()
    : dv_table_text_cell_new (is_number, PANGO_ELLIPSIZE_END);
  const struct dv_table_column like = {
    columns[i].title, columns[i].tip, columns[i].width, is_number
  };
  GtkTreeViewColumn *c = dv_table_add_column (table->table, i, &like, cell);
  gtk_tree_view_column_set_cell_data_func (c, cell, set_cell, table, NULL);
  g_signal_connect (c, "clicked", G_CALLBACK (column_clicked), table);
}

static gboolean
search_equal (GtkTreeModel *model, gint column, const gchar *key,
              GtkTreeIter *iter, gpointer data)
{
  const struct dv_heap_row *row = row_at (data, model, iter);
  return row == NULL || !dv_table_matches (key, row->name, row->where);
}

void
dv_heap_table_init (struct dv_heap_table *table)
{
  GtkWidget *widget = gtk_tree_view_new ();
  GtkTreeView *view = GTK_TREE_VIEW (widget);
  GtkCellRenderer *swatch = gtk_cell_renderer_pixbuf_new ();
  GtkTreeViewColumn *first
    = dv_table_add_swatches (widget, G_N_ELEMENTS (columns), swatch);
  table->table = widget;
  table->id = DG_NONE;
  gtk_tree_view_column_set_cell_data_func (first, swatch, set_swatch, table,
                                           NULL);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (table, i);
  table->sorted_by = SORTED_BY;
  table->descending = true;
  dv_table_set_sorted (widget, table->sorted_by, table->descending);
  gtk_tree_view_set_fixed_height_mode (view, TRUE);
  gtk_tree_view_set_search_equal_func (view, search_equal, table, NULL);
  gtk_widget_set_has_tooltip (widget, TRUE);
  dv_pieces_name (widget, _ ("Heap by allocation site"));
  table->scrolled = dv_pieces_scrolled_new (widget);
  g_signal_connect (gtk_tree_view_get_selection (view), "changed",
                    G_CALLBACK (selection_changed), table);
  g_signal_connect_swapped (widget, "row-activated",
                            G_CALLBACK (row_activated), table);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (query_tooltip),
                    table);
  dv_table_connect_menu (widget, popup, NULL, table);
}

void
dv_heap_table_fini (struct dv_heap_table *table)
{
  g_clear_pointer (&table->rows, dv_heap_rows_unref);
}
