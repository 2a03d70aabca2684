/* tally_contention.h: how threads share the lines of a tally.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_CONTENTION_H
#define DV_TALLY_CONTENTION_H

#include "model/log/items.h"
#include "tally.h"
#include "model/log/work.h"

/* Sets `sharing' and `false_share' of those lines that several threads touch
   and one writes, and leaves only the shares of lines that are shared: reads
   the chunks (size_t) a second time, for these lines only.  0, or what
   dv_work_run gives for `stopped', or an error and *err.  */
int dv_tally_judge (struct dv_tally *tally, const GArray *chunks,
                    unsigned workers, dv_progress_fn progress, void *user,
                    int stopped, struct dg_error *err);
/* Of what is not complete nothing is told.  */
void dv_tally_judge_nothing (struct dv_tally *tally);

#endif /* DV_TALLY_CONTENTION_H */
