/* cache_part_fetch.c: the first level for instructions.

   Most runs find each of their lines first in its set, which changes nothing:
   that is looked at first, and for all of a run's lines before anything is
   touched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_part.h"

/* Whether all lines that the run fetches are first in their sets.  */
static inline bool
is_all_first (const struct dg_cache *cache, const struct dg_cache_block *block,
              unsigned end)
{
  unsigned i, j;

  for (i = 0; i < block->n_fetches && block->fetches[i].instr < end; i++) {
    const struct dg_cache_fetch *fetch = &block->fetches[i];
    if (dg_cache_set (cache, fetch->line)[0] != fetch->line)
      return false;
    for (j = 1; j <= fetch->more; j++)
      if (dg_cache_set (cache, fetch->line + j)[0] != fetch->line + j)
        return false;
  }
  return true;
}

/* Of a sample.  */
static void
fetch_known (struct dg_cache_part *part, const struct dg_run *run,
             unsigned instr, struct dg_cache_part_block *counts)
{
  const struct dg_instr *i = &run->bbdef->instrs[instr];
  uint32_t width = MAX (i->size, 1) - 1;
  uint64_t *row = part->row;
  enum dg_cache_state state =
    dg_cache_known_access (part->cache, i->address, width, 0, true,
                           dg_cache_part_depths (part, DG_MISS_FETCH));

  if (state != DG_CACHE_HIT && counts != NULL)
    row = dg_cache_part_row (part, counts, run->bbdef->n_instrs, instr);
  dg_cache_part_note (part, dg_miss_order_fetch (part->run, instr),
                      DG_MISS_FETCH, i->address, width, state, row);
}

static void
fetch_one (struct dg_cache_part *part, const struct dg_run *run,
           unsigned instr, struct dg_cache_part_block *counts)
{
  const struct dg_instr *i = &run->bbdef->instrs[instr];
  uint32_t width = MAX (i->size, 1) - 1;
  uint64_t *row = part->row;
  uint64_t order = dg_miss_order_fetch (part->run, instr);

  if (part->out != NULL) {
    dg_cache_part_touch (part, order, DG_MISS_FETCH, i->address, width, 0,
                         dg_cache_part_key (part, run), instr);
    return;
  }
  if (part->plan->is_windowed) {
    fetch_known (part, run, instr, counts);
    return;
  }
  if (dg_cache_access (part->cache, i->address, width + 1))
    return;
  part->totals[DG_EV_I1MR]++;
  if (counts != NULL)
    row = dg_cache_part_row (part, counts, run->bbdef->n_instrs, instr);
  if (row != NULL)
    row[DG_EV_I1MR]++;
  dg_cache_part_miss (part, order, DG_MISS_FETCH, i->address, width, row);
}

/* A run that may change something.  */
static void
fetch_lines (struct dg_cache_part *part, const struct dg_run *run,
             const struct dg_cache_block *block,
             struct dg_cache_part_block *counts)
{
  unsigned i;

  for (i = 0; i < block->n_fetches && block->fetches[i].instr < run->n_instrs;
       i++)
    fetch_one (part, run, block->fetches[i].instr, counts);
}

/* A run that begins or ends within its block.  */
static void
fetch_some (struct dg_cache_part *part, const struct dg_run *run,
            struct dg_cache_part_block *counts)
{
  unsigned i;

  for (i = run->first_instr; i < run->n_instrs; i++) {
    if (counts != NULL)
      dg_cache_part_row (part, counts, run->bbdef->n_instrs, i)[DG_EV_IR]++;
    fetch_one (part, run, i, counts);
  }
}

/* The last instruction of a repetition is fetched, but does not count.  Sums
   wrap, and come out right when those of all runs are added.  */
static void
take_back (struct dg_cache_part *part, const struct dg_run *run,
           struct dg_cache_part_block *counts)
{
  part->totals[DG_EV_IR]--;
  if (part->row != NULL)
    part->row[DG_EV_IR]--;
  if (counts != NULL)
    dg_cache_part_row (part, counts, run->bbdef->n_instrs,
                       run->n_instrs - 1)[DG_EV_IR]--;
}

/* A run that is not seen to change nothing.  */
static G_GNUC_NO_INLINE void
fetch_run (struct dg_cache_part *part, const struct dg_run *run,
           const struct dg_cache_lines *lines)
{
  struct dg_cache_part_block *counts
    = part->is_by_code ? dg_cache_part_block (part, run) : NULL;
  const struct dg_cache_code *code = &part->plan->code;
  const struct dg_cache_block *block
    = &code->blocks[run->bbdef->number];

  if (lines->repeats
      && dg_is_repetition (run->bbdef, run->n_instrs, run->n_slots))
    take_back (part, run, counts);
  if (run->first_instr > 0 || run->n_instrs < lines->n_instrs) {
    fetch_some (part, run, counts);
    return;
  }
  if (counts != NULL)
    counts->runs++;
  if (!block->is_simple || !is_all_first (part->cache, block, run->n_instrs))
    fetch_lines (part, run, block, counts);
}

/* Whether the lines of a short block are first in their sets, so that also a
   part of it changes nothing.  One line is looked at twice, rather than asked
   whether there are two: what cannot be foreseen costs more.  */
static inline bool
is_first (const struct dg_cache *cache, const struct dg_cache_lines *lines)
{
  uint64_t line = lines->line, next = line + lines->more;

  return ((dg_cache_set (cache, line)[0] ^ line)
          | (dg_cache_set (cache, next)[0] ^ next)) == 0
         && lines->is_short;
}

void
dg_cache_part_fetch (struct dg_cache_part *part, const struct dg_batch *batch)
{
  const struct dg_cache_code *code = &part->plan->code;
  const struct dg_cache cache = *part->cache;
  const bool is_by_code = part->is_by_code;
  uint64_t instructions = 0;
  size_t i;

  for (i = 0; i < batch->n_runs; i++, part->run++) {
    const struct dg_run *run = &batch->runs[i];
    const struct dg_cache_lines *lines
      = &code->lines[run->bbdef->number];
    instructions += run->n_instrs - run->first_instr;
    if (is_by_code || !is_first (&cache, lines))
      fetch_run (part, run, lines);
  }
  part->totals[DG_EV_IR] += instructions;
  if (part->row != NULL)
    part->row[DG_EV_IR] += instructions;
}
