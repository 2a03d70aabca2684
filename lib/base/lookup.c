/* lookup.c: finds items of an array by their hashes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lookup.h"

#include "libdatagrind.h"

#define FIRST_MASK 63u

/* Into the first free slot.  */
static void
put (const struct dg_lookup *lookup, struct dg_lookup_slot slot)
{
  uint32_t at = slot.hash;

  while (lookup->slots[at & lookup->mask].number != 0)
    at++;
  lookup->slots[at & lookup->mask] = slot;
}

/* Twice the slots, or the first ones.  */
static bool
grow (struct dg_lookup *lookup)
{
  struct dg_lookup more = *lookup;

  if (lookup->mask == UINT32_MAX)
    return false;
  more.mask = lookup->slots != NULL ? lookup->mask * 2 + 1 : FIRST_MASK;
  more.slots = g_try_new0 (struct dg_lookup_slot, (size_t) more.mask + 1);
  if (more.slots == NULL)
    return false;
  for (size_t i = 0; lookup->slots != NULL && i <= lookup->mask; i++)
    if (lookup->slots[i].number != 0)
      put (&more, lookup->slots[i]);
  g_free (lookup->slots);
  *lookup = more;
  return true;
}

/* At most three quarters are used.  */
static bool
make_room (struct dg_lookup *lookup)
{
  return (lookup->slots != NULL && lookup->n < lookup->mask / 4 * 3)
         || grow (lookup);
}

bool
dg_lookup_add (struct dg_lookup *lookup, uint64_t hash, uint32_t index)
{
  if (index == DG_NONE || !make_room (lookup))
    return false;
  put (lookup, (struct dg_lookup_slot) { dg_hash_top (hash), index + 1 });
  lookup->n++;
  return true;
}

void *
dg_lookup_add_item (struct dg_lookup *lookup, uint64_t hash,
                    struct dg_table *table, size_t item_size)
{
  void *item;

  if (table->n >= DG_NONE)
    return NULL;
  item = dg_table_add (table, item_size);
  if (item != NULL && !dg_lookup_add (lookup, hash, (uint32_t) table->n - 1)) {
    table->n--;
    return NULL;
  }
  return item;
}

void
dg_lookup_clear (struct dg_lookup *lookup)
{
  if (lookup->slots != NULL)
    memset (lookup->slots, 0,
            ((size_t) lookup->mask + 1) * sizeof *lookup->slots);
  lookup->n = 0;
}

void
dg_lookup_fini (struct dg_lookup *lookup)
{
  g_free (lookup->slots);
  *lookup = (struct dg_lookup) { .slots = NULL };
}
