/* all_blocks.h: the heap blocks of a log as an array, for tests.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALL_BLOCKS_H
#define DG_ALL_BLOCKS_H

#include <glib.h>

#include "libdatagrind.h"

/* To be freed with g_free.  */
static inline struct dg_block *
all_blocks (const struct dg_log *log, size_t *n)
{
  struct dg_block *blocks;

  *n = dg_log_n_blocks (log);
  blocks = g_new (struct dg_block, *n + 1);
  for (size_t i = 0; i < *n; i++)
    blocks[i] = dg_log_block (log, i);
  return blocks;
}

#endif /* DG_ALL_BLOCKS_H */
