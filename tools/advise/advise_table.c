/* advise_table.c: tables of a report, found and read by keys.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_table.h"

#include <glib.h>
#include <string.h>

void
advise_table_init (struct advise_table *table, const struct dg_report *report,
                   const char *analysis, const char *key)
{
  const struct dg_report_item *item;
  const char *group = NULL;
  unsigned depth = 0;

  *table = (struct advise_table) {.item = NULL};
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    if (item->kind == DG_ITEM_BEGIN && depth++ == 0)
      group = item->key;
    else if (item->kind == DG_ITEM_END)
      depth--;
    else if (depth == (analysis != NULL) && item->n_columns > 0
             && (analysis == NULL || g_strcmp0 (group, analysis) == 0)
             && g_strcmp0 (item->key, key) == 0) {
      table->item = item;
      table->n_rows = item->n_rows;
      return;
    }
  }
}

bool
advise_table_next (struct advise_table *table)
{
  if (table->item == NULL || table->row >= table->n_rows)
    return false;
  dg_report_row (table->item, table->row++, table->cells);
  return true;
}

static const struct dg_cell *
find_cell (const struct advise_table *table, const char *key)
{
  for (size_t i = 0; i < table->item->n_columns; i++)
    if (g_strcmp0 (table->item->columns[i].key, key) == 0)
      return table->cells[i].is_empty ? NULL : &table->cells[i];
  return NULL;
}

uint64_t
advise_table_number (const struct advise_table *table, const char *key)
{
  const struct dg_cell *cell = find_cell (table, key);

  return cell != NULL ? cell->number : 0;
}

double
advise_table_real (const struct advise_table *table, const char *key)
{
  const struct dg_cell *cell = find_cell (table, key);

  return cell != NULL ? cell->real : 0;
}

const char *
advise_table_text (const struct advise_table *table, const char *key)
{
  const struct dg_cell *cell = find_cell (table, key);

  return cell != NULL ? cell->text : NULL;
}

const struct dg_pair *
advise_table_pairs (const struct advise_table *table, const char *key,
                    size_t *n)
{
  const struct dg_cell *cell = find_cell (table, key);

  *n = cell != NULL ? cell->n_pairs : 0;
  return cell != NULL ? cell->pairs : NULL;
}

bool
advise_table_is_empty (const struct advise_table *table, const char *key)
{
  return find_cell (table, key) == NULL;
}

uint64_t
advise_table_value (const struct dg_report *report, const char *analysis,
                    const char *key)
{
  struct advise_table table;

  advise_table_init (&table, report, analysis, key);
  return advise_table_next (&table) ? table.cells[0].number : 0;
}
