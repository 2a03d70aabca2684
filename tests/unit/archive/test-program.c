/* test-program.c: definitions: what is refused, and bytes and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive/program.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "random_runs.h"
#include "unit_main.h"

static void
check_block (const struct dg_program_block *a,
             const struct dg_program_block *b)
{
  g_assert_cmpuint (a->n_instrs, ==, b->n_instrs);
  g_assert_cmpuint (a->n_entries, ==, b->n_entries);
  g_assert_cmpuint (a->n_words, ==, b->n_words);
  for (unsigned i = 0; i < a->n_instrs; i++) {
    g_assert_cmphex (a->instrs[i].address, ==, b->instrs[i].address);
    g_assert_cmpuint (a->instrs[i].size, ==, b->instrs[i].size);
  }
  for (unsigned i = 0; i < a->n_entries; i++) {
    const struct dg_program_entry *x = &a->entries[i], *y = &b->entries[i];

    g_assert_cmpint (x->disp, ==, y->disp);
    g_assert_cmpuint (x->word, ==, y->word);
    g_assert_cmpuint (x->kind, ==, y->kind);
    g_assert_cmpuint (x->size, ==, y->size);
    g_assert_cmpuint (x->iseq, ==, y->iseq);
    g_assert_cmpuint (x->guarded, ==, y->guarded);
  }
}

static void
check_same (const struct dg_program *p, const struct dg_program *q)
{
  struct dg_program_view a = dg_program_view (p), b = dg_program_view (q);

  g_assert_cmpmem (&a.n, sizeof a.n, &b.n, sizeof b.n);
  for (unsigned i = 0; i < a.n.blocks; i++)
    check_block (a.blocks[i], b.blocks[i]);
  for (unsigned i = 0; i < a.n.variants; i++) {
    const struct dg_program_variant *x = &a.variants[i], *y = &b.variants[i];

    g_assert_cmpuint (x->block, ==, y->block);
    g_assert_cmpuint (x->n_instrs, ==, y->n_instrs);
    g_assert_cmpuint (x->n_entries, ==, y->n_entries);
    g_assert_cmpuint (x->n_words, ==, y->n_words);
    g_assert_cmpuint (x->is_plain, ==, y->is_plain);
    g_assert_cmpuint (x->reads, ==, y->reads);
    g_assert_cmpuint (x->writes, ==, y->writes);
  }
  for (unsigned i = 0; i < a.n.nodes; i++) {
    const struct dg_program_node x = dg_program_node (&a, i);
    const struct dg_program_node y = dg_program_node (&b, i);

    g_assert_cmphex (x.site, ==, y.site);
    g_assert_cmpuint (x.parent, ==, y.parent);
    g_assert_cmpuint (x.n_stack, ==, y.n_stack);
    g_assert_cmpint (x.stack == NULL, ==, y.stack == NULL);
    for (unsigned k = 0; x.stack && k < x.n_stack; k++)
      g_assert_cmphex (x.stack[k], ==, y.stack[k]);
  }
}

static const struct random_shape shape = {50, 40, 60, true, true, true};

/* All at once, and in two pieces.  */
static void
test_bytes (void)
{
  GRand *rand = g_rand_new_with_seed (1);

  for (unsigned i = 0; i < 20; i++) {
    struct dg_program program = {0}, back = {0};
    struct dg_program_counts from = {0, 1, 1};
    struct dg_error err = {0};
    struct dg_table bytes = {0};

    random_program (rand, &shape, &program);
    g_assert_cmpint (dg_program_init (&back, &err), ==, 0);
    g_assert_cmpint (dg_program_write (&program, from, &bytes, &err), ==, 0);
    dg_program_read (&back, bytes.items, bytes.n, &err);
    g_assert_cmpstr (err.message, ==, "");
    check_same (&program, &back);
    /* More of it, and nothing more.  */
    from = dg_program_counts (&program);
    for (unsigned k = 0; k < 3; k++) {
      struct dg_program_node node = {.site = k, .parent = k};

      if (k < 2)
        dg_program_add_node (&program, &node, &err);
      bytes.n = 0;
      g_assert_cmpint (dg_program_write (&program, from, &bytes, &err), ==, 0);
      from = dg_program_counts (&program);
      g_assert_cmpint (dg_program_read (&back, bytes.items, bytes.n, &err), ==,
                       0);
      check_same (&program, &back);
    }
    g_assert_cmpint (dg_program_read (&back, NULL, 0, &err), ==, 0);
    dg_table_fini (&bytes);
    dg_program_fini (&program);
    dg_program_fini (&back);
  }
  g_rand_free (rand);
}

static void
test_hostile (void)
{
  static const struct random_shape small = {3, 5, 8, true, true, true};
  GRand *rand = g_rand_new_with_seed (2);
  struct dg_program program = {0};
  struct dg_program_counts from = {0, 1, 1};
  struct dg_table bytes = {0};
  struct dg_error err = {0};
  uint8_t *at;

  random_program (rand, &small, &program);
  dg_program_write (&program, from, &bytes, &err);
  at = bytes.items;
  for (size_t n = 1; n < bytes.n; n++) {
    struct dg_program back = {0};

    dg_program_init (&back, &err);
    g_assert_cmpint (dg_program_read (&back, at, n, &err), ==, DG_ERR_DAMAGED);
    dg_program_fini (&back);
  }
  for (size_t bit = 0; bit < 8 * bytes.n; bit++) {
    struct dg_program back = {0};
    int code;

    at[bit / 8] ^= 1 << bit % 8;
    dg_program_init (&back, &err);
    code = dg_program_read (&back, at, bytes.n, &err);
    g_assert_true (code == 0 || code == DG_ERR_DAMAGED);
    dg_program_fini (&back);
    at[bit / 8] ^= 1 << bit % 8;
  }
  dg_table_fini (&bytes);
  dg_program_fini (&program);
  g_rand_free (rand);
}

/* A view stays as it is while much is added.  */
static void
test_view (void)
{
  struct dg_program program = {0};
  struct dg_program_view view, later;
  struct dg_error err = {0};
  GRand *rand = g_rand_new_with_seed (3);

  random_program (rand, &shape, &program);
  view = dg_program_view (&program);
  for (unsigned i = 0; i < 5000; i++) {
    struct dg_program_node node = {.site = i};

    g_assert_cmpint (dg_program_add_node (&program, &node, &err), ==, 0);
    g_assert_cmpint (dg_program_add_variant (&program, 0, 0, 0, 0, &err), ==,
                     0);
  }
  later = dg_program_view (&program);
  g_assert_cmpuint (view.n.nodes, ==, shape.nodes);
  for (unsigned i = 0; i < view.n.nodes; i++)
    g_assert_cmphex (dg_program_node (&view, i).site, ==,
                     dg_program_node (&later, i).site);
  for (unsigned i = 0; i < 5000; i++)
    g_assert_cmphex (dg_program_node (&later, view.n.nodes + i).site, ==, i);
  for (unsigned i = 0; i < view.n.variants; i++)
    g_assert_cmpuint (view.variants[i].block, ==,
                      dg_program_view (&program).variants[i].block);
  dg_program_fini (&program);
  g_rand_free (rand);
}

static void
refuse_block (struct dg_program *program, unsigned n_instrs, unsigned n_words,
              const struct dg_program_entry *entries, unsigned n)
{
  static const struct dg_program_instr instrs[256];
  struct dg_program_block block = {n_instrs, n, n_words, instrs, entries};
  struct dg_error err = {0};

  g_assert_cmpint (dg_program_add_block (program, &block, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpint (err.code, ==, DG_ERR_DAMAGED);
}

static void
test_refused_blocks (void)
{
  struct dg_program program = {0};
  struct dg_error err = {0};
  const struct dg_program_entry execute[] = {{0, 0, DG_ACC_EXEC, 4}};
  const struct dg_program_entry word[] = {{0, 1, DG_ACC_READ, 4}};
  const struct dg_program_entry late[] = {{0, 0, DG_ACC_READ, 4, 2}};
  const struct dg_program_entry back[] = {{0, 0, DG_ACC_READ, 4, 1},
                                          {0, 0, DG_ACC_READ, 4, 0}};
  const struct dg_program_entry guard[] = {{0, 0, DG_ACC_READ, 4, 0, 2}};
  const struct dg_program_entry open[] = {{0, 0, DG_ACC_READ, 255}};
  const struct dg_program_entry turns[] = {{0, 0, DG_ACC_READ, 255},
                                           {0, 0, DG_ACC_WRITE, 1}};
  struct dg_program_entry *chain = g_new0 (struct dg_program_entry, 300);

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  refuse_block (&program, 256, 1, NULL, 0);
  refuse_block (&program, 1, 65536, NULL, 0);
  /* Words that nothing needs would cost who decodes, not who writes.  */
  refuse_block (&program, 1, 1, NULL, 0);
  refuse_block (&program, 2, 1, execute, 1);
  refuse_block (&program, 2, 1, word, 1);
  refuse_block (&program, 2, 1, late, 1);
  refuse_block (&program, 2, 1, back, 2);
  refuse_block (&program, 2, 1, guard, 1);
  refuse_block (&program, 2, 1, open, 1);
  refuse_block (&program, 2, 1, turns, 2);
  for (unsigned i = 0; i < 299; i++)
    chain[i].size = 255;
  refuse_block (&program, 2, 1, chain, 300);
  g_assert_cmpuint (program.blocks.n, ==, 0);
  g_free (chain);
  dg_program_fini (&program);
}

static void
test_refused_variants (void)
{
  static const struct dg_program_instr instrs[3];
  /* Two of the first instruction, one of the third.  */
  static const struct dg_program_entry entries[] = {
    {0, 0, DG_ACC_READ, 4, 0},
    {0, 1, DG_ACC_WRITE, 255, 0},
    {0, 1, DG_ACC_WRITE, 3, 0},
    {8, DG_PROGRAM_NO_WORD, DG_ACC_READ, 4, 2}};
  static const struct {
    unsigned block, n_instrs, n_entries, n_words;
    int code;
  } cases[] = {
    {0, 3, 4, 2, 0},
    {0, 0, 0, 0, 0},
    {0, 1, 3, 2, 0},
    {0, 1, 0, 0, 0},
    {0, 1, 2, 2, 0},
    {0, 3, 3, 2, 0},
    {1, 0, 0, 0, DG_ERR_DAMAGED},
    {0, 4, 4, 2, DG_ERR_DAMAGED},
    {0, 3, 5, 2, DG_ERR_DAMAGED},
    {0, 3, 4, 3, DG_ERR_DAMAGED},
    {0, 0, 1, 1, DG_ERR_DAMAGED},
    {0, 2, 4, 2, DG_ERR_DAMAGED},
    {0, 3, 2, 2, DG_ERR_DAMAGED},
    {0, 2, 2, 2, DG_ERR_DAMAGED},
    {0, 1, 3, 1, DG_ERR_DAMAGED},
    {0, 1, 1, 0, DG_ERR_DAMAGED},
  };
  struct dg_program_block block = {3, 4, 2, instrs, entries};
  struct dg_program program = {0};
  struct dg_error err = {0};
  const struct dg_program_variant *variants;

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  g_assert_cmpint (dg_program_add_block (&program, &block, &err), ==, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (
      dg_program_add_variant (&program, cases[i].block, cases[i].n_instrs,
                              cases[i].n_entries, cases[i].n_words, &err),
      ==, cases[i].code);
  /* An access counts when all of its parts are there.  */
  variants = dg_program_view (&program).variants;
  g_assert_cmpuint (variants[1].reads, ==, 2);
  g_assert_cmpuint (variants[1].writes, ==, 1);
  g_assert_false (variants[1].is_plain);
  g_assert_cmpuint (variants[5].reads, ==, 1);
  g_assert_cmpuint (variants[5].writes, ==, 0);
  dg_program_fini (&program);
}

static void
test_refused_nodes (void)
{
  static const uint64_t stack[256];
  struct dg_program program = {0};
  struct dg_error err = {0};
  struct dg_program_node later = {.parent = 1};
  struct dg_program_node large = {.n_stack = 256, .stack = stack};
  struct dg_program_node good = {.parent = 0, .site = 1};
  struct dg_program_node whole = {.n_stack = 255, .stack = stack};
  struct dg_program_node empty = {.stack = stack};
  struct dg_program_view view;

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &later, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpint (dg_program_add_node (&program, &large, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpint (dg_program_add_node (&program, &good, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &later, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &whole, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &empty, &err), ==, 0);
  view = dg_program_view (&program);
  g_assert_nonnull (dg_program_node (&view, 4).stack);
  dg_program_fini (&program);
}

/* As deep as a recorder goes, and no deeper: many who go through the calls of
   a path take it for short.  */
static void
test_depth (void)
{
  static const uint64_t stack[] = {99, 2, 1};
  struct dg_program program = {0};
  struct dg_error err = {0};
  struct dg_program_node node = {.site = 1};
  struct dg_program_node own = {.n_stack = 3, .stack = stack};

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  for (uint32_t i = 0; i < 254; i++) {
    node.parent = i;
    g_assert_cmpint (dg_program_add_node (&program, &node, &err), ==, 0);
  }
  own.parent = node.parent = 254;
  g_assert_cmpint (dg_program_add_node (&program, &node, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_nonnull (strstr (err.message, "more than 254 call sites"));
  g_assert_cmpint (dg_program_add_node (&program, &own, &err), ==, 0);
  node.parent = 255;
  g_assert_cmpint (dg_program_add_node (&program, &node, &err), ==,
                   DG_ERR_DAMAGED);
  node.parent = 253;
  g_assert_cmpint (dg_program_add_node (&program, &node, &err), ==, 0);
  dg_program_fini (&program);
}

/* A stack that does not begin with its block stands for the path that has its
   sites, if it says which that is.  */
static void
test_own_stacks (void)
{
  static const uint64_t stack[] = {99, 2, 1};
  struct dg_program program = {0};
  struct dg_error err = {0};
  struct dg_program_node outer = {.site = 1};
  struct dg_program_node inner = {.site = 2, .parent = 1};
  struct dg_program_node own = {.parent = 2, .n_stack = 3, .stack = stack};
  struct dg_program_node wrong = {.parent = 1, .n_stack = 3, .stack = stack};
  struct dg_program_node none = {.n_stack = 0, .stack = stack};
  struct dg_program_view view;
  uint64_t sites[DG_STACK_MAX];

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &outer, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &inner, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &own, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &wrong, &err), ==, 0);
  g_assert_cmpint (dg_program_add_node (&program, &none, &err), ==, 0);
  view = dg_program_view (&program);
  g_assert_cmpuint (dg_program_told (&view.nodes, 2), ==, 2);
  g_assert_cmpuint (dg_program_told (&view.nodes, 3), ==, 2);
  g_assert_cmpuint (dg_program_told (&view.nodes, 4), ==, 4);
  g_assert_cmpuint (dg_program_told (&view.nodes, 5), ==, 0);
  for (unsigned i = 2; i < 5; i++) {
    g_assert_cmpuint (dg_program_sites (&view, i, sites, DG_STACK_MAX), ==, 2);
    g_assert_cmpuint (sites[0], ==, 2);
    g_assert_cmpuint (sites[1], ==, 1);
  }
  g_assert_cmpuint (dg_program_sites (&view, 5, sites, DG_STACK_MAX), ==, 0);
  g_assert_cmpuint (dg_program_node (&view, 3).n_stack, ==, 3);
  dg_program_fini (&program);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program/bytes", test_bytes);
  g_test_add_func ("/program/hostile", test_hostile);
  g_test_add_func ("/program/view", test_view);
  g_test_add_func ("/program/refused-blocks", test_refused_blocks);
  g_test_add_func ("/program/refused-variants", test_refused_variants);
  g_test_add_func ("/program/refused-nodes", test_refused_nodes);
  g_test_add_func ("/program/own-stacks", test_own_stacks);
  g_test_add_func ("/program/depth", test_depth);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
