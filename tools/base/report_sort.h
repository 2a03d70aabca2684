/* report_sort.h: --sort, the order of the rows of tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_SORT_H
#define DG_REPORT_SORT_H

#include "cli.h"
#include "libdatagrind.h"

#include <glib.h>

/* CLI_OK if column is NULL or some table has it, by its key or its title,
   perhaps after a '-'.  Otherwise CLI_USAGE, after a message with the existing
   columns.  */
int report_sort_check (const struct cli_command *command,
                       const struct dg_report *report, const char *column);

/* The rows of a table in this order: numbers descending, texts alphabetically;
   reversed after a '-'; rows without a value last.  To be freed; NULL if
   column is NULL or the table does not have it: then the order is that of the
   table.  */
uint64_t *report_sort_rows (const struct dg_report_item *item,
                            const char *column);

#endif /* DG_REPORT_SORT_H */
