/* report_json.h: a report as JSON.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_JSON_H
#define DG_REPORT_JSON_H

#include "libdatagrind.h"
#include "output.h"

/* One JSON object, written row by row. top: rows of tables, 0: all; sort: see
   report_sort_rows.  */
void report_json (struct output *out, const struct dg_report *report,
                  uint64_t top, const char *sort);

#endif /* DG_REPORT_JSON_H */
