/* calls_tree.h: call paths by function, and what was done on each: for folded
   stacks, and for what inlined functions do.

   Recursion is as in the log: a call site is on a path once.  Memory: some 70
   bytes for each path of functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_TREE_H
#define DG_CALLS_TREE_H

#include "calls_code.h"
#include "feed/run_counts.h"

enum calls_weight {
  CALLS_INSTRUCTIONS, CALLS_ACCESSES, CALLS_READS, CALLS_WRITES, CALLS_BYTES,
  CALLS_N_WEIGHTS
};
#define CALLS_WEIGHTS "instructions,accesses,reads,writes,bytes"

enum calls_weight calls_weight_parse (const char *text);

struct calls_tree;

/* inlined: functions that were inlined are on the paths.  */
struct calls_tree *calls_tree_new (const struct dg_log *log,
                                   struct calls_code *code, bool inlined);
void calls_tree_free (struct calls_tree *tree);

/* Makes the path of a context.  What a site is called is said by the first
   context that has it.  */
void calls_tree_meet (struct calls_tree *tree, uint32_t context);
/* Adds what was counted, and empties that.  One thread.  */
int calls_tree_take (struct calls_tree *tree, struct dg_run_counts *counts,
                     struct dg_error *err);

/* Calls `tell` for each function with what it did itself and with all that it
   called; a function that is on a path more than once counts once.  */
typedef void (*calls_tree_fn) (void *user, uint32_t function,
                               const uint64_t self[CALLS_N_WEIGHTS],
                               const uint64_t all[CALLS_N_WEIGHTS]);
void calls_tree_functions (struct calls_tree *tree, calls_tree_fn tell,
                           void *user);

/* Writes "main;work;helper 123" lines in the order of names: 0, or
   DG_ERR_CANCELLED.  */
int calls_tree_folded (struct calls_tree *tree, enum calls_weight weight,
                       FILE *file, struct dg_report *report,
                       struct dg_error *err);

#endif /* DG_CALLS_TREE_H */
