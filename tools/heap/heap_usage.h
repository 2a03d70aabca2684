/* heap_usage.h: common declarations of the tables of `dg heap` about the usage
   of blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_USAGE_H
#define DG_HEAP_USAGE_H

#include "base/stack_names.h"
#include "dg_analysis.h"
#include "libdatagrind.h"
#include "heap_parts.h"

/* Names of sites are kept once: equal ones have equal pointers.  */
struct heap_usage {
  const struct heap_input *input;
  const struct dg_log *log;
  uint64_t end_icount; /* of the log */
  uint8_t *are_temporary; /* by block, see dg_temporary.h */
  const char *program; /* path of its module; NULL: unknown */
  struct dg_report *report;
  struct stack_names *names;
  GHashTable *sites; /* struct stack_trace -> name */
  GHashTable *lasts; /* struct heap_last -> name */
  GStringChunk *strings;
  /* Numbers of blocks that contain others, which tables omit.  */
  GHashTable *holders;
};

/* A block that has ended; valid during `add`.  */
struct heap_usage_block {
  uint32_t index;
  uint64_t end;  /* of the block, or of the log */
  uint64_t life; /* lifetime, in instructions */
  struct dg_block block;
  const struct dg_usage_block *use;
  const char *site; /* see heap_usage_site; NULL: not needed yet */
};

/* Products of bytes and instructions, added in any order.  */
typedef unsigned __int128 heap_usage_sum;

/* The average over the run of a sum of byte-instructions.  */
static inline double
heap_usage_average (const struct heap_usage *use, double byte_instructions)
{
  return use->end_icount > 0 ? byte_instructions / (double) use->end_icount
                             : 0;
}

/* ---- heap_usage_names.c: interned, and never NULL ----------------------- */

/* The allocation site of a block: the innermost frame that is not an
   allocator, or, with --by=stack, the whole stack.  */
const char *heap_usage_site (struct heap_usage *use,
                             struct heap_usage_block *block);
const char *heap_usage_site_of (struct heap_usage *use,
                                const struct dg_block *block);
/* The site of its free, or this.  */
#define HEAP_USAGE_NEVER "never"
const char *heap_usage_freed (struct heap_usage *use,
                              const struct heap_usage_block *block);
/* The code that last used it; HEAP_USAGE_NEVER.  */
const char *heap_usage_last (struct heap_usage *use,
                             const struct heap_usage_block *block);
GHashTable *heap_usage_lasts_new (void);

/* ---- Tables ----------------------------------------------------------- */

/* A table is made before the log is read; `add` is called for each block that
   ends, and `report` after that.  Tables keep only the shown data of blocks.
 */
struct heap_usage_table {
  void *(*make) (struct heap_usage *use);
  void (*add) (void *table, struct heap_usage_block *block);
  int (*report) (void *table, struct dg_error *err);
  void (*free) (void *table);
};

/* heap_usage_sites.c  */
extern const struct heap_usage_table heap_usage_sites;
extern const struct heap_usage_table heap_usage_untouched;
/* heap_usage_blocks.c  */
extern const struct heap_usage_table heap_usage_blocks;
/* heap_usage_late.c  */
extern const struct heap_usage_table heap_usage_late;

#endif /* DG_HEAP_USAGE_H */
