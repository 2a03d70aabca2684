/* patterns_lines.c: how many bytes of a cache line are used before the cache
   loses it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_lines.h"

#include <string.h>

bool
dg_pattern_lines_fetch (struct dg_pattern_lines *lines, uint64_t address,
                        uint32_t size, uint32_t slot,
                        struct dg_pattern_line *lost)
{
  const uint64_t line = address >> DG_PATTERN_LINE_SHIFT;
  struct dg_pattern_line *set = lines->sets[line % DG_PATTERN_LINE_SETS];
  struct dg_pattern_line found = {.line = line + 1, .slot = slot};
  unsigned at = 0;
  bool is_lost = false;

  while (at < DG_PATTERN_LINE_WAYS - 1 && set[at].line != line + 1)
    at++;
  if (set[at].line == line + 1) {
    found = set[at];
  } else {
    is_lost = set[at].line != 0;
    *lost = set[at];
  }
  found.used |= dg_pattern_line_bits (address, size);
  memmove (set + 1, set, at * sizeof *set);
  set[0] = found;
  return is_lost;
}
