/* time_branches.h: whether a processor would have predicted a branch.

   Conditional ones: a table by address and five by address and history, each
   longer than the last (Seznec and Michaud: A case for (partially) tagged
   geometric history length branch prediction, JILP 8, 2006).  Indirect ones:
   by address and history, or the last target.  Returns are always right.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_BRANCHES_H
#define DG_TIME_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

/* Of one core.  */
struct dg_time_branches;
/* NULL: no memory.  */
struct dg_time_branches *dg_time_branches_new (void);
void dg_time_branches_free (struct dg_time_branches *branches);

/* Whether the prediction was right; learns the outcome.  */
bool dg_time_branches_conditional (struct dg_time_branches *branches,
                                   uint64_t address, bool is_taken);
bool dg_time_branches_indirect (struct dg_time_branches *branches,
                                uint64_t address, uint64_t target);

#endif /* DG_TIME_BRANCHES_H */
