/* pack_lines.c: counting what runs touch.

   A block's entries that are not at constant addresses become steps of eight
   bytes; those that are get counted once for all runs at the end.  Runs of
   variants that are not plain take the slow way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_lines.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "lines_table.h"

/* One access of a plain run.  */
struct step {
  int32_t disp;
  uint16_t word;
  uint8_t kind, size;
};

/* What a run of a head does.  */
struct head_steps {
  uint32_t steps;          /* index of the first */
  uint16_t n_steps;
  uint16_t n_words;
  uint32_t n_instrs, n_entries;
  uint32_t reads, writes;
  uint32_t runs;
  uint32_t variant;
  bool is_plain;
};

struct dg_pack_lines {
  struct dg_program_view program;
  struct dg_lines *lines;
  struct dg_table heads;   /* struct head_steps */
  struct dg_table steps;   /* struct step */
  uint64_t mask;
};

struct dg_pack_lines *
dg_pack_lines_new (struct dg_error *err)
{
  struct dg_pack_lines *lines = g_try_new0 (struct dg_pack_lines, 1);

  if (!lines) {
    dg_error_nomem (err);
    return NULL;
  }
  lines->lines = dg_lines_new (err);
  if (!lines->lines) {
    dg_pack_lines_free (lines);
    return NULL;
  }
  return lines;
}

void
dg_pack_lines_free (struct dg_pack_lines *lines)
{
  if (!lines)
    return;
  dg_lines_free (lines->lines);
  dg_table_fini (&lines->heads);
  dg_table_fini (&lines->steps);
  g_free (lines);
}

int
dg_pack_lines_begin (struct dg_pack_lines *lines,
                     const struct dg_program_view *program,
                     uint64_t address_mask, struct dg_error *err)
{
  lines->program = *program;
  lines->mask = address_mask;
  lines->heads.n = lines->steps.n = 0;
  dg_lines_begin (lines->lines, address_mask);
  /* Number 0 is none.  */
  if (!dg_table_add (&lines->heads, sizeof (struct head_steps)))
    return dg_error_nomem (err);
  return 0;
}

/* Can steps say what the first n entries are?  */
static bool
has_steps (const struct dg_program_block *block, unsigned n, uint64_t mask)
{
  for (unsigned i = 0; i < n; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if (entry->word == DG_PROGRAM_NO_WORD
          ? (entry->disp & mask) == 0
          : entry->disp != (int32_t) entry->disp)
      return false;
  }
  return true;
}

static int
add_steps (struct dg_pack_lines *lines, const struct dg_program_block *block,
           struct head_steps *head, struct dg_error *err)
{
  head->steps = lines->steps.n;
  for (unsigned i = 0; i < head->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];
    struct step *step;

    if (entry->word == DG_PROGRAM_NO_WORD)
      continue;
    step = dg_table_add (&lines->steps, sizeof *step);
    if (!step)
      return dg_error_nomem (err);
    step->disp = entry->disp;
    step->word = entry->word;
    step->kind = entry->kind;
    step->size = entry->size;
  }
  head->n_steps = lines->steps.n - head->steps;
  return 0;
}

int
dg_pack_lines_add_head (struct dg_pack_lines *lines, uint32_t number,
                        struct dg_error *err)
{
  const struct dg_program_variant *variant
    = &lines->program.variants[number];
  const struct dg_program_block *block
    = lines->program.blocks[variant->block];
  struct head_steps *head = dg_table_add (&lines->heads, sizeof *head);

  if (!head)
    return dg_error_nomem (err);
  head->variant = number;
  head->n_words = variant->n_words;
  head->n_instrs = variant->n_instrs;
  head->n_entries = variant->n_entries;
  head->reads = variant->reads;
  head->writes = variant->writes;
  head->is_plain = variant->is_plain
                   && has_steps (block, variant->n_entries, lines->mask);
  return head->is_plain ? add_steps (lines, block, head, err) : 0;
}

/* ---- Counting ---- */

/* A run of any kind.  Accesses are those that are whole; the range is that of
   all entries.  */
static void __attribute__ ((noinline))
count_slowly (struct dg_pack_lines *lines, const struct head_steps *head,
              const uint64_t *words)
{
  const struct dg_program_block *block
    = lines->program.blocks[lines->program.variants[head->variant].block];
  uint64_t start = 0, size = 0;

  for (unsigned i = 0; i < head->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];
    uint64_t address
      = dg_program_address (entry, words, lines->mask);

    if (address != 0)
      dg_lines_widen (lines->lines, address);
    if (size == 0)
      start = address;
    size += entry->size;
    if (entry->size == 255)
      continue;
    dg_lines_count_times (lines->lines, start, size, entry->kind, 1);
    size = 0;
  }
}

void
dg_pack_lines_count (struct dg_pack_lines *lines, const uint64_t *words,
                     const uint32_t *numbers, size_t n_runs,
                     struct dg_pack_totals *totals)
{
  struct head_steps *heads = lines->heads.items;
  const struct step *steps = lines->steps.items;
  struct dg_lines *counts = lines->lines;
  uint64_t unmade[2] = { counts->unmade[0], counts->unmade[1] };

  for (size_t i = 0; i < n_runs; i++) {
    struct head_steps *head = &heads[numbers[i]];

    words++;
    head->runs++;
    totals->instructions += head->n_instrs;
    totals->entries += head->n_entries;
    totals->reads += head->reads;
    totals->writes += head->writes;
    if (G_UNLIKELY (!head->is_plain)) {
      count_slowly (lines, head, words);
    } else {
      const struct step *step = steps + head->steps;
      const struct step *end = step + head->n_steps;

      for (; step < end; step++)
        dg_lines_count (counts,
                        (words[step->word] + step->disp) & lines->mask,
                        step->size, step->kind);
    }
    words += head->n_words;
  }
  totals->runs += n_runs;
  totals->reads -= counts->unmade[0] - unmade[0];
  totals->writes -= counts->unmade[1] - unmade[1];
}

/* ---- The end ---- */

/* Accesses at constant addresses, for all runs.  They are not at 0.  */
static void
count_constants (struct dg_pack_lines *lines, const struct head_steps *head)
{
  const struct dg_program_block *block
    = lines->program.blocks[lines->program.variants[head->variant].block];

  for (unsigned i = 0; i < head->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if (entry->word == DG_PROGRAM_NO_WORD)
      dg_lines_count_times (lines->lines, entry->disp & lines->mask,
                            entry->size, entry->kind, head->runs);
  }
}

int
dg_pack_lines_finish (struct dg_pack_lines *lines,
                      struct dg_pack_totals *totals, struct dg_error *err)
{
  const struct head_steps *heads = lines->heads.items;
  struct dg_lines *counts = lines->lines;

  for (size_t i = 1; i < lines->heads.n; i++)
    if (heads[i].is_plain && heads[i].n_steps < heads[i].n_entries
        && heads[i].runs > 0)
      count_constants (lines, &heads[i]);
  if (counts->is_short)
    return dg_error_nomem (err);
  totals->min_address = counts->min;
  totals->max_address
    = counts->is_touched ? counts->min + counts->range : 0;
  return 0;
}

int
dg_pack_lines_list (struct dg_pack_lines *lines,
                    const struct dg_line_count **counts, size_t *n,
                    struct dg_error *err)
{
  return dg_lines_end (lines->lines, counts, n, err);
}
