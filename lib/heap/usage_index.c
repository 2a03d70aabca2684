/* usage_index.c: live heap block -> small number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "usage_index.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"
#include "libdatagrind.h"

#define ENTRIES_MIN 64

/* Blocks that began one after another, and often end so, are neighbours.  */
static inline size_t
home_of (const struct dg_usage_index *index, uint32_t block)
{
  uint64_t h = ((block >> 3) ^ index->seed) * UINT64_C (0xd6e8feb86659fd93);

  return ((size_t) (h ^ h >> 32) + (block & 7)) & index->mask;
}

/* The entry of a block, or the free one where it would go.  */
static inline size_t
probe (const struct dg_usage_index *index, uint32_t block)
{
  size_t i = home_of (index, block);

  while (index->entries[i].number != 0 && index->entries[i].block != block)
    i = (i + 1) & index->mask;
  return i;
}

static int
grow (struct dg_usage_index *index)
{
  size_t n = index->entries != NULL ? (index->mask + 1) * 2 : ENTRIES_MIN;
  struct dg_usage_index more = *index;

  if (index->entries == NULL)
    more.seed = dg_hash_seed ();
  more.mask = n - 1;
  more.entries = g_try_new0 (struct dg_usage_entry, n);
  if (more.entries == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; index->entries != NULL && i <= index->mask; i++)
    if (index->entries[i].number != 0)
      more.entries[probe (&more, index->entries[i].block)] = index->entries[i];
  g_free (index->entries);
  *index = more;
  return 0;
}

uint32_t
dg_usage_index_find (const struct dg_usage_index *index, uint32_t block)
{
  return index->n > 0 ? index->entries[probe (index, block)].number : 0;
}

uint32_t
dg_usage_index_add (struct dg_usage_index *index, uint32_t block)
{
  const uint32_t *back = index->back.items;
  uint32_t number;

  if ((index->entries == NULL || index->n >= index->mask / 3 * 2)
      && grow (index) < 0)
    return 0;
  number = index->back.n > 0 ? back[--index->back.n] : ++index->most;
  index->entries[probe (index, block)] =
    (struct dg_usage_entry){block, number};
  index->n++;
  return number;
}

/* What stands behind a free entry moves there, if it could not be found any
   more.  */
static void
close_gap (struct dg_usage_index *index, size_t gap)
{
  for (size_t i = (gap + 1) & index->mask; index->entries[i].number != 0;
       i = (i + 1) & index->mask) {
    size_t home = home_of (index, index->entries[i].block);

    if (((i - home) & index->mask) < ((i - gap) & index->mask))
      continue;
    index->entries[gap] = index->entries[i];
    index->entries[i].number = 0;
    gap = i;
  }
}

uint32_t
dg_usage_index_remove (struct dg_usage_index *index, uint32_t block)
{
  uint32_t number, *back;
  size_t i;

  if (index->n == 0)
    return 0;
  i = probe (index, block);
  number = index->entries[i].number;
  if (number == 0)
    return 0;
  index->entries[i].number = 0;
  index->n--;
  close_gap (index, i);
  /* Without memory, it is not given again.  */
  back = dg_table_add (&index->back, sizeof *back);
  if (back != NULL)
    *back = number;
  return number;
}

void *
dg_usage_index_item (struct dg_usage_index *index, struct dg_table *items,
                     size_t item_size, uint32_t block, bool *is_new)
{
  uint32_t number = dg_usage_index_find (index, block);

  *is_new = number == 0;
  if (number == 0)
    number = dg_usage_index_add (index, block);
  if (number == 0)
    return NULL;
  while (items->n < number)
    if (dg_table_add (items, item_size) == NULL) {
      dg_usage_index_remove (index, block);
      return NULL;
    }
  return (char *) items->items + (number - 1) * item_size;
}

void
dg_usage_index_fini (struct dg_usage_index *index)
{
  g_free (index->entries);
  dg_table_fini (&index->back);
  memset (index, 0, sizeof *index);
}
