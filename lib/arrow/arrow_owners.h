/* arrow_owners.h: whose memory accesses are to, as columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_OWNERS_H
#define DG_ARROW_OWNERS_H

#include "arrow_array.h"
#include "arrow_shared.h"

/* Each may be NULL.  `block` is U32, others are INDEX.  */
struct dg_arrow_owners_columns {
  struct dg_arrow_array *variable, *type, *site, *block;
};

/* One stream's, as struct dg_arrow_code.  Progress is that of what the first
   of a log has to make.  */
struct dg_arrow_owners;
struct dg_arrow_owners *dg_arrow_owners_new (struct dg_arrow_shared *shared,
                                             dg_progress_fn progress,
                                             void *user, struct dg_error *err);
void dg_arrow_owners_free (struct dg_arrow_owners *owners);

/* Fills n rows from `row` on: the variable at the first byte of an access, as
   in `dg counts --by=variable`, and its type; of a heap block, where it was
   allocated, and its row in `blocks`; null where there is none.  accesses:
   arrays of n.  Fastest in the order of the log.  */
int dg_arrow_owners_fill (struct dg_arrow_owners *owners,
                          const struct dg_columns_arrays *accesses, size_t n,
                          size_t row,
                          const struct dg_arrow_owners_columns *columns,
                          struct dg_error *err);

#endif /* DG_ARROW_OWNERS_H */
