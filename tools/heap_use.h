/* heap_use.h: what the tables of `dg heap` about the use of blocks share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_USE_H
#define DG_HEAP_USE_H

#include "allocs_names.h"
#include "dg_analysis.h"
#include "dg_use.h"
#include "heap_parts.h"

/* Names of sites are kept once: equal ones have equal pointers.  */
struct heap_use {
  const struct heap_input *input;
  const struct dg_log *log;
  const struct dg_use_block *use;
  size_t n;
  uint64_t end_icount;     /* of the log */
  const char *program;     /* path of its module; NULL: not known */
  struct dg_report *report;
  struct allocs_names *names;
  GHashTable *sites;       /* struct allocs_trace -> name */
  GStringChunk *strings;
};

/* How long a block lived, in instructions.  */
static inline uint64_t
heap_use_life (const struct heap_use *use, size_t i)
{
  const struct dg_block_extent block = dg_log_block_extent (use->log, i);
  uint64_t end =
    block.free_icount != DG_NEVER ? block.free_icount : use->end_icount;

  return end > block.alloc_icount ? end - block.alloc_icount : 0;
}

/* Whether tables tell of it: of pieces, not of what they were cut from.  */
static inline bool
heap_use_counts (const struct heap_use *use, size_t i)
{
  return (use->use[i].flags & DG_USE_HAS_PIECES) == 0;
}

/* Bytes all the time make this many byte-instructions.  */
static inline double
heap_use_average (const struct heap_use *use, double byte_instructions)
{
  return use->end_icount > 0 ? byte_instructions / (double) use->end_icount
                             : 0;
}

/* ---- heap_use_names.c: interned, and never NULL ----------------------- */

/* Who allocated a block: the innermost frame that is no allocator, or, with
   --by=stack, the whole stack.  */
const char *heap_use_site (struct heap_use *use, size_t i);
/* Who freed it; "never".  */
const char *heap_use_freed (struct heap_use *use, size_t i);
/* Who used it last; "never".  */
const char *heap_use_last (struct heap_use *use, size_t i);

/* ---- Tables ----------------------------------------------------------- */

/* heap_use_sites.c: --sites and --untouched.  */
int heap_use_sites (struct heap_use *use, struct dg_error *err);
void heap_use_untouched (struct heap_use *use);
/* heap_use_blocks.c: --blocks.  */
void heap_use_blocks (struct heap_use *use);
/* heap_use_late.c: --late.  */
void heap_use_late (struct heap_use *use);

#endif /* DG_HEAP_USE_H */
