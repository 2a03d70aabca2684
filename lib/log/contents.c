/* contents.c: what a log holds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "contents.h"

#include <string.h>

#include "packed.h"

void
dg_contents_fini (struct dg_contents *contents)
{
  dg_defs_fini (&contents->defs);
  dg_paths_fini (&contents->raw_paths);
  dg_table_fini (&contents->threads);
  dg_table_fini (&contents->thread_order);
  dg_store_fini (&contents->blocks);
  dg_table_fini (&contents->ranges);
  dg_table_fini (&contents->events);
  dg_table_fini (&contents->modules);
  dg_table_fini (&contents->locals);
  dg_table_fini (&contents->mappings);
  dg_table_fini (&contents->pages);
  dg_table_fini (&contents->pools);
  dg_table_fini (&contents->pool_moves);
  dg_table_fini (&contents->pointers);
  dg_table_fini (&contents->syncs);
  dg_table_fini (&contents->flows);
  dg_table_fini (&contents->kernel);
  dg_table_fini (&contents->windows);
  dg_table_fini (&contents->clock);
  dg_table_fini (&contents->chunks);
  dg_packed_free (contents->packed);
  dg_arena_fini (&contents->arena);
  memset (contents, 0, sizeof *contents);
}
