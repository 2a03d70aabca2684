/* report_table.h: a table of a report for people.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_TABLE_H
#define DG_REPORT_TABLE_H

#include "libdatagrind.h"
#include "output.h"

/* Its title, the heads of its columns, and its first `top` rows (0: all).
   Needs no memory for each row.  */
void report_table (struct output *out, const struct dg_report_item *item,
                   uint64_t top, int indent);

/* n spaces; none if n is negative.  */
void report_table_pad (struct output *out, int n);

#endif /* DG_REPORT_TABLE_H */
