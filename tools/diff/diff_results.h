/* diff_results.h: what limits say, as files for other programs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_RESULTS_H
#define DG_DIFF_RESULTS_H

#include "base/output.h"

/* Limits that have been checked: struct diff_limit, each of which is met.  */

/* JUnit's XML, which servers of pipelines show: a test for each limit.  */
void diff_results_junit (struct output *out, const GArray *limits);
/* JSON as github-action-benchmark takes it ("customSmallerIsBetter"): the
   figure of each limit after the change.  */
void diff_results_benchmark (struct output *out, const GArray *limits);

#endif /* DG_DIFF_RESULTS_H */
