/* report_keys.c: see report_keys.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_keys.h"

static bool
find_column (const struct dg_report_item *item, const char *key, guint *column)
{
  for (guint i = 0; i < item->n_columns; i++)
    if (g_strcmp0 (item->columns[i].key, key) == 0) {
      *column = i;
      return true;
    }
  return false;
}

const struct dg_report_item *
dv_report_keys (const struct dg_report *report, const char *const *keys,
                 guint n, guint *columns)
{
  const struct dg_report_item *item;
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    guint found = 0;
    if (item->kind != DG_ITEM_TABLE || g_strcmp0 (item->key, "rows") != 0)
      continue;
    while (found < n && find_column (item, keys[found], &columns[found]))
      found++;
    return found == n ? item : NULL;
  }
  return NULL;
}
