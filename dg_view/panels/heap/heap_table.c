/* heap_table.c: the table of the Heap panel.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_table.h"

#include "model/heap/heap_text.h"
#include "i18n.h"
#include "panels/base/table_pieces.h"

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
  {N_ ("Temporary"),
   N_ ("Blocks allocated in view that the next call of an allocator frees"),
   DV_HEAP_N_TEMPORARY, 90},
  {N_ ("Temporary %"), N_ ("Their share of the blocks allocated in view"),
   DV_HEAP_TEMPORARY_SHARE, 96},
  {N_ ("At peak"), N_ ("Live bytes at the peak in view"), DV_HEAP_PEAK_BYTES,
   96},
  {N_ ("Peak blocks"), N_ ("Live blocks at that peak"), DV_HEAP_PEAK_BLOCKS,
   90},
  {N_ ("Source"), NULL, DV_HEAP_WHERE, 120},
  {N_ ("Module"), NULL, DV_HEAP_MODULE, 110},
};

/* ---- Rows --------------------------------------------------------------- */

static const struct dv_heap_row *
row_at (const struct dv_heap_table *table, guint row)
{
  return dv_heap_rows_at (table->rows, row);
}

static struct dv_row_column
column_of (const void *user, guint i)
{
  bool is_number = dv_heap_column_is_number (columns[i].column);
  return (struct dv_row_column){
    .title = columns[i].title,
    .tip = columns[i].tip,
    .width = columns[i].width,
    .is_number = is_number,
    .is_share = columns[i].column == DV_HEAP_SHARE,
    .is_most_first = is_number,
    .shorten = PANGO_ELLIPSIZE_END,
  };
}

static char *
text_of (const void *user, guint row, guint column)
{
  const struct dv_heap_table *table = user;
  return dv_heap_rows_text (table->rows, row_at (table, row),
                            columns[column].column);
}

static double
share_of (const void *user, guint row)
{
  const struct dv_heap_table *table = user;
  return dv_heap_rows_share (table->rows, row_at (table, row));
}

/* Those with the most bytes come first among equals.  */
static int
compare (const void *user, guint a, guint b, guint column)
{
  return dv_heap_rows_compare (row_at (user, a), row_at (user, b),
                               columns[column].column);
}

static char *
tip_of (const void *user, guint number)
{
  const struct dv_heap_row *row = row_at (user, number);
  return *row->module != '\0'
           ? g_strdup_printf ("%s\n%s", row->name, row->module)
           : g_strdup (row->name);
}

static void
names_of (const void *user, guint row, const char *names[2])
{
  names[0] = row_at (user, row)->name;
  names[1] = row_at (user, row)->where;
}

static uint64_t
key_of_id (uint32_t id)
{
  return id != DG_NONE ? (uint64_t) id + 1 : 0;
}

static uint64_t
key_of (const void *user, guint row)
{
  return key_of_id (row_at (user, row)->id);
}

static void
row_selected (void *user)
{
  struct dv_heap_table *table = user;
  uint64_t key = table->view.key;
  table->selected (table->user, key != 0 ? (uint32_t) (key - 1) : DG_NONE);
}

static void
row_activated (void *user)
{
  const struct dv_heap_table *table = user;
  table->activated (table->user);
}

static bool
colour_of (const void *user, guint row, struct dv_rgb *colour)
{
  const struct dv_heap_table *table = user;
  return table->colour (table->user, row_at (table, row), colour);
}

void
dv_heap_table_select (struct dv_heap_table *table, uint32_t id)
{
  dv_row_table_select (&table->view, key_of_id (id));
}

void
dv_heap_table_sort (struct dv_heap_table *table, enum dv_heap_column column)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].column == column)
      dv_row_table_sort (&table->view, i);
}

void
dv_heap_table_set (struct dv_heap_table *table, struct dv_heap_rows *rows)
{
  struct dv_heap_rows *old = table->rows;
  table->rows = rows != NULL ? dv_heap_rows_ref (rows) : NULL;
  dv_row_table_set (&table->view, rows != NULL ? rows->rows->len : 0);
  dv_heap_rows_unref (old);
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
  GdkRectangle place =
    dv_table_selected_place (GTK_TREE_VIEW (table->view.table));
  table->menu (table->user, event, &place);
}

/* ---- Making ------------------------------------------------------------- */

void
dv_heap_table_init (struct dv_heap_table *table)
{
  static const struct dv_row_table_class class = {
    .column = column_of,
    .text = text_of,
    .share = share_of,
    .compare = compare,
    .tip = tip_of,
    .names = names_of,
    .key = key_of,
    .selected = row_selected,
    .activated = row_activated,
    .colour = colour_of,
  };
  table->view.has_colours = true;
  dv_row_table_init (&table->view, &class, G_N_ELEMENTS (columns), SORTED_BY,
                     _ ("Heap by allocation site"), table);
  dv_table_connect_menu (table->view.table, popup, NULL, table);
}

void
dv_heap_table_fini (struct dv_heap_table *table)
{
  dv_row_table_fini (&table->view);
  g_clear_pointer (&table->rows, dv_heap_rows_unref);
}
