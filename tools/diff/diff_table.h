/* diff_table.h: a table of a report as rows that can be found in another run.

   What identifies a row are its names: module, function, file and line,
   variable, place of allocation, thread.  Addresses and instruction counts
   differ between runs, and do not belong to it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_TABLE_H
#define DG_DIFF_TABLE_H

#include "dg_analysis.h"

#include <glib.h>

/* What a column is when rows are compared.  */
enum diff_role {
  DIFF_IGNORED,  /* addresses, pictures, what follows from other columns */
  DIFF_NAME,     /* identifies the row */
  DIFF_LINE,     /* of source: identifies it, but may move */
  DIFF_TOLD,     /* a sentence about the row, which is not compared */
  DIFF_MEASURE,  /* a number */
  DIFF_STATE     /* a word that may change, such as a pattern */
};

/* The names by which a row is found again, from the strictest on: those of
   enum dg_align_names, of all its columns, the few without modules and files.
   Of findings, also the rule with one of the two: code moves to other
   functions, and memory gets other names.  */
enum diff_names {
  DIFF_WHOLE_NAMES = DG_ALIGN_FEW_NAMES + 1,
  DIFF_RULE_AND_MEMORY = DIFF_WHOLE_NAMES,
  DIFF_RULE_AND_FUNCTION,
  DIFF_N_NAMES
};

struct diff_row {
  uint64_t line;       /* 0: it has none */
  uint64_t order;      /* of rows on the same line: by address, if they have
                          one */
  /* By enum diff_names; "": there are none.  */
  const char *names[DIFF_N_NAMES];
};

struct diff_table {
  const struct dg_report_item *item;
  enum diff_role roles[64];   /* of its columns */
  size_t label;               /* column with the name that people read; it may
                                 be one that is not compared */
  /* Columns of names with these keys; n_columns: there is none.  */
  size_t name, function, thread, rule, memory;
  size_t primary;             /* measure by which changes are sorted;
                                 n_columns: there is none */
  GArray *rows;               /* struct diff_row, in the order of the item */
  size_t n_measures;
  GArray *measures;           /* double: so many of each row */
  GStringChunk *texts;
  const char *program;        /* or NULL, see diff_table_new */
};

/* The roles of the columns of an item.  False: its rows cannot be found in
   another run, such as those of intervals of time.  */
bool diff_table_roles (const struct dg_report_item *item,
                       enum diff_role *roles);
/* Whether an item is about false sharing, which matters more than what threads
   share, and is told first.  */
bool diff_table_is_first (const struct dg_report_item *item);
/* Whether a measure depends on the order in which threads ran, as transfers
   that were seen do, so that it says nothing alone.  */
bool diff_table_is_chance (const struct dg_report_item *item, size_t column);
/* item: a table whose rows can be found.  It must outlive the result.
   program: the name of the program's own file, if that is not the same in all
   logs, or NULL.  */
struct diff_table *diff_table_new (const struct dg_report_item *item,
                                   const char *program);
void diff_table_free (struct diff_table *table);

#endif /* DG_DIFF_TABLE_H */
