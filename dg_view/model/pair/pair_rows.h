/* pair_rows.h: tables of what is in view, of two logs side by side: functions,
   and memory by owner.

   Made from counts; names are looked up, so that is for background threads.
   Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_ROWS_H
#define DV_PAIR_ROWS_H

#include "model/calls/calltree_merge.h"
#include "model/tally/rows.h"
#include "pair_counts.h"

struct dv_pair_row {
  char *name, *where;      /* UTF-8; where: "tree.c:12", or the module; "" */
  const char *file;        /* as the debug info has it; NULL */
  uint32_t line;
  uint32_t owner;          /* DG_NONE: it is a function */
  bool on[2];              /* which logs have it in view */
  uint64_t accesses[2];    /* in each log, by itself */
  uint64_t inclusive[2];   /* of functions, with what they called */
  uint64_t blocks[2];      /* of places of allocation, in the whole log */
};

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_pair_rows {
  struct dv_pair_counts *counts;
  struct dv_rows *sides[2];        /* keep names alive */
  GArray *functions;       /* struct dv_pair_row; the largest change first */
  GArray *owners;          /* the same */
  struct dv_calltree_merged *calls;
};

/* NULL and *err when it was cancelled, or when there is no memory.  */
struct dv_pair_rows *dv_pair_rows_new (struct dv_pair_counts *counts,
                                       dg_progress_fn progress, void *user,
                                       struct dg_error *err);
struct dv_pair_rows *dv_pair_rows_ref (struct dv_pair_rows *rows);
/* NULL is fine.  */
void dv_pair_rows_unref (struct dv_pair_rows *rows);

static inline int64_t
dv_pair_row_change (const struct dv_pair_row *row)
{
  return (int64_t) (row->accesses[1] - row->accesses[0]);
}

#endif /* DV_PAIR_ROWS_H */
