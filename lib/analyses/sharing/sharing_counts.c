/* sharing_counts.c: how often each thread accessed an address that was a
   variable.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_counts.h"

#include <string.h>

/* Bits of an address that do not count, level by level.  */
static const uint8_t levels[] = { 0, 4, 6, 12, 16, 21, 64 };

#define TOP (G_N_ELEMENTS (levels) - 1)

void
sharing_counts_init (struct sharing_counts *counts, uint32_t most)
{
  memset (counts, 0, sizeof *counts);
  counts->most = most;
  counts->mask = 1023;
  counts->slots = g_new0 (uint32_t, counts->mask + 1);
}

void
sharing_counts_fini (struct sharing_counts *counts)
{
  g_free (counts->slots);
  g_free (counts->items);
  counts->slots = NULL;
  counts->items = NULL;
}

void
sharing_counts_clear (struct sharing_counts *counts)
{
  memset (counts->slots, 0,
          ((size_t) counts->mask + 1) * sizeof *counts->slots);
  counts->n = 0;
}

uint64_t
sharing_counts_grain (const struct sharing_counts *counts)
{
  unsigned bits = levels[counts->level];

  return bits < 64 ? (uint64_t) 1 << bits : 0;
}

static inline uint64_t
coarse (const struct sharing_counts *counts, uint64_t address)
{
  return address & -sharing_counts_grain (counts);
}

static inline uint32_t
hash (const struct sharing_key *key)
{
  uint64_t h = key->address * 0x9e3779b97f4a7c15u;

  h ^= ((uint64_t) key->variable << 32 | key->thread) * 0xd6e8feb86659fd93u;
  h ^= key->instruction * 0xa0761d6478bd642fu;
  return (uint32_t) (h >> 32 ^ h >> 15);
}

static inline bool
equal (const struct sharing_key *a, const struct sharing_key *b)
{
  return a->address == b->address && a->variable == b->variable
         && a->thread == b->thread && a->instruction == b->instruction;
}

/* The slot of a key, or the free one where it would go.  */
static inline uint32_t *
probe (const struct sharing_counts *counts, const struct sharing_key *key)
{
  for (uint32_t i = hash (key);; i++) {
    uint32_t *slot = &counts->slots[i & counts->mask];

    if (*slot == 0 || equal (&counts->items[*slot - 1].key, key))
      return slot;
  }
}

static void
add_to (struct sharing_count *to, const struct sharing_count *from)
{
  if (to->reads + to->writes == 0 || from->icount < to->icount)
    to->icount = from->icount;
  to->reads += from->reads;
  to->writes += from->writes;
}

static struct sharing_count *
append (struct sharing_counts *counts, const struct sharing_key *key,
        uint32_t *slot)
{
  if (counts->n == counts->room) {
    uint32_t room = counts->room == 0 ? 512 : counts->room * 2;
    struct sharing_count *items =
      g_try_renew (struct sharing_count, counts->items, room);

    if (items == NULL)
      return NULL;
    counts->items = items;
    counts->room = room;
  }
  counts->items[counts->n] = (struct sharing_count){ .key = *key };
  *slot = ++counts->n;
  return &counts->items[counts->n - 1];
}

/* Enters all items again, those that have become equal as one.  */
static void
enter_again (struct sharing_counts *counts)
{
  uint32_t n = counts->n;

  memset (counts->slots, 0,
          ((size_t) counts->mask + 1) * sizeof *counts->slots);
  counts->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct sharing_count item = counts->items[i];
    uint32_t *slot;

    item.key.address = coarse (counts, item.key.address);
    slot = probe (counts, &item.key);
    if (*slot == 0) {
      counts->items[counts->n] = item;
      *slot = ++counts->n;
    } else {
      add_to (&counts->items[*slot - 1], &item);
    }
  }
}

/* Room for one more; false: no memory.  */
static bool
make_room (struct sharing_counts *counts)
{
  while (counts->most > 0 && counts->n >= counts->most
         && counts->level < TOP) {
    counts->level++;
    enter_again (counts);
  }
  if (counts->n >= counts->mask / 4 * 3) {
    uint32_t mask = counts->mask * 2 + 1;
    uint32_t *slots = g_try_new0 (uint32_t, (size_t) mask + 1);

    if (slots == NULL)
      return false;
    g_free (counts->slots);
    counts->slots = slots;
    counts->mask = mask;
    enter_again (counts);
  }
  return true;
}

struct sharing_count *
sharing_counts_find (struct sharing_counts *counts,
                     const struct sharing_key *given)
{
  struct sharing_key key = *given;
  struct sharing_count *count;
  uint32_t *slot;

  key.address = coarse (counts, key.address);
  slot = probe (counts, &key);
  if (G_LIKELY (*slot != 0))
    return &counts->items[*slot - 1];
  if (G_UNLIKELY (counts->n >= counts->mask / 4 * 3
                  || (counts->most > 0 && counts->n >= counts->most))) {
    if (counts->failed || !make_room (counts)) {
      counts->failed = true;
      return NULL;
    }
    key.address = coarse (counts, key.address);
    slot = probe (counts, &key);
    if (*slot != 0)
      return &counts->items[*slot - 1];
  }
  count = append (counts, &key, slot);
  counts->failed = counts->failed || count == NULL;
  return count;
}

void
sharing_counts_join (struct sharing_counts *counts,
                     const struct sharing_counts *from)
{
  counts->failed = counts->failed || from->failed;
  for (uint32_t i = 0; i < from->n && !counts->failed; i++) {
    struct sharing_count *to =
      sharing_counts_find (counts, &from->items[i].key);

    if (to != NULL)
      add_to (to, &from->items[i]);
  }
}
