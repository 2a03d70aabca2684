/* flame_draw.c: drawing a flame graph.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flame_draw.h"

#define PADDING     4          /* pixels left and right of a label */
#define MIN_LABEL   24         /* of a frame that has one */

double
dv_flame_row_y (const struct dv_flame_layout *layout,
                const struct dv_flame_look *look, guint row)
{
  guint rows = dv_flame_layout_rows (layout);
  return (double) look->row_height * (look->root_below ? rows - 1 - row
                                                       : row);
}

guint
dv_flame_row_at (const struct dv_flame_layout *layout,
                 const struct dv_flame_look *look, double y)
{
  guint rows = dv_flame_layout_rows (layout);
  if (y < 0 || y >= (double) rows * look->row_height)
    return rows;
  guint row = (guint) (y / look->row_height);
  return look->root_below ? rows - 1 - row : row;
}

static void
set_colour (cairo_t *cr, const struct dv_rgb *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, alpha);
}

static bool
is_match (const struct dv_calltree *tree, const struct dv_flame_look *look,
          uint32_t node)
{
  uint32_t function = tree->nodes[node].function;
  return function != DV_CALL_NONE && look->matches[function] != 0;
}

static void
draw_label (cairo_t *cr, const struct dv_flame_look *look, const char *label,
            const struct dv_flame_box *box, double y)
{
  int height;
  pango_layout_set_text (look->text, label, -1);
  pango_layout_set_width (look->text, (int) ((box->x1 - box->x0
                                              - 2 * PADDING) * PANGO_SCALE));
  pango_layout_get_pixel_size (look->text, NULL, &height);
  cairo_move_to (cr, box->x0 + PADDING, y + (look->row_height - height) / 2);
  pango_cairo_show_layout (cr, look->text);
}

/* What is not looked for, and what only led to the zoomed frame, is pale.  */
static double
strength (const struct dv_flame_layout *layout,
          const struct dv_flame_look *look, uint32_t node)
{
  if (look->matches != NULL && !is_match (layout->tree, look, node))
    return 0.3;
  return node < layout->zoom && layout->zoom < layout->tree->nodes[node].end
         ? 0.55 : 1;
}

static struct dv_rgb
colour_of (const struct dv_flame_layout *layout,
           const struct dv_flame_look *look, uint32_t node)
{
  return look->changes != NULL
           ? dv_call_change_colour (&look->changes[node], look->is_dark)
           : dv_flame_colour (layout->tree, node, look->is_dark);
}

static void
draw_box (cairo_t *cr, const struct dv_flame_layout *layout,
          const struct dv_flame_look *look, const struct dv_flame_box *box,
          double y)
{
  double width = box->x1 - box->x0, height = look->row_height - 1;
  struct dv_rgb colour = colour_of (layout, look, box->node);
  struct dv_rgb ink = dv_flame_ink (&colour);
  double alpha = strength (layout, look, box->node);
  /* A gap between neighbours, as long as there is room for it.  */
  double shown = width > 3 ? width - 1 : width;
  if (alpha < 1)
    ink = look->is_dark ? (struct dv_rgb){ 1, 1, 1 }
                        : (struct dv_rgb){ 0, 0, 0 };
  cairo_rectangle (cr, box->x0, y, shown, height);
  set_colour (cr, &colour, alpha);
  cairo_fill (cr);
  if (box->node == look->hover) {
    cairo_rectangle (cr, box->x0, y, shown, height);
    set_colour (cr, &ink, 0.15);
    cairo_fill (cr);
  }
  if (width >= MIN_LABEL) {
    set_colour (cr, &ink, alpha < 1 ? 0.75 : 1);
    draw_label (cr, look, dv_calltree_label (layout->tree, box->node), box,
                y);
  }
}

/* In the accent colour, with the ink inside it, so that it shows on any
   frame.  */
static void
draw_selected (cairo_t *cr, const struct dv_flame_layout *layout,
               const struct dv_flame_look *look)
{
  guint row, box = dv_flame_layout_find (layout, look->selected, &row);
  if (box == DV_FLAME_NONE)
    return;
  const struct dv_flame_box *b = dv_flame_layout_box (layout, box);
  double y = dv_flame_row_y (layout, look, row), width = b->x1 - b->x0;
  struct dv_rgb colour = colour_of (layout, look, b->node);
  struct dv_rgb ink = dv_flame_ink (&colour);
  double height = look->row_height - 1;
  cairo_set_line_width (cr, 2);
  gdk_cairo_set_source_rgba (cr, &look->accent);
  cairo_rectangle (cr, b->x0 + 1, y + 1, MAX (width - 3, 1), height - 2);
  cairo_stroke (cr);
  if (width < 8)
    return;
  cairo_set_line_width (cr, 1);
  set_colour (cr, &ink, 0.7);
  cairo_rectangle (cr, b->x0 + 2.5, y + 2.5, width - 6, height - 5);
  cairo_stroke (cr);
}

void
dv_flame_draw (cairo_t *cr, const struct dv_flame_layout *layout,
               const struct dv_flame_look *look)
{
  double x0, y0, x1, y1;
  cairo_clip_extents (cr, &x0, &y0, &x1, &y1);
  pango_layout_set_ellipsize (look->text, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (look->text, TRUE);
  for (guint row = 0; row < dv_flame_layout_rows (layout); row++) {
    double y = dv_flame_row_y (layout, look, row);
    guint first, end;
    if (y > y1 || y + look->row_height < y0)
      continue;
    dv_flame_layout_row (layout, row, &first, &end);
    for (guint i = first; i < end; i++) {
      const struct dv_flame_box *box = dv_flame_layout_box (layout, i);
      if (box->x1 >= x0 && box->x0 <= x1)
        draw_box (cr, layout, look, box, y);
    }
  }
  if (look->selected != DV_CALL_NONE)
    draw_selected (cr, layout, look);
}
