/* heap_print.h: the graph in what `dg heap --print` prints.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HEAP_PRINT_H
#define DG_HEAP_PRINT_H

#include "libdatagrind.h"
#include "base/output.h"

/* What a snapshot comes to.  */
static inline uint64_t
heap_print_total (const struct dg_massif_snapshot *snapshot)
{
  return snapshot->heap + snapshot->extra + snapshot->stacks;
}

/* Bytes over time with axes and their units, `columns` wide and `rows` high.
   There must be a snapshot.  */
void heap_print_graph (struct output *out, const struct dg_massif *massif,
                       unsigned columns, unsigned rows);

#endif /* DG_HEAP_PRINT_H */
