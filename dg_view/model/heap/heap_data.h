/* heap_data.h: the heap of a log over time: what curves of it are made from.

   Made in the background; any thread may use it, and curves keep it.  Knows no
   drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_DATA_H
#define DV_HEAP_DATA_H

#include <libdatagrind.h>

#include "model/log/scene.h"

/* Reference counted.  */
struct dv_heap {
  struct dv_data *data;
  struct dg_curve_source *source;
  uint64_t peak_icount;        /* the true peak's moment, of all of it */
  uint8_t *are_temporary;      /* by block, see dg_temporary.h */
};

/* Whether the log knows of any heap block.  A glance does not.  */
bool dv_heap_has_blocks (const struct dv_data *data);

/* NULL and *err on failure.  */
struct dv_heap *dv_heap_new (struct dv_data *data, dg_progress_fn progress,
                             void *user, struct dg_error *err);
struct dv_heap *dv_heap_ref (struct dv_heap *heap);
/* NULL is fine.  */
void dv_heap_unref (struct dv_heap *heap);

/* A part of it as columns.  Reference counted, read-only.  */
struct dv_heap_curve {
  struct dv_heap *heap;
  struct dg_curve *curve;
};

/* NULL and *err on failure.  */
struct dv_heap_curve *
dv_heap_curve_new (struct dv_heap *heap,
                   const struct dg_curve_options *options,
                   dg_progress_fn progress, void *user, struct dg_error *err);
struct dv_heap_curve *dv_heap_curve_ref (struct dv_heap_curve *curve);
/* NULL is fine.  */
void dv_heap_curve_unref (struct dv_heap_curve *curve);

/* The place in the curve's series of the one with that number; DG_NONE: it is
   not told one by one.  */
uint32_t dv_heap_curve_find (const struct dv_heap_curve *curve, uint32_t id);

/* Sets the window of a curve to the instructions that a view of the plot
   shows; if it shows all of them, or is NULL, to all of the log, where there
   may be more of the heap than of accesses.  */
void dv_heap_window (const struct dv_scene *scene,
                     const struct dv_view *view,
                     struct dg_curve_options *options);

#endif /* DV_HEAP_DATA_H */
