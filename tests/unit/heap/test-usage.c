/* test-usage.c: what became of heap blocks is what going through all accesses
   one by one, byte by byte, gives (use_model.h), on logs of both word sizes
   and byte orders.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "libdatagrind.h"
#include "unit_main.h"
#include "use_log.h"
#include "use_model.h"

/* ---- Comparing ---------------------------------------------------------- */

struct told {
  const struct use_model *model;
  GHashTable *blocks; /* those of which counts were told */
};

static void
check_counts (void *user, uint32_t block, const uint16_t *counts, size_t n)
{
  struct told *told = user;
  const GArray *expected = told->model->of[block].counts;

  g_assert_cmpuint (block % 3, !=, 0);
  g_assert_true (g_hash_table_add (told->blocks, GUINT_TO_POINTER (block)));
  g_assert_cmpuint (n, ==, expected->len);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (counts[i], ==,
                      MIN (g_array_index (expected, guint, i), UINT16_MAX));
}

/* What is told of blocks, and in which order.  */
struct ended {
  struct dg_usage_block *blocks;
  size_t n;
  GArray *order;       /* uint32_t */
  const uint8_t *only; /* NULL: all of them */
};

static struct ended
ended_new (const struct dg_log *log, const uint8_t *only)
{
  size_t n = dg_log_n_blocks (log);
  struct ended ended = {g_new (struct dg_usage_block, n + 1), n,
                        g_array_new (FALSE, FALSE, sizeof (uint32_t)), only};

  memset (ended.blocks, 0xff, (n + 1) * sizeof *ended.blocks);
  return ended;
}

static void
ended_free (struct ended *ended)
{
  g_free (ended->blocks);
  g_array_unref (ended->order);
}

static void
note_end (void *user, uint32_t block, const struct dg_usage_block *use)
{
  struct ended *ended = user;

  g_assert_cmpuint (block, <, ended->n);
  g_assert_cmpuint (ended->blocks[block].flags, ==, UINT32_MAX);
  g_assert_true (ended->only == NULL || ended->only[block] != 0);
  ended->blocks[block] = *use;
  g_array_append_val (ended->order, block);
}

/* Every block once, those that end in the log's order, then the others, the
   youngest first.  */
static void
check_order (const struct dg_log *log, const struct ended *ended)
{
  uint32_t before = 0, youngest = UINT32_MAX;
  bool is_over = false;

  g_assert_cmpuint (ended->order->len, ==, ended->n);
  for (guint i = 0; i < ended->order->len; i++) {
    uint32_t block = g_array_index (ended->order, uint32_t, i);
    uint32_t order = dg_log_block (log, block).free_order;

    if (order != DG_NONE) {
      g_assert_false (is_over);
      g_assert_true (i == 0 || order > before);
      before = order;
    } else {
      g_assert_cmpuint (block, <, youngest);
      youngest = block;
      is_over = true;
    }
  }
}

static void
check_accesses (const struct dg_usage_block *want,
                const struct dg_usage_block *use)
{
  g_assert_cmpuint (use->reads, ==, want->reads);
  g_assert_cmpuint (use->writes, ==, want->writes);
  g_assert_cmpuint (use->read_bytes, ==, want->read_bytes);
  g_assert_cmpuint (use->written_bytes, ==, want->written_bytes);
  g_assert_cmpuint (use->first_icount, ==, want->first_icount);
  g_assert_cmpuint (use->last_icount, ==, want->last_icount);
  g_assert_cmpuint (use->last_instruction, ==, want->last_instruction);
  g_assert_cmpuint (use->last_context, ==, want->last_context);
  g_assert_cmpuint (use->last_thread, ==, want->last_thread);
}

static void
check_block (const struct use_counted *expected,
             const struct dg_usage_block *use)
{
  const struct dg_usage_block *want = &expected->use;
  bool is_holder = (use->flags & DG_USAGE_HAS_PIECES) != 0;

  check_accesses (want, use);
  g_assert_cmpuint (use->previous, ==, want->previous);
  g_assert_cmpuint (use->flags & ~(uint32_t) DG_USAGE_HAS_PIECES, ==, 0);
  g_assert_cmpint (is_holder, ==, expected->overlaps);
  g_assert_cmpuint (use->unread, ==, is_holder ? 0 : want->unread);
  g_assert_cmpuint (use->unwritten, ==, is_holder ? 0 : want->unwritten);
  g_assert_cmpuint (use->untouched, ==, is_holder ? 0 : want->untouched);
}

/* Of some blocks only: their accesses are the same.  */
static void
check_only (const struct dg_log *log, const struct use_model *model)
{
  uint8_t *only = g_new (uint8_t, model->n + 1);

  for (unsigned workers = 1; workers <= 3; workers++) {
    struct ended ended = ended_new (log, only);
    const struct dg_usage_options options = {.size = sizeof options,
                                             .workers = workers,
                                             .only = only,
                                             .ended = note_end,
                                             .ended_user = &ended};

    for (size_t i = 0; i < model->n; i++)
      only[i] = i % (3 * workers) == workers;
    g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
    for (size_t i = 0; i < model->n; i++)
      if (only[i])
        check_accesses (&model->of[i].use, &ended.blocks[i]);
    ended_free (&ended);
  }
  g_free (only);
}

static void
check_log (const struct dg_log *log)
{
  struct use_model model;
  struct told told = {&model, g_hash_table_new (NULL, NULL)};
  struct ended first = {NULL, 0, NULL, NULL};
  GByteArray *wants = g_byte_array_new ();

  use_model_init (&model, log);
  use_model_run (&model);
  for (size_t i = 0; i < model.n; i++) {
    guint8 wanted = i % 3 != 0;

    g_byte_array_append (wants, &wanted, 1);
  }
  for (unsigned workers = 1; workers <= 4; workers++) {
    struct ended ended = ended_new (log, NULL);
    struct dg_usage_options options = {
      .size = sizeof options,
      .workers = workers,
      .want_bytes = true,
      .ended = note_end,
      .ended_user = &ended,
      .counts = workers % 2 == 0 ? check_counts : NULL,
      .counts_user = &told,
      .wants = wants->data};

    g_hash_table_remove_all (told.blocks);
    g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
    check_order (log, &ended);
    for (size_t i = 0; i < model.n; i++) {
      check_block (&model.of[i], &ended.blocks[i]);
      if (options.counts != NULL && i % 3 != 0)
        g_assert_cmpint (
          g_hash_table_contains (told.blocks, GSIZE_TO_POINTER (i)), ==,
          ended.blocks[i].first_icount != DG_NEVER);
      if (workers > 1)
        g_assert_cmpuint (first.blocks[i].flags, ==, ended.blocks[i].flags);
    }
    if (workers == 1)
      first = ended;
    else
      ended_free (&ended);
  }
  check_only (log, &model);
  ended_free (&first);
  g_byte_array_unref (wants);
  g_hash_table_unref (told.blocks);
  use_model_fini (&model);
}

static void
check_text (const char *text, unsigned word_size, bool big_endian)
{
  GByteArray *bytes = core_test_assemble (text, word_size, big_endian);
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  if (code < 0)
    g_error ("%s", err.message);
  check_log (log);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_random (gconstpointer data)
{
  bool is_wild = GPOINTER_TO_INT (data) != 0;

  for (guint32 seed = 0; seed < 60; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    unsigned grain = is_wild ? 1 + seed % 16 : seed % 2 ? 16 : 8;
    char *text = use_log_text (rand, 300, is_wild, grain);

    check_text (text, seed % 3 == 0 ? 4 : 8, seed % 5 == 0);
    g_free (text);
    g_rand_free (rand);
  }
}

/* ---- Blocks that pass --------------------------------------------------- */

/* What is told of blocks, in its order: they are known by their orders.  */
struct told_blocks {
  const struct dg_log *log;
  GArray *ended;    /* struct told_end */
  GArray *replaced; /* uint32_t: pairs */
};
struct told_end {
  uint64_t order;
  struct dg_usage_block use;
};

static void
tell_end (void *user, uint32_t block, const struct dg_usage_block *use)
{
  struct told_blocks *told = user;
  struct told_end end;

  memset (&end, 0, sizeof end);
  end.order = dg_log_block (told->log, block).alloc_order;
  end.use = *use;
  end.use.previous = DG_NONE;
  g_array_append_val (told->ended, end);
}

static void
tell_replaced (void *user, uint32_t block, uint32_t previous)
{
  struct told_blocks *told = user;
  uint32_t orders[] = {dg_log_block (told->log, block).alloc_order,
                       dg_log_block (told->log, previous).alloc_order};

  g_array_append_vals (told->replaced, orders, 2);
}

static struct told_blocks
tell_blocks (const struct dg_log *log, unsigned workers, bool want_bytes)
{
  struct told_blocks told = {
    log, g_array_new (FALSE, FALSE, sizeof (struct told_end)),
    g_array_new (FALSE, FALSE, sizeof (uint32_t))};
  const struct dg_usage_options options = {.size = sizeof options,
                                           .workers = workers,
                                           .want_bytes = want_bytes,
                                           .ended = tell_end,
                                           .replaced = tell_replaced,
                                           .ended_user = &told};

  g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
  return told;
}

static unsigned n_passing, n_replaced, n_windows;

static void
check_passing (const struct dg_log *log)
{
  unsigned workers = (unsigned) g_test_rand_int_range (1, 5);
  bool want_bytes = g_test_rand_int_range (0, 4) != 0;
  struct told_blocks all, some;
  struct dg_log passing;

  core_test_load_passing (log, &passing);
  if (passing.window != NULL) {
    all = tell_blocks (log, workers, want_bytes);
    /* Twice: the second time, it is not at the start.  */
    for (unsigned i = 0; i < 2; i++) {
      some = tell_blocks (&passing, workers, want_bytes);
      g_assert_cmpmem (some.ended->data,
                       some.ended->len * sizeof (struct told_end),
                       all.ended->data,
                       all.ended->len * sizeof (struct told_end));
      g_assert_cmpmem (some.replaced->data,
                       some.replaced->len * sizeof (uint32_t),
                       all.replaced->data,
                       all.replaced->len * sizeof (uint32_t));
      g_array_unref (some.ended);
      g_array_unref (some.replaced);
    }
    n_passing++;
    n_replaced += all.replaced->len;
    n_windows += passing.window->number > 4;
    g_array_unref (all.ended);
    g_array_unref (all.replaced);
  }
  core_test_close_passing (&passing);
}

static void
test_passing (void)
{
  core_test_random (60, 4000, check_passing);
  for (unsigned i = 0; i < 60; i++) {
    GRand *rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
    bool is_wild = i % 2 != 0;
    char *text = use_log_text (rand, 1000, is_wild, 1 + i % 16);
    GByteArray *bytes;
    struct dg_log *log = core_test_log (text, &bytes);
    struct dg_log *packed = core_test_pack (log);

    check_passing (packed);
    dg_log_close (packed);
    dg_log_close (log);
    g_byte_array_unref (bytes);
    g_free (text);
    g_rand_free (rand);
  }
  g_assert_cmpuint (n_passing, >, 40);
  g_assert_cmpuint (n_windows, >, 10);
  g_assert_cmpuint (n_replaced, >, 100);
}

/* ---- Cases -------------------------------------------------------------- */

static struct ended
use_of_log (const struct dg_log *log)
{
  struct ended ended = ended_new (log, NULL);
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = note_end,
                                           .ended_user = &ended,
                                           .want_bytes = true};

  g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
  check_order (log, &ended);
  return ended;
}

static struct ended
use_of (const char *text, struct dg_log **log, GByteArray **bytes,
        const struct dg_usage_block **blocks)
{
  struct ended ended;

  *log = core_test_log (text, bytes);
  ended = use_of_log (*log);
  *blocks = ended.blocks;
  return ended;
}

/* A read across the end of a block belongs to it; a read that begins before
   it touches its bytes, but is not one of its reads.  */
static void
test_edges (void)
{
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of ("bbdef [0x400000+4] [R8@0]\n"
                             "context 0 [0x400000]\n"
                             "malloc_block 0x1000 10 [0x400001]\n"
                             "malloc_block 0x2000 0 [0x400001]\n"
                             "malloc_block 0xfffffffffffffff0 16"
                             " [0x400001]\n"
                             "bbrun 0 1 [0x1008]\n"
                             "bbrun 0 1 [0xffc]\n"
                             "bbrun 0 1 [0x2000]\n"
                             "bbrun 0 1 [0xfffffffffffffffc]\n"
                             "free_block 0x1000\n"
                             "bbrun 0 1 [0x1000]\n"
                             "malloc_block 0x1000 10 [0x400001]\n",
                             &log, &bytes, &blocks);

  g_assert_cmpuint (blocks[0].reads, ==, 1);
  g_assert_cmpuint (blocks[0].read_bytes, ==, 8);
  g_assert_cmpuint (blocks[0].unread, ==, 4);
  g_assert_cmpuint (blocks[0].unwritten, ==, 10);
  g_assert_cmpuint (blocks[0].untouched, ==, 4);
  g_assert_cmpuint (blocks[0].last_icount, ==, 0);
  g_assert_cmpuint (blocks[0].last_instruction, ==, 0x400000);
  g_assert_cmpuint (blocks[1].last_icount, ==, DG_NEVER);
  g_assert_cmpuint (blocks[2].reads, ==, 1);
  g_assert_cmpuint (blocks[3].reads, ==, 0);
  g_assert_cmpuint (blocks[3].untouched, ==, 10);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What a realloc keeps stays written; what it gives away is forgotten.  */
static void
test_realloc (void)
{
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of ("bbdef [0x400000+4] [W8@0]\n"
                             "context 0 [0x400000]\n"
                             "malloc_block 0x1000 32 [0x400001]\n"
                             "heap_alloc 1 1 1 32 0 0\n"
                             "bbrun 0 1 [0x1000]\n"
                             "bbrun 0 1 [0x1018]\n"
                             "free_block 0x1000\n"
                             "heap_free 2 1 3 []\n"
                             "malloc_block 0x2008 100 [0x400001]\n"
                             "heap_alloc 3 1 3 100 0 0x1000\n"
                             "bbrun 0 1 [0x2008]\n"
                             "free_block 0x2008\n"
                             "heap_free 4 1 3 []\n"
                             "malloc_block 0x2008 16 [0x400001]\n"
                             "heap_alloc 5 1 3 100 0 0x2008\n",
                             &log, &bytes, &blocks);

  g_assert_cmpuint (blocks[0].unwritten, ==, 16);
  g_assert_cmpuint (blocks[1].previous, ==, 0);
  g_assert_cmpuint (blocks[1].writes, ==, 1);
  g_assert_cmpuint (blocks[1].unwritten, ==, 84);
  g_assert_cmpuint (blocks[2].previous, ==, 1);
  g_assert_cmpuint (blocks[2].writes, ==, 0);
  g_assert_cmpuint (blocks[2].unwritten, ==, 8);
  g_assert_cmpuint (blocks[2].last_icount, ==, DG_NEVER);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* A log that ends early, one without blocks, and one that is empty.  */
static void
test_cut_short (void)
{
  GByteArray *bytes = core_test_assemble ("bbdef [0x400000+4] [W8@0]\n"
                                          "context 0 [0x400000]\n"
                                          "malloc_block 0x1000 32 [0x400001]\n"
                                          "bbrun 0 1 [0x1000]\n"
                                          "bbrun 0 1 [0x1008]\n",
                                          8, false);
  struct dg_error err;
  int code;
  struct dg_log *log;
  struct ended use;

  g_byte_array_set_size (bytes, bytes->len - 3);
  log = core_test_load (bytes, 1, &code, &err);
  g_assert_cmpint (code, ==, DG_ERR_TRUNCATED);
  use = use_of_log (log);
  g_assert_cmpuint (use.blocks[0].writes, ==, 1);
  g_assert_cmpuint (use.blocks[0].unwritten, ==, 24);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  log = core_test_log ("bbdef [] []\n", &bytes);
  use = use_of_log (log);
  g_assert_cmpuint (use.n, ==, 0);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Blocks as large as an address space cost nothing.  */
static void
test_huge (void)
{
  static const char text[] =
    "malloc_block 0xffffffffffffffff 18446744073709551615 [0x400000]\n"
    "malloc_block 0 0 []\n"
    "heap_alloc 0 9 0 0 0 0\n"
    "malloc_block 0 18446744073709551615 [0x400001]\n"
    "heap_alloc 3 7 255 18446744073709551615 0 0\n"
    "malloc_block 0 18446744073709551615 [0x400002]\n"
    "heap_alloc 3 7 15 18446744073709551615 0 0\n"
    "free_block 0\n"
    "heap_free 3 7 16 []\n"
    "kernel_access 1 0x10000 0x7000000000000000 0\n";
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of (
                 "bbdef [0x400000+4] [W8@0]\n"
                 "context 0 [0x400000]\n"
                 "malloc_block 0x1000 0x7000000000000000 [0x400001]\n"
                 "malloc_block 0x2000 0x6000000000000000 [0x400001]\n"
                 "bbrun 0 1 [0x1800]\n"
                 "bbrun 0 1 [0x4000000000000000]\n"
                 "kernel_access 1 0x6fffffffffffff00 0x1000000000000000 0\n"
                 "free_block 0x2000\n"
                 "bbrun 0 1 [0x4000000000000000]\n",
                 &log, &bytes, &blocks),
               other;

  g_assert_cmpuint (blocks[0].flags, ==, DG_USAGE_HAS_PIECES);
  g_assert_cmpuint (blocks[0].writes, ==, 3);
  g_assert_cmpuint (blocks[1].writes, ==, 1);
  g_assert_cmpuint (blocks[1].unwritten, ==, 0x6000000000000000 - 8);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  other = use_of (text, &log, &bytes, &blocks);
  g_assert_cmpuint (blocks[0].last_icount, ==, DG_NEVER);
  ended_free (&other);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancel (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log ("bbdef [0x400000+4] [W8@0]\n"
                                      "context 0 [0x400000]\n"
                                      "malloc_block 0x1000 32 [0x400001]\n"
                                      "bbrun 0 1 [0x1000]\n",
                                      &bytes);
  const struct dg_usage_options options = {.size = sizeof options,
                                           .want_bytes = true};
  struct dg_error err;

  g_assert_cmpint (dg_usage_run (log, &options, cancel, NULL, &err), ==,
                   DG_ERR_CANCELLED);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/use/random", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/use/wild", GINT_TO_POINTER (1), test_random);
  g_test_add_func ("/use/edges", test_edges);
  g_test_add_func ("/use/realloc", test_realloc);
  g_test_add_func ("/use/cut-short", test_cut_short);
  g_test_add_func ("/use/huge", test_huge);
  g_test_add_func ("/use/cancel", test_cancel);
  g_test_add_func ("/use/passing", test_passing);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
