/* breakdown_mine.h: code by the program's own line that it is run for: blocks,
   told apart by who called them where they are a library's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BREAKDOWN_MINE_H
#define DG_BREAKDOWN_MINE_H

#include "libdatagrind.h"

/* A block, and the innermost call site that is mine of the stacks in which it
   ran; 0 where that does not matter, as all of its instructions have a frame
   that is mine, or where there is none.  */
struct dg_code_unit {
  uint64_t block, caller;
};

/* All units that occur, numbered as they are met.  Any thread.  Memory: about
   40 bytes for each, 32 for each call site, and 4 for each context of the
   log.  */
struct dg_units;

/* The three must outlive it.  NULL on failure.  */
struct dg_units *dg_units_new (const struct dg_log *log,
                               struct dg_symbols *symbols,
                               const struct dg_mine *mine,
                               struct dg_error *err);
void dg_units_free (struct dg_units *units);

/* The unit of a context at a moment.  DG_NONE: no memory.  */
uint32_t dg_units_find (struct dg_units *units, uint32_t context,
                        uint64_t icount);
struct dg_code_unit dg_units_at (struct dg_units *units, uint32_t unit);
/* How many there are by now.  */
uint32_t dg_units_count (struct dg_units *units);

/* The units that contexts have been found to be, for dg_units_known.  */
const uint32_t *dg_units_found (const struct dg_units *units);

/* That of a context, without a lock; DG_NONE: dg_units_find tells.  */
static inline uint32_t
dg_units_known (const uint32_t *found, uint32_t context)
{
  return __atomic_load_n (&found[context], __ATOMIC_RELAXED) - 1;
}

/* Which code an instruction of a context is told as: itself, where one of its
   frames is mine; else the innermost call site that is; else itself.  */
uint64_t dg_units_code (struct dg_units *units, uint32_t context,
                        uint64_t instruction, uint64_t icount);

/* The frames of an instruction from the innermost that is mine outwards, else
   those of the caller from that on, else all of the instruction.  How many of
   at most `most` are in `frames`.  */
size_t dg_units_frames (const struct dg_units *units, uint64_t address,
                        uint64_t caller, uint64_t icount,
                        struct dg_frame *frames, size_t most);
/* The first of these.  */
void dg_units_frame (const struct dg_units *units, uint64_t address,
                     uint64_t caller, uint64_t icount, struct dg_frame *out);

#endif /* DG_BREAKDOWN_MINE_H */
