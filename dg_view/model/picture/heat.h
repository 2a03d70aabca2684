/* heat.h: how well caches serve the accesses under each pixel: how many miss,
   how far lines are from their last use, how much of a line is used.

   Simulated in the order of the program, on one processor, from the beginning
   of the log; where that would take long, from so many accesses before the
   view as are decoded in a second or so (DV_HEAT_LEAD at least).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAT_H
#define DV_HEAT_H

#include "model/log/look.h"
#include "raster_state.h"

/* Enough for caches to be as full as they will be.  */
#define DV_HEAT_LEAD ((uint64_t) 16 << 20)

/* No access of this pixel says anything.  */
#define DV_HEAT_NONE (-1.0f)
/* Of a reuse distance of so many lines, or the first use: 1.  */
#define DV_HEAT_FAR ((uint32_t) 1 << 17)

/* By pixel of the raster, from 0 (good) to 1 (bad), or DV_HEAT_NONE.
     DV_COLOUR_MISS    the share of accesses that miss the first level; those
                       that only miss that count half
     DV_COLOUR_REUSE   the mean of the logarithms of the distances
     DV_COLOUR_USE     the share of the bytes of lines that were fetched there
                       that nobody touched before they were evicted
   NULL and *err when it was cancelled, or on failure.  Free with g_free.  */
float *dv_heat_new (const struct dv_scene *scene,
                    const struct dv_raster *raster,
                    enum dv_colouring colouring, dg_progress_fn progress,
                    void *user, struct dg_error *err);

#endif /* DV_HEAT_H */
