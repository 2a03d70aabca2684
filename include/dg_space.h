/* dg_space.h: owners of addresses over time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_SPACE_H
#define LIBDATAGRIND_SPACE_H

#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dg_owner_kind {
  DG_OWNER_NONE = 0,
  DG_OWNER_BLOCK,   /* index for dg_log_block */
  DG_OWNER_STACK,   /* index in dg_log_threads */
  DG_OWNER_MODULE,  /* index in dg_log_modules: its data or code */
  DG_OWNER_MAPPING, /* index in dg_log_mappings */
  DG_OWNER_LOCALS   /* index in dg_log_thread_locals; has precedence */
};

/* The owner of an address at a moment: the first that matches, in the order of
   the enum. range: index in dg_log_ranges of the innermost (latest) range that
   contains it, DG_NONE if none. offset: from the first byte of the owner.  */
struct dg_owner {
  enum dg_owner_kind kind;
  uint32_t index;
  uint32_t range;
  uint64_t offset;
};

struct dg_space;
DG_API struct dg_space *dg_space_new (const struct dg_log *log,
                                      struct dg_error *err);
/* The same with progress and cancel; for millions of heap blocks it takes a
   second.  Progress is in steps.  */
DG_API struct dg_space *dg_space_build (const struct dg_log *log,
                                        dg_progress_fn progress, void *user,
                                        struct dg_error *err);
DG_API void dg_space_free (struct dg_space *space);
/* O(log n) for usual heaps, O(log^2 n) in the worst case.  */
DG_API void dg_space_find (const struct dg_space *space, uint64_t address,
                           uint64_t icount, struct dg_owner *out);
/* The topmost heap block at an address and a moment, as in dg_space_find: its
   index for dg_log_block, or DG_NONE. All addresses from *low to *high - 1
   have the same one until it is freed or another block is allocated.  */
DG_API uint32_t dg_space_block (const struct dg_space *space, uint64_t address,
                                uint64_t icount, uint64_t *low,
                                uint64_t *high);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SPACE_H */
