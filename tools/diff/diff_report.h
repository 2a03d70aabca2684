/* diff_report.h: what changed between reports of logs, as a report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_REPORT_H
#define DG_DIFF_REPORT_H

#include "diff_rows.h"

/* Fills `out`: figures before and after, and the rows of each table that
   changed, the largest changes first; 0 or an error.  With several logs on a
   side, medians; what changed by no more than logs of a side differ is
   noise.  */
int diff_report (const struct diff_logs *logs,
                 const struct diff_options *options, struct dg_report *out,
                 struct dg_error *err);

/* Adds the rows that changed as a table, and how many are not shown.  title:
   NULL: for programs only.  */
void diff_report_rows (struct diff_rows *rows, const char *key,
                       const char *title, struct dg_report *out);

#endif /* DG_DIFF_REPORT_H */
