/* stacks.c: call stacks, each stored once.

   A program allocates from few places, often: millions of blocks have
   hundreds of stacks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stacks.h"

#include <string.h>

int
dg_stacks_add (struct dg_stacks *stacks, const uint64_t *sites, uint32_t n,
               struct dg_stack *stack)
{
  const struct dg_stack *old = stacks->stacks.items;
  struct dg_probe probe;
  struct dg_stack *new;
  uint64_t hash, *copy;
  uint32_t i;

  /* The seed keeps a log from being made so that all its stacks meet.  */
  if (stacks->stacks.n == 0)
    stacks->seed = dg_hash_seed ();
  hash = dg_hash_words (stacks->seed ^ n, sites, n * sizeof *sites);
  probe = dg_lookup_probe (&stacks->lookup, hash);
  while (dg_probe_next (&probe, &i))
    if (old[i].n == n
        && memcmp (old[i].sites, sites, n * sizeof *sites) == 0) {
      *stack = old[i];
      return 0;
    }
  copy = dg_arena_alloc (stacks->arena, n * sizeof *copy);
  new = copy ? dg_lookup_add_item (&stacks->lookup, hash, &stacks->stacks,
                                   sizeof *new)
             : NULL;
  if (!new)
    return DG_ERR_NOMEM;
  memcpy (copy, sites, n * sizeof *copy);
  *new = (struct dg_stack) { .n = n, .sites = copy };
  *stack = *new;
  return 0;
}

void
dg_stacks_fini (struct dg_stacks *stacks)
{
  dg_table_fini (&stacks->stacks);
  dg_lookup_fini (&stacks->lookup);
  memset (stacks, 0, sizeof *stacks);
}
