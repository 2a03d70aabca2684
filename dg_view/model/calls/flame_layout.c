/* flame_layout.c: laying out a flame graph.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flame_layout.h"

#include "model/log/order.h"

#include <math.h>

/* ---- Laying out -------------------------------------------------------- */

static uint64_t
weigh (const struct dv_flame_layout *layout, uint32_t node)
{
  return dv_call_node_all (&layout->tree->nodes[node], layout->weight);
}

static void
add_box (struct dv_flame_layout *layout, uint32_t node, double x0, double x1)
{
  struct dv_flame_box box = { node, x0, x1 };
  g_array_append_val (layout->boxes, box);
}

static void
end_row (struct dv_flame_layout *layout)
{
  g_array_append_val (layout->rows, layout->boxes->len);
}

/* The nodes from everything to the zoomed one, a row each.  */
static void
add_callers (struct dv_flame_layout *layout)
{
  GArray *path = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t node = layout->zoom; node != DV_CALL_NONE;
       node = layout->tree->nodes[node].parent)
    g_array_append_val (path, node);
  for (guint i = path->len; i-- > 0;) {
    add_box (layout, g_array_index (path, uint32_t, i), 0, layout->width);
    end_row (layout);
  }
  g_array_unref (path);
}

static gint
compare_weights (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_flame_layout *layout = data;
  uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
  uint64_t more = weigh (layout, i), less = weigh (layout, j);
  if (more != less)
    return more > less ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* What the box's node called, from the left.  */
static void
add_callees (struct dv_flame_layout *layout, struct dv_flame_box box,
             double scale, double least, GArray *children)
{
  const struct dv_calltree *tree = layout->tree;
  g_array_set_size (children, 0);
  for (uint32_t node = dv_calltree_child (tree, box.node);
       node != DV_CALL_NONE; node = dv_calltree_next (tree, node))
    if ((double) weigh (layout, node) * scale >= least)
      g_array_append_val (children, node);
  g_array_sort_with_data (children, compare_weights, layout);
  double x = box.x0;
  for (guint i = 0; i < children->len; i++) {
    uint32_t node = g_array_index (children, uint32_t, i);
    double width = (double) weigh (layout, node) * scale;
    add_box (layout, node, x, MIN (x + width, box.x1));
    x += width;
  }
}

struct dv_flame_layout *
dv_flame_layout_new (struct dv_calltree *tree, uint32_t zoom,
                     enum dv_call_weight weight, double width, double least)
{
  struct dv_flame_layout *layout = g_new0 (struct dv_flame_layout, 1);
  guint none = 0;
  layout->tree = dv_calltree_ref (tree);
  layout->zoom = zoom;
  layout->weight = weight;
  layout->width = MAX (width, 1);
  layout->boxes = g_array_new (FALSE, FALSE, sizeof (struct dv_flame_box));
  layout->rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (layout->rows, none);
  add_callers (layout);
  uint64_t all = weigh (layout, zoom);
  double scale = all > 0 ? layout->width / (double) all : 0;
  GArray *children = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  guint row = layout->rows->len - 2;
  while (scale > 0) {
    guint first, end;
    dv_flame_layout_row (layout, row, &first, &end);
    for (guint i = first; i < end; i++)
      add_callees (layout, *dv_flame_layout_box (layout, i), scale,
                   MAX (least, 0.01), children);
    if (layout->boxes->len == end)
      break;
    end_row (layout);
    row++;
  }
  g_array_unref (children);
  return layout;
}

void
dv_flame_layout_free (struct dv_flame_layout *layout)
{
  if (layout == NULL)
    return;
  g_array_unref (layout->boxes);
  g_array_unref (layout->rows);
  dv_calltree_unref (layout->tree);
  g_free (layout);
}

/* ---- Asking ------------------------------------------------------------ */

guint
dv_flame_layout_rows (const struct dv_flame_layout *layout)
{
  return layout->rows->len - 1;
}

void
dv_flame_layout_row (const struct dv_flame_layout *layout, guint row,
                     guint *first, guint *end)
{
  *first = g_array_index (layout->rows, guint, row);
  *end = g_array_index (layout->rows, guint, row + 1);
}

guint
dv_flame_layout_at (const struct dv_flame_layout *layout, guint row, double x)
{
  guint low, high, first;
  if (row >= dv_flame_layout_rows (layout))
    return DV_FLAME_NONE;
  dv_flame_layout_row (layout, row, &low, &high);
  first = low;
  /* The last box that begins at or before x.  */
  DV_BISECT (low, high, middle, dv_flame_layout_box (layout, middle)->x0 <= x);
  return low > first && x < dv_flame_layout_box (layout, low - 1)->x1
         ? low - 1 : DV_FLAME_NONE;
}

guint
dv_flame_layout_find (const struct dv_flame_layout *layout, uint32_t node,
                      guint *row)
{
  guint first, end, depth = 0;
  for (uint32_t n = layout->tree->nodes[node].parent; n != DV_CALL_NONE;
       n = layout->tree->nodes[n].parent)
    depth++;
  *row = depth;
  if (depth >= dv_flame_layout_rows (layout))
    return DV_FLAME_NONE;
  dv_flame_layout_row (layout, depth, &first, &end);
  for (guint i = first; i < end; i++)
    if (dv_flame_layout_box (layout, i)->node == node)
      return i;
  return DV_FLAME_NONE;
}

uint32_t
dv_flame_layout_step (const struct dv_flame_layout *layout, uint32_t node,
                      enum dv_flame_step step)
{
  guint row, first, end, box = dv_flame_layout_find (layout, node, &row);
  if (box == DV_FLAME_NONE)
    return layout->zoom;
  dv_flame_layout_row (layout, row, &first, &end);
  switch (step) {
  case DV_FLAME_CALLER:
    return row > 0 ? layout->tree->nodes[node].parent : node;
  case DV_FLAME_PREVIOUS:
    return box > first ? dv_flame_layout_box (layout, box - 1)->node : node;
  case DV_FLAME_NEXT:
    return box + 1 < end ? dv_flame_layout_box (layout, box + 1)->node : node;
  case DV_FLAME_CALLEE:
    if (row + 1 == dv_flame_layout_rows (layout))
      return node;
    dv_flame_layout_row (layout, row + 1, &first, &end);
    for (guint i = first; i < end; i++) {
      uint32_t below = dv_flame_layout_box (layout, i)->node;
      if (layout->tree->nodes[below].parent == node)
        return below;
    }
  }
  return node;
}

double
dv_flame_share (const struct dv_flame_layout *layout, uint32_t node)
{
  uint64_t all = weigh (layout, 0);
  return all > 0 ? (double) weigh (layout, node) / (double) all : 0;
}

/* ---- Colours ----------------------------------------------------------- */

/* One of the three channels of a hue in degrees.  */
static double
channel (double hue, double saturation, double lightness, double offset)
{
  double k = fmod (offset + hue / 30, 12);
  double a = saturation * MIN (lightness, 1 - lightness);
  return lightness - a * MAX (-1, MIN (MIN (k - 3, 9 - k), 1));
}

/* Of the modules, in the order of the log: neighbours differ much.  */
static const double hues[] = { 30, 205, 140, 275, 55, 175, 340, 235, 95 };

struct dv_rgb
dv_flame_colour (const struct dv_calltree *tree, uint32_t node, bool is_dark)
{
  uint32_t function = tree->nodes[node].function;
  double hue = 0, saturation = 0, lightness = is_dark ? 0.32 : 0.84;
  if (function != DV_CALL_NONE) {
    const struct dv_call_function *f = dv_calltree_function (tree, function);
    uint32_t n = f->module_number;
    /* When they are used up, they come again between the first ones.  */
    if (n != DV_CALL_NONE) {
      hue = hues[n % G_N_ELEMENTS (hues)]
            + 15 * (n / G_N_ELEMENTS (hues) % 3);
      saturation = is_dark ? 0.42 : 0.60;
    }
    double variation = (double) (f->key >> 20 & 0xff) / 255 - 0.5;
    lightness = (is_dark ? 0.36 : 0.78) + variation * 0.09;
  }
  return (struct dv_rgb){ channel (hue, saturation, lightness, 0),
                          channel (hue, saturation, lightness, 8),
                          channel (hue, saturation, lightness, 4) };
}

static double
linear (double channel_value)
{
  return channel_value <= 0.04045
         ? channel_value / 12.92 : pow ((channel_value + 0.055) / 1.055, 2.4);
}

struct dv_rgb
dv_flame_ink (const struct dv_rgb *colour)
{
  double light = 0.2126 * linear (colour->r) + 0.7152 * linear (colour->g)
                 + 0.0722 * linear (colour->b);
  /* Where black and white contrast alike.  */
  double ink = light > 0.179 ? 0 : 1;
  return (struct dv_rgb){ ink, ink, ink };
}
