/* symbols_operand.h: what an instruction's operands are in the source.

   Registers are numbered as in a log's BBFLOW.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_OPERAND_H
#define DG_SYMBOLS_OPERAND_H

#include "symbols_arch.h"

/* The operand of the index-th instruction of a block, which moves a word
   between a register and memory, or the first of several words; false if it is
   another kind of instruction, or has an index.  */
bool dg_symbols_operand (struct dg_symbols *symbols,
                         const struct dg_bbdef *block, unsigned index,
                         uint64_t icount, struct dg_operand *out);

/* ---- Types ------------------------------------------------------------ */

/* These are as the file that was compiled has them: another one may have
   another type of the name.  NULL: not known.  */

/* Of the variable that is in a register when the code is at pc.  */
const struct dg_type *dg_symbols_in_register (struct dg_symbols *symbols,
                                              uint64_t pc, uint64_t icount,
                                              unsigned reg);

/* Of the local variable, or the field of one, that has when the code is at
   `then` the place that is at a register plus a number when it is at pc.  */
const struct dg_type *dg_symbols_in_frame (struct dg_symbols *symbols,
                                           uint64_t pc, uint64_t then,
                                           uint64_t icount, unsigned reg,
                                           int64_t offset);

/* Of the global variable, or the field of one, that begins at an address.  */
const struct dg_type *dg_symbols_data_type (struct dg_symbols *symbols,
                                            uint64_t address,
                                            uint64_t icount);

/* Of the field that begins at a byte of something of a type; of a union's
   members nobody knows which it is.  */
const struct dg_type *dg_type_at (struct dg_symbols *symbols,
                                  const struct dg_type *type,
                                  uint64_t offset);

/* What a type that stands for a pointer points to, without qualifiers.  */
const struct dg_type *dg_type_pointee (struct dg_symbols *symbols,
                                       const struct dg_type *type);

#endif /* DG_SYMBOLS_OPERAND_H */
