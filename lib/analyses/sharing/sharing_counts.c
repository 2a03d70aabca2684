/* sharing_counts.c: how often each thread accessed an address that was a
   variable.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_counts.h"

#include <string.h>

/* ---- A worker's table --------------------------------------------------- */

void
sharing_counts_fini (struct sharing_counts *counts)
{
  dg_lookup_fini (&counts->lookup);
  g_clear_pointer (&counts->items, g_free);
  counts->n = counts->room = 0;
}

static inline uint64_t
hash (const uint64_t key[DG_SUM_KEYS])
{
  uint64_t h =
    dg_hash_add (dg_hash (key[SHARING_ADDRESS]), key[SHARING_INSTRUCTION]);

  return dg_hash_add (h, key[SHARING_VARIABLE] << 32 | key[SHARING_THREAD]);
}

struct dg_sum *
sharing_counts_find (struct sharing_counts *counts,
                     const uint64_t key[DG_SUM_KEYS])
{
  uint64_t h = hash (key);
  struct dg_probe probe = dg_lookup_probe (&counts->lookup, h);
  struct dg_sum *item;
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (memcmp (counts->items[i].key, key, sizeof counts->items[i].key) == 0)
      return &counts->items[i];
  if (counts->failed
      || !DG_ARRAY_ROOM (counts->items, counts->room, counts->n)
      || !dg_lookup_add (&counts->lookup, h, counts->n)) {
    counts->failed = true;
    return NULL;
  }
  item = &counts->items[counts->n++];
  *item = (struct dg_sum){ .least = UINT64_MAX };
  memcpy (item->key, key, sizeof item->key);
  return item;
}

int
sharing_counts_pack (struct sharing_counts *counts,
                     struct dg_packed_sums *packed)
{
  int code = dg_packed_sums_add (packed, counts->items, counts->n);

  dg_lookup_clear (&counts->lookup);
  counts->n = 0;
  return code;
}

/* ---- Everybody's -------------------------------------------------------- */

/* Bits of an address that do not count, level by level.  */
static const uint8_t levels[] = { 0, 4, 6, 12, 16, 21, 64 };

#define TOP (G_N_ELEMENTS (levels) - 1)

void
sharing_sums_fini (struct sharing_sums *sums)
{
  dg_packed_sums_fini (&sums->packed);
}

uint64_t
sharing_sums_grain (const struct sharing_sums *sums)
{
  unsigned bits = levels[sums->level];

  return bits < 64 ? (uint64_t) 1 << bits : 0;
}

static int
mask (const struct sharing_sums *sums, struct dg_packed_sums *packed)
{
  return dg_packed_sums_mask (packed, -sharing_sums_grain (sums));
}

/* Takes addresses together as far as what is known to differ needs it.  */
static int
keep_bound (struct sharing_sums *sums)
{
  int code = 0;

  while (code == 0 && sums->most > 0 && sums->level < TOP
         && dg_packed_sums_least (&sums->packed) > sums->most) {
    sums->level++;
    code = mask (sums, &sums->packed);
  }
  return code;
}

void
sharing_sums_take (struct sharing_sums *sums, struct dg_packed_sums *packed)
{
  int code = sums->level > 0 ? mask (sums, packed) : 0;

  if (code == 0)
    code = dg_packed_sums_take (&sums->packed, packed);
  if (code == 0)
    code = keep_bound (sums);
  sums->failed = sums->failed || code < 0;
  dg_packed_sums_fini (packed);
}

void
sharing_sums_settle (struct sharing_sums *sums)
{
  if (dg_packed_sums_settle (&sums->packed) < 0 || keep_bound (sums) < 0)
    sums->failed = true;
}
