/* stacks.c: call stacks, each of which is kept once.

   A program allocates from few places, often: millions of blocks have
   hundreds of stacks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stacks.h"

#include <string.h>

#define MIN_SLOTS 256

struct dg_stack_slot {
  uint64_t hash;
  struct dg_stack stack;       /* sites NULL: nothing is in this slot */
};

/* The seed keeps a log from being made so that all its stacks meet.  */
static uint64_t
hash_sites (const struct dg_stacks *stacks, const uint64_t *sites, uint32_t n)
{
  uint64_t h = stacks->seed ^ n;

  for (uint32_t i = 0; i < n; i++) {
    h = (h ^ sites[i]) * UINT64_C (0xd6e8feb86659fd93);
    h ^= h >> 32;
  }
  return h;
}

/* The slot of the stack, or the free one where it would go.  */
static struct dg_stack_slot *
probe (const struct dg_stacks *stacks, uint64_t hash, const uint64_t *sites,
       uint32_t n)
{
  size_t i = hash & stacks->mask;

  for (;; i = (i + 1) & stacks->mask) {
    struct dg_stack_slot *slot = &stacks->slots[i];

    if (!slot->stack.sites
        || (slot->hash == hash && slot->stack.n == n
            && memcmp (slot->stack.sites, sites, n * sizeof *sites) == 0))
      return slot;
  }
}

/* Twice the slots, or the first ones.  */
static int
grow (struct dg_stacks *stacks)
{
  size_t n = stacks->slots ? 2 * (stacks->mask + 1) : MIN_SLOTS;
  struct dg_stack_slot *slots = g_try_new0 (struct dg_stack_slot, n);

  if (!slots)
    return DG_ERR_NOMEM;
  if (!stacks->slots)
    stacks->seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  for (size_t i = 0; stacks->slots && i <= stacks->mask; i++) {
    const struct dg_stack_slot *slot = &stacks->slots[i];
    size_t to = slot->hash & (n - 1);

    if (!slot->stack.sites)
      continue;
    while (slots[to].stack.sites)
      to = (to + 1) & (n - 1);
    slots[to] = *slot;
  }
  g_free (stacks->slots);
  stacks->slots = slots;
  stacks->mask = n - 1;
  return 0;
}

int
dg_stacks_add (struct dg_stacks *stacks, const uint64_t *sites, uint32_t n,
               struct dg_stack *stack)
{
  struct dg_stack_slot *slot;
  uint64_t hash, *copy;

  if ((!stacks->slots || stacks->used > stacks->mask / 2)
      && grow (stacks) < 0)
    return DG_ERR_NOMEM;
  hash = hash_sites (stacks, sites, n);
  slot = probe (stacks, hash, sites, n);
  if (!slot->stack.sites) {
    copy = dg_arena_alloc (stacks->arena, n * sizeof *copy);
    if (!copy)
      return DG_ERR_NOMEM;
    memcpy (copy, sites, n * sizeof *copy);
    slot->hash = hash;
    slot->stack.n = n;
    slot->stack.sites = copy;
    stacks->used++;
  }
  *stack = slot->stack;
  return 0;
}

void
dg_stacks_fini (struct dg_stacks *stacks)
{
  g_free (stacks->slots);
  memset (stacks, 0, sizeof *stacks);
}
