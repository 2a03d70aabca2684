/* insn_arch.c: what the architectures have in common.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "insn_arch.h"

#include <glib.h>

void
insn_put_address (unsigned base, unsigned index, int64_t displacement,
                  struct dg_insn *decoded)
{
  unsigned regs[] = {base, index};

  for (size_t i = 0; i < G_N_ELEMENTS (regs); i++)
    if (regs[i] != DG_REGS && regs[i] != DG_REG_INSTRUCTION_POINTER
        && decoded->n_addresses < G_N_ELEMENTS (decoded->addresses))
      decoded->addresses[decoded->n_addresses++] = (uint8_t) regs[i];
  decoded->base = regs[1] == DG_REGS && decoded->n_addresses == 1
                    ? (uint8_t) regs[0] : DG_REGS;
  decoded->displacement = (int32_t) displacement;
}
