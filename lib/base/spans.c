/* spans.c: finds, for things that begin and end, the latest one that is open
   under a key.

   A program may allocate and free millions of blocks, each of which comes by
   here twice, one after the other: so this is an open table, without memory
   of its own for each entry and without a call for each comparison.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "spans.h"

#include <glib.h>
#include <string.h>

#include "hash.h"
#include "libdatagrind.h"

#define MIN_SLOTS 64

struct dg_span {
  uint64_t key, key2;
  size_t index;            /* FREE: nothing is in this slot */
  size_t outer;            /* place + 1 in `outers`, 0: none */
};
#define FREE SIZE_MAX

/* What is open under the same key since before; or, if nothing is, the next
   such place.  */
struct outer {
  size_t index, next;      /* next: place + 1 */
};

/* Addresses that are near each other are so here too, because a program often
   allocates and frees in their order; beyond that all bits count.  The seed
   keeps a log from being made so that all its keys meet.  */
static inline size_t
hash_keys (const struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  uint64_t h = ((key >> 9) ^ spans->seed) * UINT64_C (0xd6e8feb86659fd93);

  h ^= h >> 32;
  h = (h ^ key2) * UINT64_C (0x9e3779b97f4a7c15);
  return (size_t) (h ^ h >> 32) + (size_t) (key >> 4 & 31);
}

/* The slot of a key, or the free one where it would go.  */
static inline size_t
probe (const struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  size_t i = hash_keys (spans, key, key2) & spans->mask;

  while (spans->slots[i].index != FREE
         && (spans->slots[i].key != key || spans->slots[i].key2 != key2))
    i = (i + 1) & spans->mask;
  return i;
}

/* Twice the slots, or the first ones.  */
static int
grow (struct dg_spans *spans)
{
  size_t n = spans->slots ? 2 * (spans->mask + 1) : MIN_SLOTS;
  struct dg_spans larger = *spans;

  larger.slots = g_try_new (struct dg_span, n);
  if (!larger.slots)
    return DG_ERR_NOMEM;
  if (!spans->slots)
    larger.seed = dg_hash_seed ();
  larger.mask = n - 1;
  for (size_t i = 0; i < n; i++)
    larger.slots[i].index = FREE;
  for (size_t i = 0; spans->slots && i <= spans->mask; i++) {
    const struct dg_span *span = &spans->slots[i];

    if (span->index != FREE)
      larger.slots[probe (&larger, span->key, span->key2)] = *span;
  }
  g_free (spans->slots);
  *spans = larger;
  return 0;
}

/* The slot of a key, made if need be; NULL: no memory.  */
static struct dg_span *
make_slot (struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  struct dg_span *span;

  if ((!spans->slots || spans->used > spans->mask / 2) && grow (spans) < 0)
    return NULL;
  span = &spans->slots[probe (spans, key, key2)];
  if (span->index == FREE) {
    span->key = key;
    span->key2 = key2;
    span->outer = 0;
    spans->used++;
  }
  return span;
}

/* Puts aside what is open in a slot.  */
static int
keep_outer (struct dg_spans *spans, struct dg_span *span)
{
  struct outer *outer;
  size_t place = spans->free_outer;

  if (place > 0) {
    outer = (struct outer *) spans->outers.items + place - 1;
    spans->free_outer = outer->next;
  } else {
    outer = dg_table_add (&spans->outers, sizeof *outer);
    if (!outer)
      return DG_ERR_NOMEM;
    place = spans->outers.n;
  }
  outer->index = span->index;
  outer->next = span->outer;
  span->outer = place;
  return 0;
}

int
dg_spans_open (struct dg_spans *spans, uint64_t key, uint64_t key2,
               size_t index)
{
  struct dg_span *span = make_slot (spans, key, key2);

  if (!span || (span->index != FREE && keep_outer (spans, span) < 0))
    return DG_ERR_NOMEM;
  span->index = index;
  return 0;
}

int
dg_spans_replace (struct dg_spans *spans, uint64_t key, uint64_t key2,
                  size_t index, size_t *old)
{
  struct dg_span *span = make_slot (spans, key, key2);

  if (!span)
    return DG_ERR_NOMEM;
  *old = span->index;
  span->index = index;
  return 0;
}

/* Frees a slot and moves up those behind it that could not be where they
   belong, so that no search ends before it finds them.  */
static void
remove_slot (struct dg_spans *spans, size_t hole)
{
  struct dg_span *slots = spans->slots;
  size_t mask = spans->mask;

  for (size_t i = (hole + 1) & mask; slots[i].index != FREE;
       i = (i + 1) & mask) {
    size_t home = hash_keys (spans, slots[i].key, slots[i].key2) & mask;

    /* May it stand in the hole: is that not before its home?  */
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      slots[hole] = slots[i];
      hole = i;
    }
  }
  slots[hole].index = FREE;
  spans->used--;
}

size_t
dg_spans_find (const struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  return spans->slots ? spans->slots[probe (spans, key, key2)].index : FREE;
}

size_t
dg_spans_close (struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  struct dg_span *span;
  struct outer *outer;
  size_t at, index, place;

  if (!spans->slots)
    return SIZE_MAX;
  at = probe (spans, key, key2);
  span = &spans->slots[at];
  index = span->index;
  if (index == FREE)
    return SIZE_MAX;
  place = span->outer;
  if (place == 0) {
    remove_slot (spans, at);
    return index;
  }
  outer = (struct outer *) spans->outers.items + place - 1;
  span->index = outer->index;
  span->outer = outer->next;
  outer->next = spans->free_outer;
  spans->free_outer = place;
  return index;
}

void
dg_spans_fini (struct dg_spans *spans)
{
  g_free (spans->slots);
  dg_table_fini (&spans->outers);
  memset (spans, 0, sizeof *spans);
}
