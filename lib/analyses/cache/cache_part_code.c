/* cache_part_code.c: the counters of code: by block, by unit (--program), or
   by context (callgrind's file).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_part.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"

/* Those of a row: instructions come first, then data, then what only private
   caches add.  A part that passes over chunks counts no misses, and that of
   the run, which looks these up, nothing else.  */
static void
choose_events (struct dg_cache_part *part, bool is_of_run)
{
  bool is_chunked = part->plan->is_chunked;
  unsigned first = part->index == 0 ? DG_EV_IR : DG_EV_DR;
  unsigned end = part->index == 0 ? DG_EV_DR : DG_EVENTS_NINE;

  if (part->plan->is_windowed) {
    part->first = 0;
    part->stride = DG_EVENTS_ALL;
    return;
  }
  if (part->plan->is_private)
    end = part->index == 0 ? end : DG_EVENTS;
  if (is_chunked && is_of_run)
    first++;
  else if (is_chunked)
    end -= 2;
  part->first = first;
  part->stride = end - first;
}

int
dg_cache_part_code_init (struct dg_cache_part *part, bool is_of_run,
                         struct dg_error *err)
{
  const struct dg_cache_plan *plan = part->plan;
  const struct dg_summary *summary = dg_log_summary (plan->log);

  choose_events (part, is_of_run);
  part->is_by_code = true;
  /* Units become more as they are met.  */
  part->n_blocks = plan->by_context        ? summary->contexts
                   : plan->found != NULL ? 0
                                           : summary->bbdefs;
  part->blocks
    = g_try_new0 (struct dg_cache_part_block, (size_t) part->n_blocks + 1);
  part->spare = g_try_new0 (uint64_t, 257 * DG_EVENTS_ALL);
  return part->blocks != NULL && part->spare != NULL ? 0
                                                     : dg_error_nomem (err);
}

void
dg_cache_part_code_fini (struct dg_cache_part *part)
{
  g_free (part->blocks);
  g_free (part->spare);
  dg_arena_fini (&part->arena);
}

static struct dg_cache_part_block *
fail (struct dg_cache_part *part)
{
  part->code = dg_error_nomem (part->err);
  part->no_block.rows = part->spare;
  return &part->no_block;
}

struct dg_cache_part_block *
dg_cache_part_find_block (struct dg_cache_part *part, uint32_t context,
                          uint64_t icount)
{
  uint32_t number = context;

  if (!part->plan->by_context)
    number
      = dg_units_find (dg_breakdown_units (part->plan->groups), context,
                       icount);
  if (number == DG_NONE
      || !DG_ARRAY_ROOM_ZERO (part->blocks, part->n_blocks, number))
    return fail (part);
  return &part->blocks[number];
}

/* Before the first row there is room for the events that the part does not
   have, so that each is found by its number.  */
uint64_t *
dg_cache_part_make_rows (struct dg_cache_part *part,
                         struct dg_cache_part_block *block, unsigned n_instrs)
{
  size_t bytes
    = (part->first + n_instrs * part->stride) * sizeof *block->rows;

  block->rows = dg_arena_alloc (&part->arena, bytes);
  if (block->rows != NULL)
    return memset (block->rows, 0, bytes);
  fail (part);
  return part->spare;
}

uint64_t *
dg_cache_part_row_of (struct dg_cache_part *part, uint32_t context,
                      unsigned instr)
{
  struct dg_run run = {
    .context = context,
    .icount = UINT64_MAX,
    .bbdef = dg_log_bbdef (part->plan->log,
                           dg_log_context (part->plan->log, context).bbdef)
  };

  part->err = NULL;
  return dg_cache_part_row (part, dg_cache_part_block (part, &run),
                            run.bbdef->n_instrs, instr);
}

/* ---- What was found --------------------------------------------------- */

/* What runs of the whole block were to the rows of its instructions.  */
static void
add_runs (const struct dg_cache_part *part, uint64_t runs,
          const struct dg_bbdef *bbdef, uint64_t *rows)
{
  unsigned n = dg_cache_plan_events (part->plan), i;

  for (i = 0; part->index == 0 && i < bbdef->n_instrs; i++)
    rows[i * n + DG_EV_IR] += runs;
  for (i = 0; part->index > 0 && i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    rows[slot->iseq * n
         + (slot->kind == DG_ACC_READ ? DG_EV_DR : DG_EV_DW)]
      += runs;
  }
}

bool
dg_cache_part_code_read (const struct dg_cache_part *part, uint32_t number,
                         const struct dg_bbdef *bbdef, uint64_t *icount,
                         uint64_t *rows)
{
  const struct dg_cache_part_block *block = &part->blocks[number];
  unsigned n = dg_cache_plan_events (part->plan), i, event;

  if (number >= part->n_blocks || (block->runs == 0 && block->rows == NULL))
    return false;
  *icount = MIN (*icount, block->icount);
  if (block->runs > 0)
    add_runs (part, block->runs, bbdef, rows);
  for (i = 0; block->rows != NULL && i < bbdef->n_instrs; i++)
    for (event = part->first; event < part->first + part->stride; event++)
      rows[i * n + event] += block->rows[i * part->stride + event];
  return true;
}
