/* heap_highlight.c: where the blocks of a series are in the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_rows.h"
#include "model/picture/overlay.h"

/* More would take the plot longer to draw than a step of a pan may.  */
#define MOST_BOXES     1000
#define BLOCKS_AT_ONCE 65536

static double
area_of (const struct dv_view *place)
{
  return (double) (place->x1 - place->x0) * (double) (place->y1 - place->y0);
}

static int
compare_areas (const void *a, const void *b)
{
  double x = area_of (a), y = area_of (b);
  return (x < y) - (x > y);
}

/* Keeps the largest.  */
static void
keep_largest (GArray *places)
{
  g_array_sort (places, compare_areas);
  if (places->len > MOST_BOXES)
    g_array_set_size (places, MOST_BOXES);
}

struct dv_highlight *
dv_heap_highlight (const struct dv_heap_rows *rows,
                   const struct dv_heap_row *row,
                   const struct dv_scene *scene, const struct dv_view *view,
                   dg_progress_fn progress, void *user)
{
  const struct dv_heap_curve *curve = rows->now;
  uint32_t series = dv_heap_curve_find (curve, row->id);
  if (series == DG_NONE) {
    curve = rows->most;
    series = dv_heap_curve_find (curve, row->id);
  }
  const struct dg_log *log = curve->heap->data->log;
  size_t n = dg_log_n_blocks (log);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct dv_view));
  struct dv_view place;
  if (series == DG_NONE)
    n = 0;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, i);
    if (block.alloc_icount >= view->y1)
      break;
    if (i % BLOCKS_AT_ONCE == 0 && progress (user, i, n) != 0) {
      g_array_unref (places);
      return NULL;
    }
    if (block.free_icount <= view->y0
        || dg_curve_series_of (curve->curve, &block) != series
        || !dv_overlay_block (scene, view, i, &place))
      continue;
    g_array_append_val (places, place);
    if (places->len >= 2 * MOST_BOXES)
      keep_largest (places);
  }
  keep_largest (places);
  struct dv_highlight *highlight = dv_highlight_new (row->name);
  for (guint i = 0; i < places->len; i++)
    dv_highlight_add_box (highlight,
                          &g_array_index (places, struct dv_view, i));
  dv_highlight_finish (highlight);
  g_array_unref (places);
  return highlight;
}
