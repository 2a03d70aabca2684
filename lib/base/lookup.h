/* lookup.h: finds items of an array by their hashes.

   Open addressing.  A slot has the index of an item and half of its hash: so
   an item that is another one is seldom looked at, and the table grows without
   a look at any.  Which items are equal is for the user to say:

     struct dg_probe probe = dg_lookup_probe (&lookup, hash);
     uint32_t i;

     while (dg_probe_next (&probe, &i))
       if (items[i].key == key)
         return &items[i];

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOOKUP_H
#define DG_LOOKUP_H

#include <stdbool.h>

#include "hash.h"
#include "table.h"

/* All zero is empty.  Memory: 11 to 22 bytes for each item.  */
struct dg_lookup {
  struct dg_lookup_slot {
    uint32_t hash;         /* dg_hash_top of it */
    uint32_t number;       /* index + 1, 0: free */
  } *slots;
  uint32_t mask;           /* slots - 1 */
  uint32_t n;              /* items */
};

struct dg_probe {
  const struct dg_lookup *lookup;
  uint32_t hash, at;
};

/* Begins to look for items of a hash.  */
static inline struct dg_probe
dg_lookup_probe (const struct dg_lookup *lookup, uint64_t hash)
{
  return (struct dg_probe) { lookup, dg_hash_top (hash), dg_hash_top (hash) };
}

/* The index of the next item that may be it; false: there is no other.  */
static inline bool
dg_probe_next (struct dg_probe *probe, uint32_t *index)
{
  const struct dg_lookup *lookup = probe->lookup;

  if (G_UNLIKELY (lookup->slots == NULL))
    return false;
  for (;;) {
    struct dg_lookup_slot slot = lookup->slots[probe->at++ & lookup->mask];

    if (slot.number == 0)
      return false;
    *index = slot.number - 1;
    if (slot.hash == probe->hash)
      return true;
  }
}

/* Enters an item, which is not there yet; false: no memory.  */
bool dg_lookup_add (struct dg_lookup *lookup, uint64_t hash, uint32_t index);

/* A new item, all zero, at the end of a table, with its slot.  NULL: no
   memory, and nothing has changed.  */
void *dg_lookup_add_item (struct dg_lookup *lookup, uint64_t hash,
                          struct dg_table *table, size_t item_size);

/* Forgets all items and keeps the memory.  */
void dg_lookup_clear (struct dg_lookup *lookup);
void dg_lookup_fini (struct dg_lookup *lookup);

#endif /* DG_LOOKUP_H */
