/* callrows.h: the rows of a call tree as a table shows them, made when they
   are asked for: from callers to what they called, or from each function that
   accesses memory to its callers.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLROWS_H
#define DV_CALLROWS_H

#include "calltree.h"

enum dv_call_order {
  DV_CALL_BY_ALL,          /* the largest first, as everything but names */
  DV_CALL_BY_SELF, DV_CALL_BY_READS, DV_CALL_BY_WRITES, DV_CALL_BY_BYTES,
  DV_CALL_BY_NAME
};

struct dv_callrow {
  uint32_t function, parent;   /* DV_CALL_NONE: row 0's, which is all */
  uint32_t line;               /* see struct dv_call_node */
  const char *file;
  struct dv_tally_count self, all;
  uint64_t key;                /* of the path of functions that leads here:
                                  the same in other trees */
  /* Of callrows.c.  */
  uint32_t first, n;           /* children, once they are made */
  uint32_t node;               /* callees: of the tree */
  uint32_t pairs, n_pairs;     /* callers: of `pairs` */
  bool is_made, has_children;
};

struct dv_callrows {
  struct dv_calltree *tree;
  bool are_callers;
  enum dv_call_order order;
  GArray *rows;                /* struct dv_callrow */
  GArray *pairs;               /* see callrows.c */
};

/* For one thread.  Of callers, `self` is that of the first function by the
   path, and so is `all`.  */
struct dv_callrows *dv_callrows_new (struct dv_calltree *tree,
                                     bool are_callers,
                                     enum dv_call_order order);
/* NULL is fine.  */
void dv_callrows_free (struct dv_callrows *rows);

/* Valid until children are asked for.  */
const struct dv_callrow *dv_callrows_row (const struct dv_callrows *rows,
                                          uint32_t row);
/* Makes them if need be; they are numbered from the first on.  Returns their
   number.  */
uint32_t dv_callrows_children (struct dv_callrows *rows, uint32_t row,
                               uint32_t *first);
/* The row's place among those of its parent.  */
uint32_t dv_callrows_place (const struct dv_callrows *rows, uint32_t row);
const char *dv_callrows_label (const struct dv_callrows *rows, uint32_t row);

/* All contexts whose path goes through the row.  */
struct dv_highlight *dv_callrows_highlight (const struct dv_callrows *rows,
                                            uint32_t row);
/* The row below `row` to which most leads, or `row` where most is its own, or
   comes from many.  Makes rows.  */
uint32_t dv_callrows_heaviest (struct dv_callrows *rows, uint32_t row);
/* The next row, from `row` (DV_CALL_NONE: from the beginning) in the order of
   the table, whose function matches (dv_calltree_match); the table is made on
   the way, but callers only as far as they were.  DV_CALL_NONE: there is
   none.  */
uint32_t dv_callrows_find (struct dv_callrows *rows, uint32_t row,
                           const uint8_t *matches, bool backwards);

#endif /* DV_CALLROWS_H */
