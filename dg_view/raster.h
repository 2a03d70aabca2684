/* raster.h: how many reads and writes lie under each pixel of a view.

   An access covers the bytes [address, address + size) for the one
   instruction that made it, and counts in every pixel that those own (see
   scale.h).  Made by decoding those chunks of the log that the view needs, on
   all processors; or from the index, when it has one and that looks the same
   (see raster_index.h).  Colours are palette.h's affair.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RASTER_H
#define DV_RASTER_H

#include <stdint.h>

#include "scale.h"
#include "scene.h"

/* Counts end at 2^32 - 1 when they come from the index; decoded ones wrap
   there.  */
struct dv_cell {
  uint32_t count[2];       /* by DG_ACC_READ, DG_ACC_WRITE */
};

struct dv_raster {
  struct dv_view view;
  uint32_t width, height;
  struct dv_scale x, y;
  struct dv_cell *cells;   /* rows from top to bottom */
  uint64_t max;            /* largest reads + writes of a cell */
  bool is_draft;           /* a finer detail would show more */
};

#define DV_RASTER_MAX_SIDE 16384

/* How much is decoded for a picture, when there is an index.  */
enum dv_detail {
  DV_DETAIL_DRAFT,   /* nothing: ready at once */
  DV_DETAIL_GOOD,    /* what would look coarse: ready soon */
  DV_DETAIL_FINE     /* whatever could be seen */
};

/* NULL and *err on failure.  The view must not be empty and lie within the
   scene's; sides from 1 to DV_RASTER_MAX_SIDE.  Free with
   dv_raster_free.  */
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

#endif /* DV_RASTER_H */
