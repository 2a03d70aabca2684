/* export_din.c: Dinero's "din": a line "LABEL ADDRESS" for each access, where
   0 is a read, 1 a write and 2 a fetch.  It has no sizes, so an access is a
   line of text for each cache line that it touches.  "Extended din" has
   "LABEL ADDRESS SIZE", both numbers in hexadecimal digits, where r is a read,
   w a write and i a fetch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

/* By the kind of an access.  */
static const char labels[] = {
  [DG_ACC_READ] = '0', [DG_ACC_WRITE] = '1', [EXPORT_FETCH] = '2'};
static const char extended_labels[] = {
  [DG_ACC_READ] = 'r', [DG_ACC_WRITE] = 'w', [EXPORT_FETCH] = 'i'};

static inline void
put_line (struct export *export, const struct export_access *access,
          bool is_extended)
{
  char *at;

  output_reserve (&export->out);
  at = export->out.at;
  *at++ = (is_extended ? extended_labels : labels)[access->kind];
  *at++ = ' ';
  at = output_put_hex (at, access->address, 1);
  if (is_extended) {
    *at++ = ' ';
    at = output_put_hex (at, access->size, 1);
  }
  *at++ = '\n';
  export->out.at = at;
}

void
export_din_put (struct export *export, const struct export_instr *instr)
{
  for (size_t i = 0; i < instr->n; i++)
    put_line (export, &instr->accesses[i], false);
}

void
export_din_extended_put (struct export *export,
                         const struct export_instr *instr)
{
  for (size_t i = 0; i < instr->n; i++)
    put_line (export, &instr->accesses[i], true);
}
