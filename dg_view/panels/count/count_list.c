/* count_list.c: tables of what the plot shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_list.h"

#include <gdk/gdkkeysyms.h>
#include <string.h>

#include "panels/base/panel_menu.h"
#include "count_table.h"
#include "i18n.h"
#include "jobs/job.h"
#include "widgets/pieces.h"
#include "panels/base/table_pieces.h"
#include "panels/base/tally_view.h"

struct count_list {
  const struct dv_count_class *class;
  const struct dv_panel_host *host;
  GtkWidget *root, *table;
  struct dv_tally_view shown;
  struct dv_rows *rows;        /* what is shown; NULL: nothing */
  guint *order;                /* of the rows, as they are shown */
  guint sorted_by;             /* column */
  bool descending;
  uint64_t selected;           /* key; 0: none */
  bool filling;                /* the selection is not the user's now */
  struct dv_job *highlight_job; /* NULL: none */
};

/* ---- Highlights ------------------------------------------------------- */

struct highlight_order {
  struct dv_rows *rows;
  guint row;
};

static void *
run_highlight (void *input, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  const struct highlight_order *order = input;
  return dv_rows_highlight (order->rows, order->row);
}

static void
free_highlight_order (void *memory)
{
  struct highlight_order *order = memory;
  dv_rows_unref (order->rows);
  g_free (order);
}

static const struct dv_job_class highlight_class = {
  run_highlight, free_highlight_order, (GDestroyNotify) dv_highlight_unref};

static void
highlight_done (void *user, void *result, const struct dg_error *err)
{
  struct count_list *list = user;
  list->highlight_job = NULL;
  list->host->highlight (list->host->user, result);
  dv_highlight_unref (result);
}

static void
drop_highlight (struct count_list *list)
{
  g_clear_pointer (&list->highlight_job, dv_job_drop);
}

static void
highlight (struct count_list *list, guint row)
{
  struct highlight_order *order = g_new (struct highlight_order, 1);
  drop_highlight (list);
  order->rows = dv_rows_ref (list->rows);
  order->row = row;
  list->highlight_job = dv_job_start (&highlight_class, order,
                                      highlight_done, list);
}

/* ---- Selection -------------------------------------------------------- */

/* The number of the row that is selected; false: none is.  */
static bool
selected_row (const struct count_list *list, guint *number)
{
  GtkTreeModel *model;
  GtkTreeIter iter;
  GtkTreeSelection *selection
    = gtk_tree_view_get_selection (GTK_TREE_VIEW (list->table));
  if (list->rows == NULL
      || !gtk_tree_selection_get_selected (selection, &model, &iter))
    return false;
  gtk_tree_model_get (model, &iter, 0, number, -1);
  return true;
}

static void
selection_changed (struct count_list *list)
{
  guint number;
  if (list->filling)
    return;
  if (selected_row (list, &number)) {
    uint64_t key = dv_rows_at (list->rows, number)->key;
    if (key == list->selected)
      return;
    list->selected = key;
    highlight (list, number);
  } else if (list->selected != 0) {
    list->selected = 0;
    drop_highlight (list);
    list->host->highlight (list->host->user, NULL);
  }
}

/* ---- Filling ---------------------------------------------------------- */

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct count_list *list = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  int order = dv_count_cell_compare (dv_rows_at (list->rows, x),
                                     dv_rows_at (list->rows, y),
                                list->class->columns[list->sorted_by].value);
  if (order == 0)
    return (x > y) - (x < y);
  return list->descending ? -order : order;
}

static void
sort_rows (struct count_list *list)
{
  guint n = list->rows->rows.n;
  g_free (list->order);
  list->order = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    list->order[i] = i;
  g_qsort_with_data (list->order, (gint) n, sizeof (guint), compare_rows,
                     list);
}

/* False where it matches, as GTK wants it.  */
static gboolean
search_equal (GtkTreeModel *model, gint column, const gchar *key,
              GtkTreeIter *iter, gpointer data)
{
  const struct count_list *list = data;
  guint number;
  gtk_tree_model_get (model, iter, 0, &number, -1);
  if (list->rows == NULL)
    return TRUE;
  const struct dv_row *row = dv_rows_at (list->rows, number);
  return !dv_table_matches (key, row->name, row->where);
}

/* Shows the rows in their order; what was selected stays so.  */
static void
fill (struct count_list *list, bool scroll)
{
  GtkTreeView *view = GTK_TREE_VIEW (list->table);
  GtkListStore *store = gtk_list_store_new (1, G_TYPE_UINT);
  guint n = list->rows != NULL ? list->rows->rows.n : 0, at = n;
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (list->shown.hinted.content));
  double offset = gtk_adjustment_get_value (down);
  list->filling = true;
  if (list->rows != NULL)
    sort_rows (list);
  for (guint i = 0; i < n; i++) {
    gtk_list_store_insert_with_values (store, NULL, -1, 0, list->order[i],
                                       -1);
    if (dv_rows_at (list->rows, list->order[i])->key == list->selected
        && list->selected != 0)
      at = i;
  }
  gtk_tree_view_set_model (view, GTK_TREE_MODEL (store));
  gtk_tree_view_set_search_column (view, 0);
  g_object_unref (store);
  if (at < n) {
    GtkTreePath *path = gtk_tree_path_new_from_indices ((gint) at, -1);
    gtk_tree_selection_select_path (gtk_tree_view_get_selection (view), path);
    if (scroll)
      gtk_tree_view_scroll_to_cell (view, path, NULL, FALSE, 0, 0);
    gtk_tree_path_free (path);
  }
  if (!scroll)
    gtk_adjustment_set_value (down, offset);
  list->filling = false;
}

static void
column_clicked (GtkTreeViewColumn *column, gpointer data)
{
  struct count_list *list = data;
  guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column),
                                                      "number"));
  enum dv_count_value value = list->class->columns[number].value;
  if (number == list->sorted_by)
    list->descending = !list->descending;
  else
    /* The most first, names from A to Z.  */
    list->descending = dv_count_cell_is_number (value)
                       || value == DV_VALUE_SHARING;
  list->sorted_by = number;
  dv_table_set_sorted (list->table, number, list->descending);
  fill (list, true);
}

static bool
show_rows (void *user, void *made)
{
  struct count_list *list = user;
  struct dv_rows *old = list->rows, *rows = made;
  guint number;
  if (rows == NULL)
    drop_highlight (list);
  if (rows == NULL || (old != NULL && old->tally->scene != rows->tally->scene))
    list->selected = 0;
  list->rows = rows != NULL ? dv_rows_ref (rows) : NULL;
  fill (list, false);
  dv_rows_unref (old);
  if (rows == NULL)
    return false;
  dv_pieces_note_take (list->shown.note, dv_count_cells_summary (rows));
  /* The same row may have more code or blocks than before.  */
  if (rows->tally->done >= 1 && selected_row (list, &number))
    highlight (list, number);
  return rows->rows.n > 0;
}

static const struct dv_tally_view_class shown_class = {
  (dv_tally_view_make) dv_rows_new, (GDestroyNotify) dv_rows_unref, show_rows,
  N_ ("This table cannot be built.")};

void
dv_count_list_show_tally (GtkWidget *root, struct dv_tally *tally)
{
  struct count_list *list = g_object_get_data (G_OBJECT (root), "panel");
  dv_tally_view_set (&list->shown, tally);
}

/* ---- What can be done with a row -------------------------------------- */

static void
show_source (struct count_list *list, guint number)
{
  const struct dv_row *row = dv_rows_at (list->rows, number);
  list->host->show_source (list->host->user,
                           row->file != NULL ? row->file : "", row->line);
}

static void
activate (struct count_list *list)
{
  guint number;
  struct dv_view view;
  if (!selected_row (list, &number))
    return;
  if (dv_rows_view (list->rows, number, &view))
    list->host->go_to (list->host->user, &view);
  else if (list->class->has_sources)
    show_source (list, number);
}

static void
menu_source (struct count_list *list)
{
  guint number;
  if (selected_row (list, &number))
    show_source (list, number);
}

static void
menu_only (struct count_list *list)
{
  guint number;
  bool is_range;
  char *condition = selected_row (list, &number)
                    ? dv_rows_condition (list->rows, number, &is_range)
                    : NULL;
  if (condition != NULL)
    list->host->filter (list->host->user, is_range ? NULL : condition,
                        is_range ? condition : NULL);
  g_free (condition);
}

static void
copy (struct count_list *list, const guint *order, guint n)
{
  dv_panel_menu_take (
    list->table, dv_count_cells_table (list->rows, list->class, order, n));
}

static void
menu_copy (void *user)
{
  struct count_list *list = user;
  guint number;
  if (selected_row (list, &number))
    copy (list, &number, 1);
}

static void
menu_copy_all (struct count_list *list)
{
  if (list->rows != NULL)
    copy (list, list->order, list->rows->rows.n);
}

static void
fill_menu (struct count_list *list, GtkWidget *menu, bool has_row,
           guint number)
{
  const struct dv_count_class *class = list->class;
  struct dv_view view;
  bool is_range;
  char *condition = has_row ? dv_rows_condition (list->rows, number,
                                                 &is_range) : NULL;
  bool has_view = has_row && dv_rows_view (list->rows, number, &view);
  if (class->go_to != NULL)
    dv_panel_menu_add (menu, _ (class->go_to), has_view, G_CALLBACK (activate),
                       list);
  if (class->only != NULL)
    dv_panel_menu_add (menu, _ (class->only), condition != NULL,
                       G_CALLBACK (menu_only), list);
  if (class->has_sources)
    dv_panel_menu_add (menu, _ ("Show _Source"),
                       has_row
                         && dv_rows_at (list->rows, number)->file != NULL,
                       G_CALLBACK (menu_source), list);
  if (class->go_to != NULL || class->only != NULL || class->has_sources)
    dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("_Copy Row"), has_row, G_CALLBACK (menu_copy),
                     list);
  dv_panel_menu_add (menu, _ ("Copy _Table"), list->rows != NULL,
                     G_CALLBACK (menu_copy_all), list);
  g_free (condition);
}

static void
popup (void *user, const GdkEvent *event)
{
  struct count_list *list = user;
  GdkRectangle place = { 0, 0, 1, 1 };
  guint number = 0;
  bool has_row = selected_row (list, &number);
  GtkWidget *menu = dv_panel_menu_new (list->table);
  fill_menu (list, menu, has_row, number);
  if (event == NULL)
    place = dv_table_selected_place (GTK_TREE_VIEW (list->table));
  dv_panel_menu_popup (menu, event, &place);
}

/* ---- Making ----------------------------------------------------------- */

static void
list_free (gpointer memory)
{
  struct count_list *list = memory;
  dv_tally_view_fini (&list->shown);
  drop_highlight (list);
  dv_rows_unref (list->rows);
  g_free (list->order);
  g_free (list);
}

static GtkWidget *
new_summary (void)
{
  GtkWidget *label = dv_pieces_note_new (_ ("What the table shows"), 0);
  dv_pieces_margins (label, 8, 8, 4, 4);
  return label;
}

static void
new_table (struct count_list *list)
{
  const struct dv_count_class *class = list->class;
  while (class->columns[list->sorted_by].value != DV_VALUE_ACCESSES)
    list->sorted_by++;
  list->descending = true;
  list->table = dv_count_table_new (class, list->host, &list->rows,
                                    G_CALLBACK (column_clicked), list);
  dv_table_set_sorted (list->table, list->sorted_by, list->descending);
  gtk_tree_view_set_search_equal_func (GTK_TREE_VIEW (list->table),
                                       search_equal, list, NULL);
  g_signal_connect_swapped (
    gtk_tree_view_get_selection (GTK_TREE_VIEW (list->table)), "changed",
    G_CALLBACK (selection_changed), list);
  g_signal_connect_swapped (list->table, "row-activated",
                            G_CALLBACK (activate), list);
  dv_table_connect_menu (list->table, popup, menu_copy, list);
}

GtkWidget *
dv_count_list_new (const struct dv_count_class *class,
                   const struct dv_panel_host *host)
{
  struct count_list *list = g_new0 (struct count_list, 1);
  list->class = class;
  list->host = host;
  new_table (list);
  dv_tally_view_init (&list->shown, &shown_class, class->kind,
                      dv_pieces_scrolled_new (list->table), new_summary (),
                      class->hint, list);
  list->root = dv_pieces_panel_new (
    list->shown.note, list->shown.hinted.stack, list, list_free);
  return list->root;
}
