/* advise_table.h: tables of a report, found by their keys and read by the keys
   of their columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_TABLE_H
#define DG_ADVISE_TABLE_H

#include "dg_analysis.h"

/* One table, or one value, of one report, and the row that is read.  */
struct advise_table {
  const struct dg_report_item *item; /* NULL: there is no such table */
  uint64_t row, n_rows;
  struct dg_cell cells[64];
};

/* analysis: the group of the report in which it is.  */
void advise_table_init (struct advise_table *table,
                        const struct dg_report *report, const char *analysis,
                        const char *key);
/* Reads the next row; false after the last one.  */
bool advise_table_next (struct advise_table *table);

/* Cells of the row by the key of their column.  A column that is missing or
   empty: 0, or NULL.  Texts belong to the report.  */
uint64_t advise_table_number (const struct advise_table *table,
                              const char *key);
double advise_table_real (const struct advise_table *table, const char *key);
const char *advise_table_text (const struct advise_table *table,
                               const char *key);
/* Pairs, which belong to the report; NULL: none.  */
const struct dg_pair *advise_table_pairs (const struct advise_table *table,
                                          const char *key, size_t *n);
bool advise_table_is_empty (const struct advise_table *table,
                            const char *key);

/* A value of the report; 0 if there is none.  */
uint64_t advise_table_value (const struct dg_report *report,
                             const char *analysis, const char *key);

#endif /* DG_ADVISE_TABLE_H */
