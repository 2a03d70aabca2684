/* test-temporary.c: which blocks the next call of an allocator frees: on logs
   that say so, and on random ones against the orders of all records.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "all_blocks.h"
#include "core_test.h"
#include "dg_record.h"
#include "dg_temporary.h"
#include "unit_main.h"
#include "use_log.h"

/* "1" and "0" of each block.  */
static char *
temporary_of (const char *text)
{
  GByteArray *bytes = core_test_assemble (text, 8, false);
  struct dg_error err = {0};
  uint8_t *are;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);
  GString *found = g_string_new (NULL);

  g_assert_cmpint (dg_temporary_find (log, &are, &err), ==, 0);
  for (size_t i = 0; i < dg_log_n_blocks (log); i++)
    g_string_append_c (found, are[i] != 0 ? '1' : '0');
  free (are);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  return g_string_free (found, FALSE);
}

#define HEAD "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n"
#define RUN "bbrun 0 1 [0x1000]\n"

static void
test_known (void)
{
  static const struct {
    const char *text, *wanted;
  } cases[] = {
    {"", ""},
    /* Freed by the next call, however many instructions later.  */
    {"malloc_block 0x9000 8 []\n" RUN RUN RUN "free_block 0x9000\n", "1"},
    /* Never freed.  */
    {"malloc_block 0x9000 8 []\n" RUN, "0"},
    /* Another block is allocated, or freed, meanwhile.  */
    {"malloc_block 0x9000 8 []\n" RUN "malloc_block 0xa000 8 []\n" RUN
     "free_block 0x9000\n" RUN "free_block 0xa000\n", "00"},
    {"malloc_block 0x9000 8 []\n" RUN "malloc_block 0xa000 8 []\n" RUN
     "free_block 0xa000\n" RUN "free_block 0x9000\n", "01"},
    /* Other records do not count.  */
    {"malloc_block 0x9000 8 []\nstart_event \"e\"\n" RUN
     "end_event \"e\"\nfree_block 0x9000\n", "1"},
    /* A realloc frees a block and allocates one.  */
    {"malloc_block 0x9000 8 []\n" RUN "free_block 0x9000\n"
     "malloc_block 0xa000 16 []\n" RUN "free_block 0xa000\n", "11"},
    /* Its memory is allocated again, but nobody freed it.  */
    {"malloc_block 0x9000 8 []\nheap_alloc 1 1 1 24 0 0\n" RUN
     "malloc_block 0x9000 8 []\nheap_alloc 2 1 1 24 0 0\n" RUN, "00"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *text = g_strconcat (HEAD, cases[i].text, "end\n", NULL);
    char *found = temporary_of (text);

    g_test_message ("case %zu", i);
    g_assert_cmpstr (found, ==, cases[i].wanted);
    g_free (found);
    g_free (text);
  }
}

static bool
is_between (uint32_t order, const struct dg_block *block)
{
  return order > block->alloc_order && order < block->free_order;
}

static bool
is_temporary (const struct dg_block *blocks, size_t n, size_t i)
{
  if (blocks[i].free_order == DG_NONE || blocks[i].allocator == DG_ALLOC_POOL
      || (blocks[i].alloc_seqno != 0 && blocks[i].free_seqno == 0))
    return false;
  for (size_t k = 0; k < n; k++)
    if (blocks[k].allocator != DG_ALLOC_POOL
        && (is_between (blocks[k].alloc_order, &blocks[i])
            || is_between (blocks[k].free_order, &blocks[i])))
      return false;
  return true;
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  struct dg_error err = {0};
  unsigned found = 0;

  for (int round = 0; round < 20; round++) {
    char *text = use_log_text (rand, 300, round % 2 != 0, 8);
    GByteArray *bytes = core_test_assemble (text, 8, false);
    int code;
    struct dg_log *log = core_test_load (bytes, 1, &code, &err);
    size_t n;
    struct dg_block *blocks = all_blocks (log, &n);
    uint8_t *are;

    g_assert_cmpint (dg_temporary_find (log, &are, &err), ==, 0);
    for (size_t i = 0; i < n; i++) {
      g_assert_cmpint (are[i], ==, is_temporary (blocks, n, i));
      found += are[i];
    }
    free (are);
    g_free (blocks);
    dg_log_close (log);
    g_byte_array_unref (bytes);
    g_free (text);
  }
  g_assert_cmpuint (found, >, 0);
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/temporary/known", test_known);
  g_test_add_func ("/temporary/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
