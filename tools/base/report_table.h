/* report_table.h: a table of a report for people.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_TABLE_H
#define DG_REPORT_TABLE_H

#include "libdatagrind.h"
#include "output.h"

struct report_table_options {
  uint64_t top;            /* rows; 0: all */
  int width;               /* of its lines; 0: as wide as they are */
  const char *sort;        /* as report_sort_rows wants it */
};

/* Its title, the heads of its columns, and its first rows.  Where it is too
   wide, texts are shortened in the middle, and then columns left out from the
   right, which it tells.  Needs memory for each row only if it is sorted.  */
void report_table (struct output *out, const struct dg_report_item *item,
                   const struct report_table_options *options, int indent);

/* n spaces; none if n is negative.  */
void report_table_pad (struct output *out, int n);

#endif /* DG_REPORT_TABLE_H */
