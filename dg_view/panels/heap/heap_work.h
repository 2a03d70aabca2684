/* heap_work.h: what the heap panel shows, made in the background: the curve of
   the instructions in view, the rows of a moment, and what is to be known of
   the selected one.

   Of each there is one job at a time.  What is wanted meanwhile is begun when
   that has ended, so that something is always shown, however quickly the view
   changes; the old stays until the new is there.  On the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_WORK_H
#define DV_HEAP_WORK_H

#include "model/heap/heap_rows.h"
#include "jobs/job.h"

/* Something to be made, again and again.  */
struct dv_heap_task {
  struct dv_job *job;          /* NULL: nothing is going on */
  bool is_due;                 /* once more, after that */
};

struct dv_heap_work {
  /* What is new is in `curve`, `rows`; NULL: none is right any more.  */
  void (*curve_changed) (void *user);
  void (*rows_changed) (void *user);
  /* Of the selected row, or NULL; they are the work's.  */
  void (*selection_changed) (void *user, struct dv_highlight *highlight,
                             const GPtrArray *stack);
  void (*failed) (void *user, const struct dg_error *err);
  void *user;

  /* Of heap_work.c, to be read.  */
  struct dv_scene *scene;      /* NULL: no log */
  struct dv_view view;
  bool has_view;
  struct dg_curve_options options;
  struct dv_heap_curve *curve; /* may be of an earlier view, or of less of the
                                  log; NULL: not yet */
  struct dv_heap_rows *rows;   /* the same */
  uint64_t moment;             /* that rows are of; DG_NEVER: the peak in
                                  view */
  enum dv_heap_preset preset;  /* that they will be of */
  bool has_all;                /* all blocks of a preset stand out */
  uint32_t selected;           /* id of a series; DG_NONE: none */
  struct dv_heap_task curve_task, rows_task, selection_task;
};

/* To be zeroed but for the functions.  */
void dv_heap_work_init (struct dv_heap_work *work);
void dv_heap_work_fini (struct dv_heap_work *work);

/* As struct dv_panel.show_view.  */
void dv_heap_work_set_view (struct dv_heap_work *work,
                            struct dv_scene *scene,
                            const struct dv_view *view);
/* What makes series; so many are told one by one.  */
void dv_heap_work_set_series (struct dv_heap_work *work,
                              enum dg_curve_by by, uint32_t series);
/* The picture has room for so many.  */
void dv_heap_work_set_columns (struct dv_heap_work *work, uint32_t columns);
/* That of the preset.  */
void dv_heap_work_set_moment (struct dv_heap_work *work,
                              enum dv_heap_preset preset, uint64_t moment);
void dv_heap_work_select (struct dv_heap_work *work, uint32_t id);

/* The moment that rows are of, or will be; DG_NEVER: not known.  */
uint64_t dv_heap_work_moment (const struct dv_heap_work *work);
/* The selected row; NULL: none, or it is not there.  */
const struct dv_heap_row *
dv_heap_work_row (const struct dv_heap_work *work);

#endif /* DV_HEAP_WORK_H */
