/* pack_model.c: what packing of runs must tell of them, worked out word by
   word as format.md says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_model.h"

#include <string.h>

#include "archive/lines.h"
#include "dg_record.h"
#include "random_runs.h"

static void
touch (struct pack_model *model, uint64_t address, uint64_t size,
       unsigned kind, uint64_t mask)
{
  uint64_t last = ((address + size - 1) & mask) / DG_LINE_BYTES;

  for (uint64_t line = address / DG_LINE_BYTES;;
       line = (line + 1) & (mask / DG_LINE_BYTES)) {
    struct dg_line_count *count = g_hash_table_lookup (model->lines, &line);

    if (!count) {
      count = g_new0 (struct dg_line_count, 1);
      count->line = line;
      g_hash_table_insert (model->lines, &count->line, count);
    }
    if (kind == DG_ACC_READ)
      count->reads++;
    else
      count->writes++;
    if (line == last)
      break;
  }
}

/* The addresses of one run, by the words of format.md.  */
static void
look_at_run (struct pack_model *model, const struct dg_program_block *block,
             const struct dg_program_variant *variant, const uint64_t *words,
             uint64_t mask)
{
  uint64_t first = 0, size = 0;
  uint64_t *addresses = g_new (uint64_t, variant->n_entries + 1);
  struct dg_pack_totals *t = &model->totals;

  dg_unpack_addresses (block, variant, words, mask, addresses);
  for (unsigned i = 0; i < variant->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];
    uint64_t address = entry->disp;

    if (entry->word != DG_PROGRAM_NO_WORD) {
      address += words[entry->word];
      if (entry->guarded && words[entry->word] == 0)
        address = 0;
    }
    address &= mask;
    g_assert_cmphex (addresses[i], ==, address);
    if (address != 0) {
      t->min_address = MIN (t->min_address, address);
      t->max_address = MAX (t->max_address, address);
    }
    if (i == 0 || entry[-1].size != 255) {
      first = address;
      size = 0;
    }
    size += entry->size;
    if (entry->size == 255 || first == 0)
      continue;
    if (entry->kind == DG_ACC_READ)
      t->reads++;
    else
      t->writes++;
    if (size > 0)
      touch (model, first, size, entry->kind, mask);
  }
  t->runs++;
  t->instructions += variant->n_instrs;
  t->entries += variant->n_entries;
  g_free (addresses);
}

/* g_int64_hash knows the low half only.  */
static guint
hash_head (gconstpointer p)
{
  uint64_t hash = *(const uint64_t *) p * UINT64_C (0x9e3779b97f4a7c15);

  return hash >> 32;
}

void
pack_model_init (struct pack_model *model, const struct dg_program_view *view,
                 const GArray *words, uint64_t mask)
{
  const uint64_t *at = (const uint64_t *) (void *) words->data;
  const uint64_t *end = at + words->len;
  GHashTable *met =
    g_hash_table_new_full (hash_head, g_int64_equal, g_free, NULL);

  memset (model, 0, sizeof *model);
  model->totals.min_address = UINT64_MAX;
  model->lines =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  model->new_contexts =
    g_array_new (FALSE, FALSE, sizeof (struct dg_pack_new_context));
  while (at < end) {
    const struct dg_program_variant *variant =
      &view->variants[dg_run_variant (*at)];
    struct dg_pack_new_context new_context = {
      variant->block, dg_run_node (*at), model->totals.runs};

    if (g_hash_table_add (met, g_memdup2 (at, sizeof *at)))
      g_array_append_val (model->new_contexts, new_context);
    look_at_run (model, view->blocks[variant->block], variant, at + 1, mask);
    at += random_run_length (view, *at);
  }
  g_hash_table_unref (met);
}

void
pack_model_fini (struct pack_model *model)
{
  g_hash_table_unref (model->lines);
  g_array_unref (model->new_contexts);
}

void
pack_model_check_totals (const struct dg_pack_totals *a,
                         const struct dg_pack_totals *b)
{
  g_assert_cmpuint (a->runs, ==, b->runs);
  g_assert_cmpuint (a->instructions, ==, b->instructions);
  g_assert_cmpuint (a->entries, ==, b->entries);
  g_assert_cmpuint (a->reads, ==, b->reads);
  g_assert_cmpuint (a->writes, ==, b->writes);
  g_assert_cmphex (a->min_address, ==, b->min_address);
  g_assert_cmphex (a->max_address, ==, b->max_address);
}

static void
compare_lines (const struct pack_model *model, struct dg_packer *packer)
{
  struct dg_error err = {0};
  const struct dg_line_count *counts;
  size_t n;

  g_assert_cmpint (dg_packer_lines (packer, &counts, &n, &err), ==, 0);
  g_assert_cmpuint (n, ==, g_hash_table_size (model->lines));
  for (size_t i = 0; i < n; i++) {
    const struct dg_line_count *right =
      g_hash_table_lookup (model->lines, &counts[i].line);

    g_assert_nonnull (right);
    g_assert_cmpuint (counts[i].reads, ==, right->reads);
    g_assert_cmpuint (counts[i].writes, ==, right->writes);
    g_assert_true (i == 0 || counts[i - 1].line < counts[i].line);
  }
}

static void
compare_new_contexts (const struct pack_model *model,
                      const struct dg_pack_new_context *new_contexts, size_t n)
{
  const struct dg_pack_new_context *right = (void *) model->new_contexts->data;

  g_assert_cmpuint (n, ==, model->new_contexts->len);
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (new_contexts[i].block, ==, right[i].block);
    g_assert_cmpuint (new_contexts[i].node, ==, right[i].node);
    g_assert_cmpuint (new_contexts[i].run, ==, right[i].run);
  }
}

void
pack_model_check (const struct pack_model *model, struct dg_packer *packer,
                  const struct dg_pack_new_context *new_contexts, size_t n)
{
  pack_model_check_totals (dg_packer_totals (packer), &model->totals);
  compare_new_contexts (model, new_contexts, n);
  compare_lines (model, packer);
}
