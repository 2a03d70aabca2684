/* count_list.c: tables of what the plot shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_list.h"

#include "count_costs.h"
#include "panels/base/panel_menu.h"
#include "i18n.h"
#include "jobs/job.h"
#include "widgets/pieces.h"
#include "panels/base/row_table.h"
#include "panels/base/table_pieces.h"
#include "panels/base/tally_view.h"

struct count_list {
  const struct dv_count_class *class;
  const struct dv_panel_host *host;
  GtkWidget *root;
  struct dv_tally_view shown;
  struct dv_row_table table;
  struct dv_rows *rows;        /* what is shown; NULL: nothing */
  struct dv_count_costs costs; /* of a class that has them */
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

/* ---- Rows ------------------------------------------------------------- */

static const struct dv_row *
row_at (const void *user, guint row)
{
  const struct count_list *list = user;
  return dv_rows_at (list->rows, row);
}

static enum dv_count_value
value_of (const struct count_list *list, guint column)
{
  return list->class->columns[column].value;
}

static struct dv_row_column
column_of (const void *user, guint number)
{
  const struct count_list *list = user;
  const struct dv_count_column *column = &list->class->columns[number];
  bool is_number = dv_count_cell_is_number (column->value);
  return (struct dv_row_column){
    .title = column->title,
    .tip = column->tip,
    .width = column->width,
    .is_number = is_number,
    .is_share = column->value == DV_VALUE_SHARE,
    .is_most_first = is_number || column->value == DV_VALUE_SHARING,
    .shorten = column->value == DV_VALUE_NAME ? PANGO_ELLIPSIZE_MIDDLE
                                              : PANGO_ELLIPSIZE_END,
  };
}

static struct dv_count_shown
shown_of (const struct count_list *list)
{
  return (struct dv_count_shown){ list->rows, list->costs.costs };
}

static char *
text_of (const void *user, guint row, guint column)
{
  const struct count_list *list = user;
  const struct dv_count_shown shown = shown_of (list);
  return dv_count_cell_text (&shown, row_at (list, row),
                             value_of (list, column));
}

static double
share_of (const void *user, guint row)
{
  const struct count_list *list = user;
  return dv_count_cell_share (list->rows, row_at (list, row));
}

static int
compare (const void *user, guint a, guint b, guint column)
{
  const struct dv_count_shown shown = shown_of (user);
  return dv_count_cell_compare (&shown, row_at (user, a), row_at (user, b),
                                value_of (user, column));
}

static char *
tip_of (const void *user, guint number)
{
  const struct dv_row *row = row_at (user, number);
  GString *text = g_string_new (row->name);
  const char *more[] = {row->where, row->module, row->detail};
  if (row->file != NULL && g_utf8_validate (row->file, -1, NULL)) {
    g_string_append_printf (text, "\n%s", row->file);
    if (row->line != 0)
      g_string_append_printf (text, ":%u", row->line);
  }
  for (int i = row->file != NULL ? 1 : 0; i < 3; i++)
    if (more[i] != NULL && *more[i] != '\0')
      g_string_append_printf (text, "\n%s", more[i]);
  return g_string_free (text, FALSE);
}

static void
names_of (const void *user, guint row, const char *names[2])
{
  names[0] = row_at (user, row)->name;
  names[1] = row_at (user, row)->where;
}

static uint64_t
key_of (const void *user, guint row)
{
  return row_at (user, row)->key;
}

static bool
is_bold (const void *user, guint row, guint column)
{
  return value_of (user, column) == DV_VALUE_SHARING
         && row_at (user, row)->sharing >= DV_SHARING_MIXED;
}

static bool
colour_of (const void *user, guint row, struct dv_rgb *colour)
{
  const struct count_list *list = user;
  const struct dv_look *look = list->host->look (list->host->user);
  *colour = dv_palette_thread (look->palette, row_at (list, row)->thread);
  return true;
}

static bool
selected_row (const struct count_list *list, guint *row)
{
  return dv_row_table_selected (&list->table, row);
}

static void
row_selected (void *user)
{
  struct count_list *list = user;
  guint row;
  if (selected_row (list, &row)) {
    highlight (list, row);
  } else {
    drop_highlight (list);
    list->host->highlight (list->host->user, NULL);
  }
}

/* ---- Filling ---------------------------------------------------------- */

/* The line above the table.  */
static void
show_note (struct count_list *list)
{
  char *costs = list->class->has_costs ? dv_count_costs_text (&list->costs)
                                       : NULL;
  char *summary = dv_count_cells_summary (list->rows);
  dv_pieces_note_take (list->shown.note,
                       costs != NULL
                         ? g_strdup_printf ("%s · %s", summary, costs)
                         : g_strdup (summary));
  g_free (summary);
  g_free (costs);
}

static void
show_estimates (struct count_list *list, bool are_shown)
{
  for (guint i = 0; i < list->class->n_columns; i++)
    if (dv_count_cell_is_estimate (value_of (list, i)))
      dv_row_table_show_column (&list->table, i, are_shown);
}

/* Columns of estimates are there while these are wanted.  */
static void
costs_changed (void *user)
{
  struct count_list *list = user;
  show_estimates (list, dv_count_costs_are_wanted (&list->costs));
  if (list->rows == NULL)
    return;
  if (list->costs.job == NULL)
    dv_row_table_set (&list->table, list->rows->rows.n);
  show_note (list);
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
    list->table.key = 0;
  list->rows = rows != NULL ? dv_rows_ref (rows) : NULL;
  if (list->class->has_costs)
    dv_count_costs_set_tally (&list->costs,
                              rows != NULL ? rows->tally : NULL);
  dv_row_table_set (&list->table, rows != NULL ? rows->rows.n : 0);
  dv_rows_unref (old);
  if (rows == NULL)
    return false;
  show_note (list);
  /* The same row may have more code or blocks than before.  */
  if (dv_rows_done (rows) >= 1 && selected_row (list, &number))
    highlight (list, number);
  return rows->rows.n > 0;
}

static void *
make_rows (struct dv_tally *tally, unsigned kind, dg_progress_fn progress,
           void *user, struct dg_error *err)
{
  return dv_rows_new (tally, (enum dv_rows_kind) kind, progress, user, err);
}

static const struct dv_tally_view_class shown_class = {
  make_rows, (GDestroyNotify) dv_rows_unref, show_rows,
  N_ ("This table cannot be built."), DV_ROWS_OF_CODE};

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
activate (void *user)
{
  struct count_list *list = user;
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
  const struct dv_count_shown shown = shown_of (list);
  dv_panel_menu_take (
    list->table.table,
    dv_count_cells_table (&shown, list->class, order, n));
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
    copy (list, list->table.order, list->rows->rows.n);
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
  GtkWidget *menu = dv_panel_menu_new (list->table.table);
  fill_menu (list, menu, has_row, number);
  if (event == NULL)
    place = dv_table_selected_place (GTK_TREE_VIEW (list->table.table));
  dv_panel_menu_popup (menu, event, &place);
}

/* ---- Making ----------------------------------------------------------- */

static void
list_free (gpointer memory)
{
  struct count_list *list = memory;
  dv_tally_view_fini (&list->shown);
  drop_highlight (list);
  if (list->class->has_costs)
    dv_count_costs_fini (&list->costs);
  dv_rows_unref (list->rows);
  dv_row_table_fini (&list->table);
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
more_clicked (struct count_list *list)
{
  popup (list, NULL);
}

/* The menu of the table, for those who do not know of it, and for whom there
   are neither right clicks nor keys.  */
static GtkWidget *
new_head (struct count_list *list)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *more =
    dv_pieces_button_new ("view-more-symbolic", _ ("Actions for the table"),
                          G_CALLBACK (more_clicked), list);
  gtk_button_set_relief (GTK_BUTTON (more), GTK_RELIEF_NONE);
  gtk_box_pack_start (GTK_BOX (head), list->shown.note, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (head), more, FALSE, FALSE, 0);
  if (list->class->has_costs)
    gtk_box_pack_end (GTK_BOX (head), list->costs.button, FALSE, FALSE, 0);
  return head;
}

static void
init_table (struct count_list *list)
{
  static const struct dv_row_table_class table_class = {
    .column = column_of,
    .text = text_of,
    .share = share_of,
    .compare = compare,
    .tip = tip_of,
    .names = names_of,
    .key = key_of,
    .selected = row_selected,
    .activated = activate,
    .is_bold = is_bold,
    .colour = colour_of,
  };
  const struct dv_count_class *class = list->class;
  guint sorted_by = 0;
  while (value_of (list, sorted_by) != DV_VALUE_ACCESSES)
    sorted_by++;
  list->table.has_colours = class->has_swatches;
  dv_row_table_init (&list->table, &table_class, class->n_columns, sorted_by,
                     _ (class->name), list);
  dv_table_connect_menu (list->table.table, popup, menu_copy, list);
}

static void
init_costs (struct count_list *list)
{
  list->costs.changed = costs_changed;
  list->costs.user = list;
  dv_count_costs_init (&list->costs, list->class->kind);
  show_estimates (list, false);
}

GtkWidget *
dv_count_list_new (const struct dv_count_class *class,
                   const struct dv_panel_host *host)
{
  struct count_list *list = g_new0 (struct count_list, 1);
  list->class = class;
  list->host = host;
  init_table (list);
  if (class->has_costs)
    init_costs (list);
  dv_tally_view_init (&list->shown, &shown_class, class->kind,
                      list->table.scrolled, new_summary (), class->hint, list);
  list->root = dv_pieces_panel_new (new_head (list), list->shown.hinted.stack,
                                    list, list_free);
  return list->root;
}
