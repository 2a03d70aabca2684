/* flame_layout.h: where the frames of a flame graph are: a row for each depth,
   in it a box for each function, as wide as its share.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FLAME_LAYOUT_H
#define DV_FLAME_LAYOUT_H

#include "calltree.h"
#include "palette.h"

struct dv_flame_box {
  uint32_t node;           /* of the tree */
  double x0, x1;           /* pixels from the left */
};

struct dv_flame_layout {
  struct dv_calltree *tree;
  uint32_t zoom;           /* the node that is as wide as everything */
  enum dv_call_weight weight;
  double width;            /* pixels */
  GArray *boxes;           /* struct dv_flame_box, row by row, from the left */
  GArray *rows;            /* guint: the first box of each row, and the end */
};

/* Frames narrower than `least` pixels are left out.  Those that called the
   zoomed one are as wide as it.  Brothers stand with the widest first.  */
struct dv_flame_layout *dv_flame_layout_new (struct dv_calltree *tree,
                                             uint32_t zoom,
                                             enum dv_call_weight weight,
                                             double width, double least);
/* NULL is fine.  */
void dv_flame_layout_free (struct dv_flame_layout *layout);

guint dv_flame_layout_rows (const struct dv_flame_layout *layout);
/* The boxes of a row: [*first, *end).  */
void dv_flame_layout_row (const struct dv_flame_layout *layout, guint row,
                          guint *first, guint *end);
static inline const struct dv_flame_box *
dv_flame_layout_box (const struct dv_flame_layout *layout, guint box)
{
  return &g_array_index (layout->boxes, struct dv_flame_box, box);
}

#define DV_FLAME_NONE G_MAXUINT

/* The box of a row at x; DV_FLAME_NONE: there is none.  */
guint dv_flame_layout_at (const struct dv_flame_layout *layout, guint row,
                          double x);
/* The box of a node, and its row; DV_FLAME_NONE: it is too narrow.  */
guint dv_flame_layout_find (const struct dv_flame_layout *layout,
                            uint32_t node, guint *row);

enum dv_flame_step { DV_FLAME_CALLER, DV_FLAME_CALLEE, DV_FLAME_PREVIOUS,
                     DV_FLAME_NEXT };
/* The node beside a node that has a box: its caller, the widest that it
   called, or the neighbours in its row; itself where there is none.  */
uint32_t dv_flame_layout_step (const struct dv_flame_layout *layout,
                               uint32_t node, enum dv_flame_step step);

/* How wide a node is among everything, 0 to 1.  */
double dv_flame_share (const struct dv_flame_layout *layout, uint32_t node);

/* The colour of a node: a hue for each module, lighter and darker by
   function.  */
struct dv_rgb dv_flame_colour (const struct dv_calltree *tree, uint32_t node,
                               bool is_dark);
/* Black or white, whatever can be read on it.  */
struct dv_rgb dv_flame_ink (const struct dv_rgb *colour);

#endif /* DV_FLAME_LAYOUT_H */
