/* pages_leaf.h: which bytes of which lines were touched: leaves of 64 lines,
   the items of shadows (base/shadow.h).

   Lines are those of the machine, but of at most 64 bytes, so that a word has
   a bit for each byte.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGES_LEAF_H
#define DG_PAGES_LEAF_H

#include <stdint.h>

#define PAGES_LINE_SHIFT 6 /* of the longest lines, and of nearly all */
#define PAGES_LEAF_SHIFT 6
#define PAGES_LEAF       (1u << PAGES_LEAF_SHIFT)

/* A line in a chunk.  */
struct pages_hot {
  uint64_t now;            /* bytes that were touched since they changed
                              owners */
  uint64_t last;           /* icount of the latest touch, */
  uint32_t context;        /* and its code */
  uint8_t iseq;
  uint32_t count;          /* touches */
  uint32_t stamp;          /* of the interval; 0: not touched in the chunk */
};

/* Of a chunk.  */
struct pages_leaf {
  uint64_t number;
  struct pages_hot lines[PAGES_LEAF];
  uint64_t used[PAGES_LEAF];           /* bytes that were touched before */
};

/* Of the whole log.  */
struct pages_sums {
  uint64_t number;
  uint64_t used[PAGES_LEAF], now[PAGES_LEAF];
  uint64_t last[PAGES_LEAF], count[PAGES_LEAF];
  uint64_t interval[PAGES_LEAF];       /* the latest, + 1 */
  /* Code that touches it much, the function that does so most, if it is more
     than half: of the last touch in each chunk, weighed by the touches there
     (Boyer and Moore, "MJRTY", 1981).  */
  uint64_t lead[PAGES_LEAF];
  uint32_t context[PAGES_LEAF];
  uint8_t iseq[PAGES_LEAF];
};

/* Bytes of a line, which begins at `start`, that [low, high) has, as bits.  */
static inline uint64_t
pages_bits (uint64_t start, unsigned line_size, uint64_t low, uint64_t high)
{
  const uint64_t from = low > start ? low - start : 0;
  const uint64_t to = high - start < line_size ? high - start : line_size;
  const uint64_t n = to - from;

  return (n >= 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1) << from;
}

#endif /* DG_PAGES_LEAF_H */
