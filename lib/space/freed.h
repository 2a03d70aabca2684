/* freed.h: heap blocks in the order in which they are freed.

   The log's own order is that of their beginnings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FREED_H
#define DG_FREED_H

#include "libdatagrind.h"

/* Sorts n indices of blocks by the ends of these blocks' lives; those that end
   at the same moment stay in their order.  0 or DG_ERR_NOMEM: 32 bytes each
   while it works.  */
int dg_freed_sort (const struct dg_log *log, uint32_t *indices, size_t n);

#endif /* DG_FREED_H */
