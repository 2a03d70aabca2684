/* arrow_stacks.h: the thread whose stack an access is to, as a column.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_STACKS_H
#define DG_ARROW_STACKS_H

#include "arrow_array.h"
#include "arrow_shared.h"

/* One stream's, as struct dg_arrow_owners.  */
struct dg_arrow_stacks;
struct dg_arrow_stacks *dg_arrow_stacks_new (struct dg_arrow_shared *shared,
                                             dg_progress_fn progress,
                                             void *user, struct dg_error *err);
void dg_arrow_stacks_free (struct dg_arrow_stacks *stacks);

/* Fills n rows of `column`, which is U32: the number of the thread whose stack
   has the first byte of an access, null if it is in no stack.  accesses:
   icount, address and thread are arrays of n.  */
void dg_arrow_stacks_fill (struct dg_arrow_stacks *stacks,
                           const struct dg_columns_arrays *accesses, size_t n,
                           struct dg_arrow_array *column);

#endif /* DG_ARROW_STACKS_H */
