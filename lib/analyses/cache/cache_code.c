/* cache_code.c: what each superblock does to caches, independent of time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_code.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"

/* Instructions of a block, as the format has it.  */
#define INSTRS_MAX 255

/* Whether no two lines share a set: lines that follow one another do not,
   unless there are more of them than sets.  */
static bool
are_sets_different (const struct dg_cache_fetch *fetches, unsigned n,
                    uint64_t set_mask)
{
  uint64_t low = UINT64_MAX, high = 0;
  unsigned i;

  for (i = 0; i < n; i++) {
    low = MIN (low, fetches[i].line);
    high = MAX (high, fetches[i].line + fetches[i].more);
  }
  return n == 0 || high - low <= set_mask;
}

static int
find_fetches (struct dg_cache_code *code, uint32_t index,
              const struct dg_bbdef *bbdef, unsigned line_bits,
              uint64_t set_mask)
{
  struct dg_cache_block *block = &code->blocks[index];
  struct dg_cache_lines *lines = &code->lines[index];
  struct dg_cache_fetch all[INSTRS_MAX], *fetches;
  uint64_t latest = 0;
  bool has_latest = false;
  unsigned i, n = 0;

  for (i = 0; i < bbdef->n_instrs && n < INSTRS_MAX; i++) {
    const struct dg_instr *instr = &bbdef->instrs[i];
    uint64_t end = instr->address + MAX (instr->size, 1) - 1;
    uint64_t line = instr->address >> line_bits;
    uint64_t last
      = (end < instr->address ? UINT64_MAX : end) >> line_bits;
    if (has_latest && line == latest && last == line)
      continue;
    all[n++] = (struct dg_cache_fetch) { line, i, last - line };
    latest = last;
    has_latest = true;
  }
  fetches = dg_arena_alloc (&code->arena, n * sizeof *fetches);
  if (fetches == NULL)
    return DG_ERR_NOMEM;
  memcpy (fetches, all, n * sizeof *fetches);
  block->fetches = fetches;
  block->n_fetches = n;
  block->is_simple = are_sets_different (fetches, n, set_mask);
  lines->n_instrs = bbdef->n_instrs;
  lines->repeats = bbdef->repeats != DG_REPEATS_NOT;
  if (n > 0) {
    uint64_t more = latest - fetches[0].line;
    lines->line = fetches[0].line;
    lines->more = more == 1;
    lines->is_short
      = block->is_simple && more <= 1 && n <= 2 && !lines->repeats;
  }
  return 0;
}

static bool
is_pair (const struct dg_slot *read, const struct dg_slot *write)
{
  return read->kind == DG_ACC_READ && write->kind == DG_ACC_WRITE
         && read->iseq == write->iseq && read->size == write->size;
}

static int
find_accesses (struct dg_cache_code *code, uint32_t index,
               const struct dg_bbdef *bbdef, uint32_t data_max)
{
  struct dg_cache_block *block = &code->blocks[index];
  struct dg_cache_data *data = &code->data[index];
  uint16_t *widths
    = dg_arena_alloc (&code->arena, bbdef->n_slots * sizeof *widths);
  struct dg_cache_pair *pairs;
  unsigned i, n = 0;

  for (i = 1; i < bbdef->n_slots; i++)
    n += is_pair (&bbdef->slots[i - 1], &bbdef->slots[i]);
  pairs = dg_arena_alloc (&code->arena, n * sizeof *pairs);
  if (widths == NULL || pairs == NULL)
    return DG_ERR_NOMEM;
  block->pairs = pairs;
  data->widths = widths;
  data->n_slots = bbdef->n_slots;
  data->has_pairs = n > 0;
  data->is_dense = true;
  for (i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    widths[i] = MIN (MAX (slot->size, 1), data_max) - 1;
    data->n_reads += slot->kind == DG_ACC_READ;
    data->is_dense = data->is_dense && slot->entry == i;
    if (i > 0 && is_pair (slot - 1, slot))
      pairs[block->n_pairs++]
        = (struct dg_cache_pair) { slot[-1].entry, slot->entry, i };
  }
  return 0;
}

int
dg_cache_code_init (struct dg_cache_code *code, const struct dg_log *log,
                    unsigned line_bits, uint64_t set_mask, uint32_t data_max,
                    struct dg_error *err)
{
  const struct dg_summary *summary = dg_log_summary (log);
  size_t i;

  memset (code, 0, sizeof *code);
  code->log = log;
  code->blocks = g_try_new0 (struct dg_cache_block, summary->bbdefs + 1);
  code->lines = g_try_new0 (struct dg_cache_lines, summary->bbdefs + 1);
  code->data = g_try_new0 (struct dg_cache_data, summary->bbdefs + 1);
  if (code->blocks == NULL || code->lines == NULL || code->data == NULL)
    return dg_error_nomem (err);
  for (i = 0; i < summary->bbdefs; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (log, i);
    if (find_fetches (code, i, bbdef, line_bits, set_mask) < 0
        || find_accesses (code, i, bbdef, data_max) < 0)
      return dg_error_nomem (err);
  }
  return 0;
}

void
dg_cache_code_fini (struct dg_cache_code *code)
{
  g_free (code->blocks);
  g_free (code->lines);
  g_free (code->data);
  dg_arena_fini (&code->arena);
  memset (code, 0, sizeof *code);
}
