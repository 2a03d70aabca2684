/* raster_check.h: what the definition of a picture says of a random log,
   worked out access by access without the library; for the tests of pictures.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef RASTER_CHECK_H
#define RASTER_CHECK_H

#include "random_log.h"
#include "model/picture/raster.h"

#define RASTER_PAGE 4096u

/* A filter is a set of these: event "work", range "data".  */
enum { RASTER_ALL = 0, RASTER_EVENTS = 1, RASTER_RANGES = 2 };

/* Without and with an index; the index is used for however few accesses.  */
struct dv_scene *raster_check_scene (const struct random_log *log,
                                     int filter);
struct dv_scene *raster_check_indexed (const struct random_log *log);

bool raster_check_selected (const struct random_access *access, int filter);
/* The numbers (uint64_t) of the pages that are touched, ascending.  */
GArray *raster_check_pages (const struct random_log *log, int filter);
/* On the axis of those; -1: nowhere.  */
int64_t raster_check_position (const GArray *pages, uint64_t address);
/* The pixels of one unit, by the definition in scale.h.  */
void raster_check_own (uint64_t unit, uint64_t span, uint32_t pixels,
                       uint32_t *first, uint32_t *last);

struct raster_check_cell {
  uint32_t count[2];                       /* by kind */
  uint32_t threads[RANDOM_THREADS + 1];    /* by thread, from 1 */
};

/* Of every pixel; only: see struct dv_raster_order.  Free with g_free.  */
struct raster_check_cell *
raster_check_cells (const struct random_log *log, int filter,
                    const struct dv_highlight *only, const GArray *pages,
                    const struct dv_view *view, uint32_t width,
                    uint32_t height);
/* The raster has just these counts.  */
void raster_check_counts (const struct dv_raster *raster,
                          const struct raster_check_cell *cells);
/* A raster, once it was found to be right.  */
struct dv_raster *
raster_check_view (const struct random_log *log, int filter,
                   const struct dv_scene *scene, const GArray *pages,
                   const struct dv_view *view, uint32_t width,
                   uint32_t height);

#endif /* RASTER_CHECK_H */
