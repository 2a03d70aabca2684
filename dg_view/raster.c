/* raster.c: counting the accesses of each pixel.

   A task is one chunk that is decoded, or a list of the index.  Chunks follow
   one another in time, so a task that decodes has all of its rows but the
   first and the last to itself; these two it counts in rows of its own and
   adds under a lock when it ends.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "raster.h"

#include <string.h>

#include <dg_record.h>
#include <glib.h>

#include "pagemap.h"
#include "raster_index.h"
#include "work.h"

/* What every access needs, as a copy on the stack: the compiler must not
   think that counting could change it.  */
struct lens {
  struct dv_scale x;
  struct dv_pagemap pages;     /* of the view; value: position - view.x0 */
  uint64_t page_mask;
  unsigned page_shift;
};

struct worker {
  struct dg_error error;
  struct dv_pen pen;           /* if there is an index */
};

struct job {
  const struct dv_scene *scene;
  struct dv_raster *raster;
  struct lens lens;
  struct dg_index *index;      /* NULL: there is none to use */
  GArray *parts;               /* struct dv_raster_part */
  struct worker *workers;
  GMutex lock;                 /* guards the rows that two chunks share */
  gint is_spoilt;              /* atomic: the index cannot be read */
};

/* The rows of one chunk.  */
struct band {
  uint32_t first, last;
  struct dv_cell *edge;        /* the first row, then the last */
};

static inline struct dv_cell *
band_row (const struct job *job, const struct band *band, uint32_t row)
{
  uint32_t width = job->raster->width;
  /* Also keeps the counts of a log whose chunks overlap in memory that is
     ours.  */
  if (row <= band->first)
    return band->edge;
  if (row >= band->last)
    return band->edge + width;
  return job->raster->cells + (size_t) row * width;
}

/* Counts the units [first, last] of the view, which may stick out of it.  */
static inline void
mark_units (const struct lens *lens, struct dv_cell *row, int64_t first,
            int64_t last, unsigned kind)
{
  int64_t end = (int64_t) lens->x.span;
  if (G_UNLIKELY (first < 0 || last >= end)) {
    first = MAX (first, 0);
    last = MIN (last, end - 1);
    if (first > last)
      return;
  }
  uint32_t column = dv_scale_pixel (&lens->x, (uint64_t) first);
  uint32_t stop = dv_scale_last (&lens->x, (uint64_t) last);
  row[column].count[kind]++;
  while (G_UNLIKELY (column < stop))
    row[++column].count[kind]++;
}

/* An access that goes on in the next page.  Its pages are neighbours in the
   layout, but those outside the view are not in the map.  Marked as a whole,
   lest a pixel that holds the boundary counts twice.  */
static void
mark_pages (const struct lens *lens, struct dv_cell *row, uint64_t address,
            uint32_t size, unsigned kind)
{
  uint64_t left = size;
  int64_t first = 0, last = -1;
  while (left > 0) {
    uint64_t offset = address & lens->page_mask;
    uint64_t part = MIN (left, lens->page_mask + 1 - offset);
    struct dv_pagemap_entry *entry
      = dv_pagemap_find (&lens->pages, address >> lens->page_shift);
    if (entry != NULL) {
      if (last < first)
        first = entry->value + (int64_t) offset;
      last = entry->value + (int64_t) (offset + part) - 1;
    }
    address += part;
    left -= part;
  }
  if (first <= last)
    mark_units (lens, row, first, last, kind);
}

static inline void
mark_access (const struct lens *lens, struct dv_cell *row, uint64_t address,
             uint32_t size, unsigned kind)
{
  uint64_t offset = address & lens->page_mask;
  if (G_UNLIKELY (kind > DG_ACC_WRITE || address == 0 || size == 0))
    return;
  if (G_UNLIKELY (offset + size > lens->page_mask + 1)) {
    struct lens copy = *lens;   /* lest the address of ours escapes */
    mark_pages (&copy, row, address, size, kind);
    return;
  }
  struct dv_pagemap_entry *entry
    = dv_pagemap_find (&lens->pages, address >> lens->page_shift);
  if (entry == NULL)
    return;
  int64_t first = entry->value + (int64_t) offset;
  mark_units (lens, row, first, first + size - 1, kind);
}

/* A run of which not everything may count, or not in one row.  */
static void
mark_carefully (const struct job *job, const struct lens *lens,
                const struct band *band, const struct dg_run *run)
{
  const struct dv_scale *y = &job->raster->y;
  const struct dg_filter *filter = job->scene->filter;
  const struct dv_view *view = &job->raster->view;
  if (filter != NULL && !dg_filter_run (filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.icount < view->y0 || access.icount >= view->y1)
      continue;
    if (filter != NULL && (access.address == 0
                           || !dg_filter_access (filter, &access)))
      continue;
    uint32_t row = dv_scale_pixel (y, access.icount - y->start);
    uint32_t last = dv_scale_last (y, access.icount - y->start);
    for (; row <= last; row++)
      mark_access (lens, band_row (job, band, row), access.address,
                   access.size, access.kind);
  }
}

/* A run that counts as a whole, in one row.  */
static inline void
mark_whole (const struct lens *lens, struct dv_cell *row,
            const struct dg_run *run)
{
  const struct dg_slot *slot = run->bbdef->slots, *end = slot + run->n_slots;
  const uint64_t *addresses = run->addresses;
  for (; slot < end; slot++)
    mark_access (lens, row, addresses[slot->entry], slot->size, slot->kind);
}

static inline void
mark_run (const struct job *job, const struct lens *lens,
          const struct band *band, const struct dg_run *run)
{
  const struct dv_scale *y = &job->raster->y;
  const struct dv_view *view = &job->raster->view;
  uint64_t end = run->icount + run->n_instrs;
  if (run->n_slots == 0 || end <= view->y0)
    return;
  if (job->scene->filter == NULL && run->icount >= view->y0
      && end <= view->y1) {
    uint32_t row = dv_scale_pixel (y, run->icount - y->start);
    if (row == dv_scale_last (y, end - 1 - y->start)) {
      mark_whole (lens, band_row (job, band, row), run);
      return;
    }
  }
  mark_carefully (job, &job->lens, band, run);
}

/* The rows that accesses of chunk number `chunk` can lie in.  */
static void
band_init (struct band *band, const struct job *job, size_t chunk)
{
  const struct dv_scale *y = &job->raster->y;
  uint64_t start, end;
  dv_data_chunk (job->scene->data, chunk, &start, &end);
  start = CLAMP (start, y->start, y->start + y->span - 1);
  end = CLAMP (end, start + 1, y->start + y->span);
  band->first = dv_scale_pixel (y, start - y->start);
  band->last = dv_scale_last (y, end - 1 - y->start);
  band->edge = g_new0 (struct dv_cell, 2 * (size_t) job->raster->width);
}

static void
add_row (struct dv_raster *raster, uint32_t row, const struct dv_cell *cells)
{
  struct dv_cell *to = raster->cells + (size_t) row * raster->width;
  for (uint32_t i = 0; i < raster->width; i++) {
    to[i].count[0] += cells[i].count[0];
    to[i].count[1] += cells[i].count[1];
  }
}

static void
band_fini (struct band *band, struct job *job)
{
  struct dv_raster *raster = job->raster;
  g_mutex_lock (&job->lock);
  add_row (raster, band->first, band->edge);
  add_row (raster, band->last, band->edge + raster->width);
  g_mutex_unlock (&job->lock);
  g_free (band->edge);
}

static int
decode_chunk (struct job *job, size_t chunk, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (job->scene->data->log, chunk,
                                            chunk + 1, err);
  if (reader == NULL)
    return err->code;
  struct band band;
  band_init (&band, job, chunk);
  const struct lens lens = job->lens;
  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.icount >= job->raster->view.y1) {
      result = 0;
      break;
    }
    mark_run (job, &lens, &band, &run);
  }
  band_fini (&band, job);
  dg_reader_free (reader);
  return result;
}

static int
raster_part (void *user, size_t task, unsigned worker)
{
  struct job *job = user;
  struct worker *self = &job->workers[worker];
  const struct dv_raster_part *part
    = &g_array_index (job->parts, struct dv_raster_part, task);
  if (job->index == NULL)
    return decode_chunk (job, part->i, &self->error);

  const struct dg_line_list *list
    = dg_index_borrow (job->index, part->level, part->i, &self->error);
  if (list == NULL) {
    g_atomic_int_set (&job->is_spoilt, 1);
    return self->error.code;
  }
  struct dg_index_span span = dg_index_span (job->index, part->level,
                                             part->i);
  bool decode = part->decode && dv_pen_touches (&self->pen, list);
  if (!part->decode)
    dv_pen_draw (&self->pen, list, &span, job->raster, &job->lock);
  dg_index_return (job->index, list);
  return decode ? decode_chunk (job, part->i, &self->error) : 0;
}

/* With the pages of the view, those that are partly seen included.  */
static void
set_lens (struct job *job, const struct dv_view *view)
{
  const struct dv_layout *layout = &job->scene->layout;
  struct lens *lens = &job->lens;
  lens->x = job->raster->x;
  lens->page_shift = layout->page_shift;
  lens->page_mask = ((uint64_t) 1 << layout->page_shift) - 1;
  uint64_t position = view->x0 & ~lens->page_mask;
  dv_pagemap_init (&lens->pages,
                   (size_t) ((view->x1 - position) >> lens->page_shift) + 1);
  for (; position < view->x1; position += lens->page_mask + 1) {
    uint64_t address = dv_layout_address (layout, position);
    dv_pagemap_insert (&lens->pages, address >> lens->page_shift,
                       (int64_t) (position - view->x0));
  }
}

static void
set_max (struct dv_raster *raster)
{
  size_t n = (size_t) raster->width * raster->height;
  for (size_t i = 0; i < n; i++) {
    const struct dv_cell *cell = &raster->cells[i];
    raster->max = MAX (raster->max,
                       (uint64_t) cell->count[0] + cell->count[1]);
  }
}

/* As dv_work_run.  */
static int
run_job (struct job *job, enum dv_detail detail, dg_progress_fn progress,
         void *user, struct dg_error *err)
{
  struct dv_raster *raster = job->raster;
  unsigned workers = dv_work_default_workers ();
  if (job->lens.pages.entries == NULL)
    set_lens (job, &raster->view);
  job->parts = dv_raster_plan (job->scene, job->index, raster,
                               detail, &raster->is_draft);
  job->workers = g_new0 (struct worker, workers);
  for (unsigned w = 0; w < workers && job->index != NULL; w++)
    dv_pen_init (&job->workers[w].pen, job->scene, raster);
  int code = dv_work_run (job->parts->len, workers, raster_part, job,
                          progress, user, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    if (code < 0 && job->workers[w].error.code == code)
      *err = job->workers[w].error;
    if (job->index != NULL)
      dv_pen_fini (&job->workers[w].pen);
  }
  g_free (job->workers);
  g_array_unref (job->parts);
  return code;
}

/* By the index, if there is one for all accesses that are shown; what cannot
   be read of it is decoded.  */
static int
count_accesses (struct job *job, enum dv_detail detail,
                dg_progress_fn progress, void *user, struct dg_error *err)
{
  const struct dv_scene *scene = job->scene;
  struct dv_raster *raster = job->raster;
  if (scene->filter == NULL && scene->layout.page_shift >= 6)
    job->index = dv_data_index (scene->data);
  int code = run_job (job, detail, progress, user, err);
  if (code == 0 || code == DG_ERR_CANCELLED
      || !g_atomic_int_get (&job->is_spoilt))
    return code;
  dv_data_spoil_index (scene->data);
  if (scene->data->is_glance)
    return code;
  job->index = NULL;
  memset (raster->cells, 0,
          (size_t) raster->width * raster->height * sizeof *raster->cells);
  return run_job (job, detail, progress, user, err);
}

struct dv_raster *
dv_raster_new (const struct dv_scene *scene, const struct dv_view *view,
               uint32_t width, uint32_t height, enum dv_detail detail,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_raster *raster = g_new0 (struct dv_raster, 1);
  raster->view = *view;
  raster->width = width;
  raster->height = height;
  dv_scale_init (&raster->x, view->x0, view->x1 - view->x0, width);
  dv_scale_init (&raster->y, view->y0, view->y1 - view->y0, height);
  raster->cells = g_new0 (struct dv_cell, (size_t) width * height);

  struct job job = { .scene = scene, .raster = raster };
  g_mutex_init (&job.lock);
  int code = count_accesses (&job, detail, progress, user, err);
  g_mutex_clear (&job.lock);
  dv_pagemap_fini (&job.lens.pages);
  if (code != 0) {
    dv_raster_free (raster);
    return NULL;
  }
  set_max (raster);
  return raster;
}

void
dv_raster_free (struct dv_raster *raster)
{
  if (raster == NULL)
    return;
  g_free (raster->cells);
  g_free (raster);
}
