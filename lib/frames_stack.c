/* frames_stack.c: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames_stack.h"

#include "dg_record.h"
#include "error.h"

#include <string.h>

/* ---- Blocks ----------------------------------------------------------- */

static void
note_sites (struct dg_block_ends *ends, const struct dg_log *log)
{
  uint64_t n = dg_log_summary (log)->contexts;

  for (uint64_t i = 0; i < n; i++) {
    const struct dg_context *context = dg_log_context (log, (uint32_t) i);

    for (uint32_t k = 1; k < context->n_stack; k++)
      if (!g_hash_table_contains (ends->sites, &context->stack[k]))
        g_hash_table_add (ends->sites, (gpointer) &context->stack[k]);
  }
}

static enum dg_block_end
end_of (const struct dg_block_ends *ends, const struct dg_bbdef *bbdef)
{
  const struct dg_slot *slot;
  const struct dg_instr *instr;
  uint64_t site;

  if (bbdef->n_slots == 0 || bbdef->n_instrs == 0)
    return DG_BLOCK_OTHER;
  slot = &bbdef->slots[bbdef->n_slots - 1];
  instr = &bbdef->instrs[bbdef->n_instrs - 1];
  if (slot->iseq != bbdef->n_instrs - 1 || slot->size != ends->word)
    return DG_BLOCK_OTHER;
  site = instr->address + instr->size - 1;
  if (slot->kind == DG_ACC_WRITE)
    return g_hash_table_contains (ends->sites, &site) ? DG_BLOCK_CALL
                                                      : DG_BLOCK_OTHER;
  return DG_BLOCK_READ;
}

int
dg_block_ends_init (struct dg_block_ends *ends, const struct dg_log *log,
                    struct dg_error *err)
{
  uint64_t n = dg_log_summary (log)->bbdefs;

  ends->word = dg_log_header (log)->word_size;
  ends->sites = g_hash_table_new (g_int64_hash, g_int64_equal);
  ends->ends = g_try_new0 (uint8_t, n + 1);
  if (ends->ends == NULL) {
    dg_block_ends_fini (ends);
    return dg_error_nomem (err);
  }
  note_sites (ends, log);
  for (uint64_t i = 0; i < n; i++)
    ends->ends[i] =
      (uint8_t) end_of (ends, dg_log_bbdef (log, (uint32_t) i));
  return 0;
}

void
dg_block_ends_fini (struct dg_block_ends *ends)
{
  g_clear_pointer (&ends->sites, g_hash_table_unref);
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
  stack->popped = 0;
  stack->first_pc = stack->last_pc = 0;
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
}

void
dg_frame_stack_settle (struct dg_frame_stack *stack,
                       const struct dg_block_ends *ends, uint64_t pc)
{
  uint64_t site = pc - 1, cfa = stack->read + ends->word;
  size_t n = stack->n;

  if (!stack->may_return)
    return;
  stack->may_return = false;
  if (!g_hash_table_contains (ends->sites, &site))
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
                    const struct dg_block_ends *ends, const struct dg_run *run,
                    uint32_t bbdef)
{
  const struct dg_bbdef *block = run->bbdef;
  const struct dg_instr *last = &block->instrs[run->n_instrs - 1];
  uint64_t address;

  if (stack->may_return)
    dg_frame_stack_settle (stack, ends, block->instrs[0].address);
  if (stack->first_pc == 0)
    stack->first_pc = block->instrs[0].address;
  stack->last_pc = last->address;
  if (ends->ends[bbdef] == DG_BLOCK_OTHER || run->n_instrs < block->n_instrs
      || run->n_slots < block->n_slots)
    return;
  address = run->addresses[block->slots[block->n_slots - 1].entry];
  if (address == 0)
    return;
  if (ends->ends[bbdef] == DG_BLOCK_CALL) {
    dg_frame_stack_push (stack, address + ends->word,
                         last->address + last->size - 1);
  } else {
    stack->may_return = true;
    stack->read = address;
  }
}
