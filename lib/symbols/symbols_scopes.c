/* symbols_scopes.c: which instance of a function a code address is in.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_scopes.h"

#include "symbols.h"
#include "symbols_dies.h"
#include "symbols_debug.h"

/* The most frames that an address is given, see symbols.c.  */
#define MOST_SCOPES 64

/* Where a DIE stands in memory is as good a number as any.  */
size_t
dg_symbols_scopes (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, uint64_t *out, size_t max)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, address, icount);
  Dwarf_Die scopes[MOST_SCOPES];
  uint64_t pc;
  size_t n;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return 0;
  g_mutex_lock (&loaded->object->lock);
  n = dg_debug_scopes (loaded->object, address - loaded->bias, scopes,
                       MOST_SCOPES, &pc);
  g_mutex_unlock (&loaded->object->lock);
  /* The outermost is first there.  */
  for (size_t i = 0; i < n && i < max; i++)
    out[i] = (uint64_t) (uintptr_t) scopes[n - 1 - i].addr;
  return n < max ? n : max;
}
