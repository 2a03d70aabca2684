/* variables_assigned.c: the pointer that an allocation is assigned to.

   The block behind the call says where the result goes, by its BBFLOW: to
   memory or to other registers.  What is there, debug information tells: a
   local or global variable, a field of what another variable points to, or a
   variable that is in a register.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "variables_assigned.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "log/flow.h"
#include "log/log.h"
#include "symbols/symbols_operand.h"

#define CHANGES_MAX 254

struct dg_assigned {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const struct dg_symbols_arch *arch;  /* NULL: nothing is known */
  struct dg_block_notes_index *flows;
  GHashTable *blocks;      /* address -> the number of a block that begins
                              there, and 1 */
  GMutex lock;             /* guards the rest */
  GHashTable *known;       /* the address of a block -> struct dg_type, or
                              NULL */
};

/* Of several blocks that begin at an address the longest is the best.  */
struct dg_assigned *
dg_assigned_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_assigned *assigned = g_new0 (struct dg_assigned, 1);
  uint32_t n = (uint32_t) dg_log_summary (log)->bbdefs;

  assigned->log = log;
  assigned->symbols = symbols;
  assigned->arch = dg_symbols_arch_of_log (log);
  assigned->flows = dg_block_notes_index_new (&log->contents.flows);
  assigned->blocks = g_hash_table_new (dg_hash_uint64, g_int64_equal);
  assigned->known = g_hash_table_new (dg_hash_uint64, g_int64_equal);
  g_mutex_init (&assigned->lock);
  for (uint32_t i = 0; i < n; i++) {
    const struct dg_bbdef *block = dg_log_bbdef (log, i), *known;
    gpointer other;

    if (block == NULL || block->n_instrs == 0)
      continue;
    other =
      g_hash_table_lookup (assigned->blocks, &block->instrs[0].address);
    known = other != NULL
              ? dg_log_bbdef (log, GPOINTER_TO_UINT (other) - 1) : NULL;
    if (known == NULL || known->n_instrs < block->n_instrs)
      g_hash_table_replace (assigned->blocks,
                            (gpointer) &block->instrs[0].address,
                            GUINT_TO_POINTER (i + 1));
  }
  return assigned;
}

void
dg_assigned_free (struct dg_assigned *assigned)
{
  if (assigned == NULL)
    return;
  dg_block_notes_index_free (assigned->flows);
  g_hash_table_unref (assigned->blocks);
  g_hash_table_unref (assigned->known);
  g_mutex_clear (&assigned->lock);
  g_free (assigned);
}

/* ---- Places ----------------------------------------------------------- */

/* A question about one block.  */
struct asking {
  const struct dg_assigned *assigned;
  const struct dg_bbdef *block;
  struct dg_flow_access *accesses;
  uint64_t icount;
};

/* The type of the field of what a pointer leads to.  */
static const struct dg_type *
field_type (const struct asking *asking, const struct dg_type *pointer,
            int64_t offset)
{
  struct dg_symbols *symbols = asking->assigned->symbols;
  const struct dg_type *type =
    pointer != NULL ? dg_type_pointee (symbols, pointer) : NULL;

  return type != NULL && offset >= 0
           ? dg_type_at (symbols, type, (uint64_t) offset) : NULL;
}

/* The slot of an entry of the definition.  */
static const struct dg_slot *
slot_of (const struct dg_bbdef *block, unsigned entry)
{
  for (unsigned i = 0; i < block->n_slots; i++)
    if (block->slots[i].entry == entry)
      return &block->slots[i];
  return NULL;
}

/* Bytes of the words that the instruction accesses before this one.  */
static int64_t
in_instr (const struct asking *asking, const struct dg_slot *slot)
{
  const struct dg_slot *first = slot;

  while (first > asking->block->slots && first[-1].iseq == slot->iseq)
    first--;
  return (slot - first) * (int64_t) asking->assigned->arch->word;
}

/* The type of what an access reads or writes.  */
static const struct dg_type *
word_type (const struct asking *asking, const struct dg_slot *slot, int depth)
{
  struct dg_symbols *symbols = asking->assigned->symbols;
  const struct dg_symbols_arch *arch = asking->assigned->arch;
  const struct dg_instr *instr = &asking->block->instrs[slot->iseq];
  const struct dg_flow_access *flow = &asking->accesses[slot->entry];
  struct dg_operand operand;

  if (depth > 2
      || !dg_symbols_operand (symbols, asking->block, slot->iseq,
                              asking->icount, &operand))
    return NULL;
  operand.offset += in_instr (asking, slot);
  operand.address += (uint64_t) in_instr (asking, slot);
  if (operand.is_fixed)
    return dg_symbols_data_type (symbols, operand.address,
                                 asking->icount);
  if (flow->base.what == DG_FLOW_LOAD
      && flow->index.what == DG_FLOW_NOTHING) {
    const struct dg_slot *from = slot_of (asking->block, flow->base.of);

    return from != NULL ? field_type (asking,
                                      word_type (asking, from, depth + 1),
                                      operand.offset)
                        : NULL;
  }
  if (flow->base.what != DG_FLOW_REGISTER
      || flow->index.what != DG_FLOW_NOTHING || flow->base.of != operand.reg)
    return NULL;
  if (operand.reg == arch->stack_pointer
      || operand.reg == arch->frame_pointer) {
    const struct dg_instr *last =
      &asking->block->instrs[asking->block->n_instrs - 1];
    /* Of optimized code it is there once it was stored, or somewhat later.  */
    const uint64_t pcs[] = {instr->address, instr->address + instr->size,
                            last->address, last->address + last->size - 1};
    const struct dg_type *type = NULL;

    for (size_t i = 0; type == NULL && i < G_N_ELEMENTS (pcs); i++)
      type = dg_symbols_in_frame (symbols, instr->address, pcs[i],
                                  asking->icount, operand.reg,
                                  operand.offset);
    if (type != NULL || operand.reg == arch->stack_pointer)
      return type;
  }
  return field_type (asking,
                     dg_symbols_in_register (symbols, instr->address,
                                             asking->icount, operand.reg),
                     operand.offset);
}

/* ---- The result ------------------------------------------------------- */

static bool
is_result (const struct asking *asking, struct dg_flow_value value)
{
  return value.what == DG_FLOW_REGISTER
         && value.of == asking->assigned->arch->result;
}

/* Where it is written first.  */
static const struct dg_type *
stored_type (const struct asking *asking)
{
  for (unsigned i = 0; i < asking->block->n_slots; i++) {
    const struct dg_slot *slot = &asking->block->slots[i];
    const struct dg_type *type;

    if (slot->kind != DG_ACC_WRITE
        || !is_result (asking, asking->accesses[slot->entry].data))
      continue;
    type = word_type (asking, slot, 0);
    if (type != NULL)
      type = dg_type_pointee (asking->assigned->symbols, type);
    if (type != NULL)
      return type;
  }
  return NULL;
}

static const struct dg_type *
type_in_register (const struct asking *asking, uint64_t pc, unsigned reg)
{
  struct dg_symbols *symbols = asking->assigned->symbols;
  const struct dg_type *type =
    dg_symbols_in_register (symbols, pc, asking->icount, reg);

  return type != NULL ? dg_type_pointee (symbols, type) : NULL;
}

/* A variable that is in the register of results, as long as that has it, or in
   one that has it when the block ends with a jump or call: compilers let what
   a call leaves begin with the last byte of that.  */
static const struct dg_type *
kept_type (const struct asking *asking, const struct dg_flow_change *changes,
           uint32_t n)
{
  const struct dg_bbdef *block = asking->block;
  const struct dg_instr *last = &block->instrs[block->n_instrs - 1];
  const struct dg_type *type = NULL;
  unsigned result = asking->assigned->arch->result;
  unsigned n_same = n == DG_FLOW_CHANGES_LOST ? 1 : block->n_instrs;

  n = n == DG_FLOW_CHANGES_LOST ? 0 : n;
  for (uint32_t i = 0; i < n; i++)
    if (changes[i].reg == result && !is_result (asking, changes[i].value))
      n_same = 1;
  for (unsigned i = 0; type == NULL && i < n_same; i++)
    type = type_in_register (asking, block->instrs[i].address, result);
  for (uint32_t i = 0; type == NULL && i < n && block->n_instrs > 1; i++) {
    if (changes[i].reg == result || !is_result (asking, changes[i].value))
      continue;
    type = type_in_register (asking, last->address, changes[i].reg);
    if (type == NULL)
      type = type_in_register (asking, last->address + last->size - 1,
                               changes[i].reg);
  }
  return type;
}

/* Looks at the block.  */
static const struct dg_type *
ask (const struct dg_assigned *assigned, const struct dg_bbdef *block,
     uint64_t icount)
{
  const struct dg_block_note *record =
    dg_block_notes_index_find (assigned->flows, block);
  struct asking asking = {.assigned = assigned, .block = block,
                          .icount = icount};
  struct dg_flow_change changes[CHANGES_MAX];
  const struct dg_type *type;
  uint32_t n_changes;

  if (record == NULL || assigned->arch == NULL)
    return NULL;
  asking.accesses = g_new (struct dg_flow_access, record->n_entries + 1);
  dg_flow_read (record, asking.accesses, changes, &n_changes);
  type = stored_type (&asking);
  if (type == NULL)
    type = kept_type (&asking, changes, n_changes);
  g_free (asking.accesses);
  return type;
}

/* Many call stacks have a call site in common.  */
const struct dg_type *
dg_assigned_type (struct dg_assigned *assigned, uint64_t site,
                  uint64_t icount)
{
  /* Call sites are return addresses minus 1.  */
  uint64_t behind = site + 1;
  gpointer number = g_hash_table_lookup (assigned->blocks, &behind);
  const struct dg_bbdef *block;
  gpointer key, known;
  bool is_known;

  if (number == NULL)
    return NULL;
  block = dg_log_bbdef (assigned->log, GPOINTER_TO_UINT (number) - 1);
  key = (gpointer) &block->instrs[0].address;
  g_mutex_lock (&assigned->lock);
  is_known =
    g_hash_table_lookup_extended (assigned->known, key, NULL, &known);
  g_mutex_unlock (&assigned->lock);
  if (is_known)
    return known;
  known = (gpointer) ask (assigned, block, icount);
  g_mutex_lock (&assigned->lock);
  g_hash_table_insert (assigned->known, key, known);
  g_mutex_unlock (&assigned->lock);
  return known;
}
