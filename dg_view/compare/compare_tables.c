/* compare_tables.c: tables with two logs side by side.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_tables.h"

#include <math.h>

#include "i18n.h"
#include "panels/base/row_table.h"
#include "panels/calls/flame_view.h"
#include "widgets/pieces.h"

enum column {
  NAME, BEFORE, AFTER, CHANGE, RELATIVE, MORE_BEFORE, MORE_AFTER, WHERE,
  N_COLUMNS
};

/* One of the two tables.  */
struct table {
  struct dv_compare_tables *tables;
  bool is_memory;
  struct dv_row_table rows;
};

struct dv_compare_tables {
  struct dv_compare_tables_listener listener;
  GtkWidget *notebook;
  struct dv_pair_rows *rows;       /* NULL: none yet */
  struct table functions, memory;
  struct dv_flame_view flame;
};

/* ---- Cells ---------------------------------------------------------- */

static const struct dv_pair_row *
row_of (const struct table *table, guint row)
{
  const struct dv_pair_rows *rows = table->tables->rows;
  return &g_array_index (table->is_memory ? rows->owners : rows->functions,
                         struct dv_pair_row, row);
}

static struct dv_row_column
column (const void *user, guint number)
{
  const struct table *table = user;
  const struct dv_row_column columns[N_COLUMNS] = {
    { table->is_memory ? N_ ("Memory") : N_ ("Function"), NULL, 200,
      .shorten = PANGO_ELLIPSIZE_MIDDLE },
    { N_ ("Before"), N_ ("Accesses in view, of the first log"), 96,
      .is_number = true, .is_most_first = true },
    { N_ ("After"), N_ ("Accesses in view, of the second log"), 96,
      .is_number = true, .is_most_first = true },
    { N_ ("Change"), N_ ("Accesses after less those before; sorted by size"),
      104, .is_number = true, .is_most_first = true },
    { N_ ("Relative"), N_ ("The change, of the accesses before"), 88,
      .is_number = true, .is_most_first = true },
    { table->is_memory ? N_ ("Blocks before") : N_ ("With calls, before"),
      table->is_memory ? N_ ("Heap blocks of the whole log")
                       : N_ ("With all that it called"), 124,
      .is_number = true, .is_most_first = true },
    { table->is_memory ? N_ ("Blocks after") : N_ ("With calls, after"),
      table->is_memory ? N_ ("Heap blocks of the whole log")
                       : N_ ("With all that it called"), 120,
      .is_number = true, .is_most_first = true },
    { N_ ("Where"), NULL, 140, .shorten = PANGO_ELLIPSIZE_START },
  };
  return columns[number];
}

static uint64_t
count_of (const struct table *table, const struct dv_pair_row *row,
          guint number)
{
  const uint64_t *more = table->is_memory ? row->blocks : row->inclusive;
  switch (number) {
  case BEFORE: return row->accesses[0];
  case AFTER: return row->accesses[1];
  case MORE_BEFORE: return more[0];
  default: return more[1];
  }
}

static uint64_t
size_of (int64_t change)
{
  return change < 0 ? -(uint64_t) change : (uint64_t) change;
}

static double
relative (const struct dv_pair_row *row)
{
  if (row->accesses[0] == 0)
    return row->accesses[1] > 0 ? INFINITY : 0;
  return (double) row->accesses[1] / (double) row->accesses[0] - 1;
}

static char *
relative_text (const struct dv_pair_row *row)
{
  char share[40];
  if (row->accesses[0] == 0)
    /* TRANSLATORS: the first log has none of it.  */
    return g_strdup (row->accesses[1] > 0 ? _ ("new") : "");
  if (row->accesses[1] == 0)
    /* TRANSLATORS: the second log has none of it.  */
    return g_strdup (_ ("gone"));
  if (row->accesses[0] == row->accesses[1])
    return g_strdup ("0 %");
  dg_number_text_percent (share, sizeof share, ABS (relative (row)));
  return g_strconcat (relative (row) < 0 ? "−" : "+", share, NULL);
}

static char *
text (const void *user, guint number, guint column)
{
  const struct table *table = user;
  const struct dv_pair_row *row = row_of (table, number);
  int64_t change = dv_pair_row_change (row);
  char digits[40];
  switch (column) {
  case NAME: return g_strdup (row->name);
  case WHERE: return g_strdup (row->where);
  case RELATIVE: return relative_text (row);
  case CHANGE:
    dg_number_text (digits, sizeof digits, size_of (change));
    return g_strconcat (change < 0 ? "−" : change > 0 ? "+" : "", digits,
                        NULL);
  default:
    dg_number_text (digits, sizeof digits, count_of (table, row, column));
    if ((column == MORE_BEFORE || column == MORE_AFTER)
        && count_of (table, row, column) == 0)
      return g_strdup ("");
    return g_strdup (digits);
  }
}

static double
share (const void *user, guint row)
{
  return 0;
}

static int
compare (const void *user, guint a, guint b, guint column)
{
  const struct table *table = user;
  const struct dv_pair_row *x = row_of (table, a), *y = row_of (table, b);
  double p = 0, q = 0;
  switch (column) {
  case NAME: return g_utf8_collate (x->name, y->name);
  case WHERE: return g_utf8_collate (x->where, y->where);
  case CHANGE:
    p = (double) size_of (dv_pair_row_change (x));
    q = (double) size_of (dv_pair_row_change (y));
    break;
  case RELATIVE:
    p = relative (x);
    q = relative (y);
    break;
  default:
    p = (double) count_of (table, x, column);
    q = (double) count_of (table, y, column);
  }
  return (p > q) - (p < q);
}

static char *
tip (const void *user, guint number)
{
  const struct dv_pair_row *row = row_of (user, number);
  const struct dv_call_change change = { row->accesses[0], row->accesses[1] };
  char *counts = dv_call_change_text (&change);
  char *all = g_markup_printf_escaped ("<b>%s</b>\n%s%s%s", row->name, counts,
                                       *row->where != '\0' ? "\n" : "",
                                       row->where);
  g_free (counts);
  return all;
}

static void
names (const void *user, guint number, const char *names[2])
{
  const struct dv_pair_row *row = row_of (user, number);
  names[0] = row->name;
  names[1] = row->where;
}

static uint64_t
key (const void *user, guint number)
{
  const struct dv_pair_row *row = row_of (user, number);
  if (row->owner != DG_NONE)
    return (uint64_t) row->owner + 1;
  return ((uint64_t) g_str_hash (row->name) << 32 | g_str_hash (row->where))
         | 1;
}

/* Coloured as in the difference: by the sign of the change.  */
static bool
is_bold (const void *user, guint number, guint column)
{
  const struct dv_pair_row *row = row_of (user, number);
  return column == CHANGE && row->on[0] != row->on[1];
}

static void
selected (void *user)
{
  const struct table *table = user;
  const struct dv_compare_tables *tables = table->tables;
  guint row;
  bool any = dv_row_table_selected (&table->rows, &row);
  if (table->is_memory)
    tables->listener.selected (tables->listener.user,
                               any ? row_of (table, row)->owner : DG_NONE);
}

static void
activated (void *user)
{
  const struct table *table = user;
  const struct dv_compare_tables_listener *listener = &table->tables->listener;
  guint number;
  if (!dv_row_table_selected (&table->rows, &number))
    return;
  const struct dv_pair_row *row = row_of (table, number);
  if (table->is_memory)
    listener->go_to (listener->user, row->owner);
  else
    listener->edit (listener->user, row->file != NULL ? row->file : "",
                    row->line);
}

static const struct dv_row_table_class table_class = {
  .column = column, .text = text, .share = share, .compare = compare,
  .tip = tip, .names = names, .key = key, .selected = selected,
  .activated = activated, .is_bold = is_bold };

/* ---- Flame graph ---------------------------------------------------- */

static void
flame_changed (void *user)
{
}

static void
flame_menu (void *user, const GdkEvent *event, const GdkRectangle *place)
{
}

/* ---- Filling -------------------------------------------------------- */

void
dv_compare_tables_set (struct dv_compare_tables *tables,
                       struct dv_pair_rows *rows)
{
  struct dv_pair_rows *old = tables->rows;
  tables->rows = rows != NULL ? dv_pair_rows_ref (rows) : NULL;
  tables->flame.look.changes = rows != NULL ? rows->calls->changes : NULL;
  dv_flame_view_set_tree (&tables->flame,
                          rows != NULL ? rows->calls->tree : NULL);
  dv_row_table_set (&tables->functions.rows,
                    rows != NULL ? rows->functions->len : 0);
  dv_row_table_set (&tables->memory.rows,
                    rows != NULL ? rows->owners->len : 0);
  dv_pair_rows_unref (old);
}

void
dv_compare_tables_select (struct dv_compare_tables *tables, uint32_t owner)
{
  dv_row_table_select (&tables->memory.rows,
                       owner == DG_NONE ? 0 : (uint64_t) owner + 1);
}

/* ---- Life ----------------------------------------------------------- */

static void
add_page (struct dv_compare_tables *tables, GtkWidget *page,
          const char *title)
{
  gtk_widget_show_all (page);
  gtk_notebook_append_page (GTK_NOTEBOOK (tables->notebook), page,
                            gtk_label_new (title));
}

static void
init_table (struct dv_compare_tables *tables, struct table *table,
            bool is_memory, const char *title)
{
  table->tables = tables;
  table->is_memory = is_memory;
  dv_row_table_init (&table->rows, &table_class, N_COLUMNS, CHANGE, title,
                     table);
  add_page (tables, table->rows.scrolled, title);
}

struct dv_compare_tables *
dv_compare_tables_new (const struct dv_compare_tables_listener *listener)
{
  struct dv_compare_tables *tables = g_new0 (struct dv_compare_tables, 1);
  tables->listener = *listener;
  tables->notebook = gtk_notebook_new ();
  gtk_notebook_set_show_border (GTK_NOTEBOOK (tables->notebook), FALSE);
  dv_pieces_name (tables->notebook, _ ("Tables below"));
  init_table (tables, &tables->functions, false, _ ("Functions"));
  init_table (tables, &tables->memory, true, _ ("Memory"));
  tables->flame.changed = flame_changed;
  tables->flame.menu = flame_menu;
  tables->flame.user = tables;
  dv_flame_view_init (&tables->flame);
  add_page (tables, tables->flame.scrolled, _ ("Flame Graph"));
  return tables;
}

void
dv_compare_tables_free (struct dv_compare_tables *tables)
{
  dv_flame_view_fini (&tables->flame);
  dv_row_table_fini (&tables->functions.rows);
  dv_row_table_fini (&tables->memory.rows);
  dv_pair_rows_unref (tables->rows);
  g_free (tables);
}

GtkWidget *
dv_compare_tables_widget (const struct dv_compare_tables *tables)
{
  return tables->notebook;
}
