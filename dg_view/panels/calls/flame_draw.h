/* flame_draw.h: drawing the frames of a flame graph.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FLAME_DRAW_H
#define DV_FLAME_DRAW_H

#include <gtk/gtk.h>

#include "model/calls/calltree_merge.h"
#include "model/calls/flame_layout.h"

struct dv_flame_look {
  int row_height;              /* pixels */
  bool is_dark;
  bool root_below;
  uint32_t hover, selected;    /* nodes, or DV_CALL_NONE */
  /* Of each node: colours show what changed; NULL: modules.  */
  const struct dv_call_change *changes;
  const uint8_t *matches;      /* of functions; NULL: nothing is looked for */
  GdkRGBA accent;              /* for what is selected */
  PangoLayout *text;           /* in the font of the frames */
};

/* What is within the clip.  */
void dv_flame_draw (cairo_t *cr, const struct dv_flame_layout *layout,
                    const struct dv_flame_look *look);

/* Where a row is, and the row at a place; the latter may be past the last.  */
double dv_flame_row_y (const struct dv_flame_layout *layout,
                       const struct dv_flame_look *look, guint row);
guint dv_flame_row_at (const struct dv_flame_layout *layout,
                       const struct dv_flame_look *look, double y);

#endif /* DV_FLAME_DRAW_H */
