/* live.c: finds the latest live heap block at an address.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "live.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"

#define MIN_SLOTS 64

/* A slot is the index of a block, or, with this bit, a place in `lower`: the
   first of several blocks at one address.  */
#define SEVERAL (UINT32_C (1) << 31)

/* Of `steps`: nothing is in this slot.  Others are less.  A block is only
   looked at where that is right for its address, since it is elsewhere in
   memory.  */
#define FREE UINT16_MAX

#define PREFETCHED_STEPS 16

struct lower {
  uint32_t block;
  uint32_t next;           /* place and 1; 0: the last one */
};

static struct lower *
lower_at (const struct dg_live *live, uint32_t place)
{
  return (struct lower *) live->lower.items + place;
}

static size_t
block_of (const struct dg_live *live, uint32_t slot)
{
  return slot & SEVERAL ? lower_at (live, slot & ~SEVERAL)->block : slot;
}

static inline uint64_t
address_in (const struct dg_live *live, uint32_t slot)
{
  return dg_store_address (live->blocks, block_of (live, slot));
}

/* Addresses that are near each other are so here too, because a program often
   allocates and frees in their order; beyond that all bits count.  The seed
   keeps a log from being made so that all its addresses meet.  */
static inline size_t
home_of (const struct dg_live *live, uint64_t address)
{
  uint64_t h =
    ((address >> 9) ^ live->seed) * UINT64_C (0xd6e8feb86659fd93);

  return ((size_t) (h ^ h >> 32) + (size_t) (address >> 4 & 31))
         & live->mask;
}

/* The slot of an address, or the free one where it would go, and how far that
   is from home; SIZE_MAX: there is none that is near enough.  */
static size_t
probe (const struct dg_live *live, uint64_t address, unsigned *steps)
{
  size_t i = home_of (live, address);

  for (*steps = 0; *steps < FREE; ++*steps, i = (i + 1) & live->mask)
    if (live->steps[i] == FREE
        || (live->steps[i] == *steps
            && address_in (live, live->slots[i]) == address))
      return i;
  return SIZE_MAX;
}

/* Slots for what is there; false if one is too far from home.  */
static bool
fill (struct dg_live *to, const struct dg_live *from)
{
  unsigned steps;

  memset (to->steps, 0xff, (to->mask + 1) * sizeof *to->steps);
  for (size_t i = 0; from->slots && i <= from->mask; i++)
    if (from->steps[i] != FREE) {
      size_t at = probe (to, address_in (from, from->slots[i]), &steps);

      if (at == SIZE_MAX)
        return false;
      to->slots[at] = from->slots[i];
      to->steps[at] = (uint16_t) steps;
    }
  return true;
}

/* Twice the slots, or the first ones; more, if they are too full.  */
static int
grow (struct dg_live *live)
{
  size_t n = live->slots ? 2 * (live->mask + 1) : MIN_SLOTS;
  struct dg_live larger = *live;

  if (!live->slots)
    larger.seed = dg_hash_seed ();
  for (;; n *= 2) {
    larger.mask = n - 1;
    larger.slots = g_try_new (uint32_t, n);
    larger.steps = g_try_new (uint16_t, n);
    if (larger.slots && larger.steps && fill (&larger, live))
      break;
    g_free (larger.slots);
    g_free (larger.steps);
    if (!larger.slots || !larger.steps)
      return DG_ERR_NOMEM;
  }
  g_free (live->slots);
  g_free (live->steps);
  *live = larger;
  return 0;
}

/* A place in `lower` for a block that lies over `next`; UINT32_MAX: no
   memory.  */
static uint32_t
take_lower (struct dg_live *live, uint32_t block, uint32_t next)
{
  uint32_t place = live->free_lower - 1;

  if (live->free_lower != 0)
    live->free_lower = lower_at (live, place)->next;
  else if (live->lower.n >= SEVERAL - 1
           || !dg_table_add (&live->lower, sizeof (struct lower)))
    return UINT32_MAX;
  else
    place = (uint32_t) live->lower.n - 1;
  *lower_at (live, place) = (struct lower) { block, next };
  return place;
}

static void
give_lower (struct dg_live *live, uint32_t place)
{
  lower_at (live, place)->next = live->free_lower;
  live->free_lower = place + 1;
}

/* The slot for a block that is there; NULL: no memory.  *is_free: nothing was
   in it.  */
static uint32_t *
slot_for (struct dg_live *live, size_t index, bool *is_free)
{
  uint64_t address = dg_store_address (live->blocks, index);
  unsigned steps;
  size_t at;

  if (index >= SEVERAL
      || ((!live->slots || live->used > live->mask / 4 * 3)
          && grow (live) < 0))
    return NULL;
  while ((at = probe (live, address, &steps)) == SIZE_MAX)
    if (grow (live) < 0)
      return NULL;
  *is_free = live->steps[at] == FREE;
  live->used += *is_free;
  live->steps[at] = (uint16_t) steps;
  if (*is_free)
    live->slots[at] = (uint32_t) index;
  return &live->slots[at];
}

int
dg_live_open (struct dg_live *live, size_t index)
{
  bool is_free;
  uint32_t *slot = slot_for (live, index, &is_free), first, place;

  if (!slot)
    return DG_ERR_NOMEM;
  if (is_free)
    return 0;
  first =
    *slot & SEVERAL ? *slot & ~SEVERAL : take_lower (live, *slot, 0);
  if (first == UINT32_MAX)
    return DG_ERR_NOMEM;
  *slot = first | SEVERAL;
  place = take_lower (live, (uint32_t) index, first + 1);
  if (place == UINT32_MAX)
    return DG_ERR_NOMEM;
  *slot = place | SEVERAL;
  return 0;
}

int
dg_live_replace (struct dg_live *live, size_t index, size_t *old)
{
  bool is_free;
  uint32_t *slot = slot_for (live, index, &is_free);

  if (!slot)
    return DG_ERR_NOMEM;
  *old = is_free ? SIZE_MAX : block_of (live, *slot);
  if (*slot & SEVERAL)
    lower_at (live, *slot & ~SEVERAL)->block = (uint32_t) index;
  else
    *slot = (uint32_t) index;
  return 0;
}

/* Frees a slot and moves up those behind it that could not be where they
   belong, so that no search ends before it finds them.  */
static void
remove_slot (struct dg_live *live, size_t hole)
{
  size_t mask = live->mask;

  for (size_t i = (hole + 1) & mask; live->steps[i] != FREE;
       i = (i + 1) & mask) {
    size_t back = (i - hole) & mask;

    /* May it stand in the hole: is that not before its home?  */
    if (live->steps[i] >= back) {
      live->slots[hole] = live->slots[i];
      live->steps[hole] = (uint16_t) (live->steps[i] - back);
      hole = i;
    }
  }
  live->steps[hole] = FREE;
  live->used--;
}

size_t
dg_live_find (const struct dg_live *live, uint64_t address)
{
  unsigned steps;
  size_t at = live->slots ? probe (live, address, &steps) : SIZE_MAX;

  return at != SIZE_MAX && live->steps[at] != FREE
           ? block_of (live, live->slots[at])
           : SIZE_MAX;
}

size_t
dg_live_close (struct dg_live *live, uint64_t address)
{
  size_t at, index;
  uint32_t place, next;
  unsigned steps;

  if (!live->slots)
    return SIZE_MAX;
  at = probe (live, address, &steps);
  if (at == SIZE_MAX || live->steps[at] == FREE)
    return SIZE_MAX;
  index = block_of (live, live->slots[at]);
  if ((live->slots[at] & SEVERAL) == 0) {
    remove_slot (live, at);
    return index;
  }
  place = live->slots[at] & ~SEVERAL;
  next = lower_at (live, place)->next;
  give_lower (live, place);
  if (next == 0)
    remove_slot (live, at);
  else
    live->slots[at] = (next - 1) | SEVERAL;
  return index;
}

void
dg_live_prefetch (const struct dg_live *live, uint64_t address)
{
  if (live->slots) {
    size_t home = home_of (live, address);

    __builtin_prefetch (&live->slots[home]);
    __builtin_prefetch (&live->steps[home]);
  }
}

/* All that probe would look at, but for the first slots only: others are
   rare.  */
void
dg_live_prefetch_block (const struct dg_live *live, uint64_t address)
{
  size_t i;

  if (!live->slots)
    return;
  i = home_of (live, address);
  for (unsigned steps = 0; steps < PREFETCHED_STEPS && live->steps[i] != FREE;
       steps++, i = (i + 1) & live->mask)
    if (live->steps[i] == steps)
      __builtin_prefetch (dg_store_small (live->blocks,
                                          block_of (live, live->slots[i])));
}

void
dg_live_fini (struct dg_live *live)
{
  g_free (live->slots);
  g_free (live->steps);
  dg_table_fini (&live->lower);
  memset (live, 0, sizeof *live);
}
