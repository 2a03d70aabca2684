/* pair_find.h: where the accesses of a log are on the axis of two logs.

   What was found is remembered: for memory that no heap block ever had, for
   good; for a block, until it is freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_FIND_H
#define DV_PAIR_FIND_H

#include "pair.h"

#define DV_PAIR_RECENT 4096
/* Bytes that have an entry of their own.  */
#define DV_PAIR_GRAIN_SHIFT 4

/* Addresses [low, low + size) before `until` are at address + shift.  */
struct dv_pair_found {
  uint64_t low, size, from, until;
  uint64_t shift;
  uint32_t owner;          /* DG_NONE: they are nowhere */
  uint64_t mask;           /* of an address, before the shift */
};

/* Of one thread, for one log.  */
struct dv_pair_finder {
  const struct dv_pair *pair;
  unsigned side;
  struct dv_pair_found latest;
  struct dv_pair_found recent[DV_PAIR_RECENT];
};

struct dv_pair_finder *dv_pair_finder_new (const struct dv_pair *pair,
                                           unsigned side);
void dv_pair_finder_free (struct dv_pair_finder *finder);

/* For dv_pair_find.  */
const struct dv_pair_found *dv_pair_finder_ask (struct dv_pair_finder *finder,
                                                uint64_t address,
                                                uint64_t icount);

static inline bool
dv_pair_found_is_right (const struct dv_pair_found *found, uint64_t address,
                        uint64_t icount)
{
  return address - found->low < found->size && icount >= found->from
         && icount < found->until;
}

/* Where the byte at an address is, and how many bytes behind it are in the
   same piece; its owner, or DG_NONE.  */
static inline uint32_t
dv_pair_find (struct dv_pair_finder *finder, uint64_t address,
              uint64_t icount, uint64_t *position, uint64_t *room)
{
  const struct dv_pair_found *found =
    &finder->recent[(address >> DV_PAIR_GRAIN_SHIFT) % DV_PAIR_RECENT];
  if (G_UNLIKELY (!dv_pair_found_is_right (found, address, icount)))
    found = dv_pair_finder_ask (finder, address, icount);
  *position = (address & found->mask) + found->shift;
  *room = found->low + found->size - address;
  return found->owner;
}

#endif /* DV_PAIR_FIND_H */
