/* test-index-levels.c: coarser lists are given as soon as they are finished,
   once, and are the same whenever they are asked for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/index_levels.h"

#include <glib.h>
#include <string.h>

#include "archive/lines.h"
#include "unit_main.h"

#define CHUNKS 700

/* What was given, as "level first: bytes", sorted at the end.  */
static int
note (void *user, unsigned level, uint64_t first, const void *bytes, size_t n,
      struct dg_error *err)
{
  GPtrArray *given = user;
  char *checksum =
    g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n);

  (void) err;
  g_assert_cmpuint (n, >, 0);
  g_ptr_array_add (given,
                   g_strdup_printf ("%u %6u: %s", level, (unsigned) first,
                                    checksum));
  g_free (checksum);
  return 0;
}

static int
refuse (void *user, unsigned level, uint64_t first, const void *bytes,
        size_t n, struct dg_error *err)
{
  unsigned *left = user;

  (void) level, (void) first, (void) bytes, (void) n, (void) err;
  return (*left)-- == 0 ? DG_ERR_IO : 0;
}

/* Two lines of the chunk's own and one of all; none in each tenth.  */
static void
add_chunk (struct dg_index_levels *levels, unsigned i)
{
  const struct dg_line_count counts[] = {
    { .line = 7, .reads = 1 },
    { .line = 100 + i, .reads = i, .writes = 3 },
    { .line = 5000 + 2 * i, .writes = 1 }
  };
  struct dg_table bytes = { 0 };

  if (i % 10 != 9)
    g_assert_cmpint (dg_lines_write (counts, 3, &bytes, NULL), ==, 0);
  g_assert_cmpint (dg_index_levels_add (levels, bytes.items, bytes.n, NULL),
                   ==, 0);
  dg_table_fini (&bytes);
}

static int
compare (const void *a, const void *b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
lists_of (unsigned chunks, bool asks_often)
{
  struct dg_index_levels *levels = dg_index_levels_new (NULL);
  GPtrArray *given = g_ptr_array_new_with_free_func (g_free);

  for (unsigned i = 0; i < chunks; i++) {
    add_chunk (levels, i);
    if (!asks_often)
      continue;
    g_assert_cmpint (dg_index_levels_emit (levels, note, given, NULL), ==, 0);
    /* All that can be finished is.  */
    g_assert_cmpuint (given->len, ==, (i + 1) / 8 + (i + 1) / 64
                                        + (i + 1) / 512);
  }
  g_assert_cmpint (dg_index_levels_finish (levels, note, given, NULL), ==, 0);
  dg_index_levels_free (levels);
  g_ptr_array_sort (given, compare);
  return given;
}

static void
test_same (void)
{
  static const unsigned counts[] = { 0, 1, 2, 7, 8, 9, 64, 65, 512, CHUNKS };

  for (size_t k = 0; k < G_N_ELEMENTS (counts); k++) {
    GPtrArray *often = lists_of (counts[k], true);
    GPtrArray *once = lists_of (counts[k], false);

    g_assert_cmpuint (often->len, ==, once->len);
    for (guint i = 0; i < once->len; i++) {
      g_assert_cmpstr (often->pdata[i], ==, once->pdata[i]);
      if (i > 0)
        g_assert_cmpstr (once->pdata[i - 1], !=, once->pdata[i]);
    }
    g_ptr_array_unref (often);
    g_ptr_array_unref (once);
  }
}

static void
test_failure (void)
{
  for (unsigned good = 0; good < 9; good++) {
    struct dg_index_levels *levels = dg_index_levels_new (NULL);
    unsigned left = good;
    int code = 0;

    for (unsigned i = 0; i < 64 && code == 0; i++) {
      add_chunk (levels, i);
      code = dg_index_levels_emit (levels, refuse, &left, NULL);
    }
    g_assert_cmpint (code, ==, DG_ERR_IO);
    dg_index_levels_free (levels);
  }
}

/* ---- Long lists ---- */

#define LONG_CHUNKS 27
#define LONG_LINES  700000

/* Every step-th line from `first` on.  */
static struct dg_table
long_list (unsigned n, uint64_t first, unsigned step)
{
  struct dg_table counts = { 0 };

  for (unsigned i = 0; i < n; i++)
    *(struct dg_line_count *) dg_table_add (&counts,
                                            sizeof (struct dg_line_count))
      = (struct dg_line_count){ .line = first + (uint64_t) i * step,
                                .reads = i % 300, .writes = step };
  return counts;
}

struct long_lists {
  struct dg_table chunks[LONG_CHUNKS];
  unsigned given;
};

/* A list that is given is that of its chunks.  */
static int
check_long (void *user, unsigned level, uint64_t first, const void *bytes,
            size_t n, struct dg_error *err)
{
  struct long_lists *all = user;
  const struct dg_line_count *lists[LONG_CHUNKS];
  size_t lengths[LONG_CHUNKS], n_lists = 0;
  struct dg_table merged = { 0 }, right = { 0 };

  for (uint64_t i = first; i < MIN (first + (1u << 3 * level), LONG_CHUNKS);
       i++) {
    lists[n_lists] = all->chunks[i].items;
    lengths[n_lists++] = all->chunks[i].n;
  }
  g_assert_cmpint (dg_lines_merge (lists, lengths, n_lists, &merged, err), ==,
                   0);
  g_assert_cmpint (dg_lines_write (merged.items, merged.n, &right, err), ==,
                   0);
  g_assert_true (n == right.n && memcmp (bytes, right.items, n) == 0);
  all->given++;
  dg_table_fini (&merged);
  dg_table_fini (&right);
  return 0;
}

/* Of so many lines that all lists of a level are merged at once.  The seventh
   of the first ones makes that so, but what it is merged with are the same
   lines: then there are few again.  */
static struct dg_table
random_long_list (unsigned i)
{
  static const struct { unsigned n; uint64_t first; } begin[] = {
    { 550000, 0 }, { 550000, 550000 }, { 550000, 1100000 },
    { 550000, 1650000 }, { 700000, 0 }, { 700000, 700000 }, { 700000, 0 },
    { 10, 5 } };

  if (i < G_N_ELEMENTS (begin))
    return long_list (begin[i].n, begin[i].first, 1);
  return g_test_rand_int_range (0, 3) == 0
           ? long_list (10, i, 7)
           : long_list (LONG_LINES, g_test_rand_bit () ? 5 : 1000000,
                        1 + (unsigned) g_test_rand_int_range (0, 3));
}

static void
test_long (void)
{
  struct dg_index_levels *levels = dg_index_levels_new (NULL);
  struct long_lists all = { .given = 0 };

  for (unsigned i = 0; i < LONG_CHUNKS; i++) {
    struct dg_table bytes = { 0 }, *counts = &all.chunks[i];

    *counts = random_long_list (i);
    g_assert_cmpint (dg_lines_write (counts->items, counts->n, &bytes, NULL),
                     ==, 0);
    g_assert_cmpint (dg_index_levels_add (levels, bytes.items, bytes.n, NULL),
                     ==, 0);
    g_assert_cmpint (dg_index_levels_emit (levels, check_long, &all, NULL),
                     ==, 0);
    dg_table_fini (&bytes);
  }
  g_assert_cmpint (dg_index_levels_finish (levels, check_long, &all, NULL),
                   ==, 0);
  g_assert_cmpuint (all.given, ==, 4 + 1);
  dg_index_levels_free (levels);
  for (unsigned i = 0; i < LONG_CHUNKS; i++)
    dg_table_fini (&all.chunks[i]);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index-levels/same", test_same);
  g_test_add_func ("/index-levels/failure", test_failure);
  g_test_add_func ("/index-levels/long", test_long);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
