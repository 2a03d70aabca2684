/* test-reuse.c: LRU stack distances, compared with a list that is searched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "analyses/reuse/reuse_hist.h"
#include "analyses/reuse/reuse_stack.h"
#include "unit_main.h"

/* What came of a touch.  */
struct answer {
  uint32_t distance;
  uint64_t elapsed;        /* 0 for a cold one */
};

/* ---- The plain way ---- */

/* The lines, the latest first, and when each was touched.  */
static void
plain (const uint64_t *lines, size_t n, struct answer *answers)
{
  uint64_t *stack = g_new (uint64_t, n);
  uint64_t *when = g_new (uint64_t, n);
  size_t depth = 0;

  for (size_t i = 0; i < n; i++) {
    size_t d = 0;

    while (d < depth && stack[d] != lines[i])
      d++;
    if (d == depth) {
      answers[i] = (struct answer) { DG_REUSE_COLD, 0 };
      depth++;
    } else {
      answers[i] = (struct answer) { (uint32_t) d, i - when[d] };
    }
    memmove (stack + 1, stack, d * sizeof *stack);
    memmove (when + 1, when, d * sizeof *when);
    stack[0] = lines[i];
    when[0] = i;
  }
  g_free (stack);
  g_free (when);
}

static void
compare (const struct answer *expected, const struct answer *got, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (expected[i].distance != got[i].distance
        || expected[i].elapsed != got[i].elapsed)
      g_test_message ("touch %zu of %zu", i, n);
    g_assert_cmpuint (expected[i].distance, ==, got[i].distance);
    g_assert_cmpuint (expected[i].elapsed, ==, got[i].elapsed);
  }
}

/* ---- Ways to answer ---- */

static void
by_one_stack (const uint64_t *lines, size_t n, struct answer *answers)
{
  struct dg_reuse_stack stack = { 0 };

  for (size_t i = 0; i < n; i++) {
    uint32_t distance, elapsed;
    struct dg_reuse_slot *slot
      = dg_reuse_stack_touch (&stack, lines[i], (uint32_t) i, &distance,
                              &elapsed);

    g_assert_nonnull (slot);
    answers[i].distance = distance;
    answers[i].elapsed = distance == DG_REUSE_COLD ? 0 : elapsed;
  }
  dg_reuse_stack_fini (&stack);
}

/* Chunks of random lengths up to `most`, some of which are empty.  */
static void
by_chunks (GRand *random, size_t most, const uint64_t *lines, size_t n,
           struct answer *answers)
{
  struct dg_reuse_stack stack = { 0 };
  struct dg_reuse_whole whole = { 0 };
  size_t end;

  for (size_t begin = 0; begin < n; begin = end) {
    size_t length = (size_t) g_rand_int_range (random, 0, (gint32) most + 1);
    struct dg_reuse_line *list;
    struct dg_reuse_found *found;

    end = MIN (begin + length, n);
    list = g_new0 (struct dg_reuse_line, end - begin + 1);
    found = g_new0 (struct dg_reuse_found, end - begin + 1);
    dg_reuse_stack_clear (&stack);
    for (size_t i = begin; i < end; i++) {
      const uint32_t number = (uint32_t) (i - begin);
      uint32_t distance, elapsed;
      struct dg_reuse_slot *slot
        = dg_reuse_stack_touch (&stack, lines[i], number, &distance,
                                &elapsed);

      answers[i] = (struct answer) { distance, elapsed };
      if (distance == DG_REUSE_COLD) {
        list[slot->id].line = lines[i];
        list[slot->id].first = number;
      }
    }
    g_assert_cmpint (dg_reuse_stack_lines (&stack, list), ==, 0);
    g_assert_cmpint (
      dg_reuse_whole_take (&whole, list, stack.n, begin, found), ==, 0);
    for (uint32_t i = 0; i < stack.n; i++) {
      g_assert_cmpuint (found[i].id, <, whole.stack.n);
      answers[begin + list[i].first]
        = (struct answer) { found[i].distance, found[i].elapsed };
    }
    g_free (list);
    g_free (found);
  }
  dg_reuse_stack_fini (&stack);
  dg_reuse_whole_fini (&whole);
}

/* ---- Patterns ---- */

enum pattern { UNIFORM, SCAN, SAWTOOTH, HOT, PHASES, SPARSE, ONE, LAST };
static const char *const names[]
  = { "uniform", "scan", "sawtooth", "hot", "phases", "sparse", "one" };

/* Of about k lines, the i-th of n touches.  */
static uint64_t
line_of (GRand *random, enum pattern pattern, uint64_t k, size_t i, size_t n)
{
  const uint64_t any = g_rand_int (random) % k;

  switch (pattern) {
  case UNIFORM:
    return 1000 + any;
  case SCAN:
    return i % k;
  case SAWTOOTH:
    return i / k % 2 == 0 ? i % k : k - 1 - i % k;
  case HOT:
    return g_rand_int_range (random, 0, 10) < 8 ? any % 7 : any;
  case PHASES:
    return i * 5 / n * (k / 2) + any;
  case SPARSE:
    /* As far apart as can be, up to the last line of memory.  */
    return UINT64_MAX / 64 - any * (UINT64_C (1) << 40);
  default:
    return 0;
  }
}

static void
test_pattern (gconstpointer data)
{
  const enum pattern pattern = GPOINTER_TO_INT (data);
  static const struct { size_t n; uint64_t k; size_t chunk; } sizes[] = {
    { 1, 1, 1 },        { 300, 3, 20 },       { 1000, 64, 100 },
    { 5000, 600, 999 }, { 40000, 50, 9000 },  { 40000, 900, 30000 },
    { 9000, 3000, 1 },    { 20000, 3000, 700 }, { 12000, 9000, 9000 },
    /* As many as the front has, and one more.  */
    { 5000, DG_REUSE_FRONT, 700 }, { 5000, DG_REUSE_FRONT + 1, 700 },
  };
  GRand *random = g_rand_new_with_seed (20 + (guint32) pattern);

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    const size_t n = sizes[s].n;
    uint64_t *lines = g_new (uint64_t, n);
    struct answer *expected = g_new (struct answer, n);
    struct answer *got = g_new (struct answer, n);

    for (size_t i = 0; i < n; i++)
      lines[i] = line_of (random, pattern, sizes[s].k, i, n);
    plain (lines, n, expected);
    by_one_stack (lines, n, got);
    compare (expected, got, n);
    by_chunks (random, sizes[s].chunk, lines, n, got);
    compare (expected, got, n);
    g_free (lines);
    g_free (expected);
    g_free (got);
  }
  g_rand_free (random);
}

/* ---- The axis ---- */

/* Three levels, which no trace of a test fills: each answer by counting
   bits.  */
static void
test_axis (void)
{
  const uint32_t size = 5u << 20;
  struct dg_reuse_axis axis = { 0 };
  GRand *random = g_rand_new_with_seed (9);
  uint32_t *ranks, live = 0;

  g_assert_cmpint (dg_reuse_axis_make (&axis, size), ==, 0);
  g_assert_cmpuint (axis.levels, ==, 3);
  dg_reuse_axis_fill (&axis, 700);
  dg_reuse_axis_put (&axis);
  dg_reuse_axis_fill (&axis, size - 2000);
  for (int i = 0; i < 1299; i++)
    g_assert_cmpuint (dg_reuse_axis_put (&axis), ==, size - 1299 + i);
  g_assert_cmpuint (axis.live, ==, size);
  g_assert_cmpuint (dg_reuse_axis_behind (&axis, 0), ==, size - 1);
  g_assert_cmpuint (dg_reuse_axis_behind (&axis, size - 1), ==, 0);

  for (uint32_t i = 0; i < size; i++)
    if (g_rand_int_range (random, 0, 100) < (i < size / 2 ? 95 : 40))
      dg_reuse_axis_take (&axis, i);
  ranks = dg_reuse_axis_ranks (&axis);
  g_assert_nonnull (ranks);
  for (uint32_t i = size; i-- > 0;) {
    const bool stands = axis.words[i / 64] >> (i % 64) & 1;

    if (i % 97 == 0)
      g_assert_cmpuint (dg_reuse_axis_behind (&axis, i), ==, live);
    live += stands;
    if (i % 89 == 0)
      g_assert_cmpuint (dg_reuse_axis_rank (&axis, ranks, i), ==,
                        axis.live - live);
  }
  g_assert_cmpuint (axis.live, ==, live);
  g_free (ranks);

  /* What is left over must not be seen.  */
  dg_reuse_axis_clear (&axis);
  dg_reuse_axis_fill (&axis, 5);
  g_assert_cmpuint (dg_reuse_axis_behind (&axis, 0), ==, 4);
  for (unsigned level = 0; level < axis.levels; level++)
    g_assert_cmpuint (axis.counts[level][0], ==, 0);
  dg_reuse_axis_fini (&axis);
  g_rand_free (random);
}

/* The memory follows the lines, not the touches.  */
static void
test_memory (void)
{
  struct dg_reuse_stack stack = { 0 };
  uint32_t distance, elapsed;

  for (uint32_t i = 0; i < 3000000; i++)
    g_assert_nonnull (dg_reuse_stack_touch (&stack, i % 100 * 3, i, &distance,
                                            &elapsed));
  g_assert_cmpuint (distance, ==, 99);
  g_assert_cmpuint (elapsed, ==, 100);
  g_assert_cmpuint (stack.axis.size, <=, 1u << 14);
  g_assert_cmpuint (stack.bits, <=, 10);
  dg_reuse_stack_fini (&stack);
}

/* ---- What follows from distances ---- */

/* Counts all touches of lines of a sample.  */
static void
count_all (struct dg_reuse_hist *hist, const struct dg_reuse_sample *sample,
           const uint64_t *lines, size_t n)
{
  struct dg_reuse_stack stack = { 0 };

  g_assert_cmpint (dg_reuse_hist_init (hist, sample->rate < 1), ==, 0);
  hist->accesses = n;
  for (size_t i = 0; i < n; i++) {
    const uint64_t dice = dg_reuse_dice (lines[i]);
    uint32_t distance, elapsed;

    if (!dg_reuse_is_sampled (sample, dice))
      continue;
    g_assert_nonnull (dg_reuse_stack_touch (&stack, lines[i], (uint32_t) i,
                                            &distance, &elapsed));
    g_assert_cmpint (dg_reuse_hist_room (hist, stack.n + 1), ==, 0);
    if (distance == DG_REUSE_COLD)
      hist->cold++;
    else
      dg_reuse_hist_count (hist, distance, elapsed - 1);
    if (hist->groups)
      dg_reuse_hist_group (hist, sample, dice, distance);
  }
  dg_reuse_stack_fini (&stack);
}

/* Of samples, the true misses are between what they say, for caches of all
   sizes; and that is not much where there is much to sample.  */
static void
test_sample (gconstpointer data)
{
  const enum pattern pattern = GPOINTER_TO_INT (data);
  static const double rates[] = { 0.3, 0.1, 0.02 };
  const size_t n = 400000;
  const uint64_t k = 40000;
  const struct dg_reuse_sample all = { .rate = 1, .limit = 1 << 24 };
  GRand *random = g_rand_new_with_seed (77 + (guint32) pattern);
  uint64_t *lines = g_new (uint64_t, n);
  struct dg_reuse_hist exact;
  struct dg_reuse_curve *truth;

  for (size_t i = 0; i < n; i++)
    lines[i] = line_of (random, pattern, k, i, n);
  count_all (&exact, &all, lines, n);
  truth = dg_reuse_curve_new (&exact, &all);
  g_assert_nonnull (truth);
  for (size_t r = 0; r < G_N_ELEMENTS (rates); r++) {
    struct dg_reuse_sample sample;
    struct dg_reuse_hist hist;
    struct dg_reuse_curve *curve;

    dg_reuse_sample_init (&sample, rates[r], NULL, 0);
    count_all (&hist, &sample, lines, n);
    curve = dg_reuse_curve_new (&hist, &sample);
    g_assert_nonnull (curve);
    for (uint64_t size = 1; size < 3 * k; size += size / 3 + 1) {
      const struct dg_reuse_misses is = dg_reuse_curve_misses (truth, size);
      const struct dg_reuse_misses told = dg_reuse_curve_misses (curve, size);

      g_assert_cmpuint (is.low, ==, is.n);
      g_assert_cmpuint (is.high, ==, is.n);
      if (is.n < told.low || is.n > told.high)
        g_test_message ("rate %g, %d lines", rates[r], (int) size);
      g_assert_cmpuint (is.n, >=, told.low);
      g_assert_cmpuint (is.n, <=, told.high);
      g_assert_cmpuint (told.n, >=, told.low);
      g_assert_cmpuint (told.n, <=, told.high);
      if (pattern == UNIFORM && rates[r] > 0.2 && size > k / 10)
        g_assert_cmpuint (told.high - told.low, <, n / 10);
    }
    dg_reuse_curve_free (curve);
    dg_reuse_hist_fini (&hist);
  }
  dg_reuse_curve_free (truth);
  dg_reuse_hist_fini (&exact);
  g_free (lines);
  g_rand_free (random);
}

/* Figures that are known: distances 0, 3 x 1, 2 x 6, times 0 to 99999.  */
static void
test_stats (void)
{
  const struct dg_reuse_sample all = { .rate = 1, .limit = 1 << 24 };
  struct dg_pair pairs[DG_REUSE_TIME_BUCKETS];
  struct dg_reuse_hist hist, more;
  struct dg_reuse_stats stats;
  size_t n;

  g_assert_cmpint (dg_reuse_hist_init (&hist, false), ==, 0);
  stats = dg_reuse_distances (&hist, &all);
  g_assert_cmpuint (stats.n, ==, 0);
  g_assert_cmpuint (dg_reuse_distance_pairs (&hist, &all, pairs), ==, 0);
  g_assert_cmpint (dg_reuse_hist_room (&hist, 7), ==, 0);
  for (unsigned i = 0; i < 6; i++)
    dg_reuse_hist_count (&hist, i < 1 ? 0 : i < 4 ? 1 : 6, 5);
  stats = dg_reuse_distances (&hist, &all);
  g_assert_cmpuint (stats.n, ==, 6);
  g_assert_cmpuint (stats.median, ==, 1);
  g_assert_cmpfloat_with_epsilon (stats.mean, 2.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (stats.sigma, 2.5, 1e-9);
  n = dg_reuse_distance_pairs (&hist, &all, pairs);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (pairs[1].key, ==, 1);
  g_assert_cmpuint (pairs[1].count, ==, 3);
  g_assert_cmpuint (pairs[2].key, ==, 4);
  n = dg_reuse_time_pairs (&hist, &all, pairs);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (pairs[0].key, ==, 4);

  g_assert_cmpint (dg_reuse_hist_init (&more, false), ==, 0);
  g_assert_cmpint (dg_reuse_hist_room (&more, 1000), ==, 0);
  for (unsigned i = 0; i < 100000; i++)
    dg_reuse_hist_count (&more, 900, i);
  stats = dg_reuse_times (&more, &all);
  g_assert_cmpfloat_with_epsilon (stats.mean, 49999.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (stats.sigma, 28867.513, 0.01);
  g_assert_cmpuint (stats.median, >, 48500);
  g_assert_cmpuint (stats.median, <, 51500);
  n = dg_reuse_time_pairs (&more, &all, pairs);
  g_assert_cmpuint (n, ==, 18);
  g_assert_cmpuint (pairs[0].count, ==, 1);
  for (size_t i = 1; i + 1 < n; i++)
    g_assert_cmpuint (pairs[i].count, ==, UINT64_C (1) << (i - 1));
  g_assert_cmpint (dg_reuse_hist_add (&more, &hist), ==, 0);
  stats = dg_reuse_distances (&more, &all);
  g_assert_cmpuint (stats.n, ==, 100006);
  g_assert_cmpuint (stats.median, ==, 900);
  dg_reuse_hist_fini (&more);
  dg_reuse_hist_fini (&hist);

  /* Steps of times do not overlap, and leave nothing out.  */
  for (unsigned shift = 1; shift < 64; shift++) {
    const uint64_t time = UINT64_C (1) << shift;

    g_assert_cmpuint (dg_reuse_time_step (time), >=,
                      dg_reuse_time_step (time - 1));
    g_assert_cmpuint (dg_reuse_time_step (time - 1) + 1, >=,
                      dg_reuse_time_step (time));
  }
  g_assert_cmpuint (dg_reuse_time_step (UINT64_MAX), ==, DG_REUSE_TIMES - 1);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reuse/axis", test_axis);
  g_test_add_func ("/reuse/memory", test_memory);
  g_test_add_func ("/reuse/stats", test_stats);
  for (int i = 0; i < LAST; i++) {
    char *path = g_strdup_printf ("/reuse/naive/%s", names[i]);

    g_test_add_data_func (path, GINT_TO_POINTER (i), test_pattern);
    g_free (path);
    path = g_strdup_printf ("/reuse/sample/%s", names[i]);
    g_test_add_data_func (path, GINT_TO_POINTER (i), test_sample);
    g_free (path);
  }
  return g_test_run ();
}

UNIT_MAIN (run_tests)
