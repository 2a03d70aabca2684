/* test-blocks.c: a log that keeps fewer heap blocks is otherwise the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "core_test.h"
#include "unit_main.h"

/* The same file, loaded once more.  */
static void
load_again (const struct dg_log *log, enum dg_blocks blocks,
            struct dg_log *again)
{
  struct dg_error err = { 0 };

  *again = (struct dg_log) { .ops = log->ops,
                             .source = log->source,
                             .header = log->header,
                             .format = log->format,
                             .part_min_bytes = 1000 };
  g_assert_cmpint (dg_log_set_blocks (again, blocks, &err), ==, 0);
  g_assert_cmpint (
    dg_log_load (again, 1 + (unsigned) g_test_rand_int_range (0, 3), NULL,
                 NULL, &err), ==, log->contents.load_code);
}

/* All that belongs to a log that was loaded by that.  */
static void
close_again (struct dg_log *again)
{
  dg_contents_fini (&again->contents);
}

/* ---- None ---- */

/* Everything that has an order but blocks comes in the same one.  */
static void
compare_replays (const struct dg_log *all, const struct dg_log *none)
{
  const unsigned kinds =
    ~(1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE);
  struct dg_replay_step *x, *y;
  struct dg_error err;
  size_t n_x, n_y;

  g_assert_cmpint (dg_log_replay (all, kinds, &x, &n_x, &err), ==, 0);
  g_assert_cmpint (dg_log_replay (none, kinds, &y, &n_y, &err), ==, 0);
  g_assert_cmpuint (n_x, ==, n_y);
  for (size_t i = 0; i < n_x; i++) {
    g_assert_cmpuint (x[i].kind, ==, y[i].kind);
    g_assert_cmpuint (x[i].index, ==, y[i].index);
  }
  free (x);
  free (y);
}

static void
check_none (const struct dg_log *log)
{
  struct dg_log none;

  load_again (log, DG_BLOCKS_NONE, &none);
  g_assert_cmpmem (dg_log_summary (log), sizeof (struct dg_summary),
                   dg_log_summary (&none), sizeof (struct dg_summary));
#define COMPARE(name, type)                                             \
  g_assert_cmpuint (log->contents.name.n, ==, none.contents.name.n);
  DG_CONTENTS_TABLES (COMPARE)
#undef COMPARE
  g_assert_cmpuint (none.contents.blocks.items.room, ==, 0);
  g_assert_cmpuint (none.contents.blocks.births.room, ==, 0);
  g_assert_cmpuint (none.contents.blocks.deaths.room, ==, 0);
  compare_replays (log, &none);
  core_test_read (&none);
  close_again (&none);
}

static void
test_none (void)
{
  core_test_random (20, 4000, check_none);
}

/* Records of heap blocks are checked all the same.  */
static void
test_none_damaged (void)
{
  GByteArray *bytes = core_test_assemble (
    "malloc_block 0x1000 16 [0x10]\nheap_free 1 1 0 []\n", 8, false);
  struct dg_error err = { 0 };
  struct dg_log *log;

  g_assert_cmpint (
    dg_log_open_memory ("test", bytes->data, bytes->len, &log, &err), ==, 0);
  g_assert_cmpint (dg_log_set_blocks (log, DG_BLOCKS_NONE, &err), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpuint (dg_log_summary (log)->heap_allocs, ==, 1);
  /* It is too late for others.  */
  g_assert_cmpint (dg_log_set_blocks (log, DG_BLOCKS_ALL, &err), ==,
                   DG_ERR_INVALID);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/none", test_none);
  g_test_add_func ("/blocks/none-damaged", test_none_damaged);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
