/* export_slots.c: accesses that Valgrind makes and the program does not.

   - An instruction with a lock prefix, and xchg, which Valgrind makes of a
     read and a compare-and-swap: the same bytes are read twice, then written.
     No instruction of a processor does so, so that the code need not be known.
   - A bit test of a register, such as bt rax, rcx: Valgrind stores the
     register below the stack and tests the bit there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_slots.h"

#include <glib.h>

#include "dg_record.h"

struct block {
  uint8_t *extra;          /* enum export_extra; NULL: none */
  bool is_known;
};

struct export_slots {
  struct dg_insn_decoder *decoder;   /* NULL: of another processor */
  struct block *blocks;
  size_t n_blocks;
  uint8_t *bytes;
};

struct export_slots *
export_slots_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct export_slots *slots = g_new0 (struct export_slots, 1);

  slots->decoder = dg_insn_decoder_new (log, symbols);
  slots->n_blocks = dg_log_summary (log)->bbdefs;
  slots->blocks = g_new0 (struct block, slots->n_blocks + 1);
  slots->bytes = g_malloc (DG_INSN_CODE_MAX);
  return slots;
}

void
export_slots_free (struct export_slots *slots)
{
  if (slots == NULL)
    return;
  for (size_t i = 0; i < slots->n_blocks; i++)
    g_free (slots->blocks[i].extra);
  g_free (slots->blocks);
  g_free (slots->bytes);
  dg_insn_decoder_free (slots->decoder);
  g_free (slots);
}

static void
mark (struct block *block, const struct dg_bbdef *bbdef, unsigned slot,
      enum export_extra extra)
{
  if (block->extra == NULL)
    block->extra = g_new0 (uint8_t, bbdef->n_slots);
  block->extra[slot] = (uint8_t) extra;
}

static bool
is_like (const struct dg_slot *one, const struct dg_slot *other)
{
  return one->iseq == other->iseq && one->size == other->size;
}

static void
mark_second_reads (struct block *block, const struct dg_bbdef *bbdef)
{
  const struct dg_slot *slots = bbdef->slots;

  for (unsigned i = 0; i + 2 < bbdef->n_slots; i++)
    if (slots[i].kind == DG_ACC_READ && slots[i + 1].kind == DG_ACC_READ
        && slots[i + 2].kind == DG_ACC_WRITE
        && is_like (&slots[i], &slots[i + 1])
        && is_like (&slots[i], &slots[i + 2]))
      mark (block, bbdef, i + 1, EXPORT_EXTRA_AGAIN);
}

static void
mark_bit_tests (struct export_slots *slots, struct block *block,
                const struct dg_bbdef *bbdef, uint64_t icount)
{
  struct dg_insn *decoded = g_new0 (struct dg_insn, bbdef->n_instrs);

  if (dg_insn_decoder_block (slots->decoder, bbdef, icount, decoded,
                             slots->bytes) > 0)
    for (unsigned i = 0; i < bbdef->n_slots; i++)
      if (decoded[bbdef->slots[i].iseq].flags & DG_INSN_BIT_OF_REGISTER)
        mark (block, bbdef, i, EXPORT_EXTRA_ALWAYS);
  g_free (decoded);
}

const uint8_t *
export_slots_extra (struct export_slots *slots, const struct dg_bbdef *bbdef,
                    uint64_t icount)
{
  struct block *block = &slots->blocks[bbdef->number];

  if (G_LIKELY (block->is_known))
    return block->extra;
  block->is_known = true;
  mark_second_reads (block, bbdef);
  if (slots->decoder != NULL)
    mark_bit_tests (slots, block, bbdef, icount);
  return block->extra;
}
