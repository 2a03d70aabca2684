/* frames_stack.c: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames_stack.h"

#include "dg_record.h"
#include "error.h"
#include "paths.h"

#include <string.h>

/* ---- Blocks ----------------------------------------------------------- */

static void
add_site (GHashTable *sites, uint64_t site)
{
  if (!g_hash_table_contains (sites, &site))
    g_hash_table_add (sites, g_memdup2 (&site, sizeof site));
}

/* All call sites, uint64_t.  */
static GHashTable *
list_sites (const struct dg_log *log)
{
  GHashTable *sites = g_hash_table_new_full (g_int64_hash, g_int64_equal,
                                             g_free, NULL);
  uint32_t n = dg_log_n_call_paths (log);

  for (uint32_t i = 1; i < n; i++) {
    uint64_t added[DG_STACK_MAX];

    for (uint32_t k = dg_paths_added (log, i, added); k-- > 0;)
      add_site (sites, added[k]);
  }
  return sites;
}

static uint8_t
end_of (GHashTable *sites, uint64_t word, const struct dg_bbdef *bbdef)
{
  const struct dg_slot *slot;
  const struct dg_instr *instr;
  uint64_t before, site;
  uint8_t end = 0;

  if (bbdef->n_instrs == 0)
    return 0;
  before = bbdef->instrs[0].address - 1;
  if (g_hash_table_contains (sites, &before))
    end = DG_BLOCK_BEHIND;
  if (bbdef->n_slots == 0)
    return end;
  slot = &bbdef->slots[bbdef->n_slots - 1];
  instr = &bbdef->instrs[bbdef->n_instrs - 1];
  if (slot->iseq != bbdef->n_instrs - 1 || slot->size != word)
    return end;
  site = instr->address + instr->size - 1;
  if (slot->kind != DG_ACC_WRITE)
    end |= DG_BLOCK_READ;
  else if (g_hash_table_contains (sites, &site))
    end |= DG_BLOCK_CALL;
  return end;
}

int
dg_block_ends_init (struct dg_block_ends *ends, const struct dg_log *log,
                    struct dg_error *err)
{
  uint64_t n = dg_log_summary (log)->bbdefs;
  GHashTable *sites;

  ends->word = dg_log_header (log)->word_size;
  ends->ends = g_try_new (uint8_t, n + 1);
  if (ends->ends == NULL)
    return dg_error_nomem (err);
  sites = list_sites (log);
  for (uint64_t i = 0; i < n; i++)
    ends->ends[i] =
      end_of (sites, ends->word, dg_log_bbdef (log, (uint32_t) i));
  g_hash_table_unref (sites);
  return 0;
}

void
dg_block_ends_fini (struct dg_block_ends *ends)
{
  g_clear_pointer (&ends->ends, g_free);
}

/* ---- Stacks ----------------------------------------------------------- */

void
dg_frame_stack_fini (struct dg_frame_stack *stack)
{
  g_free (stack->items);
  memset (stack, 0, sizeof *stack);
}

void
dg_frame_stack_clear (struct dg_frame_stack *stack)
{
  stack->n = 0;
  stack->popped = stack->top = 0;
  stack->last_pc = 0;
  stack->has_run = stack->is_behind = false;
  stack->may_return = false;
}

void
dg_frame_stack_pop (struct dg_frame_stack *stack, uint64_t cfa)
{
  while (stack->n > 0 && stack->items[stack->n - 1].cfa <= cfa)
    stack->n--;
  if (stack->n == 0)
    stack->popped = MAX (stack->popped, cfa);
}

void
dg_frame_stack_push (struct dg_frame_stack *stack, uint64_t cfa, uint64_t site)
{
  /* What was below is gone: it left without a return.  */
  dg_frame_stack_pop (stack, cfa);
  if (stack->n == stack->room) {
    stack->room += stack->room / 2 + 64;
    stack->items =
      g_renew (struct dg_stack_frame, stack->items, stack->room);
  }
  stack->items[stack->n++] = (struct dg_stack_frame){cfa, site};
  stack->top = MAX (stack->top, cfa);
}

void
dg_frame_stack_settle (struct dg_frame_stack *stack,
                       const struct dg_block_ends *ends,
                       const struct dg_run *run)
{
  uint64_t cfa = stack->read + ends->word;
  size_t n = stack->n;

  if (!stack->may_return)
    return;
  stack->may_return = false;
  if (!(ends->ends[run->bbdef->number] & DG_BLOCK_BEHIND))
    return;
  while (n > 0 && stack->items[n - 1].cfa < cfa)
    n--;
  /* Of a frame that is not known, it is one only if it is on the stack.  */
  if (n > 0 ? stack->items[n - 1].cfa == cfa
            : stack->read >= stack->low && stack->read < stack->high)
    dg_frame_stack_pop (stack, cfa);
}

void
dg_frame_stack_run (struct dg_frame_stack *stack,
                    const struct dg_block_ends *ends, const struct dg_run *run)
{
  const struct dg_bbdef *block = run->bbdef;
  const struct dg_instr *last = &block->instrs[run->n_instrs - 1];
  uint8_t end = ends->ends[run->bbdef->number];
  uint64_t address;

  if (stack->may_return)
    dg_frame_stack_settle (stack, ends, run);
  if (G_UNLIKELY (!stack->has_run)) {
    stack->has_run = true;
    stack->is_behind = end & DG_BLOCK_BEHIND;
  }
  stack->last_pc = last->address;
  if (!(end & (DG_BLOCK_CALL | DG_BLOCK_READ))
      || run->n_instrs < block->n_instrs || run->n_slots < block->n_slots)
    return;
  address = run->addresses[block->slots[block->n_slots - 1].entry];
  if (address == 0)
    return;
  if (end & DG_BLOCK_CALL) {
    dg_frame_stack_push (stack, address + ends->word,
                         last->address + last->size - 1);
  } else {
    stack->may_return = true;
    stack->read = address;
  }
}
