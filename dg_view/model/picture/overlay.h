/* overlay.h: heap blocks and user ranges as boxes, address x lifetime.

   Those of a view that are large enough to be seen; found in the background,
   as a log may have millions.  No drawing here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_OVERLAY_H
#define DV_OVERLAY_H

#include <stdint.h>

#include <glib.h>

#include "model/log/scene.h"

enum dv_box_kind { DV_BOX_BLOCK, DV_BOX_RANGE };

struct dv_box {
  uint64_t x0, x1, y0, y1;  /* positions and icounts */
  enum dv_box_kind kind;
  uint32_t index;           /* of dg_log_block or in dg_log_ranges */
};

/* An array of struct dv_box with the boxes that show at least the given
   numbers of bytes and instructions within the view; the largest ones, if
   there are too many.  Blocks come before ranges.  */
GArray *dv_overlay_new (const struct dv_scene *scene,
                        const struct dv_view *view, uint64_t least_bytes,
                        uint64_t least_instructions);

/* The same for a data area of the given pixels: boxes of 4 x 4 or more.  */
GArray *dv_overlay_for (const struct dv_scene *scene,
                        const struct dv_view *view, double width,
                        double height);

/* Where addresses [low, high) at moments [start, end) are, as far as they are
   in the view; false if none of it is.  */
bool dv_overlay_place (const struct dv_scene *scene,
                       const struct dv_view *view, uint64_t low,
                       uint64_t high, uint64_t start, uint64_t end,
                       struct dv_view *place);
/* The same of a block.  */
bool dv_overlay_block (const struct dv_scene *scene,
                       const struct dv_view *view,
                       size_t index, struct dv_view *place);

#endif /* DV_OVERLAY_H */
