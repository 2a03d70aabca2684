/* time_code.c: the instructions of superblocks, as the time model needs them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_code.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "dg_record.h"

G_STATIC_ASSERT (DG_TIME_VARIABLES >= DG_REGS);

struct dg_time_code {
  const struct dg_time_machine *machine;
  struct dg_insn_decoder *decoder;       /* NULL: another architecture */
  struct dg_time_block **blocks;         /* by number; NULL: not decoded */
  uint32_t n_blocks;
  uint8_t bytes[DG_INSN_CODE_MAX];
};

struct dg_time_code *
dg_time_code_new (const struct dg_log *log, struct dg_symbols *symbols,
                  const struct dg_time_machine *machine, struct dg_error *err)
{
  struct dg_time_code *code = g_try_new0 (struct dg_time_code, 1);

  if (code == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  code->machine = machine;
  code->decoder = dg_insn_decoder_new (log, symbols);
  code->n_blocks = (uint32_t) dg_log_summary (log)->bbdefs;
  code->blocks = g_try_new0 (struct dg_time_block *, code->n_blocks + 1);
  if (code->blocks == NULL) {
    dg_time_code_free (code);
    dg_error_nomem (err);
    return NULL;
  }
  return code;
}

void
dg_time_code_free (struct dg_time_code *code)
{
  if (code == NULL)
    return;
  for (uint32_t i = 0; code->blocks != NULL && i < code->n_blocks; i++)
    g_free (code->blocks[i]);
  g_free (code->blocks);
  dg_insn_decoder_free (code->decoder);
  g_free (code);
}

bool
dg_time_code_is_known (const struct dg_time_code *code)
{
  return code->decoder != NULL;
}

/* ---- An instruction ---- */

static bool
has (const uint8_t *regs, unsigned n, uint8_t reg)
{
  return n > 0 && memchr (regs, reg, n) != NULL;
}

/* Adds a register, if there is room.  No instruction waits for the instruction
   pointer or a segment.  */
static void
add_reg (struct dg_time_insn *insn, uint8_t *n, uint8_t reg)
{
  unsigned used
    = (unsigned) insn->n_addresses + insn->n_sources + insn->n_targets;

  if (used < G_N_ELEMENTS (insn->regs) && reg != DG_REG_INSTRUCTION_POINTER
      && !(reg >= DG_REG_SEGMENT && reg < DG_REG_FLOAT)) {
    insn->regs[used] = reg;
    (*n)++;
  }
}

static void
take_regs (struct dg_time_insn *insn, const struct dg_insn *decoded)
{
  bool is_stack = (insn->flags & DG_INSN_STACK) != 0,
       is_constant = (insn->flags & DG_INSN_CONSTANT) != 0,
       is_merging = (insn->flags & DG_INSN_MERGES) != 0;

  for (unsigned i = 0; i < decoded->n_addresses; i++)
    add_reg (insn, &insn->n_addresses, decoded->addresses[i]);
  if ((insn->flags & DG_INSN_UPDATES) != 0 && decoded->n_addresses > 0)
    insn->updated = decoded->addresses[0];
  for (unsigned i = 0; i < decoded->n_reads && !is_constant; i++)
    if (!has (decoded->addresses, decoded->n_addresses, decoded->reads[i])
        && !(is_stack && decoded->reads[i] == DG_REG_STACK_POINTER))
      add_reg (insn, &insn->n_sources, decoded->reads[i]);
  for (unsigned i = 0; i < decoded->n_writes && is_merging; i++)
    if (!has (decoded->reads, decoded->n_reads, decoded->writes[i])
        && decoded->writes[i] != DG_REG_FLAGS)
      add_reg (insn, &insn->n_sources, decoded->writes[i]);
  for (unsigned i = 0; i < decoded->n_writes; i++)
    if (!(is_stack && decoded->writes[i] == DG_REG_STACK_POINTER))
      add_reg (insn, &insn->n_targets, decoded->writes[i]);
}

static void
take_work (struct dg_time_insn *insn, const struct dg_insn *decoded,
           const struct dg_time_machine *machine)
{
  insn->branch = decoded->branch;
  insn->flags = decoded->flags;
  insn->latency = machine->latency[decoded->work];
  insn->base = insn->flags & DG_INSN_STACK ? DG_TIME_ON_STACK : decoded->base;
  insn->displacement = decoded->displacement;
  insn->is_move = decoded->work == DG_INSN_MOVE;
  if (insn->flags & DG_INSN_LOCKED)
    insn->latency = (uint8_t) machine->locked;
  switch (decoded->work) {
  case DG_INSN_DIVIDE: insn->busy = machine->divide_busy; break;
  case DG_INSN_FLOAT_DIVIDE: insn->busy = machine->float_divide_busy; break;
  case DG_INSN_FLOAT_ROOT: insn->busy = machine->root_busy; break;
  default: break;
  }
}

static void
take_slots (struct dg_time_insn *insn, const struct dg_bbdef *bbdef,
            unsigned iseq, unsigned *slot)
{
  insn->first_slot = (uint16_t) *slot;
  for (; *slot < bbdef->n_slots && bbdef->slots[*slot].iseq == iseq;
       (*slot)++) {
    insn->n_slots++;
    insn->has_load |= bbdef->slots[*slot].kind == DG_ACC_READ;
  }
}

/* ---- A block ---- */

static struct dg_time_block *
decode (struct dg_time_code *code, const struct dg_bbdef *bbdef,
        uint64_t icount)
{
  struct dg_time_block *block = g_try_malloc0 (
    sizeof *block + bbdef->n_instrs * sizeof block->insns[0]);
  struct dg_insn *decoded = g_try_new0 (struct dg_insn, bbdef->n_instrs + 1);
  unsigned slot = 0;
  size_t n = 0;

  if (block == NULL || decoded == NULL) {
    g_free (block);
    g_free (decoded);
    return NULL;
  }
  if (code->decoder != NULL)
    n = dg_insn_decoder_block (code->decoder, bbdef, icount, decoded,
                               code->bytes);
  block->n = bbdef->n_instrs;
  for (unsigned i = 0; i < block->n; i++) {
    struct dg_time_insn *insn = &block->insns[i];

    insn->address = bbdef->instrs[i].address;
    insn->size = (uint8_t) bbdef->instrs[i].size;
    insn->base = insn->updated = DG_REGS;
    insn->latency = 1;
    if (n > 0) {
      take_work (insn, &decoded[i], code->machine);
      take_regs (insn, &decoded[i]);
    }
    take_slots (insn, bbdef, i, &slot);
  }
  g_free (decoded);
  return block;
}

const struct dg_time_block *
dg_time_code_block (struct dg_time_code *code, const struct dg_bbdef *bbdef,
                    uint64_t icount)
{
  struct dg_time_block **block = &code->blocks[bbdef->number];

  g_assert (bbdef->number < code->n_blocks);
  if (*block == NULL)
    *block = decode (code, bbdef, icount);
  return *block;
}
