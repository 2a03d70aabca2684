/* dg_allocations.h: what each call stack allocates.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   The rules of libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_ALLOCATIONS_H
#define LIBDATAGRIND_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "dg_log.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The blocks that one call stack allocates; see dg_site_frames for its
   names.  */
struct dg_allocation {
  struct dg_stack stack;
  uint64_t icount;      /* when it allocates the first of them */
  bool is_call;         /* see dg_site_is_call; of the first of them */
  uint64_t bytes, blocks;
  uint64_t temporary;   /* blocks, see dg_temporary.h */
  uint64_t leaked;      /* bytes of those that are never freed */
};

/* *all receives *n of them, in order of their first blocks: of blocks that the
   instructions start to end - 1 of a loaded log allocate.  Chunks of memory
   pools are in memory that is counted, and are not.  Free *all with free; its
   stacks belong to the log.  progress may be NULL.  0, DG_ERR_CANCELLED or
   DG_ERR_NOMEM.  */
DG_API int dg_allocations_find (const struct dg_log *log, uint64_t start,
                                uint64_t end, dg_progress_fn progress,
                                void *user, struct dg_allocation **all,
                                size_t *n, struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ALLOCATIONS_H */
