/* arena.h: memory that is given back all at once, and interned strings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARENA_H
#define DG_ARENA_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty arena.  One thread at a time.  */
struct dg_arena {
  struct dg_arena_block *blocks;
  uint8_t *at;             /* free part of the first block */
  size_t left;
  GHashTable *strings;     /* those that dg_arena_string gave */
  uint64_t seed;           /* of their hashes */
};

/* Aligned for uint64_t, contents undefined; NULL: no memory.  A size of 0
   gives a valid pointer.  */
void *dg_arena_alloc (struct dg_arena *arena, size_t size);

/* A copy that lives as long as the arena; equal strings share one.  NULL: no
   memory.  */
const char *dg_arena_string (struct dg_arena *arena, const char *text);

/* Moves all memory of `from`, which becomes empty, to `arena`.  Strings stay
   valid, but are not found again.  */
void dg_arena_join (struct dg_arena *arena, struct dg_arena *from);

void dg_arena_fini (struct dg_arena *arena);

#endif /* DG_ARENA_H */
