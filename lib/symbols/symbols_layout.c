/* symbols_layout.c: the range in which an answer about variables is valid.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_layout.h"

#include "space/space_cover.h"
#include "symbols.h"
#include "symbols_dies.h"

bool
dg_symbols_part (struct dg_symbols *symbols, uint64_t address,
                 uint64_t icount, uint64_t *low, uint64_t *high)
{
  uint64_t ever_low, ever_high;
  bool is_there = dg_symbols_loaded (symbols, address, icount) != NULL;

  *low = 0;
  *high = UINT64_MAX;
  if (symbols->now == NULL || symbols->ever == NULL)
    return is_there;
  dg_cover_find_part (symbols->now, address, icount, low, high);
  dg_cover_find_part (symbols->ever, address, 0, &ever_low, &ever_high);
  *low = MAX (*low, ever_low);
  *high = MIN (*high, ever_high);
  return is_there;
}

uint64_t
dg_symbols_data_period (struct dg_symbols *symbols,
                        const struct dg_variable *variable, uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, variable->address, icount);
  uint64_t low, size, skip, period = 0;
  struct dg_array array;
  Dwarf_Die die, type;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return 0;
  g_mutex_lock (&loaded->object->lock);
  /* One that was only declared has a place elsewhere.  */
  if (dg_die_index_data (loaded->object, variable->address - loaded->bias,
                         &die, &low, &size, &skip)
      && low == variable->address - loaded->bias && skip == 0
      && dg_die_follow (&die, DW_AT_type, &type)
      && dg_die_peel (loaded->object, &type) == DW_TAG_array_type
      && dg_die_array (loaded->object, &type, &array))
    period = array.stride;
  g_mutex_unlock (&loaded->object->lock);
  return period;
}
