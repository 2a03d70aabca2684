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
#define FINI(name, type) dg_table_fini (&contents->name);
  DG_CONTENTS_TABLES (FINI)
#undef FINI
  dg_packed_free (contents->packed);
  dg_arena_fini (&contents->arena);
  memset (contents, 0, sizeof *contents);
}
