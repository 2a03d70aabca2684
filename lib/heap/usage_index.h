/* usage_index.h: heap block -> small number, of those blocks that are alive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_USAGE_INDEX_H
#define DG_USAGE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

/* All zero is empty.  Memory: 12 to 24 bytes for each of the most blocks that
   it ever had.  */
struct dg_usage_index {
  struct dg_usage_entry {
    uint32_t block;
    uint32_t number; /* 0: free */
  } * entries;
  size_t mask; /* entries - 1 */
  size_t n;
  uint64_t seed;        /* no log can be made so that its blocks meet */
  uint32_t most;        /* the greatest number that was given */
  struct dg_table back; /* uint32_t: numbers to be given again */
};

/* The number of a block, 0 if it has none.  */
uint32_t dg_usage_index_find (const struct dg_usage_index *index,
                              uint32_t block);
/* Gives one to a block that has none: one that was taken back, or the next,
   from 1.  0: no memory.  */
uint32_t dg_usage_index_add (struct dg_usage_index *index, uint32_t block);
/* Takes it back, if the block has one: that, or 0.  */
uint32_t dg_usage_index_remove (struct dg_usage_index *index, uint32_t block);
/* A block's item of a table in which item i - 1 is that of number i.  Where it
   has none, it is given one, whose contents are anything.  NULL: no memory.
   Good until another one is asked for.  */
void *dg_usage_index_item (struct dg_usage_index *index,
                           struct dg_table *items, size_t item_size,
                           uint32_t block, bool *is_new);
void dg_usage_index_fini (struct dg_usage_index *index);

#endif /* DG_USAGE_INDEX_H */
