/* calls_text.h: what a function of a call tree does, in words.  No GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLS_TEXT_H
#define DV_CALLS_TEXT_H

#include "calltree.h"

/* A function somewhere in a tree, or everything (DV_CALL_NONE).  */
struct dv_calls_subject {
  const struct dv_calltree *tree;
  uint32_t function, line;
  const char *file;                /* NULL: not known */
  const struct dv_tally_count *self, *all;
};

/* "43.2 %"; "" when there is nothing to be a part of.  */
void dv_calls_share (char *text, size_t size, uint64_t part, uint64_t whole);
/* The share itself, from 0 to 1.  */
double dv_calls_fraction (uint64_t part, uint64_t whole);
/* "sort.c:42", or the module's base name, or "".  New strings all.  */
char *dv_calls_where (const struct dv_calls_subject *subject);
/* Several lines of Pango markup, for a tooltip.  */
char *dv_calls_tip (const struct dv_calls_subject *subject);
/* The same of a node of a heap's tree.  */
char *dv_calls_heap_tip (const struct dv_calltree *tree, uint32_t node);
/* The same of a tree of the time model.  */
char *dv_calls_time_tip (const struct dv_calltree *tree, uint32_t node);
/* How much the whole tree is: "12,345 accesses in view", with what is missing
   of it.  */
char *dv_calls_summary (const struct dv_calltree *tree);

#endif /* DV_CALLS_TEXT_H */
