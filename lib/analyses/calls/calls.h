/* calls.h: what "dg calls" finds out, for the files that tell it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_H
#define DG_CALLS_H

#include "calls_code.h"
#include "calls_spans.h"
#include "calls_sums.h"
#include "calls_time.h"
#include "calls_tree.h"

struct calls {
  const struct dg_log *log;
  struct calls_code *code;
  struct calls_sums sums;              /* of all threads */
  struct calls_tree *tree;             /* call paths; NULL: nobody asked */
  struct dg_time_meter *meter;         /* the time model, and what its runs */
  struct calls_time *time;             /* take; NULL: not asked for */
  struct calls_cost totals;
  uint64_t n_calls;
  uint32_t deepest;
  struct calls_spans spans;            /* of all threads, for files over
                                          time */
  /* Options; NULL or false: not asked for.  */
  const char *callers, *callees, *folded, *pprof, *dot, *sort;
  const char *chrome, *firefox, *perfetto, *speedscope;
  enum calls_weight weight;
  bool has_edges, has_outliers, has_inlined, has_clock, is_sampled;
  bool has_ranges;
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
/* calls_pprof.c */
int calls_write_pprof (struct calls *calls, struct dg_report *report,
                       struct dg_error *err);
/* calls_dot.c */
int calls_write_dot (struct calls *calls, struct dg_report *report,
                     struct dg_error *err);
/* A figure of the time model as one of all runs; others are that.  */
static inline uint64_t
calls_shown (const struct calls *calls, uint64_t figure)
{
  return calls->meter != NULL ? dg_time_meter_scaled (calls->meter, figure)
                              : figure;
}
/* Whether a file of calls over time is asked for.  */
static inline bool
calls_has_spans (const struct calls *calls)
{
  return calls->chrome != NULL || calls->firefox != NULL
         || calls->perfetto != NULL || calls->speedscope != NULL;
}
/* calls_chrome.c, calls_firefox.c and so on */
int calls_write_chrome (struct calls *calls, struct dg_report *report,
                        struct dg_error *err);
int calls_write_firefox (struct calls *calls, struct dg_report *report,
                         struct dg_error *err);
int calls_write_perfetto (struct calls *calls, struct dg_report *report,
                          struct dg_error *err);
int calls_write_speedscope (struct calls *calls, struct dg_report *report,
                            struct dg_error *err);

#endif /* DG_CALLS_H */
