/* calls.h: what "dg calls" finds out, for the files that tell it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_H
#define DG_CALLS_H

#include "calls_code.h"
#include "calls_spans.h"
#include "calls_sums.h"
#include "calls_tree.h"

struct calls {
  const struct dg_log *log;
  struct calls_code *code;
  struct calls_sums sums;              /* of all threads */
  struct calls_tree *tree;             /* call paths; NULL: nobody asked */
  struct calls_cost totals;
  uint64_t n_calls;
  uint32_t deepest;
  struct calls_spans spans;            /* of all threads, with `chrome` */
  /* Options; NULL or false: not asked for.  */
  const char *callers, *callees, *folded, *weight, *chrome, *dot, *sort;
  bool has_edges, has_outliers, has_inlined, has_clock;
  uint64_t top;
  /* One for each worker that is at it; taken for a batch, then given back.  */
  GMutex lock;
  GPtrArray *run_counts;
};

/* calls_report.c */
int calls_report (void *self, struct dg_report *report, struct dg_error *err);
/* calls_outliers.c */
void calls_report_outliers (struct calls *calls, struct dg_report *report);
double calls_deviation (const struct calls_of *of);
/* calls_dot.c */
int calls_write_dot (struct calls *calls, struct dg_report *report,
                     struct dg_error *err);
/* calls_chrome.c */
int calls_write_chrome (struct calls *calls, struct dg_report *report,
                        struct dg_error *err);

#endif /* DG_CALLS_H */
