/* overlay.c: which boxes are worth drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "overlay.h"

#define MAX_BLOCKS 2000
#define MAX_RANGES 500

/* The part of a box that is in view, as an area; 0 if it is too small.  */
static double
visible_area (const struct dv_box *box, const struct dv_view *view,
              uint64_t least_bytes, uint64_t least_instructions)
{
  uint64_t x0 = MAX (box->x0, view->x0), x1 = MIN (box->x1, view->x1);
  uint64_t y0 = MAX (box->y0, view->y0), y1 = MIN (box->y1, view->y1);
  if (x0 >= x1 || y0 >= y1 || x1 - x0 < least_bytes
      || y1 - y0 < least_instructions)
    return 0;
  return (double) (x1 - x0) * (double) (y1 - y0);
}

struct candidate {
  struct dv_box box;
  double area;
};

static int
compare_areas (const void *a, const void *b)
{
  double x = ((const struct candidate *) a)->area;
  double y = ((const struct candidate *) b)->area;
  return (x < y) - (x > y);
}

/* Appends the n largest candidates.  */
static void
take_largest (GArray *boxes, GArray *candidates, guint n)
{
  if (candidates->len > n)
    g_array_sort (candidates, compare_areas);
  for (guint i = 0; i < MIN (n, candidates->len); i++)
    g_array_append_val (
      boxes, g_array_index (candidates, struct candidate, i).box);
  g_array_set_size (candidates, 0);
}

GArray *
dv_overlay_new (const struct dv_scene *scene, const struct dv_view *view,
                uint64_t least_bytes, uint64_t least_instructions)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (struct dv_box));
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  const struct dg_log *log = scene->data->log;
  const struct dv_layout *layout = &scene->layout;

  size_t n;
  const struct dg_block *blocks = dg_log_blocks (log, &n);
  for (size_t i = 0; i < n && blocks[i].alloc_icount < view->y1; i++) {
    const struct dg_block *b = &blocks[i];
    struct candidate c = { .box = { .y0 = b->alloc_icount,
                                    .y1 = b->free_icount,
                                    .kind = DV_BOX_BLOCK,
                                    .index = (uint32_t) i } };
    if (c.box.y1 <= view->y0 || b->size < least_bytes)
      continue;
    dv_layout_position (layout, b->address, &c.box.x0);
    dv_layout_position (layout, b->address + b->size, &c.box.x1);
    c.area = visible_area (&c.box, view, least_bytes, least_instructions);
    if (c.area > 0)
      g_array_append_val (candidates, c);
  }
  take_largest (boxes, candidates, MAX_BLOCKS);

  const struct dg_range *ranges = dg_log_ranges (log, &n);
  for (size_t i = 0; i < n && ranges[i].start_icount < view->y1; i++) {
    const struct dg_range *r = &ranges[i];
    struct candidate c = { .box = { .y0 = r->start_icount,
                                    .y1 = r->end_icount,
                                    .kind = DV_BOX_RANGE,
                                    .index = (uint32_t) i } };
    dv_layout_position (layout, r->address, &c.box.x0);
    dv_layout_position (layout, r->address + r->size, &c.box.x1);
    c.area = visible_area (&c.box, view, least_bytes, least_instructions);
    if (c.area > 0)
      g_array_append_val (candidates, c);
  }
  take_largest (boxes, candidates, MAX_RANGES);
  g_array_unref (candidates);
  return boxes;
}

GArray *
dv_overlay_for (const struct dv_scene *scene, const struct dv_view *view,
                double width, double height)
{
  double bytes = 4 * (double) (view->x1 - view->x0) / width;
  double instructions = 4 * (double) (view->y1 - view->y0) / height;
  return dv_overlay_new (scene, view, (uint64_t) bytes + 1,
                         (uint64_t) instructions + 1);
}
