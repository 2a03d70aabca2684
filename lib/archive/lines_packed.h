/* lines_packed.h: long lists of lines in memory, packed.

   A list is blocks, each as dg_lines_write makes it, of some thousand lines:
   3 bytes a line where lines are near each other and counts are small.  What
   is merged is unpacked block by block, and freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LINES_PACKED_H
#define DG_LINES_PACKED_H

#include "lines.h"

/* All zero is an empty list.  One thread.  */
struct dg_packed_lines {
  struct dg_table blocks;  /* struct dg_packed_block */
  uint64_t n;              /* lines */
};

struct dg_packed_block {
  uint8_t *bytes;
  uint32_t n_bytes;
  uint32_t n;              /* lines */
  uint64_t first, last;    /* lines */
};

void dg_packed_lines_fini (struct dg_packed_lines *list);

/* Appends lines, which are above those that there are.  */
int dg_packed_lines_add (struct dg_packed_lines *list,
                         const struct dg_line_count *counts, size_t n,
                         struct dg_error *err);
/* Moves all lines of two lists to *out, as dg_lines_merge does; both are empty
   then, also after an error.  */
int dg_packed_lines_merge (struct dg_packed_lines *a,
                           struct dg_packed_lines *b,
                           struct dg_packed_lines *out,
                           struct dg_error *err);
/* Appends the list to *out as dg_lines_write would.  frees: what was written,
   so that there are not two of a long list; it is empty then.  */
int dg_packed_lines_write (struct dg_packed_lines *list, bool frees,
                           struct dg_table *out, struct dg_error *err);

#endif /* DG_LINES_PACKED_H */
