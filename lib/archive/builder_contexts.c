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

int
dg_builder_contexts_add (struct dg_builder_contexts *set, uint32_t block,
                         uint32_t node)
{
  uint32_t n = set->pairs.n;

  if (dg_keys_add (&set->pairs, (uint64_t) block << 32 | node) == DG_NONE)
    return DG_ERR_NOMEM;
  set->n += set->pairs.n > n;
  return set->pairs.n > n;
}

void
dg_builder_contexts_prefetch (const struct dg_builder_contexts *set,
                              uint32_t block, uint32_t node)
{
  dg_keys_prefetch (&set->pairs, (uint64_t) block << 32 | node);
}

int
dg_builder_contexts_define (struct dg_builder_contexts *set, uint32_t block,
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
dg_builder_contexts_fini (struct dg_builder_contexts *set)
{
  dg_keys_fini (&set->pairs);
  dg_table_fini (&set->blocks);
  memset (set, 0, sizeof *set);
}
