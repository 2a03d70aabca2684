/* calltree_merge.h: the call trees of two logs as one, for a flame graph that
   shows what changed.

   Functions are matched by name and module.  A node is as wide as the larger
   of the two of itself, with what was called, so that nothing is lost.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLTREE_MERGE_H
#define DV_CALLTREE_MERGE_H

#include "calltree.h"
#include "palette.h"

/* Accesses of a node with what it called, in each log.  */
struct dv_call_change {
  uint64_t before, after;
};

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_calltree_merged {
  struct dv_calltree *tree;        /* weighs accesses; has neither a tally
                                      nor leaves */
  struct dv_call_change *changes;  /* of each node */
  struct dv_calltree *sides[2];    /* keep the names alive */
};

/* after: NULL: it has nothing.  */
struct dv_calltree_merged *dv_calltree_merge (struct dv_calltree *before,
                                              struct dv_calltree *after);
struct dv_calltree_merged *
dv_calltree_merged_ref (struct dv_calltree_merged *merged);
/* NULL is fine.  */
void dv_calltree_merged_unref (struct dv_calltree_merged *merged);

/* What a change looks like: orange if there are more accesses, blue if there
   are less, grey if they are the same; the stronger, the larger it is.  */
struct dv_rgb dv_call_change_colour (const struct dv_call_change *change,
                                     bool is_dark);
/* "1,234 before, 2,345 after (+90.0 %)".  A new string.  */
char *dv_call_change_text (const struct dv_call_change *change);

#endif /* DV_CALLTREE_MERGE_H */
