/* symbols_operand.c: the source variables of an instruction's operands.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_operand.h"

#include "symbols.h"

#include <string.h>

bool
dg_symbols_operand (struct dg_symbols *symbols, const struct dg_bbdef *block,
                    unsigned index, uint64_t icount, struct dg_operand *out)
{
  const struct dg_symbols_arch *arch =
    dg_symbols_arch_of_log (symbols->log);
  struct dg_symbols_instr instr = {.instrs = block->instrs, .n = index + 1};
  size_t n = 0;
  uint8_t *bytes;
  bool is_known;

  memset (out, 0, sizeof *out);
  if (arch == NULL || arch->operand == NULL)
    return false;
  for (unsigned i = 0; i < block->n_instrs; i++) {
    n += block->instrs[i].size;
    instr.n_bytes += i <= index ? block->instrs[i].size : 0;
  }
  bytes = g_malloc (n);
  instr.bytes = bytes;
  is_known = dg_symbols_bytes (symbols, block, icount, bytes, n) == n
             && arch->operand (&instr, out);
  g_free (bytes);
  return is_known;
}
