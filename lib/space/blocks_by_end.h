/* blocks_by_end.h: heap blocks in the order in which they are freed.

   The log's own order is that of their beginnings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BLOCKS_BY_END_H
#define DG_BLOCKS_BY_END_H

#include "libdatagrind.h"

/* Sorts n indices of blocks by the ends of these blocks' lives; those that end
   at the same moment stay in their order.  0 or DG_ERR_NOMEM: 32 bytes each
   while it works.  */
int dg_blocks_by_end (const struct dg_log *log, uint32_t *indices, size_t n);

#endif /* DG_BLOCKS_BY_END_H */
