/* pen.c: counting the lists of the index in the pixels of a view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pen.h"

#include <string.h>

#include "raster_plan.h"
#include "model/log/order.h"

/* ---- Columns --------------------------------------------------------- */

/* The first count from `from` on whose line is not below.  Near, mostly.  */
static size_t
find_line (const struct dg_line_list *list, size_t from, uint64_t line)
{
  size_t step = 1, low = from, high;
  while (low + step < list->n && list->counts[low + step].line < line) {
    low += step;
    step *= 2;
  }
  high = MIN (low + step, list->n);
  DV_BISECT (low, high, middle, list->counts[middle].line < line);
  return low;
}

/* A piece of the list that lies side by side in the view: the counts
   [first, end), of which a line at address a has unit a + shift.  */
struct piece {
  size_t first, end;
  uint64_t shift;
};

struct walk {
  const struct dv_pen_columns *columns;
  const struct dg_line_list *list;
  size_t at;                         /* in the list */
  const struct dv_segment *segment;  /* the next */
};

static void
walk_init (struct walk *walk, const struct dv_pen_columns *columns,
           const struct dg_line_list *list)
{
  walk->columns = columns;
  walk->list = list;
  walk->at = 0;
  walk->segment = columns->layout->n == 0 ? NULL
                  : dv_layout_segment (columns->layout,
                                       columns->raster->view.x0);
}

/* The segment that a line is in, or the one behind it; those before
   walk->segment are passed.  */
static void
skip_segments (struct walk *walk, uint64_t address)
{
  const struct dv_layout *layout = walk->columns->layout;
  size_t low = (size_t) (walk->segment - layout->segments), step = 1;
  while (low + step < layout->n
         && layout->segments[low + step].address <= address) {
    low += step;
    step *= 2;
  }
  size_t after = low + 1, high = MIN (low + step, layout->n);
  DV_BISECT (after, high, middle, layout->segments[middle].address <= address);
  const struct dv_segment *segment = &layout->segments[after - 1];
  if (address >= segment->address
      && address - segment->address >= segment->size)
    segment++;
  walk->segment = segment;
}

/* The next piece; false at the end.  */
static bool
walk_next (struct walk *walk, struct piece *piece)
{
  const struct dv_layout *layout = walk->columns->layout;
  const struct dv_view *view = &walk->columns->raster->view;
  const struct dg_line_list *list = walk->list;
  while (walk->segment != NULL && walk->at < list->n) {
    skip_segments (walk, list->counts[walk->at].line * DG_LINE_BYTES);
    const struct dv_segment *segment = walk->segment;
    if (segment == layout->segments + layout->n
        || segment->position >= view->x1)
      return false;
    uint64_t skip = view->x0 > segment->position
                    ? view->x0 - segment->position : 0;
    uint64_t stop = MIN (segment->size, view->x1 - segment->position);
    if (skip < stop) {
      piece->first
        = find_line (list, walk->at, (segment->address + skip)
                                     / DG_LINE_BYTES);
      piece->end
        = find_line (list, piece->first,
                     (segment->address + stop - 1) / DG_LINE_BYTES + 1);
      piece->shift = segment->position - view->x0 - segment->address;
      walk->at = piece->end;
    }
    /* Anything left of the segment is outside of the view.  */
    walk->segment = segment + 1;
    if (walk->segment == layout->segments + layout->n)
      walk->segment = NULL;
    if (walk->segment != NULL && walk->at < list->n)
      walk->at = find_line (list, walk->at, walk->segment->address
                                            / DG_LINE_BYTES);
    if (skip < stop && piece->first < piece->end)
      return true;
  }
  return false;
}

static inline void
add_count (struct dv_pen_column *column, const struct dg_line_count *count)
{
  column->count[0] += count->reads;
  column->count[1] += count->writes;
}

/* Pixels are at least a line wide: each line goes to the one where its middle
   is, if that is in the view.  */
static void
add_narrow (const struct dv_pen_columns *columns,
            const struct dg_line_list *list, const struct piece *piece,
            struct dv_pen_column *counts)
{
  const uint64_t *starts = columns->starts;
  uint64_t span = columns->raster->x.span;
  uint32_t width = columns->raster->width, column = 0;
  for (size_t i = piece->first; i < piece->end; i++) {
    int64_t begin = (int64_t) (list->counts[i].line * DG_LINE_BYTES
                               + piece->shift);
    int64_t middle = begin + DG_LINE_BYTES / 2;
    uint64_t unit = middle < 0 ? 0 : MIN ((uint64_t) middle, span - 1);
    if (unit >= starts[column + 1]) {
      if (column + 2 <= width && unit < starts[column + 2])
        column++;
      else
        column = dv_scale_pixel (&columns->raster->x, unit);
    }
    add_count (&counts[column], &list->counts[i]);
  }
}

/* Each line goes to all the pixels that it covers.  */
static void
add_broad (const struct dv_pen_columns *columns,
           const struct dg_line_list *list, const struct piece *piece,
           struct dv_pen_column *counts)
{
  const struct dv_scale *x = &columns->raster->x;
  for (size_t i = piece->first; i < piece->end; i++) {
    int64_t begin = (int64_t) (list->counts[i].line * DG_LINE_BYTES
                               + piece->shift);
    int64_t last = MIN (begin + DG_LINE_BYTES - 1, (int64_t) x->span - 1);
    uint32_t column = dv_scale_pixel (x, (uint64_t) MAX (begin, 0));
    uint32_t stop = dv_scale_last (x, (uint64_t) last);
    for (; column <= stop; column++)
      add_count (&counts[column], &list->counts[i]);
  }
}

static bool
add_list (const struct dv_pen_columns *columns,
          const struct dg_line_list *list, struct dv_pen_column *counts)
{
  const struct dv_raster *raster = columns->raster;
  bool is_wide = raster->x.span / DG_LINE_BYTES >= raster->width;
  struct piece piece;
  struct walk walk;
  bool any = false;
  walk_init (&walk, columns, list);
  while (walk_next (&walk, &piece)) {
    any = true;
    if (is_wide)
      add_narrow (columns, list, &piece, counts);
    else
      add_broad (columns, list, &piece, counts);
  }
  return any;
}

bool
dv_pen_touches (const struct dv_pen *pen, const struct dg_line_list *list)
{
  struct piece piece;
  struct walk walk;
  walk_init (&walk, &pen->columns, list);
  return walk_next (&walk, &piece);
}

/* ---- Rows ------------------------------------------------------------ */

/* A number in [0, 1) that looks random and is always the same.  */
static double
dither (size_t chunk, uint32_t column)
{
  uint64_t x = chunk * 0x9e3779b97f4a7c15u + column * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return (double) (x >> 11) * 0x1p-53;
}

/* The part [before, behind) of the counts of each column.  They are rounded so
   that what is lost in one row comes back in another, not always the same
   one.  */
static void
take_share (const struct dv_pen *pen, size_t chunk, double before,
            double behind)
{
  for (uint32_t c = 0; c < pen->columns.raster->width; c++)
    for (unsigned kind = 0; kind < 2; kind++) {
      double n = (double) pen->counts[c].count[kind];
      if (n == 0) {
        pen->row[c].count[kind] = 0;
        continue;
      }
      double rest = dither (2 * chunk + kind, c);
      pen->row[c].count[kind] = (uint64_t) (n * behind + rest)
                                - (uint64_t) (n * before + rest);
    }
}

static void
add_owners (struct dv_raster *raster, uint32_t row,
            const struct dv_pen_column *counts, uint32_t thread)
{
  struct dv_raster_owner *owners =
    raster->owners + (size_t) row * raster->width;
  for (uint32_t c = 0; c < raster->width; c++) {
    uint64_t n = counts[c].count[0] + counts[c].count[1];
    if (n > 0)
      dv_raster_vote (&owners[c], thread, (uint32_t) MIN (n, UINT32_MAX));
  }
}

static void
add_row (struct dv_raster *raster, uint32_t row,
         const struct dv_pen_column *counts, uint32_t thread, GMutex *lock)
{
  struct dv_raster_cell *cells = raster->cells + (size_t) row * raster->width;
  g_mutex_lock (lock);
  if (raster->owners != NULL && thread != 0)
    add_owners (raster, row, counts, thread);
  for (uint32_t c = 0; c < raster->width; c++)
    for (int kind = 0; kind < 2; kind++)
      cells[c].count[kind]
        = (uint32_t) MIN (cells[c].count[kind] + counts[c].count[kind],
                          UINT32_MAX);
  g_mutex_unlock (lock);
}

/* The moments of a row: [*start, *end).  */
static void
row_moments (const struct dv_scale *y, uint32_t row, uint64_t *start,
             uint64_t *end)
{
  if (y->span >= y->pixels) {
    *start = y->start + dv_scale_unit (y, row);
    *end = y->start + dv_scale_unit (y, row + 1);
  } else {
    *start = y->start + dv_scale_owner (y, row);
    *end = *start + 1;
  }
}

bool
dv_pen_draw (struct dv_pen *pen, const struct dg_line_list *list,
             const struct dg_index_span *span, uint32_t thread,
             struct dv_raster *raster, GMutex *lock)
{
  const struct dv_scale *y = &raster->y;
  uint64_t start = MAX (span->start_icount, raster->view.y0);
  uint64_t stop = MIN (span->end_icount, raster->view.y1);
  uint32_t first, last;
  if (start >= stop)
    return false;
  memset (pen->counts, 0, raster->width * sizeof *pen->counts);
  if (!add_list (&pen->columns, list, pen->counts))
    return false;
  dv_raster_rows (y, start, stop, &first, &last);
  if (first == last && start == span->start_icount
      && stop == span->end_icount) {
    add_row (raster, first, pen->counts, thread, lock);
    return true;
  }
  double length = (double) (span->end_icount - span->start_icount);
  for (uint32_t row = first; row <= last; row++) {
    row_moments (y, row, &start, &stop);
    start = CLAMP (start, span->start_icount, span->end_icount);
    stop = CLAMP (stop, span->start_icount, span->end_icount);
    take_share (pen, span->first_chunk,
                (double) (start - span->start_icount) / length,
                (double) (stop - span->start_icount) / length);
    add_row (raster, row, pen->row, thread, lock);
  }
  return true;
}

/* ---- Life ------------------------------------------------------------ */

void
dv_pen_init (struct dv_pen *pen, const struct dv_scene *scene,
             const struct dv_raster *raster)
{
  pen->columns.layout = &scene->layout;
  pen->columns.raster = raster;
  pen->columns.starts = g_new (uint64_t, (size_t) raster->width + 1);
  for (uint32_t c = 0; c <= raster->width; c++)
    pen->columns.starts[c] = dv_scale_unit (&raster->x, c);
  pen->counts = g_new (struct dv_pen_column, raster->width);
  pen->row = g_new (struct dv_pen_column, raster->width);
}

void
dv_pen_fini (struct dv_pen *pen)
{
  g_free (pen->columns.starts);
  g_free (pen->counts);
  g_free (pen->row);
}
