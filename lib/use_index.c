/* use_index.c: heap block -> small number, of those blocks that are alive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "use_index.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

#define ENTRIES_MIN 64

/* Blocks that began one after another, and often end so, are neighbours.  */
static inline size_t
home_of (const struct dg_use_index *index, uint32_t block)
{
  uint64_t h =
    ((block >> 3) ^ index->seed) * UINT64_C (0xd6e8feb86659fd93);

  return ((size_t) (h ^ h >> 32) + (block & 7)) & index->mask;
}

/* The entry of a block, or the free one where it would go.  */
static inline size_t
probe (const struct dg_use_index *index, uint32_t block)
{
  size_t i = home_of (index, block);

  while (index->entries[i].number != 0 && index->entries[i].block != block)
    i = (i + 1) & index->mask;
  return i;
}

static int
grow (struct dg_use_index *index)
{
  size_t n =
    index->entries != NULL ? (index->mask + 1) * 2 : ENTRIES_MIN;
  struct dg_use_index more = *index;

  if (index->entries == NULL)
    more.seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  more.mask = n - 1;
  more.entries = g_try_new0 (struct dg_use_entry, n);
  if (more.entries == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; index->entries != NULL && i <= index->mask; i++)
    if (index->entries[i].number != 0)
      more.entries[probe (&more, index->entries[i].block)] =
        index->entries[i];
  g_free (index->entries);
  *index = more;
  return 0;
}

uint32_t
dg_use_index_find (const struct dg_use_index *index, uint32_t block)
{
  return index->n > 0 ? index->entries[probe (index, block)].number : 0;
}

int
dg_use_index_add (struct dg_use_index *index, uint32_t block, uint32_t number)
{
  if ((index->entries == NULL || index->n >= index->mask / 3 * 2)
      && grow (index) < 0)
    return DG_ERR_NOMEM;
  index->entries[probe (index, block)] =
    (struct dg_use_entry){block, number};
  index->n++;
  return 0;
}

/* What stands behind a free entry moves there, if it could not be found any
   more.  */
static void
close_gap (struct dg_use_index *index, size_t gap)
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
dg_use_index_remove (struct dg_use_index *index, uint32_t block)
{
  uint32_t number = 0;
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
  return number;
}

void
dg_use_index_fini (struct dg_use_index *index)
{
  g_free (index->entries);
  memset (index, 0, sizeof *index);
}
