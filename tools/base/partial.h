/* partial.h: that a log does not tell all of a run, said by all commands in
   the same words and under the same key.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PARTIAL_H
#define DG_PARTIAL_H

#include "dg_analysis.h"
#include "output.h"

/* "Caution: ...", a paragraph to be freed; NULL if the log is whole.  */
char *partial_text (const struct dg_log *log);

/* The same in lines, or nothing.  */
void partial_put (struct output *out, const struct dg_log *log);

/* `"partial": [...]`, which is empty if the log is whole.  */
void partial_json (struct output *out, const struct dg_log *log);

/* Both, as the first of a report.  */
void partial_report (struct dg_report *report, const struct dg_log *log);

#endif /* DG_PARTIAL_H */
