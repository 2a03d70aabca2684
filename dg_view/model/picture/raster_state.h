/* raster_state.h: what a raster holds, for those who count and who paint.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RASTER_STATE_H
#define DV_RASTER_STATE_H

#include <stdint.h>

#include <glib.h>

#include "model/log/scale.h"
#include "model/log/scene.h"

/* Counts end at 2^32 - 1 when they come from the index; decoded ones wrap
   there.  */
struct dv_raster_cell {
  uint32_t count[2];       /* by DG_ACC_READ, DG_ACC_WRITE */
};

/* Whose accesses they are.  `is_mixed` is exact: several threads were here.
   A thread that made more than half of a cell's accesses is `thread`; if none
   did, that is one of them, maybe without a lead.  (A vote, by Boyer and
   Moore: one candidate for each cell, whose lead each access adds to or takes
   from.  Chunks are added in the order of time, so that a picture is always
   the same.)  */
struct dv_raster_owner {
  uint32_t thread : 31;    /* 0: not known */
  uint32_t is_mixed : 1;
  uint32_t lead;
};

/* So many threads have rows of their own in the lane; another one shares with
   the one that has its colour.  */
#define DV_LANE_SLOTS 24

struct dv_raster {
  struct dv_view view;
  uint32_t width, height;
  struct dv_scale x, y;
  struct dv_raster_cell *cells;   /* rows from top to bottom */
  struct dv_raster_owner *owners; /* of each cell; NULL: nobody asked */
  GArray *threads;         /* uint32_t: of `owners`, those with the most
                              pixels first; NULL without */
  /* Of each row, how many instructions each thread executed, thread t in slot
     (t - 1) % DV_LANE_SLOTS; NULL when the log has one thread.  Where chunks
     were not decoded, all of their instructions are those of the thread that
     ran when the chunk began.  */
  uint64_t *lane;
  /* Of each cell, see heat.h; NULL: nobody asked, or not yet.  */
  float *heat;
  uint64_t max;            /* largest reads + writes of a cell */
  bool is_draft;           /* a finer detail would show more */
};

/* How much is decoded for a picture, when there is an index.  */
enum dv_detail {
  DV_DETAIL_DRAFT,   /* nothing: ready at once */
  DV_DETAIL_GOOD,    /* what would look coarse: ready soon */
  DV_DETAIL_FINE,    /* whatever could be seen; all, if it takes no more than
                        a second */
  DV_DETAIL_EXACT    /* all, however long it takes */
};

static inline const struct dv_raster_cell *
dv_raster_cell (const struct dv_raster *raster, uint32_t x, uint32_t y)
{
  return &raster->cells[(size_t) y * raster->width + x];
}

/* `weight` accesses more, of a thread.  */
static inline void
dv_raster_vote (struct dv_raster_owner *owner, uint32_t thread,
                uint32_t weight)
{
  if (owner->thread == thread) {
    owner->lead += MIN (weight, UINT32_MAX - owner->lead);
    return;
  }
  owner->is_mixed |= owner->thread != 0;
  if (owner->thread != 0 && owner->lead >= weight) {
    owner->lead -= weight;
  } else {
    owner->lead = weight - owner->lead;
    owner->thread = thread & 0x7fffffff;
  }
}

#endif /* DV_RASTER_STATE_H */
