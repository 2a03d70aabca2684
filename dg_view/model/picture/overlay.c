/* overlay.c: which boxes are worth drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "overlay.h"

#include "model/log/order.h"

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

/* The largest first.  */
DV_DEFINE_COMPARE (compare_areas, struct candidate, -x->area)

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

/* ---- Blocks ---------------------------------------------------------- */

/* Blocks that follow one another, in the order in which they were allocated;
   enough to pass them over when none of them can be seen.  */
#define GROUP 256

struct group {
  uint64_t low, high;        /* addresses are in [low, high) */
  uint64_t last_free;
  uint64_t longest, largest; /* instructions; bytes */
};

static uint64_t
end_of (struct dg_block_extent block)
{
  uint64_t end = block.address + block.size;
  return end < block.address ? UINT64_MAX : end;
}

bool
dv_overlay_place (const struct dv_scene *scene, const struct dv_view *view,
                  uint64_t low, uint64_t high, uint64_t start, uint64_t end,
                  struct dv_view *place)
{
  dv_layout_position (&scene->layout, low, &place->x0);
  dv_layout_position (&scene->layout, high, &place->x1);
  place->x0 = MAX (place->x0, view->x0);
  place->x1 = MIN (place->x1, view->x1);
  place->y0 = MAX (start, view->y0);
  place->y1 = MIN (end, view->y1);
  return place->x0 < place->x1 && place->y0 < place->y1;
}

bool
dv_overlay_block (const struct dv_scene *scene, const struct dv_view *view,
                  size_t index, struct dv_view *place)
{
  struct dg_block_extent block
    = dg_log_block_extent (scene->data->log, index);
  return dv_overlay_place (scene, view, block.address, end_of (block),
                           block.alloc_icount, block.free_icount, place);
}

static struct group *
groups_new (const struct dg_log *log, size_t n)
{
  struct group *groups = g_new0 (struct group, n / GROUP + 1);
  for (size_t i = 0; i < n; i++) {
    struct group *group = &groups[i / GROUP];
    const struct dg_block_extent b = dg_log_block_extent (log, i);
    if (i % GROUP == 0)
      group->low = b.address;
    group->low = MIN (group->low, b.address);
    group->high = MAX (group->high, end_of (b));
    group->last_free = MAX (group->last_free, b.free_icount);
    if (b.free_icount > b.alloc_icount)
      group->longest = MAX (group->longest,
                            b.free_icount - b.alloc_icount);
    group->largest = MAX (group->largest, b.size);
  }
  return groups;
}

/* Made at first use, and kept with the scene.  */
static const struct group *
groups_of (const struct dv_scene *scene, size_t n)
{
  /* What it keeps for others is not a change of it.  */
  gpointer *kept = (gpointer *) &scene->block_groups;
  struct group *groups = g_atomic_pointer_get (kept);
  if (groups != NULL)
    return groups;
  groups = groups_new (scene->data->log, n);
  if (!g_atomic_pointer_compare_and_exchange (kept, NULL, groups)) {
    g_free (groups);
    groups = g_atomic_pointer_get (kept);
  }
  return groups;
}

static void
add_blocks (const struct dv_scene *scene, const struct dv_view *view,
            uint64_t least_bytes, uint64_t least_instructions,
            GArray *candidates)
{
  const struct dv_layout *layout = &scene->layout;
  size_t n = dg_log_n_blocks (scene->data->log);
  if (n == 0 || dv_view_is_empty (view))
    return;
  const struct group *groups = groups_of (scene, n);
  uint64_t low = dv_layout_address (layout, view->x0);
  uint64_t last = dv_layout_address (layout, view->x1 - 1);
  for (size_t i = 0; i < n; i++) {
    const struct group *group = &groups[i / GROUP];
    if (i % GROUP == 0
        && (group->high <= low || group->low > last
            || group->last_free <= view->y0 || group->largest < least_bytes
            || group->longest < least_instructions)) {
      i += GROUP - 1;
      continue;
    }
    const struct dg_block_extent b
      = dg_log_block_extent (scene->data->log, i);
    if (b.alloc_icount >= view->y1)
      break;
    struct candidate c = { .box = { .y0 = b.alloc_icount,
                                    .y1 = b.free_icount,
                                    .kind = DV_BOX_BLOCK,
                                    .index = (uint32_t) i } };
    if (c.box.y1 <= view->y0 || b.size < least_bytes)
      continue;
    dv_layout_position (layout, b.address, &c.box.x0);
    dv_layout_position (layout, end_of (b), &c.box.x1);
    c.area = visible_area (&c.box, view, least_bytes, least_instructions);
    if (c.area > 0)
      g_array_append_val (candidates, c);
  }
}

/* ---- All ------------------------------------------------------------- */

GArray *
dv_overlay_new (const struct dv_scene *scene, const struct dv_view *view,
                uint64_t least_bytes, uint64_t least_instructions)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (struct dv_box));
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  const struct dg_log *log = scene->data->log;
  const struct dv_layout *layout = &scene->layout;

  add_blocks (scene, view, least_bytes, least_instructions, candidates);
  take_largest (boxes, candidates, MAX_BLOCKS);

  size_t n;
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
