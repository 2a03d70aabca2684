/* paths.h: the call paths of a raw log as a tree.

   A raw log has a whole stack with each context.  Most of these are the same
   but for a call or two, and there may be millions: kept as they stand, those
   of a compiler took 4.7 GB, as a tree 34 MB.  (In archives paths are a tree
   from the beginning.)

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATHS_H
#define DG_PATHS_H

#include "base/pairs.h"
#include "archive/program.h"

/* All zero is empty.  One thread at a time.  */
struct dg_paths {
  struct dg_program program;   /* nodes only */
  struct dg_pairs children;    /* site, parent -> node */
  /* The last path, outermost site first.  */
  unsigned n_last;
  uint64_t sites[UINT8_MAX];
  uint32_t nodes[UINT8_MAX];
};

void dg_paths_fini (struct dg_paths *paths);

/* The node of the stack of a context whose block begins at `block`, or has no
   instruction (NULL).  The same stack gets the same node, but for those that
   are not paths, since they do not start at their block: each has its own.  0,
   DG_ERR_DAMAGED or DG_ERR_NOMEM.  */
int dg_paths_find (struct dg_paths *paths, const uint64_t *block,
                   const uint64_t *stack, unsigned n_stack, uint32_t *node,
                   struct dg_error *err);

/* The call sites that a path has and its parent has not: their number.  All
   paths of a log together have each site that any of them has.  */
static inline uint32_t
dg_paths_added (const struct dg_log *log, uint32_t path,
                uint64_t sites[DG_STACK_MAX])
{
  struct dg_call_path at = dg_log_call_path (log, path);

  if (at.parent == DG_NONE)
    return dg_log_path_sites (log, path, sites, DG_STACK_MAX);
  sites[0] = at.site;
  return 1;
}

#endif /* DG_PATHS_H */
