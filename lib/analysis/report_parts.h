/* report_parts.h: what a report consists of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_PARTS_H
#define DG_REPORT_PARTS_H

#include "base/progress.h"
#include "base/arena.h"
#include "base/table.h"
#include "dg_analysis.h"

/* What is told at a time.  A figure is a table of one row.  */
struct dg_rows {
  struct dg_report_item item;     /* first: dg_report_at gives it out */
  struct dg_report *report;
  struct dg_table words;   /* rows: a bit for each cell that is empty, then a
                              word for each cell */
};

struct kept_pairs {
  size_t n;
  struct dg_pair pairs[];
};

struct dg_report {
  struct dg_arena arena;   /* items and texts */
  struct dg_table items;   /* struct dg_rows * */
  struct dg_table files;   /* struct dg_report_file */
  struct dg_rows lost;     /* where there was no memory for another */
  const struct dg_log *log;
  struct dg_progress progress;
  unsigned depth;          /* groups that are open */
  bool is_short;           /* of memory: something is missing */
  bool has_failed;
  bool has_output;         /* standard output is one of the files */
  bool is_apart;           /* files go nowhere */
};

#endif /* DG_REPORT_PARTS_H */
