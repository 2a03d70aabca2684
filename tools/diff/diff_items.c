/* diff_items.c: figures and tables of the reports of several logs, each once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_items.h"

#include "diff_value.h"

#include <string.h>

static void
item_free (gpointer data)
{
  struct diff_item *item = data;

  g_free (item->path);
  g_free (item->items);
  g_free (item);
}

/* The item with this key in this group, new if need be.  */
static struct diff_item *
get_item (GPtrArray *items, GHashTable *by_key, unsigned n_logs,
          const char *path, const struct dg_report_item *like)
{
  char *key = g_strconcat (path, like->key, NULL);
  struct diff_item *item = g_hash_table_lookup (by_key, key);

  if (item != NULL) {
    g_free (key);
    return item;
  }
  item = g_new0 (struct diff_item, 1);
  item->path = g_strdup (path);
  item->like = like;
  item->items = g_new0 (const struct dg_report_item *, n_logs);
  g_hash_table_insert (by_key, key, item);
  g_ptr_array_add (items, item);
  return item;
}

/* How a log is a sample is not a figure of the program.  */
static bool
is_of_sampling (const struct dg_report_item *item, const char *path)
{
  return g_str_has_suffix (path, "sampling/")
         || (item->title == NULL && diff_value_is_of_sampling (item->key));
}

/* Of two items with the same key, the first counts.  */
static void
add_report (GPtrArray *items, GHashTable *by_key, const struct diff_logs *logs,
            unsigned log, enum dg_report_kind kind)
{
  GString *path = g_string_new (NULL);
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  const struct dg_report_item *item;

  for (size_t i = 0; (item = dg_report_at (logs->reports[log], i)) != NULL;
       i++)
    if (item->kind == DG_ITEM_BEGIN) {
      g_array_append_val (lengths, path->len);
      g_string_append_printf (path, "%s/", item->key != NULL ? item->key : "");
    } else if (item->kind == DG_ITEM_END) {
      g_string_truncate (path,
                         g_array_index (lengths, gsize, lengths->len - 1));
      g_array_set_size (lengths, lengths->len - 1);
    } else if (item->kind == kind && item->key != NULL
               && !is_of_sampling (item, path->str)) {
      struct diff_item *of_all =
        get_item (items, by_key, logs->n, path->str, item);

      if (of_all->items[log] == NULL)
        of_all->items[log] = item;
    }
  g_array_unref (lengths);
  g_string_free (path, TRUE);
}

GPtrArray *
diff_items_new (const struct diff_logs *logs, enum dg_report_kind kind)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (item_free);
  GHashTable *by_key =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);

  for (unsigned log = logs->n; log-- > 0;)
    add_report (items, by_key, logs, log, kind);
  g_hash_table_unref (by_key);
  return items;
}
