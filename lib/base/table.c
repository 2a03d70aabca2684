/* table.c: a growing array that can run out of memory without aborting.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "table.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

int
dg_table_reserve (struct dg_table *table, size_t item_size, size_t n)
{
  void *items;

  if (n <= table->room)
    return 0;
  items = g_try_realloc_n (table->items, n, item_size);
  if (!items)
    return DG_ERR_NOMEM;
  table->items = items;
  table->room = n;
  return 0;
}

void *
dg_table_add (struct dg_table *table, size_t item_size)
{
  void *item;

  if (table->n == table->room) {
    /* By half: realloc of large areas moves pages, not bytes.  */
    size_t room = table->room + table->room / 2 + 8;

    if (dg_table_reserve (table, item_size, room) < 0)
      return NULL;
  }
  item = (char *) table->items + table->n++ * item_size;
  memset (item, 0, item_size);
  return item;
}

void
dg_table_trim (struct dg_table *table, size_t item_size)
{
  void *items;

  if (table->n == table->room || table->n == 0)
    return;
  items = g_try_realloc_n (table->items, table->n, item_size);
  if (items) {
    table->items = items;
    table->room = table->n;
  }
}

int
dg_table_copy (struct dg_table *to, const struct dg_table *from,
               size_t item_size)
{
  if (from->n == 0)
    return 0;
  if (dg_table_reserve (to, item_size, from->n) < 0)
    return DG_ERR_NOMEM;
  memcpy (to->items, from->items, from->n * item_size);
  to->n = from->n;
  return 0;
}

void
dg_table_fini (struct dg_table *table)
{
  g_free (table->items);
  memset (table, 0, sizeof *table);
}
