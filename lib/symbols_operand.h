/* symbols_operand.h: what an instruction's operands are in the source.

   Registers are numbered as in machine code.  x86 and amd64 only: of others
   nothing is known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_OPERAND_H
#define DG_SYMBOLS_OPERAND_H

#include "libdatagrind.h"

/* Memory that an instruction names: at a register plus a number, or at an
   address.  */
struct dg_operand {
  bool is_fixed;
  uint64_t address;        /* if it is */
  unsigned reg;            /* else */
  int64_t offset;
};

/* The operand of an instruction of so many bytes that moves a word between a
   register and memory; false if it is another kind of instruction, or has an
   index.  */
bool dg_symbols_operand (struct dg_symbols *symbols, uint64_t instruction,
                         unsigned size, uint64_t icount,
                         struct dg_operand *out);

/* The type, in words, of the variable that is in a register when the code is
   at pc; NULL if that is not known.  Interned.  */
const char *dg_symbols_in_register (struct dg_symbols *symbols, uint64_t pc,
                                    uint64_t icount, unsigned reg);

/* The type of the local variable, or the field of one, that has when the code
   is at `then` the place that is at a register plus a number when it is at
   pc.  */
const char *dg_symbols_in_frame (struct dg_symbols *symbols, uint64_t pc,
                                 uint64_t then, uint64_t icount,
                                 unsigned reg, int64_t offset);

/* What a type in words points to; NULL if it does not, or to nothing that is
   known.  */
const struct dg_type *dg_symbols_pointee (struct dg_symbols *symbols,
                                          const char *text);

#endif /* DG_SYMBOLS_OPERAND_H */
