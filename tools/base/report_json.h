/* report_json.h: a report as JSON.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_JSON_H
#define DG_REPORT_JSON_H

#include "libdatagrind.h"
#include "output.h"

struct report_json_options {
  const char *schema;      /* the value of the member "schema" */
  /* If the report has a part for each of several analyses: that of each, in
     their order; or NULL.  */
  const char *const *part_schemas;
  uint64_t top;            /* rows of tables; 0: all */
  const char *sort;        /* see report_sort_rows */
};

/* One JSON object, written row by row.  */
void report_json (struct output *out, const struct dg_report *report,
                  const struct report_json_options *options);

#endif /* DG_REPORT_JSON_H */
