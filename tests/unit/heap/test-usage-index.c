/* test-usage-index.c: numbers of blocks that come and go, and what is kept by
   them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "heap/usage_index.h"
#include "unit_main.h"

/* Numbers of blocks as they come and go, compared with a hash table's: each is
   one block's at a time, and there are no more than blocks ever were.  */
static void
test_index (void)
{
  struct dg_usage_index index = {.entries = NULL};
  GHashTable *model = g_hash_table_new (NULL, NULL);
  GHashTable *given = g_hash_table_new (NULL, NULL);
  guint most = 0;
  GRand *rand = g_rand_new_with_seed (1);

  g_assert_cmpuint (dg_usage_index_find (&index, 7), ==, 0);
  g_assert_cmpuint (dg_usage_index_remove (&index, 7), ==, 0);
  for (guint i = 1; i < 200000; i++) {
    /* Neighbours, and those that have many bits in common.  */
    uint32_t block = g_rand_boolean (rand) ? i / 2 : (i % 300) * 4096;
    gpointer key = GUINT_TO_POINTER (block);
    uint32_t number = GPOINTER_TO_UINT (g_hash_table_lookup (model, key));

    g_assert_cmpuint (dg_usage_index_find (&index, block), ==, number);
    if (number != 0) {
      g_assert_cmpuint (dg_usage_index_remove (&index, block), ==, number);
      g_hash_table_remove (model, key);
      g_hash_table_remove (given, GUINT_TO_POINTER (number));
    } else {
      number = dg_usage_index_add (&index, block);
      most = MAX (most, g_hash_table_size (model) + 1);
      g_assert_cmpuint (number, >, 0);
      g_assert_cmpuint (number, <=, most);
      g_assert_true (g_hash_table_add (given, GUINT_TO_POINTER (number)));
      g_hash_table_insert (model, key, GUINT_TO_POINTER (number));
    }
    g_assert_cmpuint (index.n, ==, g_hash_table_size (model));
  }
  g_rand_free (rand);
  g_hash_table_unref (model);
  g_hash_table_unref (given);
  dg_usage_index_fini (&index);
}

/* Items stay those of their blocks while others come and go.  */
static void
test_items (void)
{
  struct dg_usage_index index = {.entries = NULL};
  struct dg_table items = {0};
  bool is_new;

  for (uint32_t i = 0; i < 5000; i++) {
    uint32_t *item =
      dg_usage_index_item (&index, &items, sizeof *item, i, &is_new);

    g_assert_true (is_new);
    *item = i * 3;
    if (i % 3 == 2)
      g_assert_cmpuint (dg_usage_index_remove (&index, i - 1), >, 0);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    const uint32_t *item;

    if (i % 3 == 1)
      continue;
    item = dg_usage_index_item (&index, &items, sizeof *item, i, &is_new);
    g_assert_false (is_new);
    g_assert_cmpuint (*item, ==, i * 3);
  }
  g_assert_cmpuint (items.n, <, 3500);
  dg_table_fini (&items);
  dg_usage_index_fini (&index);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/use/index", test_index);
  g_test_add_func ("/use/items", test_items);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
