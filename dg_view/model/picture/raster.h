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

#include "model/log/highlight.h"
#include "raster_state.h"

#define DV_RASTER_MAX_SIDE 16384

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

#endif /* DV_RASTER_H */
