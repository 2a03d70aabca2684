/* heap_highlight.c: where the blocks of a series are in the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_rows.h"
#include "i18n.h"
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

/* Whether a block that is alive, or was allocated, in view is one of the
   preset's.  */
static bool
is_of_preset (const struct dv_heap_rows *rows, const struct dg_block *block,
              size_t index)
{
  uint64_t moment = rows->now->curve->start_icount;
  switch (rows->preset) {
  case DV_HEAP_AT_PEAK:
    return block->alloc_icount <= moment && block->free_icount > moment;
  case DV_HEAP_AT_EXIT:
    return block->free_icount == DG_NEVER;
  case DV_HEAP_TEMPORARY:
    return block->alloc_icount >= rows->start
           && rows->now->heap->are_temporary[index] != 0;
  default:
    return true;
  }
}

/* Whether it is one of a row's; NULL: of any.  */
static bool
is_of_row (const struct dv_heap_rows *rows, const struct dv_heap_row *row,
           const struct dg_block *block)
{
  const struct dg_curve *curve = rows->now->curve;
  uint32_t id = dg_curve_id_of (curve, block);
  if (row == NULL || id == DG_NONE)
    return id != DG_NONE;
  if (row->id != DG_NONE)
    return id == row->id;
  uint32_t series = dg_curve_series_of (curve, block);
  return series != DG_NONE && curve->series[series].id == DG_NONE;
}

struct dv_highlight *
dv_heap_highlight (const struct dv_heap_rows *rows,
                   const struct dv_heap_row *row,
                   const struct dv_scene *scene, const struct dv_view *view,
                   dg_progress_fn progress, void *user)
{
  const struct dg_log *log = rows->now->heap->data->log;
  size_t n = dg_log_n_blocks (log);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct dv_view));
  struct dv_view place;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, i);
    if (block.alloc_icount >= view->y1)
      break;
    if (i % BLOCKS_AT_ONCE == 0 && progress (user, i, n) != 0) {
      g_array_unref (places);
      return NULL;
    }
    if (block.free_icount <= view->y0
        || !is_of_preset (rows, &block, i) || !is_of_row (rows, row, &block)
        || !dv_overlay_block (scene, view, i, &place))
      continue;
    g_array_append_val (places, place);
    if (places->len >= 2 * MOST_BOXES)
      keep_largest (places);
  }
  keep_largest (places);
  struct dv_highlight *highlight = dv_highlight_new (
    row != NULL ? row->name : _ ("Heap blocks"));
  for (guint i = 0; i < places->len; i++)
    dv_highlight_add_box (highlight,
                          &g_array_index (places, struct dv_view, i));
  dv_highlight_finish (highlight);
  g_array_unref (places);
  return highlight;
}
