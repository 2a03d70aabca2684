/* whatif_targets.h: which blocks and variables of a log the changes are
   about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_TARGETS_H
#define DG_WHATIF_TARGETS_H

#include "variables/variables.h"
#include "whatif_changes.h"

/* The blocks of a place of allocation.  */
struct dg_whatif_site {
  struct dg_whatif_layout *layout;   /* NULL: they stay as they are */
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
  GArray *variables;                 /* struct dg_whatif_variable */
};

/* Finds them.  *targets is to be ended also after an error: DG_ERR_INVALID if
   a change has nothing to be about, or names a field that is not there;
   DG_ERR_NOMEM.  */
int dg_whatif_targets_init (struct dg_whatif_targets *targets,
                            struct dg_setup *setup, struct dg_error *err);
void dg_whatif_targets_fini (struct dg_whatif_targets *targets);

#endif /* DG_WHATIF_TARGETS_H */
