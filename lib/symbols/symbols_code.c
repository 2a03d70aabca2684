/* symbols_code.c: the code of a file, as bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_code.h"

#include <gelf.h>

bool
dg_symbols_code_read (struct dg_object *object, uint64_t address,
                      uint64_t size, struct dg_symbols_code_bytes *out)
{
  Dwfl_Module *module = dg_object_module (object);
  GElf_Addr at = address, bias;
  GElf_Ehdr header;
  Elf_Scn *section;
  Elf_Data *data;
  Elf *elf;

  section = module != NULL ? dwfl_module_address_section (module, &at, &bias)
                           : NULL;
  elf = section != NULL ? dwfl_module_getelf (module, &bias) : NULL;
  if (elf == NULL || gelf_getehdr (elf, &header) == NULL)
    return false;
  data = elf_rawdata (section, NULL);
  if (data == NULL || data->d_buf == NULL || at >= data->d_size)
    return false;
  out->bytes = (const uint8_t *) data->d_buf + at;
  out->n = MIN (data->d_size - at, size);
  out->machine = header.e_machine;
  return true;
}
