/* test-blocks.c: a log that keeps fewer heap blocks is otherwise the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "core_test.h"
#include "log/block_window.h"
#include "log/log_births.h"
#include "unit_main.h"

/* The same file, loaded once more.  */
static void
load_again (const struct dg_log *log, enum dg_blocks blocks, uint64_t icount,
            struct dg_log *again)
{
  struct dg_error err = { 0 };

  *again = (struct dg_log) { .ops = log->ops,
                             .source = log->source,
                             .header = log->header,
                             .format = log->format,
                             .part_min_bytes = 1000 };
  g_assert_cmpint (blocks == DG_BLOCKS_LIVE
                     ? dg_log_set_live_blocks (again, icount, &err)
                     : dg_log_set_blocks (again, blocks, &err), ==, 0);
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

  load_again (log, DG_BLOCKS_NONE, 0, &none);
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

/* ---- Those that live ---- */

static void
assert_same_stack (const struct dg_stack *x, const struct dg_stack *y)
{
  g_assert_cmpmem (x->sites, x->n * sizeof *x->sites, y->sites,
                   y->n * sizeof *y->sites);
}

/* All that is known of a block, but perhaps its end.  */
static void
assert_same_block (const struct dg_block *x, const struct dg_block *y,
                   bool with_end)
{
  struct dg_block a = *x, b = *y;

  assert_same_stack (&x->alloc_stack, &y->alloc_stack);
  if (with_end)
    assert_same_stack (&x->free_stack, &y->free_stack);
  a.alloc_stack = a.free_stack = b.alloc_stack = b.free_stack =
    (struct dg_stack) { 0, NULL };
  if (!with_end) {
    a.free_icount = b.free_icount = a.free_seqno = b.free_seqno = 0;
    a.free_thread = b.free_thread = a.deallocator = b.deallocator = 0;
    a.free_order = b.free_order = 0;
    /* Some pools are told when their chunk is freed.  */
    if (b.pool == 0)
      a.pool = 0;
  }
  g_assert_cmpuint (a.address, ==, b.address);
  g_assert_cmpuint (a.size, ==, b.size);
  g_assert_cmpuint (a.alloc_icount, ==, b.alloc_icount);
  g_assert_cmpuint (a.free_icount, ==, b.free_icount);
  g_assert_cmpuint (a.alloc_seqno, ==, b.alloc_seqno);
  g_assert_cmpuint (a.free_seqno, ==, b.free_seqno);
  g_assert_cmpuint (a.alloc_thread, ==, b.alloc_thread);
  g_assert_cmpuint (a.free_thread, ==, b.free_thread);
  g_assert_cmpuint (a.allocator, ==, b.allocator);
  g_assert_cmpuint (a.deallocator, ==, b.deallocator);
  g_assert_cmpuint (a.kind, ==, b.kind);
  g_assert_cmpuint (a.pool, ==, b.pool);
  g_assert_cmpuint (a.usable, ==, b.usable);
  g_assert_cmpuint (a.alignment, ==, b.alignment);
  g_assert_cmpuint (a.old_address, ==, b.old_address);
  g_assert_cmpuint (a.alloc_order, ==, b.alloc_order);
  g_assert_cmpuint (a.free_order, ==, b.free_order);
}

static void
check_live (const struct dg_log *log)
{
  uint64_t last = dg_log_summary (log)->last_icount, icount = DG_NEVER;
  struct dg_log_birth x, y;
  struct dg_log live;
  size_t n = 0;

  if (g_test_rand_int_range (0, 4) > 0)
    icount = last * (uint64_t) g_test_rand_int_range (0, 101) / 100;
  load_again (log, DG_BLOCKS_LIVE, icount, &live);
  g_assert_cmpmem (dg_log_summary (log), sizeof (struct dg_summary),
                   dg_log_summary (&live), sizeof (struct dg_summary));
  g_assert_cmpuint (log->contents.orders, ==, live.contents.orders);
  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    const struct dg_block block = dg_log_block (log, i);

    if (block.alloc_icount <= icount
        && (icount == DG_NEVER ? block.free_order == DG_NONE
                               : block.free_icount > icount)) {
      const struct dg_block other = dg_log_block (&live, n++);

      assert_same_block (&block, &other, true);
    }
  }
  g_assert_cmpuint (dg_log_n_blocks (&live), ==, n);
  for (size_t i = 0; dg_log_first_birth (log, i, &x); i++) {
    g_assert_true (dg_log_first_birth (&live, i, &y));
    assert_same_stack (&x.stack, &y.stack);
    g_assert_cmpuint (x.icount, ==, y.icount);
    g_assert_cmpuint (x.allocator, ==, y.allocator);
    g_assert_cmpuint (x.sizes.first, ==, y.sizes.first);
    g_assert_cmpuint (x.sizes.step, ==, y.sizes.step);
  }
  close_again (&live);
}

static void
test_live (void)
{
  core_test_random (60, 4000, check_live);
}

/* ---- A stream of them ---- */

/* The stream of a log that keeps any blocks is what was replayed of one that
   keeps all.  */
static void
check_stream (const struct dg_log *log)
{
  struct dg_replay_step *steps;
  struct dg_block_reader *reader;
  struct dg_block_step step;
  struct dg_error err = { 0 };
  struct dg_log again;
  size_t n;
  int code;

  load_again (log, (enum dg_blocks) g_test_rand_int_range (0, 3), DG_NEVER,
              &again);
  g_assert_cmpint (
    dg_log_replay (log, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps,
                   &n, &err), ==, 0);
  reader = dg_block_reader_new (&again, &err);
  g_assert_nonnull (reader);
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, steps[i].index);

    code = dg_block_reader_next (reader, &step, &err);
    g_assert_cmpint (code, ==, 1);
    g_assert_cmpint (step.is_free, ==, steps[i].kind == DG_REPLAY_FREE);
    assert_same_block (&block, &step.block, step.is_free);
    g_assert_true (step.is_free || step.block.free_order == DG_NONE);
  }
  for (unsigned i = 0; i < 2; i++) {
    code = dg_block_reader_next (reader, &step, &err);
    g_assert_cmpint (code, ==, 0);
  }
  dg_block_reader_free (reader);
  free (steps);
  close_again (&again);
}

static void
test_stream (void)
{
  core_test_random (60, 4000, check_stream);
}

/* ---- A part of them ---- */

/* The window has the blocks of its moments, and knows what happened to them
   until it ends.  */
static void
compare_window (const struct dg_log *log, const struct dg_log *part)
{
  uint64_t first, end;
  size_t n = 0;

  dg_block_window_moments (part, &first, &end);
  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    struct dg_block block = dg_log_block (log, i), other;
    bool is_free = block.free_icount <= end && block.free_order != DG_NONE;

    if (block.alloc_icount > end || block.free_icount < first)
      continue;
    g_assert_cmpuint (n, <, dg_log_n_blocks (part));
    other = dg_log_block (part, n++);
    assert_same_block (&block, &other, is_free);
    g_assert_true (is_free || other.free_icount == DG_NEVER);
  }
  g_assert_cmpuint (n, ==, dg_log_n_blocks (part));
}

static void
check_window (const struct dg_log *log)
{
  uint64_t last = dg_log_summary (log)->last_icount, first, end, icount = 0;
  struct dg_log_window window = {
    .number = 1, .least = (size_t) g_test_rand_int_range (1, 20)
  };
  struct dg_error err = { 0 };
  struct dg_log again;
  unsigned number;

  load_again (log, DG_BLOCKS_LIVE, DG_NEVER, &again);
  again.window = &window;
  for (unsigned i = 0; i < 20; i++) {
    g_assert_cmpint (dg_block_window_move (&again, icount, &err), ==, 0);
    dg_block_window_moments (&again, &first, &end);
    g_assert_cmpuint (first, <=, icount);
    g_assert_true (icount < end || end == DG_NEVER);
    compare_window (log, &again);
    number = dg_block_window_number (&again);
    g_assert_cmpint (dg_block_window_move (&again, icount, &err), ==, 0);
    g_assert_cmpuint (dg_block_window_number (&again), ==, number);
    icount = end == DG_NEVER || g_test_rand_int_range (0, 4) == 0
               ? last * (uint64_t) g_test_rand_int_range (0, 101) / 100 : end;
  }
  window.free_mover (window.mover);
  close_again (&again);
}

static void
test_window (void)
{
  core_test_random (40, 4000, check_window);
}

/* ---- Sizes ---- */

static void
check_sizes (const uint64_t *sizes, size_t n, uint64_t first, uint64_t step)
{
  for (size_t split = 0; split <= n; split++) {
    struct dg_birth_sizes a = { 0 }, b = { 0 };

    for (size_t i = 0; i < n; i++)
      dg_birth_sizes_add (i < split ? &a : &b,
                          &(struct dg_birth_sizes) { .first = sizes[i] });
    dg_birth_sizes_add (&a, &b);
    g_assert_cmpuint (a.first, ==, first);
    g_assert_cmpuint (a.step, ==, step);
  }
}

static void
test_sizes (void)
{
  const struct dg_birth_sizes arrays = { .first = 8 + 3 * 24, .step = 24 };

  check_sizes (NULL, 0, 0, 0);
  check_sizes ((uint64_t[]) { 0, 24, 0, 24 }, 4, 24, 0);
  check_sizes ((uint64_t[]) { 24, 48, 120 }, 3, 24, 24);
  check_sizes ((uint64_t[]) { 100, 40, 64 }, 3, 100, 12);
  check_sizes ((uint64_t[]) { UINT64_MAX, 1 }, 2, UINT64_MAX, UINT64_MAX - 1);
  g_assert_cmpuint (dg_birth_sizes_unit (&arrays, 8), ==, 24);
  g_assert_cmpuint (dg_birth_sizes_unit (&arrays, 0), ==, 8);
  g_assert_cmpuint (
    dg_birth_sizes_unit (&(struct dg_birth_sizes) { 16, 0 }, 16), ==, 0);
}

/* Blocks that come and go take no more memory the more there are.  */
static void
test_churn (void)
{
  GString *text = g_string_new (NULL);
  GByteArray *bytes;
  struct dg_error err = { 0 };
  struct dg_log *log;

  for (unsigned i = 0; i < 5000; i++)
    g_string_append_printf (text,
                            "malloc_block 0x%x %u [0x10]\n"
                            "heap_alloc %u 1 3 %u 0 0x%x\n"
                            "free_block 0x%x\nheap_free %u 1 11 [0x20]\n",
                            0x1000 + 16 * (i % 7), i % 7, 2 * i + 1, 1000,
                            i, 0x1000 + 16 * (i % 7), 2 * i + 2);
  g_string_append (text, "end\n");
  bytes = core_test_assemble (text->str, 8, false);
  g_assert_cmpint (
    dg_log_open_memory ("test", bytes->data, bytes->len, &log, &err), ==, 0);
  g_assert_cmpint (dg_log_set_live_blocks (log, DG_NEVER, &err), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpuint (dg_log_summary (log)->heap_allocs, ==, 5000);
  g_assert_cmpuint (dg_log_n_blocks (log), ==, 0);
  g_assert_cmpuint (log->contents.blocks.wide.n, <=, 2);
  g_assert_cmpuint (log->contents.blocks.births.room, <, 100);
  g_assert_cmpuint (log->contents.blocks.seqnos.n, <, 10);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/none", test_none);
  g_test_add_func ("/blocks/none-damaged", test_none_damaged);
  g_test_add_func ("/blocks/live", test_live);
  g_test_add_func ("/blocks/stream", test_stream);
  g_test_add_func ("/blocks/window", test_window);
  g_test_add_func ("/blocks/sizes", test_sizes);
  g_test_add_func ("/blocks/churn", test_churn);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
