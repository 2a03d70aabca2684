/* pen.h: lists of the index, counted in the pixels of a view; which
   ones, see raster_plan.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PEN_H
#define DV_PEN_H

#include <glib.h>

#include "raster_state.h"

/* What one column holds, by DG_ACC_READ and DG_ACC_WRITE.  */
struct dv_pen_column {
  uint64_t count[2];
};

/* Where lists are counted: one for each thread.  */
struct dv_pen_columns {
  const struct dv_layout *layout;
  const struct dv_raster *raster;    /* its size, scales and view */
  uint64_t *starts;                  /* the first unit of each, and the end */
};
struct dv_pen {
  struct dv_pen_columns columns;
  struct dv_pen_column *counts;          /* of the list */
  struct dv_pen_column *row;             /* of those, what one row gets */
};
void dv_pen_init (struct dv_pen *pen, const struct dv_scene *scene,
                  const struct dv_raster *raster);
void dv_pen_fini (struct dv_pen *pen);

/* Adds a list, which is about `span`, to the rows, as accesses of `thread` (0:
   not known).  Takes the lock while it changes them.  False if the view shows
   nothing of it.  */
bool dv_pen_draw (struct dv_pen *pen, const struct dg_line_list *list,
                  const struct dg_index_span *span, uint32_t thread,
                  struct dv_raster *raster, GMutex *lock);
/* Whether a list has a line in the view.  */
bool dv_pen_touches (const struct dv_pen *pen,
                     const struct dg_line_list *list);

#endif /* DV_PEN_H */
