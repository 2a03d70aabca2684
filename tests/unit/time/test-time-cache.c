/* test-time-cache.c: the caches of the time model against lists that are kept
   the plain way, on random accesses, in all shapes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_cache.h"
#include "unit_main.h"

#include <glib.h>

#define ACCESSES 20000

static const struct dg_time_shape shapes[] = {
  {1, 1, 0}, {8, 1, 0}, {8, 8, 0}, {64, 4, 0}, {96, 12, 0}, {60, 5, 0},
  {512, 16, 0}, {12, 4, 0},
  /* Fewer entries than ways; and a few more than a number of sets.  */
  {4, 12, 0}, {13, 4, 0}};

/* Each set a queue of numbers, the latest first.  */
struct plain {
  GQueue *sets;
  uint32_t n_sets, ways;
};

static bool
plain_touch (struct plain *plain, uint64_t number)
{
  GQueue *set = &plain->sets[number % plain->n_sets];
  GList *there = g_queue_find (set, GSIZE_TO_POINTER (number + 1));

  if (there != NULL)
    g_queue_delete_link (set, there);
  g_queue_push_head (set, GSIZE_TO_POINTER (number + 1));
  if (g_queue_get_length (set) > plain->ways)
    g_queue_pop_tail (set);
  return there != NULL;
}

/* Near the last one, or anywhere; the largest that there may be.  */
static uint64_t
next_number (GRand *rand, uint64_t last, uint32_t entries)
{
  switch (g_rand_int_range (rand, 0, 4)) {
  case 0:
    return last + 1;
  case 1:
    return (uint64_t) 1 << 58;
  case 2:
    return (uint64_t) g_rand_int_range (rand, 0, (gint32) entries * 2);
  default:
    return (uint64_t) g_rand_int_range (rand, 0, (gint32) entries + 1);
  }
}

static void
test_plain (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++) {
    const struct dg_time_shape *shape = &shapes[i];
    uint32_t ways = MIN (shape->ways, shape->entries);
    struct plain plain = {.ways = ways, .n_sets = shape->entries / ways};
    GRand *rand = g_rand_new_with_seed ((guint32) i + 1);
    GHashTable *ready = g_hash_table_new (NULL, NULL);
    struct dg_time_cache cache;
    uint64_t number = 0, hits = 0;

    plain.sets = g_new0 (GQueue, plain.n_sets);
    g_assert_cmpint (dg_time_cache_init (&cache, shape), ==, 0);
    g_assert_cmpuint (cache.sets * cache.ways, <=, shape->entries);
    for (uint64_t k = 0; k < ACCESSES; k++) {
      struct dg_time_line *line;

      number = next_number (rand, number, shape->entries);
      line = dg_time_cache_find (&cache, number);
      g_assert_cmpint (line != NULL, ==, plain_touch (&plain, number));
      if (line != NULL) {
        hits++;
        g_assert_cmpuint (line->ready, ==,
                          GPOINTER_TO_SIZE (g_hash_table_lookup (
                            ready, GSIZE_TO_POINTER (number))));
      } else {
        line = dg_time_cache_put (&cache, number, k);
        g_hash_table_insert (ready, GSIZE_TO_POINTER (number),
                             GSIZE_TO_POINTER (k));
      }
      g_assert_cmpuint (line->tag, ==, number + 1);
    }
    g_assert_cmpuint (hits, >, ACCESSES / 10);
    g_assert_cmpuint (hits, <, ACCESSES);
    for (uint32_t k = 0; k < plain.n_sets; k++)
      g_queue_clear (&plain.sets[k]);
    g_free (plain.sets);
    g_hash_table_unref (ready);
    dg_time_cache_fini (&cache);
    g_rand_free (rand);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-cache/plain", test_plain);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
