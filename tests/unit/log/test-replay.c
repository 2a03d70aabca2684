/* test-replay.c: the order in which things happened, and what is told of
   memory for that: pools, pages, pieces within blocks, stack pointers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <limits.h>
#include <stdlib.h>

#include "core_test.h"
#include "all_blocks.h"
#include "unit_main.h"

#define CODE "bbdef [1+1 2+1 3+1] [R4@0 W8@1]\ncontext 0 [1]\n"
#define RUN3 "bbrun 0 3 [0x10 0x20]\n"

/* The steps of some kinds as text: "a0 f0 p1", and '@' where time passes.  */
static char *
steps_of (const struct dg_log *log, unsigned kinds)
{
  static const char letters[] = "afpbewsxy";
  struct dg_replay_step *steps;
  struct dg_error err;
  GString *text = g_string_new (NULL);
  size_t n;

  g_assert_cmpint (dg_log_replay (log, kinds, &steps, &n, &err), ==, 0);
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%s%c%u", i > 0 ? " " : "",
                            letters[steps[i].kind], steps[i].index);
  free (steps);
  return g_string_free (text, FALSE);
}

static void
check_steps (const char *text, unsigned kinds, const char *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);
  char *got = steps_of (log, kinds);

  g_assert_cmpstr (got, ==, expected);
  g_free (got);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* All at one moment, of logs with and without details.  */
static void
test_order (void)
{
  static const char text[] =
    "malloc_block 64 8 []\nstart_event \"a\"\nmap 0x1000 0x1000 3 1 0 \"\"\n"
    "free_block 64\nmalloc_block 64 16 []\nheap_alloc 9 1 3 16 0 64\n"
    "end_event \"a\"\nunmap 0x1000 0x1000\nfree_block 64\n"
    "heap_free 2 1 11 []\nstack_pointer 1 0x7000 0\npool 0 1 0\n"
    "window 0 1 0\npool 1 1 0\nmalloc_block 32 8 []\n";

  check_steps (text, UINT_MAX, "a0 b0 p0 f0 a1 e0 p1 f1 s0 x0 w0 y0 a2");
  check_steps (text, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE,
               "a0 f0 a1 f1 a2");
  check_steps (text, 1u << DG_REPLAY_PAGES, "p0 p1");
  check_steps (text, 0, "");
  check_steps ("", UINT_MAX, "");
  /* What ends nothing is not a step; what takes another's place ends it.  */
  check_steps ("free_block 1\nend_event \"a\"\npool 1 1 0\n"
               "malloc_block 64 8 []\nmalloc_block 64 8 []\n"
               "map 0x1000 0 3 1 0 \"\"\npool 0 5 0\npool 0 5 0\n",
               UINT_MAX, "a0 f0 a1 x0 y0 x1");
}

/* Blocks alive by their orders are those of a walk over the steps.  */
static void
test_orders (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    CODE "malloc_block 64 8 []\n" RUN3 "malloc_block 128 8 []\n"
    "start_event \"m\"\nfree_block 64\nend_event \"m\"\n" RUN3
    "malloc_block 64 8 []\n", &bytes);
  size_t n;
  g_autofree struct dg_block *b = all_blocks (log, &n);
  const struct dg_event *e = dg_log_events (log, &n);

  g_assert_cmpuint (b[0].alloc_order, ==, 1);
  g_assert_cmpuint (b[1].alloc_order, ==, 2);
  g_assert_cmpuint (e[0].start_order, ==, 3);
  g_assert_cmpuint (b[0].free_order, ==, 4);
  g_assert_cmpuint (e[0].end_order, ==, 5);
  g_assert_cmpuint (b[2].alloc_order, ==, 6);
  g_assert_cmpuint (b[2].free_order, ==, DG_NONE);
  g_assert_cmpuint (b[0].free_icount, ==, e[0].start_icount);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
check_life (const struct dg_block *block, uint64_t size, uint64_t end,
            unsigned pool)
{
  g_assert_cmpuint (block->size, ==, size);
  g_assert_cmpuint (block->free_icount, ==, end);
  g_assert_cmpuint (block->pool, ==, pool);
}

/* Pieces at the address of the block that they are made of.  */
static void
test_pieces (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    CODE "malloc_block 64 4096 []\nheap_alloc 1 1 1 4096 0 0\n" RUN3
    "malloc_block 64 8 []\nheap_alloc 2 1 15 8 0 0\npool_block 7\n" RUN3
    "free_block 64\nheap_free 3 1 16 [5]\npool_block 7\n" RUN3
    /* The block goes first, then the piece.  */
    "malloc_block 64 9 []\nheap_alloc 4 1 9 9 0 0\n" RUN3
    "free_block 64\nheap_free 5 1 11 [6]\n" RUN3
    "free_block 64\nheap_free 6 1 14 [7]\n"
    /* The same kind: one after the other.  */
    "malloc_block 64 10 []\nheap_alloc 7 1 1 16 0 0\n" RUN3
    "malloc_block 64 11 []\nheap_alloc 8 1 5 16 0 0\n" RUN3
    /* A piece that is resized.  */
    "malloc_block 64 12 []\nheap_alloc 9 1 9 16 0 0\n" RUN3
    "free_block 64\nheap_free 10 1 10 []\n"
    "malloc_block 64 13 []\nheap_alloc 11 1 10 16 0 64\n", &bytes);
  size_t n;
  g_autofree struct dg_block *b = all_blocks (log, &n);

  g_assert_cmpuint (n, ==, 7);
  check_life (&b[0], 4096, 12, 0);
  check_life (&b[1], 8, 6, 1);
  check_life (&b[2], 9, 15, 0);
  check_life (&b[3], 10, 18, 0);
  check_life (&b[4], 11, DG_NEVER, 0);
  check_life (&b[5], 12, 24, 0);
  check_life (&b[6], 13, DG_NEVER, 0);
  g_assert_cmpuint (b[0].free_stack.sites[0], ==, 6);
  g_assert_cmpuint (b[0].free_seqno, ==, 5);
  g_assert_cmpuint (b[2].free_stack.sites[0], ==, 7);
  g_assert_cmpuint (b[2].free_seqno, ==, 6);
  g_assert_cmpuint (b[6].old_address, ==, 64);
  g_assert_cmpuint (b[4].kind, ==, DG_BLOCK_ALLOCATED);
  g_assert_cmpuint (b[6].kind, ==, DG_BLOCK_LIKE);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* One of malloc, of MALLOCLIKE and of two pools at one address, freed in any
   order.  */
static void
test_many_pieces (void)
{
  static const char *const frees[] = {
    "free_block 64\nheap_free 5 1 11 [1]\n",
    "free_block 64\nheap_free 5 1 14 [2]\n",
    "free_block 64\nheap_free 5 1 16 [3]\npool_block 7\n",
    "free_block 64\nheap_free 5 1 16 [4]\npool_block 8\n"
  };

  for (unsigned order = 0; order < 256; order++) {
    unsigned ends[4] = { 0, 0, 0, 0 };
    GString *text = g_string_new (
      CODE "malloc_block 64 4096 []\nheap_alloc 1 1 1 4096 0 0\n"
      "malloc_block 64 8 []\nheap_alloc 2 1 9 8 0 0\n"
      "malloc_block 64 8 []\nheap_alloc 3 1 15 8 0 0\npool_block 7\n"
      "malloc_block 64 8 []\nheap_alloc 4 1 15 8 0 0\npool_block 8\n");
    GByteArray *bytes;
    struct dg_log *log;
    struct dg_block *b;
    size_t n;
    bool is_order = true;

    for (unsigned i = 0; i < 4; i++) {
      unsigned which = order >> 2 * i & 3;

      is_order &= ends[which] == 0;
      ends[which] = 3 * (i + 1);
      g_string_append (text, RUN3);
      g_string_append (text, frees[which]);
    }
    if (is_order) {
      log = core_test_log (text->str, &bytes);
      b = all_blocks (log, &n);
      for (unsigned i = 0; i < 4; i++) {
        g_assert_cmpuint (b[i].free_icount, ==, ends[i]);
        g_assert_cmpuint (b[i].free_stack.n, ==, 1);
        g_assert_cmpuint (b[i].free_stack.sites[0], ==, i + 1);
      }
      g_free (b);
      dg_log_close (log);
      g_byte_array_unref (bytes);
    }
    g_string_free (text, TRUE);
  }
}

static void
test_pools (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    CODE "pool 0 0x9000 0\n" RUN3 "pool 2 0x9000 0xa000\n" RUN3
    "malloc_block 64 8 []\nheap_alloc 1 1 15 8 0 0\npool_block 0xa000\n"
    "pool 1 0xa000 0\n" RUN3
    "malloc_block 80 8 []\nheap_alloc 2 1 15 8 0 0\npool_block 0xa000\n"
    "pool 2 1 2\npool 1 3 0\n", &bytes);
  size_t n;
  g_autofree struct dg_block *b = all_blocks (log, &n);
  const struct dg_mempool *p = dg_log_pools (log, &n);

  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (dg_log_summary (log)->pools, ==, 1);
  g_assert_cmphex (p[0].address, ==, 0x9000);
  g_assert_cmphex (p[0].last_address, ==, 0xa000);
  g_assert_cmpuint (p[0].start_icount, ==, 0);
  g_assert_cmpuint (p[0].end_icount, ==, 6);
  g_assert_cmpuint (b[0].pool, ==, 1);
  /* Nobody made it: it begins with its first piece.  */
  g_assert_cmphex (p[1].address, ==, 0xa000);
  g_assert_cmpuint (p[1].start_icount, ==, 9);
  g_assert_cmpuint (p[1].end_icount, ==, DG_NEVER);
  g_assert_cmpuint (b[1].pool, ==, 2);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
check_pages (const struct dg_page_change *c, uint64_t address, uint64_t size,
             uint64_t icount, unsigned what, unsigned thread, unsigned n_sites)
{
  g_assert_cmphex (c->address, ==, address);
  g_assert_cmphex (c->size, ==, size);
  g_assert_cmpuint (c->icount, ==, icount);
  g_assert_cmpuint (c->what, ==, what);
  g_assert_cmpuint (c->thread, ==, thread);
  g_assert_cmpuint (c->stack.n, ==, n_sites);
}

static void
test_pages (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    CODE "map 0x10000 0x4000 5 0 0 \"/f\"\n" RUN3
    "map 0x20000 0x2000 3 1 0 \"\"\nmap_stack 2 [5 6 5 6]\n" RUN3
    "map 0x20000 0x1000 1 4 0 \"\"\nmap_stack 3 [7]\n"
    "unmap 0x21000 0x1000\nmap_stack 2 [8]\n"
    "unmap 0x30000 0\nmap_stack 9 [9]\n"
    "unmap 0 0xffffffffffffffff\n", &bytes);
  size_t n;
  const struct dg_page_change *c = dg_log_page_changes (log, &n);
  const struct dg_mapping *m;

  g_assert_cmpuint (n, ==, 5);
  check_pages (&c[0], 0x10000, 0x4000, 0, DG_MAP_STARTUP, 0, 0);
  check_pages (&c[1], 0x20000, 0x2000, 3, DG_MAP_MMAP, 2, 4);
  check_pages (&c[2], 0x20000, 0x1000, 6, DG_MAP_PROTECT, 3, 1);
  check_pages (&c[3], 0x21000, 0x1000, 6, DG_PAGE_UNMAP, 2, 1);
  check_pages (&c[4], 0, UINT64_MAX, 6, DG_PAGE_UNMAP, 0, 0);
  g_assert_cmpuint (c[1].stack.sites[2], ==, 5);
  g_assert_cmpuint (c[0].protection, ==, 5);
  m = dg_log_mappings (log, &n);
  g_assert_cmpuint (n, ==, 4);
  /* Parts of a mapping are whose it is, no matter who changes them.  */
  for (unsigned i = 1; i < 4; i++) {
    g_assert_cmpuint (m[i].thread, ==, 2);
    g_assert_true (m[i].stack.sites == c[1].stack.sites);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What instructions make of the stack pointer is where readers say.  */
static void
test_stack_pointers (void)
{
  static const struct {
    unsigned n_instrs, n_slots, n_sps;
    uint64_t sps[3];
  } expected[] = { { 3, 4, 3, { 0x70, 0x60, 0x50 } },
                   { 3, 4, 2, { 0x70, 0x60 } },
                   { 2, 3, 1, { 0x71 } },
                   { 1, 0, 1, { 0 } },
                   { 1, 0, 0, { 0 } } };
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    "stack_pointer 1 0x80 0\n"
    "bbdef [1+1 2+1 3+1] [S0@0 W8@0 R4@1 W600@1 S0@2 R1@2 S0@2]\n"
    "context 0 [1]\nbbrun 0 3 [0x70 0x70 1 2 257 512 0x60 3 0x50]\n"
    "bbrun 0 3 [0x70 0x70 1 2 257 512 0x60 3]\n"
    "bbrun 0 2 [0x71 0x70 1 2 257 512]\nbbrun 0 1 [0]\nbbrun 0 1 []\n",
    &bytes);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  const struct dg_stack_pointer *sp;
  struct dg_run run;
  size_t n;

  sp = dg_log_stack_pointers (log, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmphex (sp->sp, ==, 0x80);
  for (unsigned i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 1);
    g_assert_cmpuint (run.n_instrs, ==, expected[i].n_instrs);
    g_assert_cmpuint (run.n_slots, ==, expected[i].n_slots);
    g_assert_cmpuint (run.n_sps, ==, expected[i].n_sps);
    for (unsigned k = 0; k < run.n_sps; k++)
      g_assert_cmphex (run.addresses[run.bbdef->sps[k].entry], ==,
                       expected[i].sps[k]);
  }
  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 0);
  g_assert_cmpuint (run.bbdef->n_sps, ==, 3);
  g_assert_cmpuint (run.bbdef->sps[1].iseq, ==, 2);
  g_assert_cmpuint (dg_log_summary (log)->accesses, ==, 4 + 4 + 3);
  g_assert_cmphex (dg_log_summary (log)->max_address, ==, 512);
  dg_reader_free (reader);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replay/order", test_order);
  g_test_add_func ("/replay/orders", test_orders);
  g_test_add_func ("/replay/pieces", test_pieces);
  g_test_add_func ("/replay/many-pieces", test_many_pieces);
  g_test_add_func ("/replay/pools", test_pools);
  g_test_add_func ("/replay/pages", test_pages);
  g_test_add_func ("/replay/stack-pointers", test_stack_pointers);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
