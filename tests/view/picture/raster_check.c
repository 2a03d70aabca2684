/* raster_check.c: what the definition of a picture says of a random log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "raster_check.h"

#include <string.h>

bool
raster_check_selected (const struct random_access *access, int filter)
{
  return (!(filter & RASTER_EVENTS) || access->in_event)
         && (!(filter & RASTER_RANGES) || access->in_range);
}

GArray *
raster_check_pages (const struct random_log *log, int filter)
{
  GHashTable *seen = g_hash_table_new (NULL, NULL);
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!raster_check_selected (a, filter))
      continue;
    for (uint64_t p = a->address / RASTER_PAGE; p <= (a->address + a->size - 1)
                                              / RASTER_PAGE; p++)
      g_hash_table_add (seen, GSIZE_TO_POINTER (p + 1));
  }
  for (uint64_t p = 0; p <= 0xfffff; p++)
    if (g_hash_table_contains (seen, GSIZE_TO_POINTER (p + 1)))
      g_array_append_val (pages, p);
  g_hash_table_unref (seen);
  return pages;
}

int64_t
raster_check_position (const GArray *pages, uint64_t address)
{
  for (guint i = 0; i < pages->len; i++)
    if (g_array_index (pages, uint64_t, i) == address / RASTER_PAGE)
      return (int64_t) (i * RASTER_PAGE + address % RASTER_PAGE);
  return -1;
}

void
raster_check_own (uint64_t unit, uint64_t span, uint32_t pixels,
                  uint32_t *first, uint32_t *last)
{
  *first = (uint32_t) (unit * pixels / span);
  uint32_t next = (uint32_t) ((unit + 1) * pixels / span);
  *last = next > *first + 1 ? next - 1 : *first;
}

/* By looking at every byte.  */
struct raster_check_cell *
raster_check_cells (const struct random_log *log, int filter,
                    const struct dv_highlight *only, const GArray *pages,
                    const struct dv_view *view, uint32_t width,
                    uint32_t height)
{
  struct raster_check_cell *cells
    = g_new0 (struct raster_check_cell, width * height);
  uint64_t w = view->x1 - view->x0, h = view->y1 - view->y0;
  bool *touched = g_new (bool, width);
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!raster_check_selected (a, filter) || a->icount < view->y0
        || a->icount >= view->y1
        || (only != NULL && !dv_highlight_context (only, a->context)
            && !dv_highlight_code (only, a->instruction)))
      continue;
    uint32_t top, bottom;
    raster_check_own (a->icount - view->y0, h, height, &top, &bottom);
    memset (touched, 0, width * sizeof *touched);
    for (uint32_t b = 0; b < a->size; b++) {
      int64_t position = raster_check_position (pages, a->address + b);
      if (position < (int64_t) view->x0 || position >= (int64_t) view->x1)
        continue;
      uint32_t left, right;
      raster_check_own ((uint64_t) position - view->x0, w, width, &left,
                        &right);
      for (; left <= right; left++)
        touched[left] = true;
    }
    for (uint32_t x = 0; x < width; x++)
      for (uint32_t y = top; touched[x] && y <= bottom; y++) {
        cells[y * width + x].count[a->kind]++;
        cells[y * width + x].threads[a->thread]++;
      }
  }
  g_free (touched);
  return cells;
}

void
raster_check_counts (const struct dv_raster *raster,
                     const struct raster_check_cell *cells)
{
  uint64_t max = 0;
  for (uint32_t i = 0; i < raster->width * raster->height; i++) {
    const uint32_t *want = cells[i].count, *got = raster->cells[i].count;
    if (got[0] != want[0] || got[1] != want[1])
      g_error ("pixel %u, %u of %u x %u: %u reads, %u writes; should be %u, "
               "%u", i % raster->width, i / raster->width, raster->width,
               raster->height, got[0], got[1], want[0], want[1]);
    max = MAX (max, (uint64_t) want[0] + want[1]);
  }
  g_assert_cmpuint (raster->max, ==, max);
}

struct dv_raster *
raster_check_view (const struct random_log *log, int filter,
                   const struct dv_scene *scene, const GArray *pages,
                   const struct dv_view *view, uint32_t width,
                   uint32_t height)
{
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, view, width, height,
                                            DV_DETAIL_FINE, NULL, NULL, &err);
  if (raster == NULL)
    g_error ("%s", err.message);
  struct raster_check_cell *cells
    = raster_check_cells (log, filter, NULL, pages, view, width, height);
  raster_check_counts (raster, cells);
  g_free (cells);
  return raster;
}

struct dv_scene *
raster_check_indexed (const struct random_log *log)
{
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  if (data == NULL
      || dg_index_build (data->log, NULL, 2, NULL, NULL, &index, &err) < 0)
    g_error ("%s", err.message);
  g_assert_null (dv_data_index (data));
  data->few = 0;
  data->rate = 0;
  /* All is told, however busy the machine.  */
  data->patience = G_MAXINT32;
  g_assert_true (dv_data_wants_index (data) == (log->accesses->len > 0));
  dv_data_set_index (data, index);
  g_assert_false (dv_data_wants_index (data));
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

struct dv_scene *
raster_check_scene (const struct random_log *log, int filter)
{
  struct dg_error err = { 0 };
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  if (data == NULL)
    g_error ("%s", err.message);
  g_assert_cmpint (data->flaw.code, ==, 0);
  /* All is told, however busy the machine.  */
  data->patience = G_MAXINT32;
  const char *events = filter & RASTER_EVENTS ? "user:work" : NULL;
  const char *ranges = filter & RASTER_RANGES ? "user:data" : NULL;
  struct dv_scene *scene = dv_scene_new (data, events, ranges, NULL, NULL,
                                         &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}
