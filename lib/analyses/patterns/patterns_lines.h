/* patterns_lines.h: how many bytes of a cache line are used before the cache
   loses it ("fetch utilization").

   What a walk uses of the lines that it fetches does not depend on how the
   compiler made it: eight loads of an unrolled loop use the same bytes as one
   load in eight iterations.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_LINES_H
#define DG_PATTERNS_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* The first level of most processors: lines of 64 bytes, 64 sets, 8 ways.  A
   set replaces the least recently used line.  */
#define DG_PATTERN_LINE_SHIFT 6
#define DG_PATTERN_LINE_BYTES (1u << DG_PATTERN_LINE_SHIFT)
#define DG_PATTERN_LINE_SETS  64
#define DG_PATTERN_LINE_WAYS  8

/* A line in the cache.  */
struct dg_pattern_line {
  uint64_t line;           /* its number, plus 1; 0: none */
  uint64_t used;           /* a bit for each byte */
  uint32_t slot;           /* an access of this slot fetched the line */
};

/* Each set has the latest first.  All zero: empty.  One thread.  */
struct dg_pattern_lines {
  struct dg_pattern_line sets[DG_PATTERN_LINE_SETS][DG_PATTERN_LINE_WAYS];
};

/* The lines that a slot has fetched and the cache has replaced.  */
struct dg_pattern_fetches {
  uint64_t lines;
  uint64_t bytes;          /* of these lines, the bytes that were used */
};

/* Marks bytes of the line at an address as used; an access that goes on into
   the next line needs a second call.  True: the cache replaced a line, which
   *lost receives.  */
bool dg_pattern_lines_fetch (struct dg_pattern_lines *lines, uint64_t address,
                             uint32_t size, uint32_t slot,
                             struct dg_pattern_line *lost);

/* One bit for each byte of the access within its line.  */
static inline uint64_t
dg_pattern_line_bits (uint64_t address, uint32_t size)
{
  const unsigned at = address & (DG_PATTERN_LINE_BYTES - 1);
  const unsigned room = DG_PATTERN_LINE_BYTES - at;
  const unsigned n = size < room ? size : room;

  return (n < 64 ? (UINT64_C (1) << n) - 1 : UINT64_MAX) << at;
}

/* As dg_pattern_lines_fetch, fast if the set used the same line last.  */
static inline bool
dg_pattern_lines_use (struct dg_pattern_lines *lines, uint64_t address,
                      uint32_t size, uint32_t slot,
                      struct dg_pattern_line *lost)
{
  const uint64_t line = address >> DG_PATTERN_LINE_SHIFT;
  struct dg_pattern_line *first = lines->sets[line % DG_PATTERN_LINE_SETS];

  if (first->line == line + 1) {
    first->used |= dg_pattern_line_bits (address, size);
    return false;
  }
  return dg_pattern_lines_fetch (lines, address, size, slot, lost);
}

#endif /* DG_PATTERNS_LINES_H */
