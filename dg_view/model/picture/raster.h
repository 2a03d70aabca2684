/* raster.h: how many reads and writes lie under each pixel of a view, and by
   which threads.

   An access covers the bytes [address, address + size) for the one
   instruction that made it, and counts in every pixel that those own (see
   scale.h).  Made by decoding those chunks of the log that the view needs, on
   all processors; or from the index, when it has one and that looks the same
   (see raster_plan.h).  Colours are palette.h's affair.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RASTER_H
#define DV_RASTER_H

#include <stdint.h>

#include <glib.h>

#include "model/log/highlight.h"
#include "model/log/scale.h"
#include "model/log/scene.h"

/* Counts end at 2^32 - 1 when they come from the index; decoded ones wrap
   there.  */
struct dv_cell {
  uint32_t count[2];       /* by DG_ACC_READ, DG_ACC_WRITE */
};

/* Whose accesses they are.  `is_mixed` is exact: several threads were here.
   A thread that made more than half of a cell's accesses is `thread`; if none
   did, that is one of them, maybe without a lead.  (A vote, by Boyer and
   Moore: one candidate for each cell, whose lead each access adds to or takes
   from.  Chunks are added in the order of time, so that a picture is always
   the same.)  */
struct dv_owner {
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
  struct dv_cell *cells;   /* rows from top to bottom */
  struct dv_owner *owners; /* of each cell; NULL: nobody asked */
  GArray *threads;         /* uint32_t: of `owners`, those with the most
                              pixels first; NULL without */
  /* Of each row, how many instructions each thread executed, thread t in slot
     (t - 1) % DV_LANE_SLOTS; NULL when the log has one thread.  Where chunks
     were not decoded, all of their instructions are those of the thread that
     ran when the chunk began.  */
  uint64_t *lane;
  uint64_t max;            /* largest reads + writes of a cell */
  bool is_draft;           /* a finer detail would show more */
};

#define DV_RASTER_MAX_SIDE 16384

/* How much is decoded for a picture, when there is an index.  */
enum dv_detail {
  DV_DETAIL_DRAFT,   /* nothing: ready at once */
  DV_DETAIL_GOOD,    /* what would look coarse: ready soon */
  DV_DETAIL_FINE,    /* whatever could be seen; all, if it takes no more than
                        a second */
  DV_DETAIL_EXACT    /* all, however long it takes */
};

/* What is to be counted.  The view must not be empty and lie within the
   scene's; sides from 1 to DV_RASTER_MAX_SIDE.  */
struct dv_raster_order {
  struct dv_view view;
  uint32_t width, height;
  enum dv_detail detail;
  bool by_thread;          /* with owners */
  const struct dv_highlight *only;   /* these accesses only; NULL: all */
};

/* NULL and *err on failure.  Free with dv_raster_free.  */
struct dv_raster *dv_raster_make (const struct dv_scene *scene,
                                  const struct dv_raster_order *order,
                                  dg_progress_fn progress, void *user,
                                  struct dg_error *err);
/* The same, of all accesses, by kind.  */
struct dv_raster *dv_raster_new (const struct dv_scene *scene,
                                 const struct dv_view *view, uint32_t width,
                                 uint32_t height, enum dv_detail detail,
                                 dg_progress_fn progress, void *user,
                                 struct dg_error *err);
void dv_raster_free (struct dv_raster *raster);

static inline const struct dv_cell *
dv_raster_cell (const struct dv_raster *raster, uint32_t x, uint32_t y)
{
  return &raster->cells[(size_t) y * raster->width + x];
}

/* `weight` accesses more, of a thread.  */
static inline void
dv_owner_vote (struct dv_owner *owner, uint32_t thread, uint32_t weight)
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

#endif /* DV_RASTER_H */
