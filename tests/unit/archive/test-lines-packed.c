/* test-lines-packed.c: packed lists of lines are merged and written as other
   lists are; counts in any order are sorted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/lines_packed.h"

#include <glib.h>

#include <stdlib.h>

#include "unit_main.h"

/* Lines of a block are 8192: lists are of less and of several.  */
static const unsigned lengths[] = { 0, 1, 100, 4096, 8191, 8192, 8193, 30000 };

static struct dg_line_count
random_count (uint64_t line)
{
  return (struct dg_line_count) {
    line, (uint32_t) g_test_rand_int () >> g_test_rand_int_range (0, 32),
    (uint32_t) g_test_rand_int () >> g_test_rand_int_range (0, 32) };
}

/* From a line on, each at most `step` from the one before.  */
static GArray *
random_list (uint64_t line, unsigned n, int step)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct dg_line_count));

  for (unsigned i = 0; i < n; i++) {
    struct dg_line_count count;

    line += (uint64_t) g_test_rand_int_range (1, step + 1);
    count = random_count (line);
    g_array_append_val (list, count);
  }
  return list;
}

static const struct dg_line_count *
counts_of (const GArray *list)
{
  return (const struct dg_line_count *) (void *) list->data;
}

static struct dg_lines_packed
pack (const GArray *list)
{
  struct dg_lines_packed packed = { 0 };
  guint half = list->len / 2;

  g_assert_cmpint (dg_lines_packed_add (&packed, counts_of (list), half, NULL),
                   ==, 0);
  g_assert_cmpint (dg_lines_packed_add (&packed, counts_of (list) + half,
                                        list->len - half, NULL), ==, 0);
  g_assert_cmpuint (packed.n, ==, list->len);
  return packed;
}

/* Behind a byte that there was.  */
static void
check_written (struct dg_lines_packed *packed, bool frees,
               const struct dg_line_count *counts, size_t n)
{
  struct dg_table bytes = { 0 }, right = { 0 };

  *(uint8_t *) dg_table_add (&bytes, 1) = 7;
  *(uint8_t *) dg_table_add (&right, 1) = 7;
  g_assert_cmpint (dg_lines_packed_write (packed, frees, &bytes, NULL), ==,
                   0);
  g_assert_cmpint (dg_lines_write (counts, n, &right, NULL), ==, 0);
  g_assert_cmpmem (bytes.items, bytes.n, right.items, right.n);
  dg_table_fini (&bytes);
  dg_table_fini (&right);
}

static void
check_merge (const GArray *x, const GArray *y)
{
  struct dg_lines_packed a = pack (x), b = pack (y), out = { 0 };
  const struct dg_line_count *lists[] = { counts_of (x), counts_of (y) };
  const size_t sizes[] = { x->len, y->len };
  struct dg_table right = { 0 };

  check_written (&a, false, counts_of (x), x->len);
  g_assert_cmpint (dg_lines_packed_merge (&a, &b, &out, NULL), ==, 0);
  g_assert_cmpint (dg_lines_merge (lists, sizes, 2, &right, NULL), ==, 0);
  g_assert_cmpuint (a.n + b.n + a.blocks.n + b.blocks.n, ==, 0);
  g_assert_cmpuint (out.n, ==, right.n);
  /* No more blocks than half full ones would be, and one at each end of what
     was moved.  */
  g_assert_cmpuint (out.blocks.n, <=, out.n / 4096 + 3);
  check_written (&out, true, right.items, right.n);
  g_assert_cmpuint (out.n + out.blocks.n, ==, 0);
  dg_table_fini (&right);
}

static void
test_merge (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (lengths); k++)
      for (unsigned kind = 0; kind < 4; kind++) {
        /* Among each other, one behind the other, far from each other.  */
        uint64_t start = kind == 1 ? 40000 : kind == 2 ? 400000 : 0;
        int step = kind == 3 ? 1000 : 3;
        GArray *x = random_list (0, lengths[i], step);
        GArray *y = random_list (start, lengths[k], step);

        check_merge (x, y);
        check_merge (y, x);
        g_array_unref (x);
        g_array_unref (y);
      }
}

static int
compare (const void *a, const void *b)
{
  const struct dg_line_count *x = a, *y = b;

  return (x->line > y->line) - (x->line < y->line);
}

static uint32_t
sum (uint32_t a, uint32_t b)
{
  return (uint32_t) MIN ((uint64_t) a + b, UINT32_MAX);
}

/* Those of `right` were sorted by qsort.  */
static void
check_sorted (const struct dg_table *items, struct dg_line_count *right,
              size_t n)
{
  const struct dg_line_count *counts = items->items;
  size_t made = 0;

  for (size_t i = 0; i < n; i++) {
    if (made > 0 && right[made - 1].line == right[i].line) {
      right[made - 1].reads = sum (right[made - 1].reads, right[i].reads);
      right[made - 1].writes = sum (right[made - 1].writes, right[i].writes);
    } else {
      right[made++] = right[i];
    }
  }
  g_assert_cmpuint (items->n, ==, made);
  for (size_t i = 0; i < made; i++) {
    g_assert_cmpuint (counts[i].line, ==, right[i].line);
    g_assert_cmpuint (counts[i].reads, ==, right[i].reads);
    g_assert_cmpuint (counts[i].writes, ==, right[i].writes);
  }
}

static void
test_sort (void)
{
  static const uint64_t ranges[] = { 1, 2, 300, 70000, UINT64_MAX >> 7 };
  struct dg_table items = { 0 }, scratch = { 0 };

  for (unsigned i = 0; i < 200; i++) {
    uint64_t range = ranges[i % G_N_ELEMENTS (ranges)];
    uint64_t base = i % 3 == 0 ? 0 : UINT64_MAX >> 8;
    unsigned n = (unsigned) g_test_rand_int_range (0, 3000);
    struct dg_line_count *right = g_new (struct dg_line_count, n + 1);

    items.n = 0;
    for (unsigned k = 0; k < n; k++) {
      uint64_t random = (uint64_t) (uint32_t) g_test_rand_int () << 32
                        | (uint32_t) g_test_rand_int ();

      /* Each tenth list is sorted already.  */
      right[k] = random_count (base + (i % 10 == 9 ? k / 3 : random % range));
      *(struct dg_line_count *) dg_table_add (&items, sizeof *right)
        = right[k];
    }
    g_assert_cmpint (dg_lines_sort (&items, &scratch, NULL), ==, 0);
    qsort (right, n, sizeof *right, compare);
    check_sorted (&items, right, n);
    g_free (right);
  }
  dg_table_fini (&items);
  dg_table_fini (&scratch);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lines-packed/merge", test_merge);
  g_test_add_func ("/lines-packed/sort", test_sort);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
