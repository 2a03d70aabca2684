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
struct dg_lines_packed {
  struct dg_table blocks;  /* struct dg_lines_block */
  uint64_t n;              /* lines */
};

struct dg_lines_block {
  uint8_t *bytes;
  uint32_t n_bytes;
  uint32_t n;              /* lines */
  uint64_t first, last;    /* lines */
};

void dg_lines_packed_fini (struct dg_lines_packed *list);

/* Appends lines, which are above those that there are.  */
int dg_lines_packed_add (struct dg_lines_packed *list,
                         const struct dg_line_count *counts, size_t n,
                         struct dg_error *err);
/* Moves all lines of two lists to *out, as dg_lines_merge does; both are empty
   then, also after an error.  */
int dg_lines_packed_merge (struct dg_lines_packed *a,
                           struct dg_lines_packed *b,
                           struct dg_lines_packed *out,
                           struct dg_error *err);
/* Appends the list to *out as dg_lines_write would.  frees: what was written,
   so that there are not two of a long list; it is empty then.  */
int dg_lines_packed_write (struct dg_lines_packed *list, bool frees,
                           struct dg_table *out, struct dg_error *err);

#endif /* DG_LINES_PACKED_H */
