/* count_list.h: a table of what the plot shows: rows with counts, which can be
   sorted, searched, copied, and looked up in the plot.

   The rows are made in the background from each tally (count_rows.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COUNT_LIST_H
#define DV_COUNT_LIST_H

#include "model/tally/count_rows.h"
#include "panel.h"

/* What a column shows of a row.  */
enum dv_column_value {
  DV_VALUE_NAME, DV_VALUE_WHERE, DV_VALUE_MODULE, DV_VALUE_DETAIL,
  DV_VALUE_SHARING,
  /* Numbers.  */
  DV_VALUE_SHARE,          /* of all accesses, with a bar */
  DV_VALUE_ACCESSES, DV_VALUE_INCLUSIVE, DV_VALUE_READS,
  DV_VALUE_WRITES, DV_VALUE_BYTES, DV_VALUE_BLOCKS, DV_VALUE_BLOCK_BYTES,
  DV_VALUE_THREADS, DV_VALUE_WRITERS
};

struct dv_list_column {
  const char *title;       /* N_() */
  enum dv_column_value value;
  const char *tip;         /* N_(); NULL: none */
  int width;               /* pixels at first; the first column takes what is
                              left */
};

struct dv_list_class {
  enum dv_rows_kind kind;
  const char *name;        /* N_(), of the table, for those who cannot see */
  const char *hint;        /* N_(): a sentence on what will be here */
  const char *go_to;       /* N_(), menu: what double click and Enter do */
  const char *only;        /* N_(), menu: to filter; NULL: cannot be */
  bool has_sources;
  bool has_swatches;       /* colours of threads */
  const struct dv_list_column *columns;
  guint n_columns;         /* one of them DV_VALUE_ACCESSES, which rows are
                              sorted by at first */
};

/* The class must live as long as the program.  */
GtkWidget *dv_count_list_new (const struct dv_list_class *class,
                              const struct dv_panel_host *host);
/* As struct dv_panel.show_tally.  */
void dv_count_list_show_tally (GtkWidget *list, struct dv_tally *tally);

/* Of count_table.c: a tree view with the class's columns, over a model whose
   only column are rows' numbers.  *rows: what they are numbers in; NULL: there
   are none.  clicked (column, user): a title was.  */
GtkWidget *dv_count_table_new (const struct dv_list_class *class,
                               const struct dv_panel_host *host,
                               struct dv_rows *const *rows,
                               GCallback clicked, gpointer user);
/* Says by which column the rows are sorted.  */
void dv_count_table_set_sorted (GtkWidget *table, guint column,
                                bool descending);

/* ---- Of count_cells.c: what cells say -------------------------------- */

bool dv_value_is_number (enum dv_column_value value);
uint64_t dv_value_number (const struct dv_row *row,
                          enum dv_column_value value);
/* Of the accesses in view, from 0 to 1.  */
double dv_rows_share (const struct dv_rows *rows, const struct dv_row *row);
/* Text of any column; a new string.  */
char *dv_value_text (const struct dv_rows *rows, const struct dv_row *row,
                     enum dv_column_value value);
/* < 0, 0, > 0, ascending.  */
int dv_value_compare (const struct dv_row *a, const struct dv_row *b,
                      enum dv_column_value value);
/* The line above the table; a new string.  */
char *dv_rows_summary (const struct dv_rows *rows);
/* Rows (NULL: all, in the order of `order`, which has n rows) with their
   titles, as tab-separated values; a new string.  */
char *dv_rows_table (const struct dv_rows *rows,
                     const struct dv_list_class *class, const guint *order,
                     guint n);

#endif /* DV_COUNT_LIST_H */
