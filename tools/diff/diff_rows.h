/* diff_rows.h: the rows of a table, before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_ROWS_H
#define DG_DIFF_ROWS_H

#include "diff_figures.h"
#include "diff_table.h"
#include "diff_value.h"

/* A table of all logs, and which of its rows changed.  */
struct diff_rows {
  const struct diff_logs *logs;
  const struct diff_options *options;
  const struct dg_report_item *item;    /* of the last log that has it */
  struct diff_table **tables;           /* of each log, or NULL */
  const struct diff_table *like;        /* one of them */
  GArray *groups;                       /* see diff_align.h */
  GArray *changed;         /* struct diff_changed, the largest first */
  uint64_t same, small, noise;          /* rows that are not shown */
  struct dg_cell *cells;   /* of the group that was read: 64 of each log */
  struct dg_cell *column;  /* room for one of each log */
};

struct diff_changed {
  guint group;             /* index of its numbers */
  double size;             /* of the change of the primary measure */
};

/* Compares a table; its rows can be found: 1.  0: not all logs have the same
   columns; or an error: then there is nothing to be freed.  */
int diff_rows_init (struct diff_rows *rows, const struct diff_logs *logs,
                    const struct diff_options *options,
                    const struct diff_item *item, struct dg_error *err);
void diff_rows_fini (struct diff_rows *rows);

/* Reads a group, for the functions below.  */
void diff_rows_read (struct diff_rows *rows, guint group);
bool diff_rows_has (const struct diff_rows *rows, guint group, bool is_after);
/* The cell of the last log that has the row.  */
const struct dg_cell *diff_rows_cell (const struct diff_rows *rows,
                                      guint group, size_t column);
struct diff_value diff_rows_value (struct diff_rows *rows, guint group,
                                   size_t column);
/* The words of both sides, each NULL if there is none; true: both sides have
   the row, and the words differ.  */
bool diff_rows_words (const struct diff_rows *rows, guint group, size_t column,
                      const char **before, const char **after);

#endif /* DG_DIFF_ROWS_H */
