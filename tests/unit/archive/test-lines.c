/* test-lines.c: lines that are counted, as bytes and back, merged.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/lines.h"

#include <glib.h>

#include <string.h>

#include "dg_record.h"
#include "unit_main.h"

/* ---- Counting ---- */

static void
touch (GHashTable *truth, uint64_t line, unsigned kind)
{
  struct dg_line_count *count = g_hash_table_lookup (truth, &line);

  if (!count) {
    count = g_new0 (struct dg_line_count, 1);
    count->line = line;
    g_hash_table_insert (truth, &count->line, count);
  }
  if (kind == DG_ACC_READ)
    count->reads++;
  else
    count->writes++;
}

/* Byte by byte.  */
static void
touch_all (GHashTable *truth, uint64_t address, uint32_t size, unsigned kind,
           uint64_t mask)
{
  uint64_t last = UINT64_MAX;

  for (uint32_t i = 0; i < size; i++) {
    uint64_t line = ((address + i) & mask) / DG_LINE_BYTES;

    if (line != last)
      touch (truth, line, kind);
    last = line;
  }
}

static void
check_counts (struct dg_lines *lines, GHashTable *truth)
{
  struct dg_error err = {0};
  const struct dg_line_count *counts;
  size_t n;

  g_assert_cmpint (dg_lines_end (lines, &counts, &n, &err), ==, 0);
  g_assert_cmpuint (n, ==, g_hash_table_size (truth));
  for (size_t i = 0; i < n; i++) {
    const struct dg_line_count *right =
      g_hash_table_lookup (truth, &counts[i].line);

    g_assert_nonnull (right);
    g_assert_cmpuint (counts[i].reads, ==, right->reads);
    g_assert_cmpuint (counts[i].writes, ==, right->writes);
    g_assert_true (i == 0 || counts[i - 1].line < counts[i].line);
  }
}

static uint64_t
quad (GRand *rand)
{
  return (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
}

/* Addresses that are spread over 2^bits bytes from a place on.  */
static void
count_and_check (GRand *rand, struct dg_lines *lines, unsigned bits,
                 unsigned n, uint64_t mask)
{
  static const uint32_t sizes[] = {0,  1,  2,  4,  8,   16,
                                   32, 63, 64, 65, 254, 1000};
  GHashTable *truth =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  uint64_t start = quad (rand) & mask;
  struct dg_error err = {0};

  dg_lines_begin (lines, mask);
  for (unsigned i = 0; i < n; i++) {
    uint64_t address =
      (start + (bits == 0 ? 0 : quad (rand) >> (64 - bits))) & mask;
    uint32_t size = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
    uint8_t kind = g_rand_boolean (rand) ? DG_ACC_WRITE : DG_ACC_READ;

    if (address == 0)
      continue;
    g_assert_cmpint (dg_lines_add (lines, address, size, kind, &err), ==, 0);
    touch_all (truth, address, size, kind, mask);
  }
  check_counts (lines, truth);
  g_hash_table_unref (truth);
}

static void
test_count (void)
{
  GRand *rand = g_rand_new_with_seed (1);
  struct dg_error err = {0};
  struct dg_lines *lines = dg_lines_new (&err);

  g_assert_nonnull (lines);
  count_and_check (rand, lines, 0, 0, UINT64_MAX);
  for (unsigned bits = 0; bits <= 64; bits += 4) {
    count_and_check (rand, lines, bits, 3000, UINT64_MAX);
    count_and_check (rand, lines, MIN (bits, 32), 3000, UINT32_MAX);
  }
  dg_lines_free (lines);
  g_rand_free (rand);
}

/* More pages than are kept, each touched several times; and of the others,
   more counts than are noted before they are added up.  */
static void
test_far (void)
{
  struct dg_error err = {0};
  struct dg_lines *lines = dg_lines_new (&err);
  const struct dg_line_count *counts;
  const uint64_t n = 700000;
  size_t n_counts;

  dg_lines_begin (lines, UINT64_MAX);
  for (unsigned round = 0; round < 2; round++)
    for (uint64_t i = 1; i <= n; i++)
      dg_lines_add (lines, i << 20, 8, round, &err);
  g_assert_cmpint (dg_lines_end (lines, &counts, &n_counts, &err), ==, 0);
  g_assert_cmpuint (n_counts, ==, n);
  for (uint64_t i = 0; i < n; i++) {
    g_assert_cmpuint (counts[i].line, ==, (i + 1) << (20 - DG_LINE_SHIFT));
    g_assert_cmpuint (counts[i].reads, ==, 1);
    g_assert_cmpuint (counts[i].writes, ==, 1);
  }
  dg_lines_free (lines);
}

/* Around the ends of memory; what was not made.  */
static void
test_edges (void)
{
  static const uint64_t places[] = {UINT64_MAX, UINT64_MAX - 7, 1, 63, 64};
  static const uint64_t places_32[] = {UINT32_MAX, UINT32_MAX - 7, 1};
  GHashTable *truth =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  struct dg_error err = {0};
  struct dg_lines *lines = dg_lines_new (&err);

  dg_lines_begin (lines, UINT64_MAX);
  for (unsigned i = 0; i < G_N_ELEMENTS (places); i++)
    for (uint32_t size = 0; size < 130; size++) {
      dg_lines_add (lines, places[i], size, DG_ACC_READ, &err);
      touch_all (truth, places[i], size, DG_ACC_READ, UINT64_MAX);
    }
  dg_lines_add (lines, 0, 8, DG_ACC_READ, &err);
  check_counts (lines, truth);
  g_hash_table_remove_all (truth);
  dg_lines_begin (lines, UINT32_MAX);
  for (unsigned i = 0; i < G_N_ELEMENTS (places_32); i++)
    for (uint32_t size = 0; size < 130; size++) {
      dg_lines_add (lines, places_32[i], size, DG_ACC_WRITE, &err);
      touch_all (truth, places_32[i], size, DG_ACC_WRITE, UINT32_MAX);
    }
  check_counts (lines, truth);
  g_assert_cmpstr (err.message, ==, "");
  g_hash_table_unref (truth);
  dg_lines_free (lines);
}

/* ---- Bytes ---- */

static uint32_t
some_count (GRand *rand)
{
  return g_rand_int (rand) >> g_rand_int_range (rand, 0, 32);
}

static GArray *
random_list (GRand *rand, unsigned n)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct dg_line_count));
  uint64_t line = 0;

  for (unsigned i = 0; i < n; i++) {
    struct dg_line_count count = {0, some_count (rand), some_count (rand)};

    line += quad (rand) >> g_rand_int_range (rand, 18, 64);
    count.line = line;
    if (line > UINT64_MAX / DG_LINE_BYTES)
      break;
    line++;
    g_array_append_val (list, count);
  }
  return list;
}

static const struct dg_line_count *
counts_of (const GArray *list)
{
  return (const struct dg_line_count *) (void *) list->data;
}

static void
test_bytes (void)
{
  GRand *rand = g_rand_new_with_seed (2);

  for (unsigned i = 0; i < 300; i++) {
    GArray *list = random_list (rand, i);
    struct dg_table bytes = {0}, back = {0};
    struct dg_error err = {0};

    g_assert_cmpint (
      dg_lines_write (counts_of (list), list->len, &bytes, &err), ==, 0);
    /* Twice: it appends.  */
    for (unsigned k = 1; k <= 2; k++) {
      g_assert_cmpint (dg_lines_read (bytes.items, bytes.n, &back, &err), ==,
                       0);
      g_assert_cmpuint (back.n, ==, k * list->len);
    }
    for (size_t k = 0; k < back.n; k++) {
      const struct dg_line_count *a = &counts_of (list)[k % list->len];
      const struct dg_line_count *b =
        (const struct dg_line_count *) back.items + k;

      g_assert_cmpuint (a->line, ==, b->line);
      g_assert_cmpuint (a->reads, ==, b->reads);
      g_assert_cmpuint (a->writes, ==, b->writes);
    }
    g_array_unref (list);
    dg_table_fini (&bytes);
    dg_table_fini (&back);
  }
  g_rand_free (rand);
}

/* Sorted, and no line beyond memory, whatever the bytes were.  */
static void
check_sane (const struct dg_table *table)
{
  const struct dg_line_count *counts = table->items;

  for (size_t i = 0; i < table->n; i++) {
    g_assert_true (i == 0 || counts[i - 1].line < counts[i].line);
    g_assert_cmpuint (counts[i].line, <=, UINT64_MAX / DG_LINE_BYTES);
  }
}

static void
test_hostile (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  GArray *list = random_list (rand, 40);
  struct dg_table bytes = {0}, back = {0};
  struct dg_error err = {0};
  uint8_t *at;

  dg_lines_write (counts_of (list), list->len, &bytes, &err);
  for (size_t n = 0; n < bytes.n; n++) {
    g_assert_cmpint (dg_lines_read (bytes.items, n, &back, &err), ==,
                     DG_ERR_DAMAGED);
    g_assert_cmpuint (back.n, ==, 0);
  }
  at = bytes.items;
  for (size_t bit = 0; bit < 8 * bytes.n; bit++) {
    at[bit / 8] ^= 1 << bit % 8;
    back.n = 0;
    if (dg_lines_read (at, bytes.n, &back, &err) == 0)
      check_sane (&back);
    else
      g_assert_cmpuint (back.n, ==, 0);
    at[bit / 8] ^= 1 << bit % 8;
  }
  g_array_unref (list);
  dg_table_fini (&bytes);
  dg_table_fini (&back);
  g_rand_free (rand);
}

/* ---- Merging ---- */

static uint32_t
sum (uint32_t a, uint32_t b)
{
  return MIN ((uint64_t) a + b, UINT32_MAX);
}

static void
check_merge (const GArray *const *arrays, size_t n)
{
  GHashTable *truth =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  const struct dg_line_count *lists[8];
  struct dg_table merged = {0};
  struct dg_error err = {0};
  size_t lengths[8];

  for (size_t i = 0; i < n; i++) {
    lists[i] = counts_of (arrays[i]);
    lengths[i] = arrays[i]->len;
    for (size_t k = 0; k < lengths[i]; k++) {
      struct dg_line_count *old =
        g_hash_table_lookup (truth, &lists[i][k].line);

      if (old) {
        old->reads = sum (old->reads, lists[i][k].reads);
        old->writes = sum (old->writes, lists[i][k].writes);
      } else {
        old = g_memdup2 (&lists[i][k], sizeof *old);
        g_hash_table_insert (truth, &old->line, old);
      }
    }
  }
  g_assert_cmpint (dg_lines_merge (lists, lengths, n, &merged, &err), ==, 0);
  g_assert_cmpuint (merged.n, ==, g_hash_table_size (truth));
  check_sane (&merged);
  for (size_t k = 0; k < merged.n; k++) {
    const struct dg_line_count *count =
      (const struct dg_line_count *) merged.items + k;
    const struct dg_line_count *right =
      g_hash_table_lookup (truth, &count->line);

    g_assert_nonnull (right);
    g_assert_cmpuint (count->reads, ==, right->reads);
    g_assert_cmpuint (count->writes, ==, right->writes);
  }
  dg_table_fini (&merged);
  g_hash_table_unref (truth);
}

static void
test_merge (void)
{
  GRand *rand = g_rand_new_with_seed (4);

  for (unsigned i = 0; i < 100; i++) {
    GArray *arrays[8];
    unsigned n = i % 9;

    for (unsigned k = 0; k < n; k++) {
      arrays[k] = random_list (rand, g_rand_int_range (rand, 0, 50));
      /* Some lines in common.  */
      if (k > 0 && i % 2) {
        g_array_unref (arrays[k]);
        arrays[k] = g_array_copy (arrays[k - 1]);
      }
    }
    check_merge ((const GArray *const *) arrays, n);
    for (unsigned k = 0; k < n; k++)
      g_array_unref (arrays[k]);
  }
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lines/count", test_count);
  g_test_add_func ("/lines/far", test_far);
  g_test_add_func ("/lines/edges", test_edges);
  g_test_add_func ("/lines/bytes", test_bytes);
  g_test_add_func ("/lines/hostile", test_hostile);
  g_test_add_func ("/lines/merge", test_merge);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
