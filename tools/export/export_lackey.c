/* export_lackey.c: what Valgrind's tool lackey prints with --trace-mem=yes: a
   line "I  ADDRESS,SIZE" for each instruction, then " L ADDRESS,SIZE" for a
   load, " S" for a store, and " M" for a load and a store of the same
   bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

/* Hexadecimal digits of an address, at least.  */
#define DIGITS 8

static void
put_line (struct export *export, const char *start, uint64_t address,
          uint32_t size)
{
  char *at;

  output_reserve (&export->out);
  memcpy (export->out.at, start, 3);
  at = output_put_hex (export->out.at + 3, address, DIGITS);
  *at++ = ',';
  at = output_put_decimal (at, size);
  *at++ = '\n';
  export->out.at = at;
}

void
export_lackey_put (struct export *export, const struct export_instr *instr)
{
  const struct export_access *accesses = instr->accesses;

  if (!instr->is_more && instr->bbdef != NULL)
    put_line (export, "I  ", instr->address, instr->size);
  for (size_t i = 0; i < instr->n; i++) {
    bool is_both = i + 1 < instr->n && !export_is_write (&accesses[i])
                   && export_is_write (&accesses[i + 1])
                   && accesses[i].address == accesses[i + 1].address
                   && accesses[i].size == accesses[i + 1].size;

    put_line (export,
              is_both                          ? " M "
              : export_is_write (&accesses[i]) ? " S "
                                               : " L ",
              accesses[i].address, accesses[i].size);
    i += is_both;
  }
}
