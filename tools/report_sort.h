/* report_sort.h: --sort, the order of the rows of tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_SORT_H
#define DG_REPORT_SORT_H

#include "libdatagrind.h"

#include <glib.h>

/* Is there a table with this column, by its key or its title, perhaps behind
   a '-'?  NULL, or what is wrong, with the columns that there are; to be
   freed.  */
char *report_sort_check (const struct dg_report *report, const char *column);

/* The rows of a table in that order: numbers the greatest first, texts as in a
   dictionary, behind a '-' the other way round; rows without a value last.
   To be freed; NULL if column is NULL or the table does not have it: then the
   order is that of the table.  */
uint64_t *report_sort_rows (const struct dg_report_item *item,
                            const char *column);

#endif /* DG_REPORT_SORT_H */
