/* export_dramsim.c: what DRAMsim3's trace-driven processor reads: a line
   "ADDRESS READ CYCLE" or WRITE for each request; an instruction is a cycle.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

void
export_dramsim_put (struct export *export, const struct export_instr *instr)
{
  struct export_first *state = export->state;

  if (!state->has_begun)
    *state = (struct export_first) {.has_begun = true,
                                    .icount = instr->icount};
  for (size_t i = 0; i < instr->n; i++) {
    bool is_write = export_is_write (&instr->accesses[i]);
    char *at;

    output_reserve (&export->out);
    at = export->out.at;
    *at++ = '0';
    *at++ = 'x';
    at = output_put_hex (at, instr->accesses[i].address, 1);
    memcpy (at, is_write ? " WRITE " : " READ ", 7);
    at = output_put_decimal (at + (is_write ? 7 : 6),
                             instr->icount - state->icount);
    *at++ = '\n';
    export->out.at = at;
  }
}
