/* raster_index.h: pictures from the index: what is taken from there, and how
   its lists are counted.

   A list says how often each line was touched, not when within its chunks, and
   not where in the line.  So what is drawn from one is as if each access had
   been moved by less than a line and within its chunk, and one that touches
   several lines counts in each.  That may be done where neither can be seen:
     - pixels are at least a line wide;
     - the chunk lies in one row, or is at most DV_FINE_ROWS high; if there are
       few of these, they are decoded all the same.
   A chunk that is drawn over several rows is divided among them in
   proportion; no access is lost by that or counted twice.  Where this does not
   hold, or where the chunks of the view hold few accesses in all, chunks are
   decoded.  A picture that is merely good lets chunks be DV_GOOD_ROWS high, a
   draft as high as they like; neither is made of few accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RASTER_INDEX_H
#define DV_RASTER_INDEX_H

#include <glib.h>

#include "raster.h"

/* At most; so of 700 rows no more than some 60 million accesses are decoded
   for a good picture, and three times that for a fine one.  */
#define DV_FINE_ROWS 4
#define DV_GOOD_ROWS 12

/* List i of a level is counted, or chunk i is decoded (level 0).  */
struct dv_raster_part {
  unsigned level;
  size_t i;
  bool decode;
};

/* The parts of which the picture is made, in the order of time, as an array
   of struct dv_raster_part.  index: NULL: all are decoded.  *is_draft receives
   whether something comes from the index that a fine picture would not have
   from there.  */
GArray *dv_raster_plan (const struct dv_scene *scene, struct dg_index *index,
                        const struct dv_raster *raster,
                        enum dv_detail detail, bool *is_draft);

/* What one column holds, by DG_ACC_READ and DG_ACC_WRITE.  */
struct dv_column {
  uint64_t count[2];
};

/* Where lists are counted: one for each thread.  */
struct dv_columns {
  const struct dv_layout *layout;
  const struct dv_raster *raster;    /* its size, scales and view */
  uint64_t *starts;                  /* the first unit of each, and the end */
};
struct dv_pen {
  struct dv_columns columns;
  struct dv_column *counts;          /* of the list */
  struct dv_column *row;             /* of those, what one row gets */
};
void dv_pen_init (struct dv_pen *pen, const struct dv_scene *scene,
                  const struct dv_raster *raster);
void dv_pen_fini (struct dv_pen *pen);

/* Adds a list, which is about `span`, to the rows.  Takes the lock while it
   changes them.  False if the view shows nothing of it.  */
bool dv_pen_draw (struct dv_pen *pen, const struct dg_line_list *list,
                  const struct dg_index_span *span, struct dv_raster *raster,
                  GMutex *lock);
/* Whether a list has a line in the view.  */
bool dv_pen_touches (const struct dv_pen *pen,
                     const struct dg_line_list *list);

#endif /* DV_RASTER_INDEX_H */
