/* count_table.c: the columns of a table, and their cells.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_table.h"

#include "panels/base/bar_cell.h"
#include "i18n.h"
#include "model/log/look.h"
#include "panels/base/table_pieces.h"
#include "widgets/pieces.h"

struct column {
  const struct dv_count_class *class;
  const struct dv_panel_host *host;
  struct dv_rows *const *rows;
  enum dv_count_value value;
};

static const struct dv_row *
row_at (const struct column *column, GtkTreeModel *model, GtkTreeIter *iter)
{
  guint number;
  gtk_tree_model_get (model, iter, 0, &number, -1);
  if (*column->rows == NULL || number >= (*column->rows)->rows.n)
    return NULL;
  return dv_rows_at (*column->rows, number);
}

static void
set_cell (GtkTreeViewColumn *view_column, GtkCellRenderer *cell,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct column *column = data;
  const struct dv_row *row = row_at (column, model, iter);
  if (row == NULL)
    return;
  char *text = dv_count_cell_text (*column->rows, row, column->value);
  g_object_set (cell, "text", text, NULL);
  if (column->value == DV_VALUE_SHARE)
    g_object_set (cell, "share", dv_count_cell_share (*column->rows, row),
                  NULL);
  if (column->value == DV_VALUE_SHARING)
    g_object_set (cell, "weight", row->sharing >= DV_SHARING_MIXED
                                  ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL,
                  NULL);
  g_free (text);
}

static void
set_swatch (GtkTreeViewColumn *view_column, GtkCellRenderer *cell,
            GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
  const struct column *column = data;
  const struct dv_row *row = row_at (column, model, iter);
  if (row == NULL)
    return;
  const struct dv_look *look = column->host->look (column->host->user);
  struct dv_rgb colour = dv_palette_thread (look->palette, row->thread);
  dv_table_set_swatch (view_column, cell, &colour);
}

static void
add_column (GtkWidget *table, const struct column *like, guint number,
            GCallback clicked, gpointer user)
{
  const struct dv_count_column *info = &like->class->columns[number];
  bool is_number = dv_count_cell_is_number (info->value);
  struct column *column = g_memdup2 (like, sizeof *like);
  column->value = info->value;
  GtkCellRenderer *cell = info->value == DV_VALUE_SHARE ? dv_bar_cell_new ()
    : dv_table_text_cell_new (is_number, info->value == DV_VALUE_NAME
                                   ? PANGO_ELLIPSIZE_MIDDLE
                                   : PANGO_ELLIPSIZE_END);
  const struct dv_table_column shown = { info->title, info->tip, info->width,
                                         is_number };
  GtkTreeViewColumn *c = dv_table_add_column (table, number, &shown, cell);
  gtk_tree_view_column_set_cell_data_func (c, cell, set_cell, column, g_free);
  g_signal_connect (c, "clicked", clicked, user);
}

static void
add_swatches (GtkWidget *table, const struct column *like)
{
  GtkCellRenderer *cell = gtk_cell_renderer_pixbuf_new ();
  GtkTreeViewColumn *c = dv_table_add_swatches (table,
                                                like->class->n_columns, cell);
  gtk_tree_view_column_set_cell_data_func (c, cell, set_swatch,
                                           g_memdup2 (like, sizeof *like),
                                           g_free);
}

/* Where a cell may be cut: all of its row's texts.  */
static gboolean
query_tooltip (GtkWidget *table, int x, int y, gboolean keyboard,
               GtkTooltip *tooltip, gpointer data)
{
  const struct column *column = data;
  GtkTreeModel *model;
  GtkTreePath *path;
  GtkTreeIter iter;
  if (!gtk_tree_view_get_tooltip_context (GTK_TREE_VIEW (table), &x, &y,
                                          keyboard, &model, &path, &iter))
    return FALSE;
  const struct dv_row *row = row_at (column, model, &iter);
  if (row != NULL) {
    GString *text = g_string_new (row->name);
    const char *more[] = { row->where, row->module, row->detail };
    if (row->file != NULL && g_utf8_validate (row->file, -1, NULL)) {
      g_string_append_printf (text, "\n%s", row->file);
      if (row->line != 0)
        g_string_append_printf (text, ":%u", row->line);
    }
    for (int i = row->file != NULL ? 1 : 0; i < 3; i++)
      if (more[i] != NULL && *more[i] != '\0')
        g_string_append_printf (text, "\n%s", more[i]);
    gtk_tooltip_set_text (tooltip, text->str);
    gtk_tree_view_set_tooltip_row (GTK_TREE_VIEW (table), tooltip, path);
    g_string_free (text, TRUE);
  }
  gtk_tree_path_free (path);
  return row != NULL;
}

GtkWidget *
dv_count_table_new (const struct dv_count_class *class,
                    const struct dv_panel_host *host,
                    struct dv_rows *const *rows, GCallback clicked,
                    gpointer user)
{
  struct column like = { class, host, rows, class->columns[0].value };
  GtkWidget *table = gtk_tree_view_new ();
  if (class->has_swatches)
    add_swatches (table, &like);
  for (guint i = 0; i < class->n_columns; i++)
    add_column (table, &like, i, clicked, user);
  /* All heights are the same, which makes thousands of rows quick.  */
  gtk_tree_view_set_fixed_height_mode (GTK_TREE_VIEW (table), TRUE);
  gtk_tree_view_set_search_column (GTK_TREE_VIEW (table), 0);
  gtk_widget_set_has_tooltip (table, TRUE);
  g_signal_connect_data (table, "query-tooltip", G_CALLBACK (query_tooltip),
                         g_memdup2 (&like, sizeof like),
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  dv_pieces_name (table, _ (class->name));
  return table;
}
