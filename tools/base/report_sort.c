/* report_sort.c: --sort, the order of the rows of tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_sort.h"

#include "dg_analysis.h"

#include <string.h>

/* What a row is sorted by.  */
struct key {
  uint64_t row, number;
  double real;
  const char *text;
  bool is_empty;
};

struct order { enum dg_unit unit; bool is_reverse; };

static bool
is_named (const struct dg_column *column, const char *name)
{
  return (column->key != NULL && column->key[0] != '\0'
          && g_ascii_strcasecmp (column->key, name) == 0)
         || (column->title != NULL && column->title[0] != '\0'
             && g_ascii_strcasecmp (column->title, name) == 0);
}

/* Its index, or n_columns.  */
static size_t
find_column (const struct dg_report_item *item, const char *name)
{
  size_t i = 0;

  while (i < item->n_columns && !is_named (&item->columns[i], name))
    i++;
  return i;
}

static void
add_names (const struct dg_report_item *item, GString *names, GHashTable *seen)
{
  for (size_t i = 0; i < item->n_columns; i++) {
    const char *key = item->columns[i].key;

    if (key == NULL || key[0] == '\0'
        || !g_hash_table_add (seen, (gpointer) key))
      continue;
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", key);
  }
}

int
report_sort_check (const struct cli_command *command,
                   const struct dg_report *report, const char *column)
{
  const struct dg_report_item *item;
  bool is_there = column == NULL;
  const char *name = is_there ? NULL : column + (column[0] == '-');
  GHashTable *seen = g_hash_table_new (dg_hash_text, g_str_equal);
  GString *names = g_string_new (NULL);

  for (size_t i = 0;
       !is_there && (item = dg_report_at (report, i)) != NULL; i++)
    if (item->kind == DG_ITEM_TABLE && item->title != NULL) {
      is_there = find_column (item, name) < item->n_columns;
      add_names (item, names, seen);
    }
  if (!is_there && names->len > 0)
    cli_fail_usage (command,
                    "--sort: no table has a column '%s'; valid are: %s", name,
                    names->str);
  else if (!is_there)
    cli_fail_usage (command, "--sort: there is no table to sort");
  g_string_free (names, TRUE);
  g_hash_table_unref (seen);
  return is_there ? CLI_OK : CLI_USAGE;
}

static int
compare_values (const struct order *order, const struct key *x,
                const struct key *y)
{
  if (dg_unit_is_real (order->unit))
    return (x->real < y->real) - (x->real > y->real);
  switch (order->unit) {
  case DG_UNIT_TEXT:
    return strcmp (x->text, y->text);
  case DG_UNIT_STEP:
  case DG_UNIT_CHANGE:
  case DG_UNIT_CHANGE_BYTES:
    return ((int64_t) x->number < (int64_t) y->number)
           - ((int64_t) x->number > (int64_t) y->number);
  default:
    return (x->number < y->number) - (x->number > y->number);
  }
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct order *order = user;
  const struct key *x = a, *y = b;
  int result;

  if (x->is_empty != y->is_empty)
    return x->is_empty ? 1 : -1;
  result = x->is_empty ? 0 : compare_values (order, x, y);
  if (result != 0)
    return order->is_reverse ? -result : result;
  return x->row < y->row ? -1 : x->row > y->row;
}

uint64_t *
report_sort_rows (const struct dg_report_item *item, const char *column)
{
  struct dg_cell cells[64];
  struct order order;
  struct key *keys;
  uint64_t *rows;
  size_t index;

  if (column == NULL || item->n_rows == 0)
    return NULL;
  index = find_column (item, column[0] == '-' ? column + 1 : column);
  if (index == item->n_columns)
    return NULL;
  order.unit = item->columns[index].unit;
  order.is_reverse = column[0] == '-';
  keys = g_new (struct key, item->n_rows);
  rows = g_new (uint64_t, item->n_rows);
  for (uint64_t i = 0; i < item->n_rows; i++) {
    const struct dg_cell *cell = &cells[index];

    dg_report_row (item, i, cells);
    keys[i] = (struct key){.row = i, .is_empty = cell->is_empty};
    if (order.unit == DG_UNIT_PAIRS || order.unit == DG_UNIT_LIST)
      keys[i].number = cell->n_pairs;
    else if (order.unit == DG_UNIT_TEXT)
      keys[i].text = cell->text;
    else if (dg_unit_is_real (order.unit))
      keys[i].real = cell->real;
    else
      keys[i].number = cell->number;
  }
  g_qsort_with_data (keys, (gint) MIN (item->n_rows, G_MAXINT), sizeof *keys,
                     compare, &order);
  for (uint64_t i = 0; i < item->n_rows; i++)
    rows[i] = keys[i].row;
  g_free (keys);
  return rows;
}
