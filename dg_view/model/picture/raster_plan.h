/* raster_plan.h: pictures from the index: what is taken from there, and what
   is decoded.

   A list says how often each line was touched, not when within its chunks, and
   not where in the line.  So what is drawn from one is as if each access had
   been moved by less than a line and within its chunk, and one that touches
   several lines counts in each.  That may be done where neither can be seen:
     - pixels are at least a line wide;
     - the chunk lies in one row, or is at most DV_FINE_ROWS high; if there are
       few of these, they are decoded all the same.
   A chunk that is drawn over several rows is divided among them in
   proportion; no access is lost by that or counted twice.  Where this does not
   hold, or where the chunks of the view hold no more accesses in all than are
   decoded in a second (of a draft and a good picture: than `few`), chunks are
   decoded: rows as high as a chunk beside rows that are exact would be steps
   for everybody to see.  An exact picture decodes all.  A picture that is
   merely good lets chunks be DV_GOOD_ROWS high, and decodes of the others the
   highest ones only, DV_GOOD_ACCESSES in all; a draft lets them be as high as
   they like; neither is made of few accesses.

   Lists say nothing of threads.  A picture by thread takes from them only the
   chunks in which one thread was alive; a draft takes all, and then nobody
   knows whose the others are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RASTER_PLAN_H
#define DV_RASTER_PLAN_H

#include <glib.h>

#include "raster_state.h"
#include "sieve.h"

/* At most; so of 700 rows no more than some 700 million accesses are decoded
   for a fine picture.  */
#define DV_FINE_ROWS 1
#define DV_GOOD_ROWS 2
/* Half a second's work of two processors.  */
#define DV_GOOD_ACCESSES ((uint64_t) 24 << 20)

/* List i of a level is counted, or chunk i is decoded (level 0).  */
struct dv_raster_part {
  unsigned level;
  size_t i;
  bool decode;
  uint32_t thread;         /* whose all accesses are; 0: not known */
};

/* The parts of which the picture is made, in the order of time, as an array
   of struct dv_raster_part.  index: NULL: all are decoded.  sieve: NULL: all
   accesses.  *is_draft receives whether something comes from the index that a
   fine picture would not have from there.  */
GArray *dv_raster_plan (const struct dv_scene *scene, struct dg_index *index,
                        const struct dv_raster *raster,
                        enum dv_detail detail, const struct dv_sieve *sieve,
                        bool *is_draft);

/* The rows of [start, end), which are within the view.  */
static inline void
dv_raster_rows (const struct dv_scale *y, uint64_t start, uint64_t end,
                uint32_t *first, uint32_t *last)
{
  *first = dv_scale_pixel (y, start - y->start);
  *last = dv_scale_last (y, end - 1 - y->start);
}

#endif /* DV_RASTER_PLAN_H */
