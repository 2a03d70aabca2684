/* symbols_bytes.c: the machine code of superblocks, as the log has it, or else
   as the files of its modules have it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "log/log.h"
#include "symbols.h"
#include "symbols_code.h"

static const struct dg_block_note *
find_note (struct dg_symbols *symbols, const struct dg_bbdef *bbdef)
{
  g_mutex_lock (&symbols->lock);
  if (symbols->codes == NULL)
    symbols->codes =
      dg_block_notes_index_new (&symbols->log->contents.codes);
  g_mutex_unlock (&symbols->lock);
  return dg_block_notes_index_find (symbols->codes, bbdef);
}

static bool
read_instr (struct dg_symbols *symbols, const struct dg_instr *instr,
            uint64_t icount, uint8_t *to)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, instr->address, icount);
  struct dg_symbols_code_bytes code;
  bool is_there;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return false;
  g_mutex_lock (&loaded->object->lock);
  is_there = dg_symbols_code_read (loaded->object,
                                   instr->address - loaded->bias,
                                   instr->size, &code)
             && code.n >= instr->size;
  if (is_there)
    memcpy (to, code.bytes, instr->size);
  g_mutex_unlock (&loaded->object->lock);
  return is_there;
}

size_t
dg_symbols_bytes (struct dg_symbols *symbols, const struct dg_bbdef *bbdef,
                  uint64_t icount, uint8_t *bytes, size_t max)
{
  const struct dg_block_note *note = find_note (symbols, bbdef);
  size_t n = 0;

  for (unsigned i = 0; i < bbdef->n_instrs; i++)
    n += bbdef->instrs[i].size;
  if (n > max)
    return 0;
  if (note != NULL) {
    if (note->n != n)
      return 0;
    memcpy (bytes, note->bytes, n);
    return n;
  }
  /* The log says of some blocks what their code is: then this one's changed,
     and the file has at best one of its forms.  */
  if (symbols->log->contents.codes.n > 0)
    return 0;
  n = 0;
  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    if (!read_instr (symbols, &bbdef->instrs[i], icount, bytes + n))
      return 0;
    n += bbdef->instrs[i].size;
  }
  return n;
}
