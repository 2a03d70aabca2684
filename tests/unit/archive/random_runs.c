/* random_runs.c: programs and runs of them, made up, for tests.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "random_runs.h"

#include "dg_record.h"

static uint64_t
quad (GRand *rand)
{
  return (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);
}

/* Fills one access: an entry, or several that go on in each other.  */
static unsigned
make_access (GRand *rand, const struct random_shape *shape,
             const struct dg_program_block *block, unsigned iseq,
             struct dg_program_entry *entries, unsigned room)
{
  static const uint8_t sizes[] = {1, 2, 4, 8, 16, 32, 254, 0};
  struct dg_program_entry entry = {0};
  unsigned parts = 1;

  entry.kind = g_rand_boolean (rand) ? DG_ACC_WRITE : DG_ACC_READ;
  entry.iseq = iseq;
  entry.size = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
  entry.word = DG_PROGRAM_NO_WORD;
  entry.disp = shape->has_constants && g_rand_int_range (rand, 0, 9) == 0
                 ? 0
                 : 0x601000 + g_rand_int_range (rand, 0, 4096);
  if (block->n_words > 0
      && (!shape->has_constants || g_rand_int_range (rand, 0, 4) > 0)) {
    entry.word = g_rand_int_range (rand, 0, block->n_words);
    entry.disp = g_rand_int_range (rand, -200, 200);
    if (g_rand_int_range (rand, 0, 20) == 0)
      entry.disp = quad (rand);
    entry.guarded = shape->has_guarded && g_rand_int_range (rand, 0, 5) == 0;
  }
  if (shape->has_chains && g_rand_int_range (rand, 0, 8) == 0)
    parts = g_rand_int_range (rand, 2, 5);
  parts = MIN (parts, room);
  for (unsigned i = 0; i < parts; i++) {
    entries[i] = entry;
    entries[i].disp += 255 * i;
    if (i + 1 < parts)
      entries[i].size = 255;
  }
  return parts;
}

static void
make_block (GRand *rand, const struct random_shape *shape,
            struct dg_program_block *block, struct dg_program_instr *instrs,
            struct dg_program_entry *entries)
{
  unsigned most = MIN (shape->words_max, 6);

  block->n_instrs = g_rand_int_range (rand, 1, 12);
  block->n_words = g_rand_int_range (rand, 0, most + 1);
  if (g_rand_int_range (rand, 0, 6) == 0)
    block->n_words =
      g_rand_int_range (rand, 0, MIN (shape->words_max, 64) + 1);
  block->instrs = instrs;
  block->entries = entries;
  for (unsigned i = 0; i < block->n_instrs; i++) {
    instrs[i].address = 0x400000 + i * 5;
    instrs[i].size = 5;
  }
  for (unsigned i = 0; i < block->n_instrs; i++)
    while (g_rand_boolean (rand) && block->n_entries < 64)
      block->n_entries +=
        make_access (rand, shape, block, i, entries + block->n_entries,
                     64 - block->n_entries);
  /* No block has more words than entries.  */
  while (block->n_entries < block->n_words) {
    entries[block->n_entries] = (struct dg_program_entry) {
      0, block->n_entries, DG_ACC_READ, 4, block->n_instrs - 1};
    block->n_entries++;
  }
}

/* All that the first n_instrs instructions do, and no more words than that
   needs.  */
static void
add_variant (struct dg_program *program, uint32_t number,
             const struct dg_program_block *block, unsigned n_instrs)
{
  struct dg_error err = {0};
  unsigned n_entries = 0, n_words = 0;

  while (n_entries < block->n_entries
         && block->entries[n_entries].iseq < n_instrs) {
    uint16_t word = block->entries[n_entries++].word;

    if (word != DG_PROGRAM_NO_WORD)
      n_words = MAX (n_words, word + 1u);
  }
  if (n_instrs == block->n_instrs)
    n_words = block->n_words;
  dg_program_add_variant (program, number, n_instrs, n_entries, n_words, &err);
  g_assert_cmpstr (err.message, ==, "");
}

void
random_program (GRand *rand, const struct random_shape *shape,
                struct dg_program *program)
{
  struct dg_error err = {0};

  g_assert_cmpint (dg_program_init (program, &err), ==, 0);
  for (unsigned i = 0; i < shape->blocks; i++) {
    struct dg_program_block block = {0};
    struct dg_program_instr instrs[12];
    struct dg_program_entry entries[64];

    make_block (rand, shape, &block, instrs, entries);
    dg_program_add_block (program, &block, &err);
    g_assert_cmpstr (err.message, ==, "");
    add_variant (program, i, &block, block.n_instrs);
    for (unsigned n = 0; n < block.n_instrs; n++)
      if (g_rand_int_range (rand, 0, 3) == 0)
        add_variant (program, i, &block, n);
  }
  for (unsigned i = 1; i < shape->nodes; i++) {
    uint64_t stack[3] = {quad (rand), quad (rand), quad (rand)};
    struct dg_program_node node = {.site = quad (rand)};

    node.parent = g_rand_int_range (rand, 0, i);
    if (g_rand_int_range (rand, 0, 4) == 0) {
      node.n_stack = g_rand_int_range (rand, 0, 4);
      node.stack = stack;
    }
    g_assert_cmpint (dg_program_add_node (program, &node, &err), ==, 0);
  }
}

size_t
random_run_length (const struct dg_program_view *view, uint64_t head)
{
  return view->variants[dg_run_variant (head)].n_words + 1u;
}

static uint64_t
next_word (GRand *rand, enum random_kind kind, uint64_t last)
{
  static const uint64_t edges[] = {0,
                                   1,
                                   63,
                                   64,
                                   4095,
                                   UINT64_MAX,
                                   UINT64_MAX - 3,
                                   (uint64_t) 1 << 63,
                                   UINT64_C (0x7fffffffffffffff),
                                   UINT32_MAX,
                                   (uint64_t) UINT32_MAX + 1};

  switch (kind) {
  case RANDOM_STEADY:
    if (g_rand_int_range (rand, 0, 50) == 0)
      return g_rand_int_range (rand, 0x1000, 0x100000);
    return last + 8;
  case RANDOM_NOISE:
    return quad (rand);
  case RANDOM_NEAR:
    return last + (quad (rand) >> g_rand_int_range (rand, 0, 64))
           - (quad (rand) >> g_rand_int_range (rand, 0, 64));
  default:
    return edges[g_rand_int_range (rand, 0, G_N_ELEMENTS (edges))];
  }
}

GArray *
random_runs (GRand *rand, const struct dg_program *program,
             enum random_kind kind, unsigned n_runs, uint64_t mask)
{
  struct dg_program_view view = dg_program_view (program);
  GArray *words = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  uint64_t last = 0x10000, head = 0;

  for (unsigned i = 0; i < n_runs; i++) {
    uint32_t variant = i % 7 % (view.n.variants - 1) + 1;
    size_t length;

    /* A loop that is left now and then.  */
    if (g_rand_int_range (rand, 0, 4) == 0)
      variant = g_rand_int_range (rand, 1, view.n.variants);
    head = (uint64_t) g_rand_int_range (rand, 0, view.n.nodes) << 32
           | variant << DG_RUN_LENGTH_BITS;
    if (g_rand_int_range (rand, 0, 3) > 0)
      head &= UINT64_C (0x1ffffffff);
    length = random_run_length (&view, head);
    if (length <= DG_RUN_LENGTH_MASK)
      head |= length;
    g_array_append_val (words, head);
    while (--length > 0) {
      uint64_t word = next_word (rand, kind, last) & mask;

      last = word;
      g_array_append_val (words, word);
    }
  }
  return words;
}
