/* stacks.h: call stacks, each of which is kept once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_STACKS_H
#define DG_STACKS_H

#include "base/arena.h"
#include "base/lookup.h"
#include "libdatagrind.h"

/* All zero is empty.  The stacks outlive the rest, which dg_stacks_fini
   frees.  */
struct dg_stacks {
  struct dg_arena *arena;      /* for the stacks; the caller's */
  struct dg_table stacks;      /* struct dg_stack */
  struct dg_lookup lookup;
  uint64_t seed;               /* of the hashes */
};

/* Sets *stack to the n sites; equal ones share memory.  0 or DG_ERR_NOMEM.  */
int dg_stacks_add (struct dg_stacks *stacks, const uint64_t *sites, uint32_t n,
                   struct dg_stack *stack);

/* Likewise; without sites, {0, NULL}.  */
static inline int
dg_stacks_set (struct dg_stacks *stacks, const uint64_t *sites, uint64_t n,
               struct dg_stack *stack)
{
  return n > 0 ? dg_stacks_add (stacks, sites, n, stack) : 0;
}

void dg_stacks_fini (struct dg_stacks *stacks);

#endif /* DG_STACKS_H */
