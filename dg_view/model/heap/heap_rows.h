/* heap_rows.h: who has how much of the heap at a moment, and at the peak: the
   rows of a table.

   Made from two curves of a single moment each, and from the blocks that are
   allocated in view, in the background.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_ROWS_H
#define DV_HEAP_ROWS_H

#include "heap_data.h"
#include "model/log/highlight.h"

/* Which blocks the table is about.  */
enum dv_heap_preset {
  DV_HEAP_ANY,             /* those alive at the moment, and all rows */
  DV_HEAP_AT_PEAK,         /* those alive at the moment, which is the peak's */
  DV_HEAP_AT_EXIT,         /* those that are never freed; the last moment */
  DV_HEAP_TEMPORARY        /* those in view that the next call of an allocator
                              frees */
};

struct dv_heap_row {
  uint32_t id, rank;       /* of struct dg_curve_series; DG_NONE: those that
                              are not told one by one */
  char *name, *where, *module;   /* UTF-8; "" when unknown */
  const char *function, *file;   /* as the debug info has them; NULL:
                                    unknown */
  uint32_t line;
  uint64_t bytes, blocks;  /* at the moment */
  uint64_t peak_bytes, peak_blocks;   /* at the moment of the peak */
  uint64_t allocations, temporary;    /* blocks allocated in view */
  struct dg_stack stack;   /* one that allocates; n 0: none */
  uint64_t stack_icount;
};

/* Reference counted, read-only.  */
struct dv_heap_rows {
  /* Of the moment and of the peak, one column each: their figures of all, and
     what keeps names alive.  */
  struct dv_heap_curve *now, *most;
  GArray *rows;            /* struct dv_heap_row */
  enum dv_heap_preset preset;
  uint64_t start, end;     /* instructions in view */
  uint64_t allocations, temporary;    /* of all rows */
};

enum dv_heap_column {
  DV_HEAP_NAME, DV_HEAP_SHARE, DV_HEAP_BYTES, DV_HEAP_BLOCKS,
  DV_HEAP_N_TEMPORARY, DV_HEAP_TEMPORARY_SHARE, DV_HEAP_PEAK_BYTES,
  DV_HEAP_PEAK_BLOCKS, DV_HEAP_WHERE, DV_HEAP_MODULE
};

/* At `moment`, and at the peak of the curve, whose instructions are those in
   view.  NULL and *err on failure.  */
struct dv_heap_rows *dv_heap_rows_new (struct dv_heap_curve *curve,
                                       enum dv_heap_preset preset,
                                       uint64_t moment,
                                       dg_progress_fn progress, void *user,
                                       struct dg_error *err);
struct dv_heap_rows *dv_heap_rows_ref (struct dv_heap_rows *rows);
/* NULL is fine.  */
void dv_heap_rows_unref (struct dv_heap_rows *rows);

const struct dv_heap_row *dv_heap_rows_at (const struct dv_heap_rows *rows,
                                           guint i);
/* Of all bytes at the moment, from 0 to 1.  */
double dv_heap_rows_share (const struct dv_heap_rows *rows,
                           const struct dv_heap_row *row);
/* Text of a cell; a new string.  */
char *dv_heap_rows_text (const struct dv_heap_rows *rows,
                         const struct dv_heap_row *row,
                         enum dv_heap_column column);
bool dv_heap_column_is_number (enum dv_heap_column column);
/* < 0, 0, > 0, ascending; those that are not told one by one are the
   least.  */
int dv_heap_rows_compare (const struct dv_heap_row *a,
                          const struct dv_heap_row *b,
                          enum dv_heap_column column);

/* The call stack that allocates, an array of struct dv_frame; NULL: there is
   none.  Looks names up: for the background.  */
GPtrArray *dv_heap_rows_stack (const struct dv_heap_rows *rows,
                               const struct dv_heap_row *row);

/* What stands out in the plot when a row is selected, NULL: all of them, with
   a preset: its blocks, as far as they are in the view, the largest if there
   are too many to be drawn.  For the background; NULL when cancelled.  */
struct dv_highlight *dv_heap_highlight (const struct dv_heap_rows *rows,
                                        const struct dv_heap_row *row,
                                        const struct dv_scene *scene,
                                        const struct dv_view *view,
                                        dg_progress_fn progress, void *user);

#endif /* DV_HEAP_ROWS_H */
