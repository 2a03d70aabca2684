/* pairs.c: pairs of numbers -> a number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pairs.h"

#include "libdatagrind.h"

struct pair {
  uint64_t a;
  uint32_t b, value;
};

static inline uint64_t
hash_pair (const struct dg_pairs *pairs, uint64_t a, uint32_t b)
{
  return dg_hash_add (dg_hash (a ^ pairs->seed), b);
}

int
dg_pairs_add (struct dg_pairs *pairs, uint64_t a, uint32_t b, uint32_t value)
{
  struct pair *pair;

  if (pairs->pairs.n == 0)
    pairs->seed = dg_hash_seed ();
  pair = dg_lookup_add_item (&pairs->lookup, hash_pair (pairs, a, b),
                             &pairs->pairs, sizeof *pair);
  if (!pair)
    return DG_ERR_NOMEM;
  *pair = (struct pair) { a, b, value };
  return 0;
}

uint32_t
dg_pairs_find (const struct dg_pairs *pairs, uint64_t a, uint32_t b)
{
  const struct pair *all = pairs->pairs.items;
  struct dg_probe probe
    = dg_lookup_probe (&pairs->lookup, hash_pair (pairs, a, b));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (all[i].a == a && all[i].b == b)
      return all[i].value;
  return UINT32_MAX;
}

void
dg_pairs_fini (struct dg_pairs *pairs)
{
  dg_table_fini (&pairs->pairs);
  dg_lookup_fini (&pairs->lookup);
}
