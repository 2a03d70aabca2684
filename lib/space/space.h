/* space.h: what the filter needs to know of a dg_space.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SPACE_H
#define DG_SPACE_H

#include "space_cover.h"

/* The covers of all heap blocks and of all user ranges; they belong to the
   space.  */
const struct dg_cover *dg_space_borrow_blocks (const struct dg_space *space);
const struct dg_cover *dg_space_borrow_ranges (const struct dg_space *space);

/* Takes over the heap blocks that the log has now, if it has other ones than
   before: those that pass (log/block_window.h).  Nobody else may ask the space
   meanwhile.  0 or DG_ERR_NOMEM, and it is as before.  */
int dg_space_follow (const struct dg_space *space, struct dg_error *err);

/* As dg_space_find.  The same is true of all addresses from *low to
   *high - 1, but for the offset, until something begins or ends in one of
   them: a block, a range, the stack of a thread, a mapping or a module.  */
void dg_space_find_part (const struct dg_space *space, uint64_t address,
                         uint64_t icount, struct dg_owner *out, uint64_t *low,
                         uint64_t *high);

#endif /* DG_SPACE_H */
