/* report_files.h: the files that a report writes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_FILES_H
#define DG_REPORT_FILES_H

#include "dg_analysis.h"

/* The log that is read, which no file that is written may replace.  Borrowed;
   NULL: none.  */
void dg_report_set_log (struct dg_report *report, const struct dg_log *log);

/* Closes all, and puts them in their places if all of them are whole.  */
int dg_report_files_commit (struct dg_report *report, struct dg_error *err);
/* Closes and removes those that were not put there.  */
void dg_report_files_fini (struct dg_report *report);

#endif /* DG_REPORT_FILES_H */
