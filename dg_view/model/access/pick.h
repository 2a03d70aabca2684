/* pick.h: which access is meant by a point of the picture.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICK_H
#define DV_PICK_H

#include <glib.h>

#include "model/picture/raster.h"
#include "model/log/scene.h"

/* Accesses of one pixel that are kept; there may be more.  */
#define DV_PICK_KEPT 4096

struct dv_pick {
  uint32_t column, row;     /* the pixel */
  GArray *accesses;         /* struct dg_access under it, in their order,
                               without gaps: those around the nearest */
  uint64_t first;           /* how many come before those */
  uint64_t total;           /* how many there are */
  bool is_partial;          /* there may be more: not all was looked at */
  guint nearest;            /* index of the one that is meant */
};

/* The pixel with accesses that is nearest on the screen to (x, y), in the
   raster's pixels, and at most `reach` away; false if none is.  Does not
   look at the log.  */
bool dv_pick_pixel (const struct dv_raster *raster, double x, double y,
                    double reach, uint32_t *column, uint32_t *row);

/* The accesses under a pixel; `nearest` is the one whose middle is nearest
   to (x, y).  If the raster comes from the index, which does not know so well
   where they are, and there are none, those of the lines and chunks that the
   pixel has a part of.

   Decodes, on all processors, those of the pixel's chunks that the index does
   not rule out, the nearest to y first; once something was found and that has
   taken the patience of the data, no more of them: the pick is partial then.
   NULL and *err on failure, also if there are none (DG_ERR_INVALID).  Free
   with dv_pick_free.  */
struct dv_pick *dv_pick_new (const struct dv_scene *scene,
                             const struct dv_raster *raster, uint32_t column,
                             uint32_t row, double x, double y,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);
void dv_pick_free (struct dv_pick *pick);

/* Where an access is among those that are kept; false if it is not.  */
bool dv_pick_find (const struct dv_pick *pick, const struct dg_access *access,
                   guint *index);

#endif /* DV_PICK_H */
