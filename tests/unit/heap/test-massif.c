/* test-massif.c: Massif's algorithm, beside one that does everything at once
   and at length, on random logs; options, moments, the true peak, and logs
   that are not as they should be.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"
#include "dg_record.h"
#include "massif_model.h"
#include "unit_main.h"

#define BLOCK MASSIF_BLOCK
#define RUN3 MASSIF_RUN

/* ---- Helpers ---------------------------------------------------------- */

static struct dg_massif *
run (const struct dg_log *log, const struct dg_massif_options *o)
{
  struct dg_massif *massif;
  struct dg_error err;

  if (dg_massif_run (log, NULL, o, NULL, NULL, &massif, &err) < 0)
    g_error ("%s", err.message);
  return massif;
}

static char *
text_of (const struct dg_massif *massif)
{
  char *text = NULL;
  size_t n;
  FILE *file = open_memstream (&text, &n);

  g_assert_cmpint (dg_massif_write (massif, "x", file, NULL), ==, 0);
  fclose (file);
  return text;
}

static uint64_t
total_at (const struct dg_massif *massif, size_t i)
{
  size_t n;
  const struct dg_massif_snapshot *s = dg_massif_snapshots (massif, &n);

  g_assert_cmpuint (i, <, n);
  return s[i].heap + s[i].extra + s[i].stacks;
}

/* ---- Tests ------------------------------------------------------------ */

static void
compare (const struct massif_story *story, struct dg_massif_options *o)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (story->text->str, &bytes);
  struct dg_massif *massif = run (log, o);
  char *text = text_of (massif), *expected;
  uint64_t most;

  expected = massif_model_text (story, o, &most);
  g_assert_cmpstr (text, ==, expected);
  dg_massif_free (massif);
  o->exact_peak = true;
  massif = run (log, o);
  if (most > 0)
    g_assert_cmpuint (total_at (massif, dg_massif_peak (massif)), ==, most);
  o->exact_peak = false;
  dg_massif_free (massif);
  free (text);
  g_free (expected);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_random (void)
{
  static const double thresholds[] = {1, 0, 10, 33.3};

  for (unsigned seed = 0; seed < 48; seed++) {
    struct massif_story story = massif_story_make (seed, 20 + seed * 25);
    struct dg_massif_options o;

    dg_massif_defaults (&o, sizeof o);
    o.time_unit = seed % 3 == 0 ? DG_MASSIF_TIME_I : DG_MASSIF_TIME_B;
    o.threshold = thresholds[seed % 4];
    o.peak_inaccuracy = seed % 5 == 0 ? 0 : seed % 5;
    o.depth = 1 + seed % 4;
    o.detailed_freq = 1 + seed % 7;
    o.max_snapshots = 10 + seed * 3;
    o.heap_admin = seed % 2 * 16;
    compare (&story, &o);
    massif_story_free (&story);
  }
}

static void
test_moments (void)
{
  const struct dg_massif_moment at[] = {
    {DG_NEVER, 0, "end"}, {3, 0, "3"}, {0, 0, "0"}, {4, 0, "4"}};
  static const uint64_t heaps[] = {10, 30, 30, 20};
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "malloc_block 64 10 [9 5]\nheap_alloc 1 1 1 10 0 0\n" RUN3
    "malloc_block 128 20 [9 6]\nheap_alloc 2 1 1 20 0 0\n" RUN3
    "free_block 64\nheap_free 3 1 11 []\n", &bytes);
  const struct dg_massif_snapshot *s;
  struct dg_massif_options o;
  struct dg_massif *massif;
  size_t n, found = 0;

  dg_massif_defaults (&o, sizeof o);
  o.at = at;
  o.n_at = G_N_ELEMENTS (at);
  massif = run (log, &o);
  s = dg_massif_snapshots (massif, &n);
  for (size_t i = 0; i < n; i++) {
    struct dg_massif_tree *tree;

    g_assert_true (i == 0 || s[i].time >= s[i - 1].time);
    if (s[i].moment == NULL)
      continue;
    g_assert_cmpint (s[i].kind, ==, DG_MASSIF_DETAILED);
    g_assert_cmpuint (s[i].heap, ==, heaps[found++]);
    tree = dg_massif_tree_new (massif, i, NULL);
    g_assert_nonnull (tree);
    g_assert_cmpuint (dg_massif_tree_top (tree)->bytes, ==, s[i].heap);
    dg_massif_tree_free (tree);
  }
  g_assert_cmpuint (found, ==, 4);
  dg_massif_free (massif);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* A page that is mapped over another counts again, and the latest goes
   first.  */
static void
test_pages (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "map 0x1000 0x2800 3 0 0 \"/a\"\n" RUN3
    "map 0x10000 0x4000 3 1 0 \"\"\nmap_stack 1 [7 8]\n" RUN3
    "map 0x11000 0x1000 3 1 0 \"\"\nmap_stack 1 [7 9]\n" RUN3
    "unmap 0x10000 0x2000\nmap_stack 1 [5]\n" RUN3
    "map 0x20000 0x10 3 2 0 \"\"\nmap_stack 1 [6]\n" RUN3
    "map 0x20010 0x1000 3 2 0 \"\"\nmap_stack 1 [6]\n" RUN3
    "unmap 0x20010 0x1000\n", &bytes);
  static const uint64_t heaps[] = {0x3000, 0x3000, 0x7000, 0x8000, 0x8000,
                                   0x7000, 0x7000, 0x8000, 0x7000};
  struct dg_massif_options o;
  struct dg_massif *massif;
  const struct dg_massif_snapshot *s;
  size_t n;

  dg_massif_defaults (&o, sizeof o);
  o.pages_as_heap = true;
  o.threshold = 0;
  massif = run (log, &o);
  s = dg_massif_snapshots (massif, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (heaps));
  for (size_t i = 0; i < G_N_ELEMENTS (heaps); i++)
    g_assert_cmphex (s[i].heap, ==, heaps[i]);
  dg_massif_free (massif);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What counts of a stack pointer's way, and what is taken for another
   stack.  */
static void
test_stacks (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    "process 42 1 7 8 4096 64 8 30 \"0.1\" \"3.19\" \"amd64\" \"/exe\""
    " \"/cwd\" [\"a\"]\n"
    "thread_start 1 0 42\nstack 1 0x1000 0x9000\nstack_pointer 1 0x8000 0\n"
    "bbdef [1+1 2+1 3+1] [S0@0 R4@1 S0@2]\ncontext 0 [1]\n"
    "bbrun 0 3 [0x7f00 0x10 0x7000]\n"
    "malloc_block 64 10 [9 5]\nheap_alloc 1 1 1 10 0 0\n"
    "bbrun 0 3 [0x7800 0x10 0]\n"
    "stack_pointer 1 0x7700 1\n"
    "bbrun 0 3 [0x400000 0x10 0x7700]\n"
    "thread_start 2 1 43\nstack 2 0x20000 0x30000\n"
    "thread_switch 2\nstack_pointer 2 0x2f000 0\n"
    "bbrun 0 3 [0x2ee00 0x10 0x2ed00]\n"
    "thread_switch 1\n"
    "bbrun 0 3 [0x7600 0x10 0x7500]\nend threads=2\n", &bytes);
  static const struct { uint64_t stacks, time; } expected[] = {
    {0, 0}, {0x100, 0x100}, {0x1000, 0x1000}, {0x1000, 0x1012},
    {0x1000, 0x1012}, {0x800, 0x1812}, {0x900, 0x1912}, {0xa00, 0x1a12},
    {0xb00, 0x1b12}};

  for (unsigned workers = 1; workers <= 3; workers += 2) {
    struct dg_massif_options o;
    struct dg_massif *massif;
    const struct dg_massif_snapshot *s;
    size_t n;

    dg_massif_defaults (&o, sizeof o);
    o.stacks = true;
    o.time_unit = DG_MASSIF_TIME_B;
    o.workers = workers;
    massif = run (log, &o);
    s = dg_massif_snapshots (massif, &n);
    g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
    for (size_t i = 0; i < n; i++) {
      g_assert_cmphex (s[i].stacks, ==, expected[i].stacks);
      g_assert_cmphex (s[i].time, ==, expected[i].time);
      g_assert_cmpuint (s[i].heap, ==, i >= 3 ? 10 : 0);
    }
    g_assert_cmpuint (dg_massif_peak (massif), ==, 4);
    dg_massif_free (massif);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_options (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (BLOCK RUN3, &bytes);
  struct dg_massif *massif = NULL;
  struct dg_massif_options good, o;
  struct dg_error err;

#define WRONG(change)                                                     \
  o = good;                                                               \
  change;                                                                 \
  g_assert_cmpint (                                                       \
    dg_massif_run (log, NULL, &o, NULL, NULL, &massif, &err), ==,         \
    DG_ERR_INVALID);                                                      \
  g_assert_null (massif)
  dg_massif_defaults (&good, sizeof good);
  WRONG (o.depth = 0);
  WRONG (o.depth = 201);
  WRONG (o.heap_admin = 1025);
  WRONG (o.detailed_freq = 0);
  WRONG (o.max_snapshots = 9);
  WRONG (o.max_snapshots = 1001);
  WRONG (o.threshold = 100.5);
  WRONG (o.threshold = -1);
  WRONG (o.peak_inaccuracy = -1);
  WRONG (o.time_unit = (enum dg_massif_time) 3);
  WRONG (o.stacks = true);
  WRONG (o.stacks = o.pages_as_heap = true);
#undef WRONG
  massif = run (log, &good);
  g_assert_null (dg_massif_tree_new (massif, 0, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  g_assert_null (dg_massif_tree_new (massif, 7, NULL));
  dg_massif_free (massif);
  dg_massif_free (NULL);
  dg_massif_tree_free (NULL);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Blocks as large as numbers go, and a log that tells nothing of its blocks:
   no sum wraps around.  */
static void
test_large (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "malloc_block 64 0xffffffffffffffff [9 5]\n"
    "malloc_block 65 0x7fffffffffffffff [9 5]\n"
    "malloc_block 66 0x3000000000000000 [9 5]\n"
    "malloc_block 67 0x3000000000000000 [9 6]\n"
    "free_block 64\nfree_block 66\nfree_block 67\n"
    "malloc_block 68 0x2000000000000000 [9 5]\n"
    "malloc_block 69 9 []\n", &bytes);
  struct dg_massif_options o;
  struct dg_massif *massif;
  size_t n;
  const struct dg_massif_snapshot *s;

  dg_massif_defaults (&o, sizeof o);
  o.time_unit = DG_MASSIF_TIME_B;
  o.detailed_freq = 1;
  massif = run (log, &o);
  s = dg_massif_snapshots (massif, &n);
  for (size_t i = 1; i < n; i++) {
    g_assert_cmpuint (s[i].heap, <=, UINT64_C (1) << 62);
    g_assert_cmpuint (s[i].time, >=, s[i - 1].time);
  }
  g_assert_cmphex (s[n - 1].heap, ==, 0x2000000000000009);
  g_assert_nonnull (dg_massif_note (massif, 0));
  dg_massif_free (massif);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancel (void)
{
  struct massif_story story = massif_story_make (1, 100);
  GByteArray *bytes;
  struct dg_log *log = core_test_log (story.text->str, &bytes);
  struct dg_massif_options o;
  struct dg_massif *massif;
  struct dg_error err;

  dg_massif_defaults (&o, sizeof o);
  g_assert_cmpint (dg_massif_run (log, NULL, &o, stop, NULL, &massif, &err),
                   ==, DG_ERR_CANCELLED);
  g_assert_null (massif);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  massif_story_free (&story);
}

/* ---- Blocks that pass ------------------------------------------------- */

static void
random_options (struct dg_massif_options *o)
{
  dg_massif_defaults (o, sizeof *o);
  o->time_unit = g_test_rand_int_range (0, 2) == 0 ? DG_MASSIF_TIME_I
                                                   : DG_MASSIF_TIME_B;
  o->depth = (unsigned) g_test_rand_int_range (1, 5);
  o->detailed_freq = (unsigned) g_test_rand_int_range (1, 5);
  o->exact_peak = g_test_rand_int_range (0, 2) == 0;
  o->stacks = g_test_rand_int_range (0, 3) == 0;
}

static unsigned n_passing;

/* They are read for each pass once more, and the file is the same.  */
static void
check_passing (const struct dg_log *log)
{
  const struct dg_massif_moment at[] = {
    {dg_log_summary (log)->last_icount / 2, 0, "half"}, {DG_NEVER, 0, "end"}};
  struct dg_massif *of_all, *of_passing;
  struct dg_massif_options o;
  char *text, *expected;
  struct dg_log passing;

  random_options (&o);
  o.at = at;
  o.n_at = (size_t) g_test_rand_int_range (0, 3);
  if (o.stacks
      && (dg_log_process (log) == NULL
          || (dg_log_process (log)->flags & DG_PROCESS_STACKS) == 0))
    o.stacks = false;
  core_test_load_passing (log, &passing);
  n_passing += passing.window != NULL;
  of_all = run (log, &o);
  of_passing = run (&passing, &o);
  expected = text_of (of_all);
  text = text_of (of_passing);
  g_assert_cmpstr (text, ==, expected);
  free (text);
  free (expected);
  dg_massif_free (of_all);
  dg_massif_free (of_passing);
  core_test_close_passing (&passing);
}

static void
test_passing (void)
{
  core_test_random (60, 4000, check_passing);
  g_assert_cmpuint (n_passing, >, 10);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/massif/random", test_random);
  g_test_add_func ("/massif/moments", test_moments);
  g_test_add_func ("/massif/pages", test_pages);
  g_test_add_func ("/massif/stacks", test_stacks);
  g_test_add_func ("/massif/options", test_options);
  g_test_add_func ("/massif/large", test_large);
  g_test_add_func ("/massif/cancel", test_cancel);
  g_test_add_func ("/massif/passing", test_passing);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
