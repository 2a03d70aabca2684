/* test-containers.c: arena, table, spans, stacks and stream.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/spans.h"
#include "log/stacks.h"
#include "base/stream.h"
#include "base/table.h"
#include "unit_main.h"

static void
test_arena (void)
{
  struct dg_arena arena = { 0 }, other = { 0 };
  uint8_t *first = dg_arena_alloc (&arena, 3), *next;
  const char *a, *b;
  size_t sizes[] = { 0, 1, 8, 100, 5000, 8191, 8192, 70000, 1 << 20 };

  memset (first, 1, 3);
  for (unsigned i = 0; i < 1000; i++) {
    size_t size = sizes[i % G_N_ELEMENTS (sizes)];

    next = dg_arena_alloc (&arena, size);
    g_assert_nonnull (next);
    g_assert_cmpuint ((uintptr_t) next % 8, ==, 0);
    memset (next, 2, size);
  }
  g_assert_cmpuint (first[2], ==, 1);
  g_assert_null (dg_arena_alloc (&arena, SIZE_MAX));
  g_assert_null (dg_arena_alloc (&arena, SIZE_MAX - 3));
  a = dg_arena_string (&arena, "label");
  b = dg_arena_string (&arena, "label");
  g_assert_true (a == b);
  g_assert_cmpstr (a, ==, "label");
  g_assert_true (dg_arena_string (&arena, "other") != a);
  g_assert_cmpstr (dg_arena_string (&arena, ""), ==, "");
  a = dg_arena_string (&other, "kept");
  dg_arena_join (&arena, &other);
  g_assert_cmpstr (a, ==, "kept");
  dg_arena_fini (&other);
  dg_arena_fini (&arena);
  g_assert_null (arena.blocks);
}

static void
test_table (void)
{
  struct dg_table table = { 0 };
  uint32_t *item;

  for (uint32_t i = 0; i < 10000; i++) {
    item = dg_table_add (&table, sizeof *item);
    g_assert_cmpuint (*item, ==, 0);
    *item = i;
  }
  for (uint32_t i = 0; i < 10000; i++)
    g_assert_cmpuint (((uint32_t *) table.items)[i], ==, i);
  g_assert_cmpint (dg_table_reserve (&table, 4, SIZE_MAX / 2), <, 0);
  g_assert_cmpuint (table.n, ==, 10000);
  dg_table_fini (&table);
  g_assert_cmpuint (table.n, ==, 0);
  dg_table_fini (&table);
}

static void
test_spans (void)
{
  struct dg_spans spans = { 0 };

  g_assert_cmpuint (dg_spans_close (&spans, 1, 0), ==, SIZE_MAX);
  g_assert_cmpint (dg_spans_open (&spans, 1, 0, 10), ==, 0);
  g_assert_cmpint (dg_spans_open (&spans, 1, 0, 11), ==, 0);
  g_assert_cmpint (dg_spans_open (&spans, 1, 1, 12), ==, 0);
  g_assert_cmpint (dg_spans_open (&spans, UINT64_C (1) << 40, 0, 13), ==, 0);
  g_assert_cmpuint (dg_spans_close (&spans, 1, 0), ==, 11);
  g_assert_cmpuint (dg_spans_close (&spans, 1, 0), ==, 10);
  g_assert_cmpuint (dg_spans_close (&spans, 1, 0), ==, SIZE_MAX);
  g_assert_cmpuint (dg_spans_close (&spans, 1, 1), ==, 12);
  /* One stays open, twice.  */
  g_assert_cmpint (dg_spans_open (&spans, UINT64_C (1) << 40, 0, 14), ==, 0);
  dg_spans_fini (&spans);
}

/* Against a list: keys that are near and far, opened over each other, in any
   order, until the table has grown and shrunk.  */
static void
test_spans_many (void)
{
  struct span { uint64_t key; size_t index; };
  struct dg_spans spans = { 0 };
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct span));
  GRand *rand = g_rand_new_with_seed (1);

  for (size_t i = 0; i < 20000; i++) {
    uint64_t key = (uint64_t) g_rand_int_range (rand, 0, 300) * 16;
    size_t wanted = SIZE_MAX, old = SIZE_MAX;
    guint at = list->len;

    key |= (uint64_t) g_rand_int_range (rand, 0, 8) << 61;
    while (at > 0 && wanted == SIZE_MAX)
      if (g_array_index (list, struct span, --at).key == key)
        wanted = g_array_index (list, struct span, at).index;
    switch (g_rand_int_range (rand, 0, i < 12000 ? 3 : 6)) {
    case 0:
      g_assert_cmpint (dg_spans_replace (&spans, key, key >> 3, i, &old), ==,
                       0);
      g_assert_cmpuint (old, ==, wanted);
      if (wanted != SIZE_MAX)
        g_array_remove_index (list, at);
      break;
    case 1:
      g_assert_cmpint (dg_spans_open (&spans, key, key >> 3, i), ==, 0);
      break;
    default:
      g_assert_cmpuint (dg_spans_close (&spans, key, key >> 3), ==, wanted);
      if (wanted != SIZE_MAX)
        g_array_remove_index (list, at);
      continue;
    }
    g_array_append_vals (list, &(struct span) { key, i }, 1);
  }
  g_assert_cmpuint (list->len, >, 0);
  g_rand_free (rand);
  g_array_unref (list);
  dg_spans_fini (&spans);
}

static void
test_stacks (void)
{
  struct dg_arena arena = { 0 };
  struct dg_stacks stacks = { .arena = &arena };
  struct dg_stack first[1000], again;
  uint64_t sites[20];

  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < G_N_ELEMENTS (first); i++) {
      uint32_t n = i % G_N_ELEMENTS (sites) + 1;

      for (uint32_t k = 0; k < n; k++)
        sites[k] = (k + 1 == n ? i : k) << 12;
      g_assert_cmpint (dg_stacks_add (&stacks, sites, n, &again), ==, 0);
      g_assert_cmpuint (again.n, ==, n);
      g_assert_cmpmem (again.sites, n * 8, sites, n * 8);
      if (round == 0)
        first[i] = again;
      else
        g_assert_true (again.sites == first[i].sites);
    }
  dg_stacks_fini (&stacks);
  dg_arena_fini (&arena);
}

/* Against a plain list, where the latest one is the last.  */
static void
test_spans_random (void)
{
  struct dg_spans spans = { 0 };
  GRand *rand = g_rand_new_with_seed (11);
  GArray *list = g_array_new (FALSE, FALSE, 3 * sizeof (uint64_t));

  for (size_t i = 0; i < 40000; i++) {
    /* Crowded and far keys; at times most are closed.  */
    uint64_t entry[3] = { g_rand_int_range (rand, 0, 300),
                          g_rand_int_range (rand, 0, 2), i };
    bool open = g_rand_int_range (rand, 0, 100) < (i / 5000 % 2 ? 30 : 60);

    entry[0] *= i % 3 == 0 ? 1 : i % 3 == 1 ? 16 : UINT64_C (1) << 40;
    if (open) {
      g_assert_cmpint (dg_spans_open (&spans, entry[0], entry[1], i), ==, 0);
      g_array_append_val (list, entry);
    } else {
      size_t found = SIZE_MAX;

      for (guint j = list->len; j-- > 0 && found == SIZE_MAX;) {
        const uint64_t *e = (const uint64_t *) (void *) list->data + 3 * j;

        if (e[0] == entry[0] && e[1] == entry[1]) {
          found = e[2];
          g_array_remove_index (list, j);
        }
      }
      g_assert_cmpuint (dg_spans_close (&spans, entry[0], entry[1]), ==,
                        found);
    }
  }
  g_array_free (list, TRUE);
  g_rand_free (rand);
  dg_spans_fini (&spans);
}

/* Walks a source in steps of all sizes; every byte is its offset.  */
static void
walk (const struct dg_source *source, uint64_t start, uint64_t end)
{
  struct dg_stream stream;
  struct dg_error err;
  uint64_t step = 1;

  dg_stream_init (&stream, source, start, end);
  while (stream.offset < end) {
    uint64_t left = end - stream.offset;

    g_assert_cmpint (dg_stream_fill (&stream, step, &err), ==, 0);
    g_assert_cmpuint (stream.avail, >=, MIN (step, left));
    g_assert_cmpuint (stream.avail, <=, left);
    for (size_t i = 0; i < stream.avail; i += 97)
      g_assert_cmpuint (stream.at[i], ==, (uint8_t) ((stream.offset + i)
                                                     * 7));
    dg_stream_skip (&stream, MIN (left, step + step / 3));
    step = step * 2 + 1;
    if (step > 700000)
      step = 1;
  }
  g_assert_cmpint (dg_stream_fill (&stream, 100, &err), ==, 0);
  g_assert_cmpuint (stream.avail, ==, 0);
  dg_stream_fini (&stream);
}

static void
test_stream (void)
{
  size_t n = 3 << 20;
  uint8_t *bytes = g_malloc (n);
  struct dg_source source = { -1, bytes, n };
  char *path = NULL;

  for (size_t i = 0; i < n; i++)
    bytes[i] = i * 7;
  walk (&source, 0, n);
  walk (&source, 1000, 2000000);
  walk (&source, n, n);
  source.fd = g_file_open_tmp ("dg-test-XXXXXX", &path, NULL);
  g_assert_cmpint (write (source.fd, bytes, n), ==, n);
  walk (&source, 0, n);
  walk (&source, 1000, 2000000);
  walk (&source, n - 1, n);
  close (source.fd);
  g_unlink (path);
  g_free (path);
  g_free (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/containers/arena", test_arena);
  g_test_add_func ("/containers/table", test_table);
  g_test_add_func ("/containers/spans", test_spans);
  g_test_add_func ("/containers/spans-many", test_spans_many);
  g_test_add_func ("/containers/stacks", test_stacks);
  g_test_add_func ("/containers/spans-random", test_spans_random);
  g_test_add_func ("/containers/stream", test_stream);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
