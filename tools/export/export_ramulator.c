/* export_ramulator.c: the two traces that Ramulator 2 reads: those of its
   frontend LoadStoreTrace, requests to memory, and those of SimpleO3, a
   processor that executes so many other instructions, and then loads, and
   perhaps stores.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

/* What SimpleO3 reads is an int.  */
#define BUBBLES_MAX INT_MAX

void
export_loadstore_put (struct export *export, const struct export_instr *instr)
{
  for (size_t i = 0; i < instr->n; i++) {
    char *at;

    output_reserve (&export->out);
    at = export->out.at;
    memcpy (at, export_is_write (&instr->accesses[i]) ? "ST 0x" : "LD 0x", 5);
    at = output_put_hex (at + 5, instr->accesses[i].address, 1);
    *at++ = '\n';
    export->out.at = at;
  }
}

static void
put_line (struct export *export, const struct export_instr *instr,
          uint64_t load, const uint64_t *store)
{
  struct export_simple_o3 *state = export->state;
  uint64_t bubbles = instr->icount - state->next_icount;
  char *at;

  /* Several lines of one instruction.  */
  if (!state->has_begun || instr->icount < state->next_icount)
    bubbles = 0;
  state->has_begun = true;
  state->next_icount = instr->icount + 1;
  output_reserve (&export->out);
  at = output_put_decimal (export->out.at, MIN (bubbles, BUBBLES_MAX));
  *at++ = ' ';
  at = output_put_decimal (at, load);
  if (store != NULL) {
    *at++ = ' ';
    at = output_put_decimal (at, *store);
  }
  *at++ = '\n';
  export->out.at = at;
}

/* A store goes with the load before it; a line must have a load, so one that
   has none loads what it stores.  */
void
export_simple_o3_put (struct export *export, const struct export_instr *instr)
{
  const struct export_access *accesses = instr->accesses;

  for (size_t i = 0; i < instr->n; i++) {
    bool has_store = i + 1 < instr->n && export_is_write (&accesses[i + 1]);
    uint64_t address = accesses[i].address;

    if (export_is_write (&accesses[i]))
      put_line (export, instr, address, &address);
    else if (has_store)
      put_line (export, instr, address, &accesses[++i].address);
    else
      put_line (export, instr, address, NULL);
  }
}
