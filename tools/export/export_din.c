/* export_din.c: Dinero's "din": a line "LABEL ADDRESS" for each access, where
   0 is a read, 1 a write and 2 a fetch.  It has no sizes, so an access is a
   line of text for each cache line that it touches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

void
export_din_put (struct export *export, const struct export_instr *instr)
{
  static const char labels[] = {
    [DG_ACC_READ] = '0', [DG_ACC_WRITE] = '1', [EXPORT_FETCH] = '2'};

  for (size_t i = 0; i < instr->n; i++) {
    char *at;

    output_reserve (&export->out);
    at = export->out.at;
    *at++ = labels[instr->accesses[i].kind];
    *at++ = ' ';
    at = output_put_hex (at, instr->accesses[i].address, 1);
    *at++ = '\n';
    export->out.at = at;
  }
}
