/* count_cells.h: what the cells of a table of counts say, compared, and as
   text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COUNT_CELLS_H
#define DV_COUNT_CELLS_H

#include "model/tally/costs.h"
#include "model/tally/rows.h"

/* What a column shows of a row.  */
enum dv_count_value {
  DV_VALUE_NAME, DV_VALUE_WHERE, DV_VALUE_MODULE, DV_VALUE_DETAIL,
  DV_VALUE_SHARING,
  /* Numbers.  */
  DV_VALUE_SHARE,          /* of all accesses, with a bar */
  DV_VALUE_ACCESSES, DV_VALUE_INCLUSIVE, DV_VALUE_READS,
  DV_VALUE_WRITES, DV_VALUE_BYTES, DV_VALUE_BLOCKS, DV_VALUE_BLOCK_BYTES,
  DV_VALUE_THREADS, DV_VALUE_WRITERS,
  /* By estimate.  */
  DV_VALUE_CYCLES, DV_VALUE_L1_MISSES, DV_VALUE_L3_MISSES
};

struct dv_count_column {
  const char *title; /* N_ () */
  enum dv_count_value value;
  const char *tip;         /* N_ (); NULL: none */
  int width;               /* pixels at first; the first column takes what is
                              left */
};

/* The columns of a class with has_costs.  */
#define DV_COUNT_COSTS                                                       \
  {N_ ("Cycles"), DV_VALUE_CYCLES,                                           \
   N_ ("Estimated, of all instructions in view"), 104},                      \
  {N_ ("L1 misses"), DV_VALUE_L1_MISSES,                                     \
   N_ ("Estimated, of all instructions in view"), 92},                       \
  {N_ ("L3 misses"), DV_VALUE_L3_MISSES,                                     \
   N_ ("Estimated, of all instructions in view"), 92}

struct dv_count_class {
  enum dv_rows_kind kind;
  const char *name;  /* N_ (), of the table, for those who cannot see */
  const char *hint;  /* N_ (): a sentence on what will be here */
  const char *go_to; /* N_ (), menu: what double click and Enter do */
  const char *only;  /* N_ (), menu: to filter; NULL: cannot be */
  bool has_sources;
  bool has_swatches;       /* colours of threads */
  bool has_costs;          /* columns with estimates, for who wants them */
  const struct dv_count_column *columns;
  guint n_columns;         /* one of them DV_VALUE_ACCESSES, which rows are
                              sorted by at first */
};

/* The rows of a table, and the estimates that its columns add.  */
struct dv_count_shown {
  const struct dv_rows *rows;
  const struct dv_costs *costs;    /* NULL: no estimates */
};

bool dv_count_cell_is_number (enum dv_count_value value);
bool dv_count_cell_is_estimate (enum dv_count_value value);
/* Of the accesses in view, from 0 to 1.  */
double dv_count_cell_share (const struct dv_rows *rows,
                            const struct dv_row *row);
/* Text of any column; a new string.  */
char *dv_count_cell_text (const struct dv_count_shown *shown,
                          const struct dv_row *row,
                          enum dv_count_value value);
/* < 0, 0, > 0, ascending.  */
int dv_count_cell_compare (const struct dv_count_shown *shown,
                           const struct dv_row *a, const struct dv_row *b,
                           enum dv_count_value value);
/* The line above the table; a new string.  */
char *dv_count_cells_summary (const struct dv_rows *rows);
/* Rows (NULL: all, in the order of `order`, which has n rows) with their
   titles, as tab-separated values; a new string.  Columns of estimates are
   left out where there are none.  */
char *dv_count_cells_table (const struct dv_count_shown *shown,
                            const struct dv_count_class *class,
                            const guint *order, guint n);

#endif /* DV_COUNT_CELLS_H */
