/* report.h: what dg_analyse does to a report besides what analyses do.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_H
#define DG_REPORT_H

#include "dg_analysis.h"

/* Whom dg_report_pace tells; NULL: nobody.  */
void dg_report_set_progress (struct dg_report *report, dg_progress_fn progress,
                             void *user);

/* How many items there are, and putting those from `first' up to `end' behind
   all others but notes.  */
size_t dg_report_n_items (const struct dg_report *report);
void dg_report_put_last (struct dg_report *report, size_t first, size_t end);

/* At the end, after success only: DG_ERR_NOMEM if something was left out,
   DG_ERR_IO if a file could not be written.  Files take their places.  Without
   it, dg_report_free removes them.  */
int dg_report_finish (struct dg_report *report, struct dg_error *err);

#endif /* DG_REPORT_H */
