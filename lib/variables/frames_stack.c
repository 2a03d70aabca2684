/* frames_stack.c: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "frames_stack.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/intern.h"
#include "log/paths.h"

#include <string.h>

/* ---- Blocks ----------------------------------------------------------- */

/* All call sites.  */
struct sites {
  struct dg_table all;     /* uint64_t */
  struct dg_intern intern;
};

static int
list_sites (struct sites *sites, const struct dg_log *log)
{
  uint32_t n = dg_log_n_call_paths (log), index;

  for (uint32_t i = 1; i < n; i++) {
    uint64_t added[DG_STACK_MAX];

    for (uint32_t k = dg_paths_added (log, i, added); k-- > 0;)
      if (dg_intern_add (&sites->intern, &sites->all, &added[k],
                         sizeof added[k], &index) < 0)
        return DG_ERR_NOMEM;
  }
  return 0;
}

static void
sites_fini (struct sites *sites)
{
  dg_intern_fini (&sites->intern);
  dg_table_fini (&sites->all);
}

static bool
is_site (const struct sites *sites, uint64_t address)
{
  uint32_t index;

  return dg_intern_find (&sites->intern, &sites->all, &address,
                         sizeof address, &index);
}

static uint8_t
end_of (const struct sites *sites, uint64_t word,
        const struct dg_bbdef *bbdef)
{
  const struct dg_slot *slot;
  const struct dg_instr *instr;
  uint64_t before, site;
  uint8_t end = 0;

  if (bbdef->n_instrs == 0)
    return 0;
  before = bbdef->instrs[0].address - 1;
  if (is_site (sites, before))
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
  else if (is_site (sites, site))
    end |= DG_BLOCK_CALL;
  return end;
}

int
dg_frame_block_ends_init (struct dg_frame_block_ends *ends,
                          const struct dg_log *log, struct dg_error *err)
{
  uint64_t n = dg_log_summary (log)->bbdefs;
  struct sites sites = {.all = {NULL, 0, 0}};
  int code;

  ends->word = dg_log_header (log)->word_size;
  ends->ends = g_try_new (uint8_t, n + 1);
  if (ends->ends == NULL)
    return dg_error_nomem (err);
  code = list_sites (&sites, log);
  for (uint64_t i = 0; i < n && code == 0; i++)
    ends->ends[i] =
      end_of (&sites, ends->word, dg_log_bbdef (log, (uint32_t) i));
  sites_fini (&sites);
  if (code == 0)
    return 0;
  dg_frame_block_ends_fini (ends);
  return dg_error_nomem (err);
}

void
dg_frame_block_ends_fini (struct dg_frame_block_ends *ends)
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

void
dg_frame_stack_settle (struct dg_frame_stack *stack,
                       const struct dg_frame_block_ends *ends,
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
    pop (stack, cfa);
}

void
dg_frame_stack_run (struct dg_frame_stack *stack,
                    const struct dg_frame_block_ends *ends,
                    const struct dg_run *run)
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
    push (stack, address + ends->word, last->address + last->size - 1);
  } else {
    stack->may_return = true;
    stack->read = address;
  }
}
