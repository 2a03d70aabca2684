/* diff_findings.h: findings of dg advise, before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_FINDINGS_H
#define DG_DIFF_FINDINGS_H

#include "advise/advise_work.h"
#include "diff_figures.h"

/* A finding that costs this much more or less has changed: what a run costs
   moves a little each time.  */
#define DIFF_FINDINGS_LEAST 0.05

/* A report of a log that was analysed: its totals, and its findings as rows
   that can be found in another run.  It outlives the log, but not the
   findings.  NULL and *err: no memory.  */
struct dg_report *diff_findings_report (const struct advise_work *work,
                                        struct dg_error *err);
/* Which findings of two logs are the same: groups of 2 numbers (diff_align.h).
   found, programs: of each log.  NULL and *err: no memory.  To be
   unreffed.  */
GArray *diff_findings_pair (const GPtrArray *const found[2],
                            const char *const programs[2],
                            struct dg_error *err);

/* Fills `out`: 0 or an error.  logs: their reports; found: of each log, a
   GPtrArray of its findings; top: so many are told to people, 0: all.  */
int diff_findings (const struct diff_logs *logs,
                   const struct diff_options *options,
                   const GPtrArray *found, uint64_t top,
                   struct dg_report *out, struct dg_error *err);

#endif /* DG_DIFF_FINDINGS_H */
