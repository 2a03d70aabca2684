/* symbols_arch.c: the table of architectures whose machine code the library
   knows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_arch.h"

#include <string.h>

/* Bytes of a frame that can be.  */
#define MOST_FRAME (INT64_C (1) << 40)

static const struct dg_symbols_arch *const all[] = {
  &dg_symbols_arch_amd64,
  &dg_symbols_arch_x86,
  &dg_symbols_arch_arm64,
  &dg_symbols_arch_s390x,
};

const struct dg_symbols_arch *
dg_symbols_arch_of_machine (unsigned machine)
{
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i]->machine == machine)
      return all[i];
  return NULL;
}

/* Logs that do not say so are of tests, and of x86.  */
const struct dg_symbols_arch *
dg_symbols_arch_of_log (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  bool is_64 = dg_log_header (log)->word_size == 8;

  if (process == NULL || process->arch[0] == '\0')
    return is_64 ? &dg_symbols_arch_amd64 : &dg_symbols_arch_x86;
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i]->name, process->arch) == 0)
      return all[i];
  return NULL;
}

unsigned
dg_symbols_arch_dwarf (const struct dg_symbols_arch *arch, unsigned reg)
{
  return arch != NULL && reg < arch->n_dwarf ? arch->dwarf[reg] : reg;
}

void
dg_symbols_arch_realign (struct dg_object *object, uint64_t entry,
                         uint64_t size, int64_t saved, struct dg_realign *out)
{
  struct dg_symbols_code_bytes code;
  const struct dg_symbols_arch *arch;

  memset (out, 0, sizeof *out);
  if (!dg_symbols_code_read (object, entry, MIN (size, DG_SYMBOLS_ARCH_BEGIN),
                             &code))
    return;
  arch = dg_symbols_arch_of_machine (code.machine);
  if (arch != NULL && arch->realign != NULL)
    arch->realign (&code, saved, out);
  if (out->above < -MOST_FRAME || out->above > MOST_FRAME)
    memset (out, 0, sizeof *out);
}
