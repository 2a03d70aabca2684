/* keys.h: numbers of 64 bits, such as those of pages -> small numbers.

   Open addressing, with the keys in the slots: looking one up touches no other
   memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_KEYS_H
#define DG_KEYS_H

#include "hash.h"

/* All zero is empty.  Keys get numbers from 0 in the order in which they are
   added.  Memory: 21 to 43 bytes for each.  */
struct dg_keys {
  struct dg_key {
    uint64_t key;
    uint32_t number;       /* + 1; 0: free */
  } *slots;
  size_t mask;             /* slots - 1 */
  uint32_t n;
  uint64_t seed;           /* of the hashes */
};

/* Where a key would be, if nothing else were there.  */
static inline size_t
dg_keys_home (const struct dg_keys *keys, uint64_t key)
{
  return dg_hash_top (dg_hash (key ^ keys->seed)) & keys->mask;
}

/* The slot of a key, or the free one where it would go.  There are slots.  */
static inline struct dg_key *
dg_keys_slot (const struct dg_keys *keys, uint64_t key)
{
  size_t i = dg_keys_home (keys, key);

  while (keys->slots[i].number != 0 && keys->slots[i].key != key)
    i = (i + 1) & keys->mask;
  return &keys->slots[i];
}

/* The number of a key, DG_NONE if it has none.  */
static inline uint32_t
dg_keys_find (const struct dg_keys *keys, uint64_t key)
{
  return keys->slots != NULL ? dg_keys_slot (keys, key)->number - 1
                             : UINT32_MAX;
}

/* The same; a key that has none gets one: keys->n - 1 is it then.  DG_NONE: no
   memory.  */
uint32_t dg_keys_add (struct dg_keys *keys, uint64_t key);
/* Calls for the memory that the others will need for this key.  */
static inline void
dg_keys_prefetch (const struct dg_keys *keys, uint64_t key)
{
  if (keys->slots != NULL)
    __builtin_prefetch (&keys->slots[dg_keys_home (keys, key)]);
}
/* Forgets all keys and keeps the memory.  */
void dg_keys_clear (struct dg_keys *keys);
void dg_keys_fini (struct dg_keys *keys);

#endif /* DG_KEYS_H */
