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

/* How many of n keys have a hash of their own.  */
static guint
count_hashes (guint (*hash) (gconstpointer key, guint i), guint n)
{
  GHashTable *hashes = g_hash_table_new (NULL, NULL);
  guint different;

  for (guint i = 0; i < n; i++)
    g_hash_table_add (hashes, GUINT_TO_POINTER (hash (NULL, i)));
  different = g_hash_table_size (hashes);
  g_hash_table_unref (hashes);
  return different;
}

/* By g_int64_hash, they would have one.  */
static guint
hash_high (gconstpointer unused, guint i)
{
  uint64_t key = (uint64_t) i << 32 | 0x12340000;

  (void) unused;
  return dg_hash_uint64 (&key);
}

static guint
hash_highest (gconstpointer unused, guint i)
{
  uint64_t key = (uint64_t) i << 48;

  (void) unused;
  return dg_hash_uint64 (&key);
}

static guint
hash_pointer (gconstpointer unused, guint i)
{
  (void) unused;
  return dg_hash_value ((gconstpointer) ((uintptr_t) i << 32));
}

/* By g_str_hash, too: "Ez" and "FY" have one hash.  */
static guint
hash_texts (gconstpointer unused, guint i)
{
  char text[2 * 16 + 1] = "";

  (void) unused;
  for (guint k = 0; k < 16; k++)
    memcpy (text + 2 * k, i >> k & 1 ? "Ez" : "FY", 2);
  return dg_hash_text (text);
}

/* Of 65,536 keys, one or two have the hash of another by chance.  */
static void
test_hashes (void)
{
  g_assert_cmpuint (count_hashes (hash_high, 65536), >, 65500);
  g_assert_cmpuint (count_hashes (hash_highest, 65536), >, 65500);
  if (sizeof (uintptr_t) == 8)
    g_assert_cmpuint (count_hashes (hash_pointer, 65536), >, 65500);
  g_assert_cmpuint (count_hashes (hash_texts, 65536), >, 65500);
}

/* Numbers whose uppermost bits differ are not made equal by bits of the number
   after them, whatever the seed.  */
static void
test_followed (void)
{
  const uint64_t top = UINT64_C (1) << 63, half = UINT64_C (1) << 31;
  const uint64_t undone[] = {0, top, half, top | half};

  for (unsigned round = 0; round < 1000; round++) {
    uint64_t seed = dg_hash_seed ();
    uint64_t hash = dg_hash_add (dg_hash_add (seed, round), round);

    for (unsigned i = 0; i < G_N_ELEMENTS (undone); i++)
      g_assert_cmpuint (
        dg_hash_add (dg_hash_add (seed, round ^ top), round ^ undone[i]), !=,
        hash);
  }
}

/* Keys that differ in their uppermost bits only are near their places.  */
static void
test_keys_far (void)
{
  struct dg_keys keys = {0};
  uint64_t away = 0;

  for (uint64_t i = 0; i < 60000; i++)
    g_assert_cmpuint (dg_keys_add (&keys, i << 48), ==, i);
  for (uint64_t i = 0; i < 60000; i++)
    away += (size_t) (dg_keys_slot (&keys, i << 48) - keys.slots
                      - dg_keys_home (&keys, i << 48))
            & keys.mask;
  g_assert_cmpuint (away, <, 60000 * 10);
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
  g_test_add_func ("/hash/seeded", test_hashes);
  g_test_add_func ("/hash/followed", test_followed);
  g_test_add_func ("/keys/far", test_keys_far);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
