/* keys.c: numbers of 64 bits -> small numbers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "keys.h"

#include "libdatagrind.h"

#define FIRST_MASK 255

static bool
grow (struct dg_keys *keys)
{
  struct dg_keys more = *keys;

  more.mask = keys->slots != NULL ? keys->mask * 2 + 1 : FIRST_MASK;
  if (keys->slots == NULL)
    more.seed = dg_hash_seed ();
  more.slots = g_try_new0 (struct dg_key, more.mask + 1);
  if (more.slots == NULL)
    return false;
  for (size_t i = 0; keys->slots != NULL && i <= keys->mask; i++)
    if (keys->slots[i].number != 0)
      *dg_keys_slot (&more, keys->slots[i].key) = keys->slots[i];
  g_free (keys->slots);
  *keys = more;
  return true;
}

uint32_t
dg_keys_add (struct dg_keys *keys, uint64_t key)
{
  struct dg_key *slot = NULL;

  G_STATIC_ASSERT (DG_NONE == UINT32_MAX);
  if (keys->slots != NULL) {
    slot = dg_keys_slot (keys, key);
    if (slot->number != 0)
      return slot->number - 1;
  }
  if (keys->n == DG_NONE - 1)
    return DG_NONE;
  if (slot == NULL || keys->n >= keys->mask / 4 * 3) {
    if (!grow (keys))
      return DG_NONE;
    slot = dg_keys_slot (keys, key);
  }
  *slot = (struct dg_key){key, ++keys->n};
  return slot->number - 1;
}

void
dg_keys_clear (struct dg_keys *keys)
{
  if (keys->slots != NULL)
    memset (keys->slots, 0, (keys->mask + 1) * sizeof *keys->slots);
  keys->n = 0;
}

void
dg_keys_fini (struct dg_keys *keys)
{
  g_free (keys->slots);
  *keys = (struct dg_keys) { .slots = NULL };
}
