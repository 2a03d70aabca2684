/* test-lookup.c: tables of open addressing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/lookup.h"

#include "base/keys.h"
#include "libdatagrind.h"
#include "unit_main.h"

struct item { uint64_t key, value; };

static struct item *
find (const struct dg_lookup *lookup, const struct dg_table *table,
      uint64_t hash, uint64_t key)
{
  struct dg_probe probe = dg_lookup_probe (lookup, hash);
  struct item *items = table->items;
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (items[i].key == key)
      return &items[i];
  return NULL;
}

/* Items that all have their own hash, or share few of them.  */
static void
test_lookup (gconstpointer data)
{
  uint64_t mask = GPOINTER_TO_UINT (data) == 0 ? UINT64_MAX : 7;
  struct dg_lookup lookup = { .slots = NULL };
  struct dg_table table = { .items = NULL };

  for (unsigned round = 0; round < 2; round++) {
    g_assert_null (find (&lookup, &table, dg_hash (0), 0));
    for (uint64_t key = 0; key < 1000; key++) {
      uint64_t hash = dg_hash (key & mask);
      struct item *item;

      g_assert_null (find (&lookup, &table, hash, key));
      item = dg_lookup_add_item (&lookup, hash, &table, sizeof *item);
      g_assert_nonnull (item);
      *item = (struct item) { key, key * 3 };
    }
    g_assert_cmpuint (lookup.n, ==, 1000);
    for (uint64_t key = 0; key < 1000; key++)
      g_assert_cmpuint (
        find (&lookup, &table, dg_hash (key & mask), key)->value, ==, key * 3);
    g_assert_null (find (&lookup, &table, dg_hash (1000 & mask), 1000));
    dg_lookup_clear (&lookup);
    table.n = 0;
  }
  dg_lookup_fini (&lookup);
  dg_table_fini (&table);
}

/* Numbers come in the order of the keys, and stay.  */
static void
test_keys (void)
{
  struct dg_keys keys = { .slots = NULL };
  const uint64_t far = UINT64_C (0x100000001);

  g_assert_cmpuint (dg_keys_find (&keys, 7), ==, DG_NONE);
  for (unsigned round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < 10000; i++) {
      dg_keys_prefetch (&keys, i * far);
      g_assert_cmpuint (dg_keys_add (&keys, i * far), ==, i);
    }
    for (uint32_t i = 0; i < 10000; i++) {
      g_assert_cmpuint (dg_keys_find (&keys, i * far), ==, i);
      g_assert_cmpuint (dg_keys_add (&keys, i * far), ==, i);
    }
    g_assert_cmpuint (keys.n, ==, 10000);
    g_assert_cmpuint (dg_keys_find (&keys, 7), ==, DG_NONE);
    dg_keys_clear (&keys);
    g_assert_cmpuint (dg_keys_find (&keys, far), ==, DG_NONE);
  }
  dg_keys_fini (&keys);
}

/* Of a table that is full, what is there needs no memory.  */
static void
test_full (void)
{
  struct dg_keys keys = {.slots = NULL};
  size_t mask;

  dg_keys_add (&keys, 0);
  mask = keys.mask;
  for (uint32_t i = 1; keys.n < mask / 4 * 3; i++)
    dg_keys_add (&keys, i);
  for (uint32_t i = 0; i < keys.n; i++)
    g_assert_cmpuint (dg_keys_add (&keys, i), ==, i);
  g_assert_cmpuint (keys.mask, ==, mask);
  g_assert_cmpuint (dg_keys_add (&keys, keys.n), ==, mask / 4 * 3);
  g_assert_cmpuint (keys.mask, >, mask);
  dg_keys_fini (&keys);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lookup/apart", GUINT_TO_POINTER (0), test_lookup);
  g_test_add_data_func ("/lookup/together", GUINT_TO_POINTER (1), test_lookup);
  g_test_add_func ("/lookup/keys", test_keys);
  g_test_add_func ("/lookup/full", test_full);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
