/* whatif_targets.h: which blocks and variables of a log the changes are
   about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_TARGETS_H
#define DG_WHATIF_TARGETS_H

#include "variables/variables.h"
#include "whatif_changes.h"

/* Members of another type that change: an array, or one that keeps its
   size.  */
struct dg_whatif_member {
  uint64_t offset, size;
  struct dg_whatif_layout *layout;
  uint32_t target;
};

/* The blocks of a place of allocation.  */
struct dg_whatif_site {
  struct dg_whatif_layout *layout;   /* NULL: they stay as they are, but */
  GArray *members;                   /* struct dg_whatif_member of elements, */
  uint64_t period;                   /* which have so many bytes; or NULL */
  uint32_t target;                   /* index */
  uint32_t cookie;                   /* bytes before the elements */
};

/* A variable that changes.  */
struct dg_whatif_variable {
  uint64_t address, size;
  struct dg_whatif_layout *layout;
  uint32_t target;
};

struct dg_whatif_targets {
  GPtrArray *list;                   /* struct dg_whatif_target */
  struct dg_whatif_site *sites;      /* by number */
  uint32_t n_sites;
  GArray *variables;                 /* struct dg_whatif_variable */
};

/* Finds them.  *targets is to be ended also after an error: DG_ERR_INVALID if
   a change has nothing to be about, or names a field that is not there;
   DG_ERR_NOMEM.  */
int dg_whatif_targets_init (struct dg_whatif_targets *targets,
                            struct dg_setup *setup, struct dg_error *err);
void dg_whatif_targets_fini (struct dg_whatif_targets *targets);

#endif /* DG_WHATIF_TARGETS_H */
