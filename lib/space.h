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

#endif /* DG_SPACE_H */
