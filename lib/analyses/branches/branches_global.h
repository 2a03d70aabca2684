/* branches_global.h: the branch predictor of Cachegrind's --branch-sim=yes.

   Conditional ones: counters of two bits, by the low bits of the address and
   the last outcomes of all branches.  Indirect ones: the last target, by the
   low bits of the address.  Returns are not predicted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BRANCHES_GLOBAL_H
#define DG_BRANCHES_GLOBAL_H

#include <stdbool.h>
#include <stdint.h>

#define DG_BRANCHES_HISTORY_BITS 7
#define DG_BRANCHES_ADDRESS_BITS 7
#define DG_BRANCHES_TARGET_BITS 9

/* All zero at the start.  */
struct dg_branches_global {
  uint32_t history;        /* the latest outcome is the lowest bit */
  uint8_t counters[1 << (DG_BRANCHES_HISTORY_BITS
                         + DG_BRANCHES_ADDRESS_BITS)];
  uint64_t targets[1 << DG_BRANCHES_TARGET_BITS];
};

/* Whether the prediction was right; learns the outcome.  place: the address of
   the branch, without the low bits that are zero in all instructions.  */
bool dg_branches_global_conditional (struct dg_branches_global *global,
                                     uint64_t place, bool is_taken);
bool dg_branches_global_indirect (struct dg_branches_global *global,
                                  uint64_t place, uint64_t target);

#endif /* DG_BRANCHES_GLOBAL_H */
