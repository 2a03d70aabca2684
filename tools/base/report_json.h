/* report_json.h: a report for programs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_JSON_H
#define DG_REPORT_JSON_H

#include "libdatagrind.h"
#include "output.h"

/* One JSON object, row by row.  top: rows of tables, 0: all; sort: as
   report_sort_rows wants it.  */
void report_json (struct output *out, const struct dg_report *report,
                  uint64_t top, const char *sort);

#endif /* DG_REPORT_JSON_H */
