/* builder_contexts.c: which contexts and blocks a log has defined.

   Each chunk asks for some ten thousand pairs, most of them known, in the
   order in which they are met: a flat table of keys takes one cache miss for
   each, which a general hash table with its nodes does not.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "builder_contexts.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

#define FIRST_ROOM 4096
/* No pair: neither number goes that far.  */
#define EMPTY UINT64_MAX

static inline size_t
first_place (const struct dg_context_set *set, uint64_t key)
{
  uint64_t hash = key * UINT64_C (0x9e3779b97f4a7c15);

  return (hash ^ hash >> 29) & (set->room - 1);
}

static inline size_t
place_of (const struct dg_context_set *set, uint64_t key)
{
  size_t i = first_place (set, key);

  while (set->keys[i] != EMPTY && set->keys[i] != key)
    i = (i + 1) & (set->room - 1);
  return i;
}

static int
grow (struct dg_context_set *set)
{
  struct dg_context_set larger = *set;

  larger.room = set->room > 0 ? 2 * set->room : FIRST_ROOM;
  larger.keys = g_try_new (uint64_t, larger.room);
  if (!larger.keys)
    return DG_ERR_NOMEM;
  memset (larger.keys, 0xff, larger.room * sizeof *larger.keys);
  for (size_t i = 0; i < set->room; i++)
    if (set->keys[i] != EMPTY)
      larger.keys[place_of (&larger, set->keys[i])] = set->keys[i];
  g_free (set->keys);
  *set = larger;
  return 0;
}

int
dg_context_set_add (struct dg_context_set *set, uint32_t block, uint32_t node)
{
  uint64_t key = (uint64_t) block << 32 | node;
  size_t i;

  if (set->room > 0) {
    i = place_of (set, key);
    if (set->keys[i] == key)
      return 0;
  }
  if (2 * (set->n + 1) > set->room && grow (set) < 0)
    return DG_ERR_NOMEM;
  set->keys[place_of (set, key)] = key;
  set->n++;
  return 1;
}

void
dg_context_set_prefetch (const struct dg_context_set *set, uint32_t block,
                         uint32_t node)
{
  uint64_t key = (uint64_t) block << 32 | node;

  if (set->room > 0)
    __builtin_prefetch (&set->keys[first_place (set, key)]);
}

int
dg_context_set_define (struct dg_context_set *set, uint32_t block,
                       uint32_t *number)
{
  uint32_t *numbers;

  while (set->blocks.n <= block)
    if (!dg_table_add (&set->blocks, sizeof *numbers))
      return DG_ERR_NOMEM;
  numbers = set->blocks.items;
  if (numbers[block] > 0) {
    *number = numbers[block] - 1;
    return 0;
  }
  *number = set->n_blocks++;
  numbers[block] = set->n_blocks;
  return 1;
}

void
dg_context_set_fini (struct dg_context_set *set)
{
  g_free (set->keys);
  dg_table_fini (&set->blocks);
  memset (set, 0, sizeof *set);
}
