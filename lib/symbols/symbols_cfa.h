/* symbols_cfa.h: from registers to the canonical frame address (CFA) of a
   function, by call frame information.

   Private to symbols*.c, but for dg_symbols_cfa.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_CFA_H
#define DG_SYMBOLS_CFA_H

#include "symbols_object.h"

struct dg_symbols_cfa_rule {
  unsigned number;         /* this register, as DWARF counts, is ... */
  int64_t distance;        /* ... the CFA and this */
  int64_t saved;           /* bytes below the CFA that saved registers take */
};

/* At an address of the object.  False: it is not given by a register; `saved`
   is known all the same.  Under the lock of the object.  */
bool dg_symbols_cfa_find (struct dg_object *object, uint64_t address,
                          struct dg_symbols_cfa_rule *out);

/* Where calls leave no word on the stack (log/arch.h), frames are found by
   what their functions access in them: the CFA when an instruction runs, as
   the address that it accesses plus *above.  False: it is no such access, or
   nothing is known there.  Locks by itself.  */
bool dg_symbols_cfa (struct dg_symbols *symbols, const struct dg_instr *instr,
                     uint64_t icount, int64_t *above);

/* How far below the CFA that of a function is which an instruction calls.
   False: that is not known.  Locks by itself.  */
bool dg_symbols_cfa_called (struct dg_symbols *symbols, uint64_t instruction,
                            uint64_t icount, int64_t *below);

#endif /* DG_SYMBOLS_CFA_H */
