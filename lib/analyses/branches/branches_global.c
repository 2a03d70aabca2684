/* branches_global.c: the branch predictor of Cachegrind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "branches_global.h"

static uint32_t
low (uint64_t value, unsigned bits)
{
  return (uint32_t) value & ((1u << bits) - 1);
}

bool
dg_branches_global_conditional (struct dg_branches_global *global,
                                uint64_t place, bool is_taken)
{
  uint8_t *counter
    = &global->counters[low (global->history, DG_BRANCHES_HISTORY_BITS)
                          << DG_BRANCHES_ADDRESS_BITS
                        | low (place, DG_BRANCHES_ADDRESS_BITS)];
  bool is_right = (*counter >= 2) == is_taken;

  global->history = global->history << 1 | is_taken;
  if (is_taken && *counter < 3)
    ++*counter;
  else if (!is_taken && *counter > 0)
    --*counter;
  return is_right;
}

bool
dg_branches_global_indirect (struct dg_branches_global *global,
                             uint64_t place, uint64_t target)
{
  uint64_t *last = &global->targets[low (place, DG_BRANCHES_TARGET_BITS)];
  bool is_right = *last == target;

  *last = target;
  return is_right;
}
