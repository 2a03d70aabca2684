/* pick.c: from a point to a pixel, from a pixel to its accesses.

   Decodes only the chunks that hold the pixel's row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pick.h"

#include <math.h>

#include <dg_record.h>

#include "seek.h"

/* How far a point is from a pixel, 0 within it.  */
static double
distance (double x, double y, uint32_t column, uint32_t row)
{
  double dx = fmax (0, fmax (column - x, x - column - 1));
  double dy = fmax (0, fmax (row - y, y - row - 1));
  return hypot (dx, dy);
}

struct search {
  const struct dv_raster *raster;
  double x, y;
  double best;
  bool found;
  uint32_t column, row;
};

static void
look_at (struct search *search, int64_t column, int64_t row)
{
  const struct dv_raster *raster = search->raster;
  if (column < 0 || row < 0 || column >= raster->width
      || row >= raster->height)
    return;
  const struct dv_cell *cell = dv_raster_cell (raster, (uint32_t) column,
                                               (uint32_t) row);
  if (cell->count[0] == 0 && cell->count[1] == 0)
    return;
  double d = distance (search->x, search->y, (uint32_t) column,
                       (uint32_t) row);
  if (d < search->best || (d == search->best && !search->found)) {
    search->best = d;
    search->found = true;
    search->column = (uint32_t) column;
    search->row = (uint32_t) row;
  }
}

bool
dv_pick_pixel (const struct dv_raster *raster, double x, double y,
               double reach, uint32_t *column, uint32_t *row)
{
  struct search search = { .raster = raster, .x = x, .y = y };
  search.best = reach;
  int64_t cx = (int64_t) floor (x), cy = (int64_t) floor (y);
  int64_t most = (int64_t) ceil (fmin (reach, (double) raster->width
                                                + raster->height)) + 1;
  /* Squares around the point; pixels of square r are at least r - 1 away.  */
  for (int64_t r = 0; r <= most && (double) (r - 1) < search.best; r++) {
    for (int64_t i = -r; i <= r; i++) {
      look_at (&search, cx + i, cy - r);
      look_at (&search, cx + i, cy + r);
      look_at (&search, cx - r, cy + i);
      look_at (&search, cx + r, cy + i);
    }
  }
  *column = search.column;
  *row = search.row;
  return search.found;
}

/* The units of a pixel: [*start, *end), counted from the scale's start.  */
static void
pixel_units (const struct dv_scale *scale, uint32_t pixel, uint64_t *start,
             uint64_t *end)
{
  if (scale->span >= scale->pixels) {
    *start = dv_scale_unit (scale, pixel);
    *end = dv_scale_unit (scale, pixel + 1);
  } else {
    *start = dv_scale_owner (scale, pixel);
    *end = *start + 1;
  }
}

struct gathering {
  const struct dv_scene *scene;
  struct dv_view cell;         /* what the pixel shows */
  double x, y;                 /* the point, in units of the scene */
  double per_x, per_y;         /* units a pixel */
  double best;
  struct dv_pick *pick;
};

static void
consider (struct gathering *g, const struct dg_access *access)
{
  const struct dv_view *cell = &g->cell;
  uint64_t position;
  if (access->icount < cell->y0 || access->icount >= cell->y1
      || access->address == 0 || access->size == 0
      || access->kind > DG_ACC_WRITE
      || !dv_layout_position (&g->scene->layout, access->address, &position)
      || position >= cell->x1 || position + access->size <= cell->x0)
    return;
  if (g->scene->filter != NULL
      && !dg_filter_access (g->scene->filter, access))
    return;
  g->pick->total++;
  if (g->pick->accesses->len >= DV_PICK_KEPT)
    return;
  double dx = ((double) position + access->size / 2.0 - g->x) / g->per_x;
  double dy = ((double) access->icount + 0.5 - g->y) / g->per_y;
  double d = hypot (dx, dy);
  if (d < g->best) {
    g->best = d;
    g->pick->nearest = g->pick->accesses->len;
  }
  g_array_append_val (g->pick->accesses, *access);
}

static int
gather_chunk (struct gathering *g, size_t chunk, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (g->scene->data->log, chunk,
                                            chunk + 1, err);
  if (reader == NULL)
    return err->code;
  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.icount >= g->cell.y1) {
      result = 0;
      break;
    }
    if (run.icount + run.n_instrs <= g->cell.y0
        || (g->scene->filter != NULL
            && !dg_filter_run (g->scene->filter, run.context, run.icount)))
      continue;
    for (unsigned i = 0; i < run.n_slots; i++) {
      struct dg_access access = dv_run_access (&run, i);
      consider (g, &access);
    }
  }
  dg_reader_free (reader);
  return result;
}

static int
gather (struct gathering *g, dg_progress_fn progress, void *user,
        struct dg_error *err)
{
  size_t n;
  dg_log_chunks (g->scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    if (!dv_scene_chunk_matters (g->scene, i, &g->cell))
      continue;
    if (progress != NULL && progress (user, i, n) != 0) {
      *err = (struct dg_error){ DG_ERR_CANCELLED, 0, "cancelled" };
      return DG_ERR_CANCELLED;
    }
    int result = gather_chunk (g, i, err);
    if (result < 0)
      return result;
  }
  if (g->pick->total > 0)
    return 0;
  *err = (struct dg_error){ DG_ERR_INVALID, 0, "no access there" };
  return DG_ERR_INVALID;
}

/* To whole chunks, and a line more on both sides.  */
static void
widen (struct gathering *g)
{
  struct dv_view *cell = &g->cell;
  struct dv_view narrow = *cell;
  size_t n;
  dg_log_chunks (g->scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    uint64_t start, end;
    dv_data_chunk (g->scene->data, i, &start, &end);
    if (start >= narrow.y1 || end <= narrow.y0)
      continue;
    cell->y0 = MIN (cell->y0, start);
    cell->y1 = MAX (cell->y1, end);
  }
  cell->x0 -= MIN (cell->x0, DG_LINE_BYTES);
  cell->x1 = MIN (cell->x1 + DG_LINE_BYTES, g->scene->layout.size);
}

struct dv_pick *
dv_pick_new (const struct dv_scene *scene, const struct dv_raster *raster,
             uint32_t column, uint32_t row, double x, double y,
             dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_pick *pick = g_new0 (struct dv_pick, 1);
  pick->column = column;
  pick->row = row;
  pick->accesses = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  struct gathering g = { .scene = scene, .pick = pick, .best = INFINITY };
  pixel_units (&raster->x, column, &g.cell.x0, &g.cell.x1);
  pixel_units (&raster->y, row, &g.cell.y0, &g.cell.y1);
  g.cell.x0 += raster->view.x0;
  g.cell.x1 += raster->view.x0;
  g.cell.y0 += raster->view.y0;
  g.cell.y1 += raster->view.y0;
  g.per_x = (double) raster->x.span / raster->width;
  g.per_y = (double) raster->y.span / raster->height;
  g.x = (double) raster->view.x0 + x * g.per_x;
  g.y = (double) raster->view.y0 + y * g.per_y;
  int code = gather (&g, progress, user, err);
  if (code == DG_ERR_INVALID && scene->filter == NULL
      && dv_data_index (scene->data) != NULL) {
    widen (&g);
    code = gather (&g, progress, user, err);
  }
  if (code < 0) {
    dv_pick_free (pick);
    return NULL;
  }
  return pick;
}

void
dv_pick_free (struct dv_pick *pick)
{
  if (pick == NULL)
    return;
  g_array_unref (pick->accesses);
  g_free (pick);
}

bool
dv_pick_find (const struct dv_pick *pick, const struct dg_access *access,
              guint *index)
{
  for (guint i = 0; i < pick->accesses->len; i++)
    if (dv_same_access (&g_array_index (pick->accesses, struct dg_access, i),
                        access)) {
      *index = i;
      return true;
    }
  return false;
}
