/* view.h: a part of the picture.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_VIEW_H
#define DV_VIEW_H

#include <stdbool.h>
#include <stdint.h>

/* Positions of the layout [x0, x1) and instruction counts [y0, y1).  */
struct dv_view {
  uint64_t x0, x1, y0, y1;
};

/* Nobody needs to look closer than this.  */
#define DV_MIN_BYTES        16
#define DV_MIN_INSTRUCTIONS 8

bool dv_view_equal (const struct dv_view *a, const struct dv_view *b);
bool dv_view_is_empty (const struct dv_view *view);
/* `view` with each axis as long as it must be at least and within `full`.  */
struct dv_view dv_view_clamp (struct dv_view view, const struct dv_view *full);

#endif /* DV_VIEW_H */
