/* symbols_cfa.c: from registers to the canonical frame address (CFA) of a
   function, by call frame information.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_cfa.h"

#include "symbols.h"
#include "symbols_arch.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of saved registers that can be.  */
#define MOST_SAVED 65536

/* How far below the CFA registers are saved: rules have "the CFA plus", and
   of damaged ones any number.  */
static int64_t
saved_below (Dwarf_Frame *frame)
{
  int64_t saved = 0;

  for (int reg = 0; reg < 32; reg++) {
    Dwarf_Op memory[3], *ops;
    size_t n;

    if (dwarf_frame_register (frame, reg, memory, &ops, &n) != 0 || n != 2
        || ops[0].atom != DW_OP_call_frame_cfa
        || ops[1].atom != DW_OP_plus_uconst)
      continue;
    if (-ops[1].number < MOST_SAVED)
      saved = MAX (saved, (int64_t) -ops[1].number);
  }
  return saved;
}

/* row: where that begins in the file, of which all this is true.  */
static bool
ask (Dwarf_CFI *cfi, Dwarf_Addr address, struct dg_symbols_cfa_rule *out,
     uint64_t *row)
{
  Dwarf_Addr start, end;
  bool is_signal;
  Dwarf_Frame *frame;
  Dwarf_Op *ops;
  bool found = false;
  size_t n;

  if (cfi == NULL || dwarf_cfi_addrframe (cfi, address, &frame) != 0)
    return false;
  if (dwarf_frame_cfa (frame, &ops, &n) == 0 && n == 1) {
    if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
      out->number = (unsigned) ops[0].atom - DW_OP_breg0;
      out->distance = (int64_t) -ops[0].number;
      found = true;
    } else if (ops[0].atom == DW_OP_bregx) {
      out->number = (unsigned) ops[0].number;
      out->distance = (int64_t) -ops[0].number2;
      found = true;
    }
  }
  out->saved = saved_below (frame);
  *row = dwarf_frame_info (frame, &start, &end, &is_signal) >= 0 ? start
                                                                 : address;
  free (frame);
  return found;
}

/* Some compilers say first where the CFA is when a function's frame is
   complete (Clang, up to version 14).  Up to there the rule is that of its
   first instruction, which is followed.  */
static void
correct (struct dg_object *object, uint64_t row, uint64_t address,
         struct dg_symbols_cfa_rule *cfa)
{
  struct dg_symbols_code_bytes code;
  const struct dg_symbols_arch *arch;
  int64_t below;

  if (cfa->distance != 0 || row >= address
      || address - row > DG_SYMBOLS_ARCH_BEGIN
      || !dg_symbols_code_read (object, row, address - row, &code)
      || code.n != address - row)
    return;
  arch = dg_symbols_arch_of_machine (code.machine);
  if (arch != NULL && arch->lowered != NULL
      && cfa->number == dg_symbols_arch_dwarf (arch, arch->stack_pointer)
      && arch->lowered (&code, &below))
    cfa->distance = (int64_t) -(uint64_t) below;
}

bool
dg_symbols_cfa_find (struct dg_object *object, uint64_t address,
                     struct dg_symbols_cfa_rule *out)
{
  Dwfl_Module *module = dg_object_module (object);
  Dwarf_Addr bias;
  uint64_t row;
  Dwarf_CFI *cfi;

  memset (out, 0, sizeof *out);
  if (module == NULL)
    return false;
  cfi = dwfl_module_eh_cfi (module, &bias);
  if (!ask (cfi, address - bias, out, &row)) {
    cfi = dwfl_module_dwarf_cfi (module, &bias);
    if (!ask (cfi, address - bias, out, &row))
      return false;
  }
  correct (object, row + bias, address, out);
  return true;
}

/* Under the lock of the object.  */
static bool
above_access (struct dg_object *object, uint64_t address, uint64_t size,
              int64_t *above)
{
  struct dg_symbols_code_bytes code;
  struct dg_symbols_cfa_rule cfa;
  const struct dg_symbols_arch *arch;
  unsigned reg;
  int64_t offset;

  if (!dg_symbols_code_read (object, address, size, &code))
    return false;
  arch = dg_symbols_arch_of_machine (code.machine);
  if (arch == NULL || arch->access == NULL
      || !arch->access (code.bytes, code.n, &reg, &offset)
      || !dg_symbols_cfa_find (object, address, &cfa) || cfa.number != reg)
    return false;
  *above = (int64_t) (-(uint64_t) cfa.distance - (uint64_t) offset);
  return true;
}

/* NULL: it cannot be asked.  */
static const struct dg_loaded *
loaded_at (struct dg_symbols *symbols, uint64_t address, uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);

  return loaded != NULL && loaded->has_bias
             && dg_symbols_can_ask (symbols, loaded->object)
           ? loaded : NULL;
}

bool
dg_symbols_cfa (struct dg_symbols *symbols, const struct dg_instr *instr,
                uint64_t icount, int64_t *above)
{
  const struct dg_loaded *loaded =
    loaded_at (symbols, instr->address, icount);
  bool found;

  if (loaded == NULL)
    return false;
  g_mutex_lock (&loaded->object->lock);
  found = above_access (loaded->object, instr->address - loaded->bias,
                        instr->size, above);
  g_mutex_unlock (&loaded->object->lock);
  return found;
}

bool
dg_symbols_cfa_called (struct dg_symbols *symbols, uint64_t instruction,
                       uint64_t icount, int64_t *below)
{
  const struct dg_loaded *loaded = loaded_at (symbols, instruction, icount);
  const struct dg_symbols_arch *arch = dg_symbols_arch_of_log (symbols->log);
  struct dg_symbols_cfa_rule cfa;
  bool found;

  if (loaded == NULL || arch == NULL)
    return false;
  g_mutex_lock (&loaded->object->lock);
  found = dg_symbols_cfa_find (loaded->object, instruction - loaded->bias,
                               &cfa);
  g_mutex_unlock (&loaded->object->lock);
  *below = (int64_t) (-(uint64_t) cfa.distance - arch->above);
  return found
         && cfa.number == dg_symbols_arch_dwarf (arch, arch->stack_pointer);
}
