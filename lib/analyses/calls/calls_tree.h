/* calls_tree.h: call paths by function, and what was done on each: for folded
   stacks, and for what inlined functions do.

   Recursion is as in the log: a call site is on a path once.  Memory: some 70
   bytes for each path of functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_TREE_H
#define DG_CALLS_TREE_H

#include "calls_code.h"
#include "calls_sums.h"
#include "feed/run_counts.h"
#include "time/time_meter.h"

struct calls_tree;

/* inlined: functions that were inlined are on the paths.  is_timed: it gets
   figures of the time model, too.  */
struct calls_tree *calls_tree_new (const struct dg_log *log,
                                   struct calls_code *code, bool inlined,
                                   bool is_timed);
bool calls_tree_is_inlined (const struct calls_tree *tree);
void calls_tree_free (struct calls_tree *tree);

/* Makes the path of a context.  What a site is called is said by the first
   context that has it.  */
void calls_tree_meet (struct calls_tree *tree, uint32_t context);
/* Adds what was counted, and empties that.  One thread.  */
int calls_tree_take (struct calls_tree *tree, struct dg_run_counts *counts,
                     struct dg_error *err);

/* Adds figures of the time model, those of instruction i of a context's block;
   if the tree has no inlined functions, of the block, and i is 0.  One thread,
   which calls calls_tree_take later, so that lack of memory is told.  */
void calls_tree_add (struct calls_tree *tree, uint32_t context,
                     const struct dg_bbdef *block, unsigned i,
                     const uint64_t figures[CALLS_TIMES]);

/* Calls `tell` for each function with what it did itself and with all that it
   called; a function that is on a path more than once counts once.  */
typedef void (*calls_tree_fn) (void *user, uint32_t function,
                               const uint64_t self[CALLS_N_WEIGHTS],
                               const uint64_t all[CALLS_N_WEIGHTS]);
void calls_tree_functions (struct calls_tree *tree, calls_tree_fn tell,
                           void *user);

/* Calls `take` for each path that did something itself: its functions, the
   innermost first, and what it did.  0, DG_ERR_CANCELLED, DG_ERR_NOMEM.  */
typedef void (*calls_tree_path_fn) (void *user, const uint32_t *path, size_t n,
                                    const uint64_t self[CALLS_N_WEIGHTS]);
int calls_tree_each (struct calls_tree *tree, calls_tree_path_fn take,
                     void *user, struct dg_report *report,
                     struct dg_error *err);

/* Writes "main;work;helper 123" lines in the order of names: 0, or
   DG_ERR_CANCELLED.  meter: what the figures of the time model are of.  */
int calls_tree_folded (struct calls_tree *tree, enum calls_weight weight,
                       const struct dg_time_meter *meter, FILE *file,
                       struct dg_report *report, struct dg_error *err);

#endif /* DG_CALLS_TREE_H */
