/* palette.h: colours, and counts to pixels.  No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PALETTE_H
#define DV_PALETTE_H

#include <stdint.h>

#include "raster.h"

struct dv_rgb { double r, g, b; };

/* The data area is dark in every theme: its colours are part of what the
   picture says.  */
struct dv_palette {
  struct dv_rgb back, ink, faint, frame;       /* around the data */
  struct dv_rgb area, gap, page, line, message; /* in it */
  struct dv_rgb read, write, both;             /* at full density */
  struct dv_rgb block, range, event, mark;
};

/* Live as long as the program.  */
const struct dv_palette *dv_palette_dark (void);
const struct dv_palette *dv_palette_light (void);

/* How bright n of at most `max` accesses are, from 0 (none) to 1.  */
double dv_palette_density (uint64_t n, uint64_t max);

/* Fills a picture of the raster's size, `stride` bytes a row, in cairo's
   ARGB32 (premultiplied); clear where there is nothing.  */
void dv_palette_paint (const struct dv_palette *palette,
                       const struct dv_raster *raster, unsigned char *pixels,
                       int stride);

#endif /* DV_PALETTE_H */
