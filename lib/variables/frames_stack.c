/* frames_stack.c: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames_stack.h"

#include "base/table.h"

#include <glib.h>
#include <string.h>

void
dg_frame_stack_fini (struct dg_frame_stack *stack)
{
  g_free (stack->items);
  memset (stack, 0, sizeof *stack);
}

int
dg_frame_stack_reserve (struct dg_frame_stack *stack, size_t n)
{
  struct dg_frame_slot *items;

  if (n <= stack->room)
    return 0;
  items = g_try_renew (struct dg_frame_slot, stack->items, n);
  if (items == NULL) {
    stack->lacks = true;
    return DG_ERR_NOMEM;
  }
  stack->items = items;
  stack->room = n;
  return 0;
}

/* Frames up to this are gone.  */
static void
pop (struct dg_frame_stack *stack, uint64_t cfa)
{
  while (stack->n > 0 && stack->items[stack->n - 1].cfa <= cfa)
    stack->n--;
  if (stack->n == 0)
    stack->popped = MAX (stack->popped, cfa);
}

static void
push (struct dg_frame_stack *stack, uint64_t cfa, uint64_t site)
{
  /* What was below is gone: it left without a return.  */
  pop (stack, cfa);
  if (!DG_ARRAY_ROOM (stack->items, stack->room, stack->n)) {
    stack->lacks = true;
    return;
  }
  stack->items[stack->n++] = (struct dg_frame_slot){cfa, site};
  stack->top = MAX (stack->top, cfa);
}

/* ---- Calls that write the address to return to ------------------------- */

static void
settle_read (struct dg_frame_stack *stack,
             const struct dg_frame_blocks *blocks, const struct dg_run *run)
{
  uint64_t cfa = stack->read + blocks->word;
  size_t n = stack->n;

  if (!stack->may_return)
    return;
  stack->may_return = false;
  if (!(blocks->ends[run->bbdef->number] & DG_BLOCK_BEHIND))
    return;
  while (n > 0 && stack->items[n - 1].cfa < cfa)
    n--;
  /* Of a frame that is not known, it is one only if it is on the stack.  */
  if (n > 0 ? stack->items[n - 1].cfa == cfa
            : stack->read >= stack->low && stack->read < stack->high)
    pop (stack, cfa);
}

static void
end_run (struct dg_frame_stack *stack, uint8_t end, uint64_t word,
         const struct dg_run *run)
{
  const struct dg_bbdef *block = run->bbdef;
  const struct dg_instr *last = &block->instrs[run->n_instrs - 1];
  uint64_t address;

  if (!(end & (DG_BLOCK_CALL | DG_BLOCK_READ))
      || run->n_instrs < block->n_instrs || run->n_slots < block->n_slots)
    return;
  address = run->addresses[block->slots[block->n_slots - 1].entry];
  if (address == 0)
    return;
  if (end & DG_BLOCK_CALL) {
    push (stack, address + word, last->address + last->size - 1);
  } else {
    stack->may_return = true;
    stack->read = address;
  }
}

/* ---- Calls that write nothing ------------------------------------------ */

/* A frame is there from when its function first accesses it: before, and if
   it never does, it has nothing.  One that was returned from and is still
   there goes with the next access of its caller.  */
static void
settle_access (struct dg_frame_stack *stack,
               const struct dg_frame_blocks *blocks, const struct dg_run *run)
{
  const struct dg_frame_slot *top =
    stack->n > 0 ? &stack->items[stack->n - 1] : NULL;
  uint64_t behind = dg_frame_blocks_behind (blocks, run->bbdef);
  uint64_t cfa, site = 0;

  if (stack->may_return && top != NULL && behind != 0 && top->site == behind)
    pop (stack, top->cfa);
  stack->may_return = false;
  if (stack->leaf == behind)
    stack->leaf = 0;
  if (!dg_frame_blocks_cfa (blocks, run, &cfa))
    return;
  stack->leaf = 0;
  dg_log_path_sites (blocks->log,
                     dg_log_context (blocks->log, run->context).path, &site,
                     1);
  top = stack->n > 0 ? &stack->items[stack->n - 1] : NULL;
  if (top == NULL || top->cfa != cfa || top->site != site)
    push (stack, cfa, site);
}

/* What is called may have no frame, or one that it only accesses by other
   registers, as arrays by an index.  */
static void
begin_leaf (struct dg_frame_stack *stack,
            const struct dg_frame_blocks *blocks, const struct dg_run *run)
{
  const struct dg_instr *last = &run->bbdef->instrs[run->n_instrs - 1];
  uint64_t below = dg_frame_blocks_called (blocks, run);

  stack->leaf = last->address + last->size - 1;
  stack->leaf_cfa = below > 0 && stack->n > 0
                      ? stack->items[stack->n - 1].cfa - below : 0;
}

/* ---- Runs -------------------------------------------------------------- */

void
dg_frame_stack_settle (struct dg_frame_stack *stack,
                       const struct dg_frame_blocks *blocks,
                       const struct dg_run *run)
{
  if (blocks->accesses == NULL)
    settle_read (stack, blocks, run);
  else
    settle_access (stack, blocks, run);
}

void
dg_frame_stack_run (struct dg_frame_stack *stack,
                    const struct dg_frame_blocks *blocks,
                    const struct dg_run *run)
{
  const struct dg_bbdef *block = run->bbdef;
  const struct dg_instr *last = &block->instrs[run->n_instrs - 1];
  uint8_t end = blocks->ends[block->number];

  if (stack->may_return || blocks->accesses != NULL)
    dg_frame_stack_settle (stack, blocks, run);
  if (G_UNLIKELY (!stack->has_run)) {
    stack->has_run = true;
    stack->behind = dg_frame_blocks_behind (blocks, block);
  }
  stack->last_pc = last->address;
  if (blocks->accesses == NULL) {
    end_run (stack, end, blocks->word, run);
    return;
  }
  stack->may_return = dg_frame_blocks_returns (blocks, run);
  if (end & DG_BLOCK_CALL && run->n_instrs == block->n_instrs)
    begin_leaf (stack, blocks, run);
}
