/* test-packed-sums.c: sums of accesses by key, against a plain list.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "unit_main.h"

#include <string.h>

#include "base/packed_sums.h"

/* Numbers that are near, far, and at the ends.  */
static uint64_t
random_number (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 8)) {
  case 0:
    return UINT64_MAX - (uint64_t) g_rand_int_range (rand, 0, 3);
  case 1:
    return (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
  default:
    return (uint64_t) g_rand_int_range (rand, 0, 40);
  }
}

static struct dg_sum
random_sum (GRand *rand)
{
  return (struct dg_sum){ .key = { random_number (rand), random_number (rand),
                                   random_number (rand) % 4,
                                   random_number (rand) % 2 },
                          .reads = random_number (rand),
                          .writes = (uint64_t) g_rand_int_range (rand, 0, 3),
                          .least = random_number (rand),
                          .flag = g_rand_int_range (rand, 0, 5) == 0 };
}

static int
compare (const void *a, const void *b)
{
  return dg_sum_compare (a, b);
}

/* What is expected of all that was added.  */
static void
add_up (GArray *all, uint64_t mask)
{
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    g_array_index (all, struct dg_sum, i).key[0] &= mask;
  g_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++) {
    const struct dg_sum *from = &g_array_index (all, struct dg_sum, i);
    struct dg_sum *to =
      n > 0 ? &g_array_index (all, struct dg_sum, n - 1) : NULL;

    if (to == NULL || dg_sum_compare (to, from) != 0) {
      g_array_index (all, struct dg_sum, n++) = *from;
      continue;
    }
    to->reads += from->reads;
    to->writes += from->writes;
    to->least = MIN (to->least, from->least);
    to->flag |= from->flag;
  }
  g_array_set_size (all, n);
}

static void
check_equal (const struct dg_sum *a, const struct dg_sum *b)
{
  g_assert_cmpmem (a->key, sizeof a->key, b->key, sizeof b->key);
  g_assert_cmpuint (a->reads, ==, b->reads);
  g_assert_cmpuint (a->writes, ==, b->writes);
  g_assert_cmpuint (a->least, ==, b->least);
  g_assert_true (a->flag == b->flag);
}

static void
check_all (struct dg_packed_sums *sums, const GArray *all, bool frees)
{
  struct dg_sums_cursor cursor = dg_sums_begin (sums, frees);

  for (guint i = 0; i < all->len; i++)
    check_equal (dg_sums_next (&cursor),
                 &g_array_index (all, struct dg_sum, i));
  g_assert_null (dg_sums_next (&cursor));
  g_assert_null (dg_sums_next (&cursor));
}

static void
check_seeks (struct dg_packed_sums *sums, const GArray *all, GRand *rand)
{
  struct dg_sums_cursor cursor = dg_sums_begin (sums, false);

  for (unsigned i = 0; i < 300; i++) {
    uint64_t first = random_number (rand);
    const struct dg_sum *sum;
    guint at = 0;

    while (at < all->len
           && g_array_index (all, struct dg_sum, at).key[0] < first)
      at++;
    dg_sums_seek (&cursor, first);
    for (guint k = at; k < at + 3; k++) {
      sum = dg_sums_next (&cursor);
      g_assert_true ((sum == NULL) == (k >= all->len));
      if (sum == NULL)
        break;
      check_equal (sum, &g_array_index (all, struct dg_sum, k));
    }
  }
}

static void
check_has (const struct dg_packed_sums *sums, const GArray *all, GRand *rand)
{
  struct dg_sums_finder finders[DG_PACKED_RUNS] = { 0 };
  guint step = 1 + (guint) g_rand_int_range (rand, 0, 7);

  /* In order, those between two as well; then in any order.  */
  for (guint i = 0; i < all->len; i += step) {
    const struct dg_sum *sum = &g_array_index (all, struct dg_sum, i);
    struct dg_sum next = *sum;

    g_assert_true (dg_packed_sums_has (sums, sum->key, finders));
    next.key[DG_SUM_KEYS - 1]++;
    g_assert_true (
      dg_packed_sums_has (sums, next.key, finders)
      == (i + 1 < all->len
          && dg_sum_compare (&g_array_index (all, struct dg_sum, i + 1),
                             &next) == 0));
  }
  for (unsigned i = 0; i < 300; i++) {
    struct dg_sum sum = random_sum (rand);
    bool is_there = false;

    for (guint k = 0; k < all->len && !is_there; k++)
      is_there = memcmp (g_array_index (all, struct dg_sum, k).key, sum.key,
                         sizeof sum.key) == 0;
    g_assert_true (dg_packed_sums_has (sums, sum.key, finders) == is_there);
  }
}

static void
test_sums (void)
{
  for (guint32 seed = 1; seed <= 40; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_sum));
    struct dg_packed_sums sums = { .n_runs = 0 };
    uint64_t mask = seed % 3 == 0 ? UINT64_MAX << (seed % 65 % 64)
                                  : UINT64_MAX;
    struct dg_sum lot[900];

    for (unsigned i = 0; i < seed; i++) {
      guint n = (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (lot));
      struct dg_packed_sums other = { .n_runs = 0 };

      for (guint k = 0; k < n; k++)
        lot[k] = random_sum (rand);
      g_array_append_vals (all, lot, n);
      g_assert_cmpint (dg_packed_sums_add (i % 2 ? &sums : &other, lot, n),
                       ==, 0);
      g_assert_cmpint (dg_packed_sums_take (&sums, &other), ==, 0);
      g_assert_cmpuint (other.n_runs, ==, 0);
      for (unsigned k = 1; k < sums.n_runs; k++)
        g_assert_cmpuint (sums.runs[k - 1].n, >=, 2 * sums.runs[k].n);
    }
    if (mask != UINT64_MAX)
      g_assert_cmpint (dg_packed_sums_mask (&sums, mask), ==, 0);
    add_up (all, mask);
    g_assert_cmpuint (dg_packed_sums_least (&sums), <=, all->len);
    g_assert_cmpuint (dg_packed_sums_most (&sums), >=, all->len);
    check_has (&sums, all, rand);
    g_assert_cmpint (dg_packed_sums_settle (&sums), ==, 0);
    g_assert_cmpuint (dg_packed_sums_most (&sums), ==, all->len);
    check_all (&sums, all, false);
    check_seeks (&sums, all, rand);
    check_has (&sums, all, rand);
    check_all (&sums, all, true);
    dg_packed_sums_fini (&sums);
    g_array_unref (all);
    g_rand_free (rand);
  }
}

/* What is near takes little.  */
static void
test_size (void)
{
  enum { LOTS = 20, LOT = 20000 };
  struct dg_packed_sums sums = { .n_runs = 0 };
  struct dg_sum *lot = g_new (struct dg_sum, LOT);

  for (unsigned i = 0; i < LOTS; i++) {
    for (unsigned k = 0; k < LOT; k++)
      lot[k] = (struct dg_sum){
        .key = { 0x4000000 + 8 * ((uint64_t) k * LOTS + i), 17, 1, 0x401234 },
        .reads = 1, .writes = 1, .least = k };
    g_assert_cmpint (dg_packed_sums_add (&sums, lot, LOT), ==, 0);
  }
  g_assert_cmpint (dg_packed_sums_settle (&sums), ==, 0);
  g_assert_cmpuint (sums.runs[0].n, ==, LOTS * LOT);
  /* A block has 2 KiB.  */
  g_assert_cmpuint (sums.runs[0].n_blocks, <, LOTS * LOT * 10 / 2048);
  dg_packed_sums_fini (&sums);
  g_free (lot);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packed-sums/sums", test_sums);
  g_test_add_func ("/packed-sums/size", test_size);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
