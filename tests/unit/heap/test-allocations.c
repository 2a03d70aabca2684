/* test-allocations.c: what each call stack allocates: on a log that says so,
   and on random ones against the sum over all blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "all_blocks.h"
#include "core_test.h"
#include "dg_allocations.h"
#include "dg_record.h"
#include "dg_temporary.h"
#include "unit_main.h"
#include "use_log.h"

#define HEAD "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n"
#define RUN "bbrun 0 1 [0x1000]\n"

static void
test_known (void)
{
  GByteArray *bytes = core_test_assemble (
    HEAD "malloc_block 0x9000 8 [0x401000]\n" RUN "free_block 0x9000\n"
    "malloc_block 0xa000 16 [0x402000 0x403000]\n" RUN
    "malloc_block 0x9000 32 [0x401000]\n" RUN "end\n", 8, false);
  struct dg_error err = {0};
  struct dg_allocation *all;
  int code;
  size_t n;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  g_assert_cmpint (
    dg_allocations_find (log, 0, UINT64_MAX, NULL, NULL, &all, &n, &err), ==,
    0);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (all[0].stack.n, ==, 1);
  g_assert_cmpuint (all[0].bytes, ==, 40);
  g_assert_cmpuint (all[0].blocks, ==, 2);
  g_assert_cmpuint (all[0].temporary, ==, 1);
  g_assert_cmpuint (all[0].leaked, ==, 32);
  g_assert_cmpuint (all[1].stack.n, ==, 2);
  g_assert_cmpuint (all[1].bytes, ==, 16);
  g_assert_cmpuint (all[1].icount, ==, 1);
  free (all);
  /* Only what the second instruction allocates.  */
  g_assert_cmpint (dg_allocations_find (log, 1, 2, NULL, NULL, &all, &n, &err),
                   ==, 0);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (all[0].bytes, ==, 16);
  free (all);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* The sums of one stack, block by block.  */
static void
check_one (const struct dg_allocation *one, const struct dg_block *blocks,
           size_t n, const uint8_t *are_temporary, uint64_t start,
           uint64_t end)
{
  struct dg_allocation sum = {0};

  for (size_t i = 0; i < n; i++)
    if (blocks[i].alloc_stack.sites == one->stack.sites
        && blocks[i].allocator != DG_ALLOC_POOL
        && blocks[i].alloc_icount >= start && blocks[i].alloc_icount < end) {
      sum.blocks++;
      sum.bytes += blocks[i].size;
      sum.temporary += are_temporary[i];
      if (blocks[i].free_icount == DG_NEVER)
        sum.leaked += blocks[i].size;
    }
  g_assert_cmpuint (one->blocks, ==, sum.blocks);
  g_assert_cmpuint (one->bytes, ==, sum.bytes);
  g_assert_cmpuint (one->temporary, ==, sum.temporary);
  g_assert_cmpuint (one->leaked, ==, sum.leaked);
}

static void
check_log (const struct dg_log *log, uint64_t start, uint64_t end)
{
  struct dg_error err = {0};
  struct dg_allocation *all;
  size_t n, n_blocks;
  struct dg_block *blocks = all_blocks (log, &n_blocks);
  uint8_t *are;
  uint64_t counted = 0, wanted = 0;

  g_assert_cmpint (dg_temporary_find (log, &are, &err), ==, 0);
  g_assert_cmpint (
    dg_allocations_find (log, start, end, NULL, NULL, &all, &n, &err), ==, 0);
  for (size_t i = 0; i < n; i++) {
    check_one (&all[i], blocks, n_blocks, are, start, end);
    g_assert_true (i == 0 || all[i].icount >= all[i - 1].icount);
    counted += all[i].blocks;
  }
  for (size_t i = 0; i < n_blocks; i++)
    wanted += blocks[i].allocator != DG_ALLOC_POOL
              && blocks[i].alloc_icount >= start
              && blocks[i].alloc_icount < end;
  g_assert_cmpuint (counted, ==, wanted);
  free (all);
  free (are);
  g_free (blocks);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  struct dg_error err = {0};

  for (int round = 0; round < 10; round++) {
    char *text = use_log_text (rand, 300, round % 2 != 0, 8);
    GByteArray *bytes = core_test_assemble (text, 8, false);
    struct dg_allocation *all;
    size_t n;
    int code;
    struct dg_log *log = core_test_load (bytes, 1, &code, &err);
    uint64_t last = dg_log_summary (log)->last_icount;

    check_log (log, 0, UINT64_MAX);
    check_log (log, last / 4, last / 2);
    g_assert_cmpint (
      dg_allocations_find (log, 0, UINT64_MAX, stop, NULL, &all, &n, &err),
      ==, DG_ERR_CANCELLED);
    g_assert_null (all);
    dg_log_close (log);
    g_byte_array_unref (bytes);
    g_free (text);
  }
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/allocations/known", test_known);
  g_test_add_func ("/allocations/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
