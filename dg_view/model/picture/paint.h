/* paint.h: counts to pixels.  No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAINT_H
#define DV_PAINT_H

#include "palette.h"
#include "raster.h"

/* How strong the colour of n of at most `max` accesses is, from 0 (none) to
   1.  */
double dv_paint_density (uint64_t n, uint64_t max);

/* The colour of a share of what is bad (see heat.h); less than 0: of a pixel
   that nothing is known of.  */
struct dv_rgb dv_paint_heat (const struct dv_palette *palette, double heat);
/* Fills a picture of the raster's size, `stride` bytes a row, in cairo's
   ARGB32 (premultiplied); clear where there is nothing.  By heat if the
   raster has any, by thread if it has counted these, else by kind.  */
void dv_paint_raster (const struct dv_palette *palette,
                       const struct dv_raster *raster, unsigned char *pixels,
                       int stride);
/* The same for a column of pixels, which tells the thread that ran in each
   row.  The raster must have a lane.  */
void dv_paint_lane (const struct dv_palette *palette,
                            const struct dv_raster *raster,
                            unsigned char *pixels, int stride);

#endif /* DV_PAINT_H */
