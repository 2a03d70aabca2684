/* pick.c: from a point to a pixel, from a pixel to its accesses.

   Decodes only chunks that hold the pixel's row and, as far as the index
   knows, touched its column.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pick.h"

#include <math.h>
#include <stdlib.h>

#include <dg_record.h>

#include "pick_window.h"
#include "model/log/work.h"

#include "model/log/seek.h"
#include "model/log/order.h"

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
  const struct dv_raster_cell *cell =
    dv_raster_cell (raster, (uint32_t) column, (uint32_t) row);
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

/* ---- Gathering ------------------------------------------------------- */

/* Addresses that are side by side on the axis.  */
struct interval {
  uint64_t low, high;
};

/* What one chunk has: under the pixel, and near it.  */
struct found {
  size_t chunk;
  bool is_done;
  struct dv_pick_window exact, near;
};

struct gathering {
  const struct dv_scene *scene;
  struct dv_view cell;         /* what the pixel shows */
  struct dv_view wide;         /* what the index may have shown there */
  GArray *intervals;           /* struct interval, of `wide` */
  double x, y;                 /* the point, in units of the scene */
  double per_x, per_y;         /* units a pixel */
  struct found *found;         /* by distance in time */
  size_t n;
  gint64 deadline;             /* in us, monotonic */
  gint has_exact;              /* atomic */
  gint is_partial;             /* atomic */
  GMutex lock;                 /* guards err */
  struct dg_error err;
};

static bool
overlaps (const struct dv_view *view, uint64_t position, uint64_t end,
          uint64_t icount)
{
  return icount >= view->y0 && icount < view->y1 && position < view->x1
         && end > view->x0;
}

/* Cheap: most accesses of a chunk are far away.  */
static bool
may_be_near (const struct gathering *g, const struct dg_access *access)
{
  const struct interval *last = &g_array_index (g->intervals, struct interval,
                                                g->intervals->len - 1);
  return access->address < last->high
         && access->address + access->size
              > g_array_index (g->intervals, struct interval, 0).low
         && access->address != 0 && access->size != 0
         && access->kind <= DG_ACC_WRITE;
}

static void
consider (struct gathering *g, struct found *found,
          const struct dg_access *access)
{
  uint64_t position;
  if (access->icount < g->wide.y0 || access->icount >= g->wide.y1
      || !may_be_near (g, access)
      || !dv_layout_position (&g->scene->layout, access->address, &position))
    return;
  uint64_t end = position + access->size;
  bool exact = overlaps (&g->cell, position, end, access->icount);
  if (!exact && !overlaps (&g->wide, position, end, access->icount))
    return;
  if (g->scene->filter != NULL
      && !dg_filter_access (g->scene->filter, access))
    return;
  double dx = ((double) position + access->size / 2.0 - g->x) / g->per_x;
  double dy = ((double) access->icount + 0.5 - g->y) / g->per_y;
  dv_pick_window_add (exact ? &found->exact : &found->near, access,
                      dx * dx + dy * dy);
}

static int
gather_chunk (struct gathering *g, struct found *found, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (g->scene->data->log, found->chunk,
                                            found->chunk + 1, err);
  if (reader == NULL)
    return err->code;
  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.icount >= g->wide.y1) {
      result = 0;
      break;
    }
    if (run.n_slots == 0 || run.icount + run.n_instrs <= g->wide.y0
        || (g->scene->filter != NULL
            && !dg_filter_run (g->scene->filter, run.context, run.icount)))
      continue;
    for (unsigned i = 0; i < run.n_slots; i++) {
      struct dg_access access = dv_run_access (&run, i);
      consider (g, found, &access);
    }
  }
  dg_reader_free (reader);
  return result;
}

static int
gather_task (void *user, size_t task, unsigned worker)
{
  struct gathering *g = user;
  struct found *found = &g->found[task];
  struct dg_error err = { 0 };
  if (g_atomic_int_get (&g->has_exact)
      && g_get_monotonic_time () > g->deadline) {
    g_atomic_int_set (&g->is_partial, 1);
    return 0;
  }
  dv_pick_window_init (&found->exact);
  dv_pick_window_init (&found->near);
  found->is_done = true;
  int code = gather_chunk (g, found, &err);
  if (found->exact.total > 0)
    g_atomic_int_set (&g->has_exact, 1);
  if (code < 0) {
    g_mutex_lock (&g->lock);
    g->err = err;
    g_mutex_unlock (&g->lock);
  }
  return code;
}

/* ---- Which chunks ---------------------------------------------------- */

/* To whole chunks, and a line more on both sides.  */
static void
widen (struct gathering *g)
{
  size_t n;
  dg_log_chunks (g->scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    uint64_t start, end;
    dv_data_chunk (g->scene->data, i, &start, &end);
    if (start >= g->cell.y1 || end <= g->cell.y0)
      continue;
    g->wide.y0 = MIN (g->wide.y0, start);
    g->wide.y1 = MAX (g->wide.y1, end);
  }
  g->wide.x0 -= MIN (g->wide.x0, DG_LINE_BYTES);
  g->wide.x1 = MIN (g->wide.x1 + DG_LINE_BYTES, g->scene->layout.size);
}

static void
find_intervals (struct gathering *g)
{
  const struct dv_layout *layout = &g->scene->layout;
  g->intervals = g_array_new (FALSE, FALSE, sizeof (struct interval));
  const struct dv_segment *s = dv_layout_segment (layout, g->wide.x0);
  const struct dv_segment *end = layout->segments + layout->n;
  for (; s < end && s->position < g->wide.x1; s++) {
    uint64_t from = MAX (g->wide.x0, s->position);
    uint64_t to = MIN (g->wide.x1, s->position + s->size);
    struct interval interval = { s->address + (from - s->position),
                                 s->address + (to - s->position) };
    if (interval.high < interval.low)
      interval.high = UINT64_MAX;
    g_array_append_val (g->intervals, interval);
  }
}

/* Whether the list has a line of the interval.  */
static bool
has_line (const struct dg_line_list *list, const struct interval *interval)
{
  uint64_t line = interval->low / DG_LINE_BYTES;
  size_t low = 0, high = list->n;
  DV_BISECT (low, high, middle, list->counts[middle].line < line);
  return low < list->n
         && list->counts[low].line <= (interval->high - 1) / DG_LINE_BYTES;
}

/* Whether the chunk touched the interval's lines, as far as the index can
   tell.  */
static bool
may_touch (const struct gathering *g, size_t chunk)
{
  struct dg_index *index = dv_data_index (g->scene->data);
  bool touches = false;
  if (index == NULL || dg_index_levels (index) == 0
      || chunk >= dg_index_lists (index, 0))
    return true;
  const struct dg_line_list *list = dg_index_borrow (index, 0, chunk, NULL);
  if (list == NULL)
    return true;
  for (guint i = 0; i < g->intervals->len && !touches; i++)
    touches = has_line (list, &g_array_index (g->intervals, struct interval,
                                              i));
  dg_index_return (index, list);
  return touches;
}

struct near_chunk {
  size_t chunk;
  double away;             /* from the point, in instructions */
};

DV_DEFINE_COMPARE (compare_near, struct near_chunk, x->away)

/* Of those few that the row shows, the nearest first.  */
static void
find_chunks (struct gathering *g)
{
  size_t n;
  dg_log_chunks (g->scene->data->log, &n);
  GArray *chunks = g_array_new (FALSE, FALSE, sizeof (struct near_chunk));
  for (size_t i = 0; i < n; i++) {
    uint64_t start, end;
    if (!dv_scene_chunk_matters (g->scene, i, &g->wide) || !may_touch (g, i))
      continue;
    dv_data_chunk (g->scene->data, i, &start, &end);
    struct near_chunk near = { i, fmax (0, fmax ((double) start - g->y,
                                                 g->y - (double) end)) };
    g_array_append_val (chunks, near);
  }
  g_array_sort (chunks, compare_near);
  g->n = chunks->len;
  g->found = g_new0 (struct found, chunks->len + 1);
  for (guint i = 0; i < chunks->len; i++)
    g->found[i].chunk = g_array_index (chunks, struct near_chunk, i).chunk;
  g_array_unref (chunks);
}

/* ---- Putting together ------------------------------------------------ */

DV_DEFINE_COMPARE (compare_found, struct found, x->chunk)

static struct dv_pick_window *
window_of (struct gathering *g, size_t i, bool exact)
{
  struct found *found = &g->found[i];
  if (!found->is_done)
    return NULL;
  return exact ? &found->exact : &found->near;
}

/* All of the chunk's accesses are there.  */
static bool
is_whole (const struct dv_pick_window *window)
{
  return window != NULL && window->accesses->len == window->total;
}

/* The accesses around the nearest, as far as there is no gap, from as many
   chunks as that takes.  */
static void
join (struct gathering *g, bool exact, struct dv_pick *pick)
{
  size_t best = SIZE_MAX, low, high;
  double badness = INFINITY;
  qsort (g->found, g->n, sizeof *g->found, compare_found);
  for (size_t i = 0; i < g->n; i++) {
    struct dv_pick_window *window = window_of (g, i, exact);
    if (window != NULL && window->badness < badness) {
      badness = window->badness;
      best = i;
    }
  }
  if (best == SIZE_MAX)
    return;
  struct dv_pick_window *middle = window_of (g, best, exact);
  dv_pick_window_close (middle, DV_PICK_KEPT);
  low = high = best;
  if (middle->first == 0)
    while (low > 0 && is_whole (window_of (g, low - 1, exact)))
      low--;
  if (middle->first + middle->accesses->len == middle->total)
    while (high + 1 < g->n && is_whole (window_of (g, high + 1, exact)))
      high++;
  for (size_t i = 0; i < g->n; i++) {
    struct dv_pick_window *window = window_of (g, i, exact);
    if (window == NULL)
      continue;
    if (i == best)
      pick->nearest = pick->accesses->len + middle->best;
    if (i == low)
      pick->first = pick->total + window->first;
    if (i >= low && i <= high)
      g_array_append_vals (pick->accesses, window->accesses->data,
                           window->accesses->len);
    pick->total += window->total;
  }
  /* Not more than was promised.  */
  if (pick->accesses->len > DV_PICK_KEPT) {
    guint from = pick->nearest > DV_PICK_KEPT / 2
                 ? pick->nearest - DV_PICK_KEPT / 2 : 0;
    from = MIN (from, pick->accesses->len - DV_PICK_KEPT);
    g_array_set_size (pick->accesses, from + DV_PICK_KEPT);
    if (from > 0)
      g_array_remove_range (pick->accesses, 0, from);
    pick->first += from;
    pick->nearest -= from;
  }
}

static void
gathering_init (struct gathering *g, const struct dv_scene *scene,
                const struct dv_raster *raster, uint32_t column, uint32_t row,
                double x, double y)
{
  *g = (struct gathering){ .scene = scene };
  pixel_units (&raster->x, column, &g->cell.x0, &g->cell.x1);
  pixel_units (&raster->y, row, &g->cell.y0, &g->cell.y1);
  g->cell.x0 += raster->view.x0;
  g->cell.x1 += raster->view.x0;
  g->cell.y0 += raster->view.y0;
  g->cell.y1 += raster->view.y0;
  g->per_x = (double) raster->x.span / raster->width;
  g->per_y = (double) raster->y.span / raster->height;
  g->x = (double) raster->view.x0 + x * g->per_x;
  g->y = (double) raster->view.y0 + y * g->per_y;
  g->wide = g->cell;
  /* Only pictures of everything come from the index.  */
  if (scene->filter == NULL && dv_data_index (scene->data) != NULL)
    widen (g);
  g_mutex_init (&g->lock);
  g->deadline = g_get_monotonic_time () + scene->data->patience * 1000;
  find_intervals (g);
  find_chunks (g);
}

static void
gathering_fini (struct gathering *g)
{
  for (size_t i = 0; i < g->n; i++)
    if (g->found[i].is_done) {
      dv_pick_window_fini (&g->found[i].exact);
      dv_pick_window_fini (&g->found[i].near);
    }
  g_free (g->found);
  g_array_unref (g->intervals);
  g_mutex_clear (&g->lock);
}

struct dv_pick *
dv_pick_new (const struct dv_scene *scene, const struct dv_raster *raster,
             uint32_t column, uint32_t row, double x, double y,
             dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_pick *pick = g_new0 (struct dv_pick, 1);
  struct gathering g;
  pick->column = column;
  pick->row = row;
  pick->accesses = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  gathering_init (&g, scene, raster, column, row, x, y);
  int code = dv_work_run (g.n, dv_work_default_workers (), gather_task, &g,
                          progress, user, DG_ERR_CANCELLED);
  if (code == 0) {
    join (&g, g_atomic_int_get (&g.has_exact), pick);
    pick->is_partial = g_atomic_int_get (&g.is_partial);
  } else if (code == DG_ERR_CANCELLED && g.err.code == 0) {
    *err = (struct dg_error){ DG_ERR_CANCELLED, 0, "cancelled" };
  } else {
    *err = g.err;
  }
  gathering_fini (&g);
  if (code == 0 && pick->accesses->len == 0) {
    *err = (struct dg_error){ DG_ERR_INVALID, 0, "no access there" };
    code = DG_ERR_INVALID;
  }
  if (code != 0) {
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
    if (dv_seek_same_access (
          &g_array_index (pick->accesses, struct dg_access, i), access)) {
      *index = i;
      return true;
    }
  return false;
}
