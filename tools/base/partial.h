/* partial.h: reports that a log does not cover the whole run, with the same
   words and key in all commands.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PARTIAL_H
#define DG_PARTIAL_H

#include "dg_analysis.h"
#include "output.h"

/* "Caution: ...", a paragraph to be freed; NULL if the log is complete.  */
char *partial_text (const struct dg_log *log);

/* "Sampled: ..." of a log that is a sample, for commands that use scaled
   totals without showing their errors; to be freed; NULL if it is none.  */
char *partial_sample (const struct dg_log *log);

/* The same as partial_text in lines; nothing if the log is complete.  */
void partial_put (struct output *out, const struct dg_log *log);

/* `"partial": [...]`, which is empty if the log is complete.  */
void partial_json (struct output *out, const struct dg_log *log);

/* Both, as the first item of a report.  */
void partial_report (struct dg_report *report, const struct dg_log *log);

#endif /* DG_PARTIAL_H */
