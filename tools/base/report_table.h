/* report_table.h: a table of a report as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_TABLE_H
#define DG_REPORT_TABLE_H

#include "libdatagrind.h"
#include "output.h"

struct report_table_options {
  uint64_t top;            /* rows; 0: all */
  int width;               /* of lines; 0: no limit */
  const char *sort;        /* see report_sort_rows */
};

/* The title, the column titles, and the first rows.  If the table is too wide,
   texts are shortened in the middle; then columns on the right are omitted and
   listed below.  Memory for each row is needed only for sorting.  */
void report_table (struct output *out, const struct dg_report_item *item,
                   const struct report_table_options *options, int indent);

/* n spaces; none if n is negative.  */
void report_table_pad (struct output *out, int n);

#endif /* DG_REPORT_TABLE_H */
