/* pack_lines.c: counts the cache lines that runs touch.

   A variant's accesses that are not at constant addresses become steps; those
   that are get counted once for all its runs at the end.  Runs of variants
   that are not plain take the slow way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_state.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"

/* ---- Steps ---- */

/* Can steps say what the first n entries are?  */
static bool
has_steps (const struct dg_program_block *block, unsigned n, uint64_t mask)
{
  for (unsigned i = 0; i < n; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if (entry->kind == DG_ACC_SP)
      continue;
    if (entry->word == DG_PROGRAM_NO_WORD
          ? (entry->disp & mask) == 0
          : entry->disp != (int32_t) entry->disp || entry->size == 0
              || entry->size > DG_LINE_SIZE)
      return false;
  }
  return n <= DG_RUN_STEPS;
}

static int
add_steps (struct dg_packer *packer, const struct dg_program_block *block,
           unsigned n, struct dg_error *err)
{
  struct dg_step *step;
  size_t room = packer->steps.n + n + DG_COPY;

  if (room > packer->steps.room
      && dg_table_reserve (&packer->steps, sizeof *step, room + room / 2) < 0)
    return dg_error_nomem (err);
  for (unsigned i = 0; i < n; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if (entry->word == DG_PROGRAM_NO_WORD || entry->kind == DG_ACC_SP)
      continue;
    step = (struct dg_step *) packer->steps.items + packer->steps.n++;
    step->disp = entry->disp;
    step->word = entry->word;
    step->kind = entry->kind;
    step->beyond = DG_LINE_SIZE + 1 - entry->size;
  }
  return 0;
}

static bool
has_constants (const struct dg_program_block *block, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (block->entries[i].word == DG_PROGRAM_NO_WORD
        && block->entries[i].kind != DG_ACC_SP)
      return true;
  return false;
}

int
dg_pack_info_fill (struct dg_packer *packer, struct dg_pack_info *info,
                   uint32_t number, struct dg_error *err)
{
  const struct dg_program_variant *variant = &packer->program.variants[number];
  const struct dg_program_block *block =
    packer->program.blocks[variant->block];

  info->sums[0] = variant->n_instrs;
  info->sums[1] = variant->n_entries;
  info->sums[2] = variant->reads;
  info->sums[3] = variant->writes;
  info->steps = packer->steps.n;
  info->is_slow = !variant->is_plain || variant->n_words > DG_RUN_WORDS
                  || !has_steps (block, variant->n_entries, packer->mask);
  if (!info->is_slow && add_steps (packer, block, variant->n_entries, err) < 0)
    return DG_ERR_NOMEM;
  info->n_steps = packer->steps.n - info->steps;
  info->has_constants =
    !info->is_slow && has_constants (block, variant->n_entries);
  return 0;
}

/* ---- Counting ---- */

/* Accesses are those that are whole; the range is that of all entries that
   are parts of accesses.  */
void
dg_pack_lines_count_run (struct dg_packer *packer, uint32_t number,
                         const uint64_t *words)
{
  const struct dg_program_variant *variant = &packer->program.variants[number];
  const struct dg_program_block *block =
    packer->program.blocks[variant->block];
  uint64_t start = 0, size = 0;
  bool goes_on = false;

  for (unsigned i = 0; i < variant->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];
    uint64_t address = dg_program_address (entry, words, packer->mask);

    if (entry->kind == DG_ACC_SP)
      continue;
    if (address != 0)
      dg_lines_widen (packer->lines, address);
    if (!goes_on) {
      start = address;
      size = 0;
    }
    size += entry->size;
    goes_on = entry->size == 255;
    if (!goes_on)
      dg_lines_count_times (packer->lines, start, size, entry->kind, 1);
  }
}

/* Counts steps up to `end`, or one that has to be counted slowly; where that
   is.  The mask is a constant in one of the copies that the compiler makes;
   there are no calls, so that all can stay in registers.  */
static inline const struct dg_step *__attribute__ ((always_inline))
count_steps (struct dg_lines *lines, const uint64_t *words,
             const struct dg_step *step, const struct dg_step *end,
             const uint64_t mask)
{
  const uint64_t min = lines->min, range = lines->range;

  for (; step < end; step++)
    if (G_UNLIKELY (!dg_lines_count (
          lines, (words[step->word] + (int64_t) step->disp) & mask,
          step->beyond, step->kind, min, range)))
      break;
  return step;
}

static const struct dg_step *__attribute__ ((noinline))
count_steps_64 (struct dg_lines *lines, const uint64_t *words,
                const struct dg_step *step, const struct dg_step *end)
{
  return count_steps (lines, words, step, end, UINT64_MAX);
}

static const struct dg_step *__attribute__ ((noinline))
count_steps_32 (struct dg_lines *lines, const uint64_t *words,
                const struct dg_step *step, const struct dg_step *end)
{
  return count_steps (lines, words, step, end, UINT32_MAX);
}

void
dg_pack_lines_count (struct dg_packer *packer)
{
  const struct dg_slice *slice = &packer->slice;
  const struct dg_step *step = slice->steps, *end = step + slice->n_steps;
  bool is_64 = packer->mask == UINT64_MAX;

  for (;; step++) {
    step = is_64 ? count_steps_64 (packer->lines, slice->words, step, end)
                 : count_steps_32 (packer->lines, slice->words, step, end);
    if (step == end)
      break;
    dg_lines_count_slowly (packer->lines,
                           (slice->words[step->word] + (int64_t) step->disp)
                             & packer->mask,
                           DG_LINE_SIZE + 1 - step->beyond, step->kind);
  }
  for (unsigned i = 0; i < slice->n_slow; i++)
    dg_pack_lines_count_run (packer, slice->slow[i].variant,
                             slice->words + slice->slow[i].words);
}

/* ---- The end ---- */

/* Accesses at constant addresses, for all runs of a head.  They are not at
   0.  */
static void
count_constants (struct dg_packer *packer, const struct dg_pack_head *head)
{
  const struct dg_program_block *block =
    packer->program.blocks[packer->program.variants[head->variant].block];

  for (unsigned i = 0; i < head->sums[1]; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if (entry->word == DG_PROGRAM_NO_WORD && entry->kind != DG_ACC_SP)
      dg_lines_count_times (packer->lines, entry->disp & packer->mask,
                            entry->size, entry->kind, head->runs);
  }
}

void
dg_pack_lines_finish (struct dg_packer *packer)
{
  const struct dg_pack_head *head = packer->heads + 1;

  for (uint32_t i = 1; i < packer->n_heads; i++, head++)
    if (head->has_constants && head->runs > 0)
      count_constants (packer, head);
  packer->totals.min_address = packer->lines->min;
  packer->totals.max_address =
    packer->lines->is_touched ? packer->lines->min + packer->lines->range : 0;
}
