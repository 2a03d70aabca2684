/* diff_results.h: what limits say, as files for other programs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_RESULTS_H
#define DG_DIFF_RESULTS_H

#include <glib.h>

/* Writes files, if their names are not NULL.  junit: JUnit's XML, which
   servers of pipelines show, a test for each limit.  benchmark: JSON as
   github-action-benchmark takes it ("customSmallerIsBetter"), the figure of
   each limit after the change.  limits: struct diff_limit, which have been
   checked, and each of which is met.  CLI_OK, or the exit status after a
   message.  */
int diff_results_write (const char *junit, const char *benchmark,
                        const GArray *limits);

#endif /* DG_DIFF_RESULTS_H */
