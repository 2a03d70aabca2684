/* test-cache-sim.c: caches against lists that are kept the plain way, on
   random accesses, in all shapes; shapes that are not caches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyses/cache/cache_sim.h"
#include "unit_main.h"

#include <glib.h>
#include <string.h>

/* ---- A cache the plain way -------------------------------------------- */

/* Each set a queue of lines; the head is the one touched (or fetched) last. */
struct plain {
  struct dg_cache_shape shape;
  enum dg_cache_policy policy;
  uint64_t n_sets;
  GQueue *sets;
};

static void
plain_init (struct plain *plain, const struct dg_cache_shape *shape,
            enum dg_cache_policy policy)
{
  plain->shape = *shape;
  plain->policy = policy;
  plain->n_sets = shape->size / shape->line / shape->assoc;
  plain->sets = g_new0 (GQueue, plain->n_sets);
}

static void
plain_fini (struct plain *plain)
{
  for (uint64_t i = 0; i < plain->n_sets; i++)
    g_queue_clear (&plain->sets[i]);
  g_free (plain->sets);
}

static bool
plain_touch (struct plain *plain, uint64_t line)
{
  GQueue *set = &plain->sets[line % plain->n_sets];
  GList *there = g_queue_find (set, GSIZE_TO_POINTER (line));

  if (there != NULL && plain->policy == DG_CACHE_FIFO)
    return true;
  if (there != NULL)
    g_queue_delete_link (set, there);
  g_queue_push_head (set, GSIZE_TO_POINTER (line));
  if (g_queue_get_length (set) > plain->shape.assoc)
    g_queue_pop_tail (set);
  return there != NULL;
}

/* An access to several lines hits if all do.  */
static bool
plain_access (struct plain *plain, uint64_t address, uint32_t size)
{
  bool hit = true;

  for (uint64_t line = address / plain->shape.line;
       line <= (address + size - 1) / plain->shape.line; line++)
    hit = plain_touch (plain, line) && hit;
  return hit;
}

/* ---- Accesses --------------------------------------------------------- */

/* Near the last one, in strides, or anywhere.  */
static uint64_t
next_address (GRand *rand, uint64_t last)
{
  switch (g_rand_int_range (rand, 0, 4)) {
  case 0:
    return last + g_rand_int_range (rand, 0, 64);
  case 1:
    return last + 4096;
  case 2:
    return 0x10000 + g_rand_int_range (rand, 0, 3000);
  default:
    return (uint64_t) g_rand_int_range (rand, 0, 1 << 20)
           + ((uint64_t) g_rand_int_range (rand, 0, 3) << 40);
  }
}

static const struct dg_cache_shape shapes[] = {
  { 32768, 8, 64 }, { 4096, 1, 64 }, { 1024, 16, 64 }, { 64, 4, 16 },
  { 12288, 3, 64 }, { 81920, 5, 128 }, { 128, 1, 64 }, { 65536, 1024, 64 },
  { 262144, 16, 64 }, { 8192, 2, 4096 }, { 2048, 32, 64 }
};

static void
test_plain (gconstpointer data)
{
  enum dg_cache_policy policy = GPOINTER_TO_INT (data);

  for (unsigned i = 0; i < G_N_ELEMENTS (shapes); i++) {
    GRand *rand = g_rand_new_with_seed (i + 7);
    struct dg_cache cache;
    struct plain plain;
    uint64_t address = 0, misses = 0;

    g_assert_cmpint (dg_cache_init (&cache, &shapes[i], policy, NULL), ==, 0);
    plain_init (&plain, &shapes[i], policy);
    for (unsigned k = 0; k < 40000; k++) {
      uint32_t size = 1 << g_rand_int_range (rand, 0, 7);
      bool hit;
      address = next_address (rand, address);
      hit = dg_cache_access (&cache, address, size);
      g_assert_cmpint (hit, ==, plain_access (&plain, address, size));
      misses += !hit;
    }
    g_assert_cmpuint (misses, >, 1000);
    g_assert_cmpuint (misses, <, 39900);
    dg_cache_fini (&cache);
    plain_fini (&plain);
    g_rand_free (rand);
  }
}

/* What random replacement must do whatever it picks: a set holds at most its
   lines, a line that was fetched is there, and the same accesses do the
   same again, also if other sets see other accesses.  */
static void
test_random (void)
{
  struct dg_cache_shape shape = { 4096, 4, 64 };
  struct dg_cache one, two;
  GRand *rand = g_rand_new_with_seed (3);
  unsigned hits = 0;

  g_assert_cmpint (dg_cache_init (&one, &shape, DG_CACHE_RANDOM, NULL), ==, 0);
  g_assert_cmpint (dg_cache_init (&two, &shape, DG_CACHE_RANDOM, NULL), ==, 0);
  for (unsigned i = 0; i < 20000; i++) {
    uint64_t line = g_rand_int_range (rand, 0, 128);
    bool hit = dg_cache_touch (&one, line);
    hits += hit;
    g_assert_true (dg_cache_touch (&one, line));
    if ((line & 1) != 0) {
      g_assert_cmpint (dg_cache_touch (&two, line), ==, hit);
      g_assert_true (dg_cache_touch (&two, line));
    }
  }
  /* Eight lines for four places, each as likely.  */
  g_assert_cmpuint (hits, >, 9000);
  g_assert_cmpuint (hits, <, 11000);
  dg_cache_fini (&one);
  dg_cache_fini (&two);
  g_rand_free (rand);
}

/* Four lines in turn in four places, then a fifth: LRU and FIFO differ by what
   was touched in between.  */
static void
test_policies (void)
{
  struct dg_cache_shape shape = { 256, 4, 64 };

  for (int policy = DG_CACHE_LRU; policy <= DG_CACHE_FIFO; policy++) {
    struct dg_cache cache;
    g_assert_cmpint (dg_cache_init (&cache, &shape, policy, NULL), ==, 0);
    for (uint64_t line = 1; line <= 4; line++)
      g_assert_false (dg_cache_touch (&cache, line));
    g_assert_true (dg_cache_touch (&cache, 1));
    g_assert_false (dg_cache_touch (&cache, 5));
    g_assert_cmpint (dg_cache_touch (&cache, 1), ==, policy == DG_CACHE_LRU);
    dg_cache_fini (&cache);
  }
  g_assert_cmpint (dg_cache_policy_parse ("lru"), ==, DG_CACHE_LRU);
  g_assert_cmpint (dg_cache_policy_parse ("fifo"), ==, DG_CACHE_FIFO);
  g_assert_cmpint (dg_cache_policy_parse ("random"), ==, DG_CACHE_RANDOM);
}

/* The last bytes of memory; an access that would go on behind them.  */
static void
test_end_of_memory (void)
{
  struct dg_cache_shape shape = { 32, 1, 16 };
  struct dg_cache cache;

  g_assert_cmpint (dg_cache_init (&cache, &shape, DG_CACHE_LRU, NULL), ==, 0);
  g_assert_false (dg_cache_access (&cache, UINT64_MAX - 7, 8));
  g_assert_true (dg_cache_access (&cache, UINT64_MAX - 7, 16));
  g_assert_false (dg_cache_access (&cache, 0, 1));
  g_assert_true (dg_cache_access (&cache, UINT64_MAX, 1));
  dg_cache_fini (&cache);
}

/* ---- Shapes ----------------------------------------------------------- */

static void
test_shapes (void)
{
  static const struct { const char *text, *message; } bad[] = {
    { "", "must be SIZE,ASSOCIATIVITY,LINE-SIZE" },
    { "32768,8", "must be SIZE" },
    { "32768,8,64,1", "must be SIZE" },
    { "-1,8,64", "must be SIZE" },
    { "32K,8,64", "must be SIZE" },
    { "32k,8,64", "must be a" },
    { "0,1,64", "above 0" },
    { "64,0,64", "above 0" },
    { "32768,8,48", "the line size 48 is not a power of two" },
    { "32768,8,8", "the line size 8 is not a power of two of at least 16" },
    { "64,1,64", "must be above the line size" },
    { "128,4,64", "4 lines per set, but only 2 in total" },
    { "30000,8,64", "must be a power of two" },
    { "49152,8,64", "must be a power of two; it is 96" },
    { "99999999999999999999999,8,64", "too large" },
    { "64Mi,99999999999,64", "lines per set" },
    { "2048Mi,8,64K", "must be SIZE" },
  };
  struct dg_cache_shape shape;
  struct dg_error err;

  g_assert_cmpint (
    dg_cache_shape_parse ("49152,12,64", "--D1", &shape, &err), ==, 0);
  g_assert_cmpuint (dg_cache_shape_sets (&shape), ==, 64);
  g_assert_cmpint (
    dg_cache_shape_parse ("8Mi,16,64", "--LL", &shape, &err), ==, 0);
  g_assert_cmpuint (shape.size, ==, 8 << 20);
  g_assert_cmpint (
    dg_cache_shape_parse ("32Ki,8,64", "--LL", &shape, &err), ==, 0);
  g_assert_cmpuint (shape.size, ==, 32 << 10);
  g_assert_cmpint (
    dg_cache_shape_parse ("0x8000,8,64", "--D1", &shape, &err), ==, 0);
  g_assert_cmpuint (shape.size, ==, 32 << 10);
  for (unsigned i = 0; i < G_N_ELEMENTS (bad); i++) {
    memset (&err, 0, sizeof err);
    g_assert_cmpint (
      dg_cache_shape_parse (bad[i].text, "--D1", &shape, &err), ==,
      DG_ERR_INVALID);
    g_assert_true (g_str_has_prefix (err.message, "--D1"));
    if (strstr (err.message, bad[i].message) == NULL)
      g_error ("%s: %s", bad[i].text, err.message);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cache_sim/lru", GINT_TO_POINTER (DG_CACHE_LRU),
                        test_plain);
  g_test_add_data_func ("/cache_sim/fifo", GINT_TO_POINTER (DG_CACHE_FIFO),
                        test_plain);
  g_test_add_func ("/cache_sim/random", test_random);
  g_test_add_func ("/cache_sim/policies", test_policies);
  g_test_add_func ("/cache_sim/end-of-memory", test_end_of_memory);
  g_test_add_func ("/cache_sim/shapes", test_shapes);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
