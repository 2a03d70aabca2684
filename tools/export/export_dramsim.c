/* export_dramsim.c: what DRAMsim3's trace-driven processor reads: a line
   "ADDRESS READ CYCLE" or WRITE for each request; an instruction is a cycle,
   or a part of one (--rate).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

void
export_dramsim_put (struct export *export, const struct export_instr *instr)
{
  uint64_t cycle = export_time (export, export->state, instr->icount, 1);

  for (size_t i = 0; i < instr->n; i++) {
    bool is_write = export_is_write (&instr->accesses[i]);
    char *at;

    output_reserve (&export->out);
    at = export->out.at;
    *at++ = '0';
    *at++ = 'x';
    at = output_put_hex (at, instr->accesses[i].address, 1);
    memcpy (at, is_write ? " WRITE " : " READ ", 7);
    at = output_put_decimal (at + (is_write ? 7 : 6), cycle);
    *at++ = '\n';
    export->out.at = at;
  }
}
