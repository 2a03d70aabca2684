/* diff_heap.h: the heap as an analysis, so that it can be compared.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_HEAP_H
#define DG_DIFF_HEAP_H

#include "dg_analysis.h"

/* "heap": the peak, what is left at the end, and who allocated it.  It reads
   no accesses.  */
extern const struct dg_analysis diff_heap;

#endif /* DG_DIFF_HEAP_H */
