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
}

void
sharing_counts_fini (struct sharing_counts *counts)
{
  dg_lookup_fini (&counts->lookup);
  g_clear_pointer (&counts->items, g_free);
}

void
sharing_counts_close (struct sharing_counts *counts)
{
  dg_lookup_fini (&counts->lookup);
}

void
sharing_counts_clear (struct sharing_counts *counts)
{
  dg_lookup_clear (&counts->lookup);
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

static inline uint64_t
hash (const struct sharing_key *key)
{
  uint64_t h = dg_hash_add (dg_hash (key->address), key->instruction);

  return dg_hash_add (h, (uint64_t) key->variable << 32 | key->thread);
}

static inline bool
equal (const struct sharing_key *a, const struct sharing_key *b)
{
  return a->address == b->address && a->variable == b->variable
         && a->thread == b->thread && a->instruction == b->instruction;
}

/* NULL: it is not there.  */
static inline struct sharing_count *
look_up (const struct sharing_counts *counts, const struct sharing_key *key)
{
  struct dg_probe probe = dg_lookup_probe (&counts->lookup, hash (key));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (equal (&counts->items[i].key, key))
      return &counts->items[i];
  return NULL;
}

static void
add_to (struct sharing_count *to, const struct sharing_count *from)
{
  if (to->reads + to->writes == 0 || from->icount < to->icount)
    to->icount = from->icount;
  to->reads += from->reads;
  to->writes += from->writes;
  to->is_foreign |= from->is_foreign;
}

static struct sharing_count *
append (struct sharing_counts *counts, const struct sharing_key *key)
{
  if (!DG_ARRAY_ROOM (counts->items, counts->room, counts->n)
      || !dg_lookup_add (&counts->lookup, hash (key), counts->n))
    return NULL;
  counts->items[counts->n] = (struct sharing_count){ .key = *key };
  return &counts->items[counts->n++];
}

/* Takes addresses together, one level more: items become equal.  There is
   memory, since there are no more than before.  */
static void
coarsen (struct sharing_counts *counts)
{
  uint32_t n = counts->n;

  counts->level++;
  sharing_counts_clear (counts);
  for (uint32_t i = 0; i < n; i++) {
    struct sharing_count item = counts->items[i], *to;

    item.key.address = coarse (counts, item.key.address);
    to = look_up (counts, &item.key);
    if (to == NULL)
      *append (counts, &item.key) = item;
    else
      add_to (to, &item);
  }
}

struct sharing_count *
sharing_counts_find (struct sharing_counts *counts,
                     const struct sharing_key *given)
{
  struct sharing_key key = *given;
  unsigned level = counts->level;
  struct sharing_count *count;

  key.address = coarse (counts, key.address);
  count = look_up (counts, &key);
  if (G_LIKELY (count != NULL))
    return count;
  while (counts->most > 0 && counts->n >= counts->most && counts->level < TOP)
    coarsen (counts);
  key.address = coarse (counts, key.address);
  if (counts->level != level)
    count = look_up (counts, &key);
  if (count == NULL && !counts->failed)
    count = append (counts, &key);
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
