/* report_parts.h: what a report consists of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPORT_PARTS_H
#define DG_REPORT_PARTS_H

#include "base/progress.h"
#include "base/arena.h"
#include "base/table.h"
#include "dg_analysis.h"

#define DG_ROWS_STEP 4

/* What is told at a time.  A figure is a table of one row.  Rows are packed,
   as there may be millions: a number with a bit for each cell that is empty,
   then the others as numbers of one to ten bytes (varint.h).  */
struct dg_rows {
  struct dg_report_item item;     /* first: dg_report_at gives it out */
  struct dg_report *report;
  uint8_t *bytes;
  size_t n_bytes, room;
  struct dg_table starts;  /* size_t: where each DG_ROWS_STEPth row begins */
  uint32_t *order;         /* which row comes as which one; NULL: each as
                              itself */
};

struct kept_pairs {
  size_t n;
  struct dg_pair pairs[];
};

/* Texts and pairs that were used lately, by their hashes: most are used by
   many rows, one after the other.  */
#define DG_REPORT_RECENT 1024

struct dg_report {
  struct dg_arena arena;   /* items and texts */
  struct dg_table references;     /* const void *: what cells refer to by
                                     number; some have several */
  uint32_t recent[DG_REPORT_RECENT];       /* numbers + 1; 0: none */
  const struct kept_pairs *recent_pairs[DG_REPORT_RECENT];
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

/* A copy of a text, the same one for equal texts; NULL stays so.  */
const char *dg_report_keep (struct dg_report *report, const char *text);

void dg_report_rows_fini (struct dg_rows *rows);

#endif /* DG_REPORT_PARTS_H */
