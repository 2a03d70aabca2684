/* export_pinatrace.c: the text of Pin's example pinatrace: a line
   "INSTRUCTION: R ADDRESS" or W for each access, and "#eof".  It has no
   sizes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

void
export_pinatrace_put (struct export *export, const struct export_instr *instr)
{
  for (size_t i = 0; i < instr->n; i++) {
    char *at;

    output_reserve (&export->out);
    at = export->out.at;
    *at++ = '0';
    *at++ = 'x';
    at = output_put_hex (at, instr->address, 1);
    *at++ = ':';
    *at++ = ' ';
    *at++ = export_is_write (&instr->accesses[i]) ? 'W' : 'R';
    *at++ = ' ';
    *at++ = '0';
    *at++ = 'x';
    at = output_put_hex (at, instr->accesses[i].address, 1);
    *at++ = '\n';
    export->out.at = at;
  }
}

int
export_pinatrace_end (struct export *export)
{
  output_text (&export->out, "#eof\n");
  return CLI_OK;
}
