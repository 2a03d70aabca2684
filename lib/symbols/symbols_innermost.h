/* symbols_innermost.h: of intervals of addresses that lie within each other,
   the innermost one over an address, in O(log n).

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_INNERMOST_H
#define DG_SYMBOLS_INNERMOST_H

#include <glib.h>
#include <stdint.h>

/* The addresses low .. high - 1.  Of several over an address the one that
   begins last is chosen; of those, the shortest, then the one with the
   greatest rank, then the first that was added.  */
struct dg_interval {
  uint64_t low, high;
  uint32_t rank;
  uint32_t id;    /* the caller's: what dg_innermost_find answers */
};

/* From `low` to the next piece there is just this interval, or none.  */
struct dg_piece {
  uint64_t low;
  uint32_t id;    /* UINT32_MAX: none */
};

/* Pieces, ascending, of intervals, which are put in another order.  Empty
   intervals are never found.  g_array_unref frees it.  */
GArray *dg_innermost_new (struct dg_interval *intervals, guint n);

/* The id of the interval over an address, or UINT32_MAX.  */
uint32_t dg_innermost_find (const GArray *pieces, uint64_t address);

#endif /* DG_SYMBOLS_INNERMOST_H */
