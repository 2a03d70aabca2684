/* heat.c: what caches do with the accesses under each pixel.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heat.h"

#include <math.h>

#include <dg_record.h>

#include "lens.h"
#include "model/log/items.h"

#define RUNS_AT_ONCE 4096

/* A line in the first level.  */
struct line {
  uint64_t number;         /* UINT64_MAX: this place is free */
  uint64_t used;           /* bytes, as bits */
  int64_t cell;            /* where it was fetched; -1: not in view */
};

/* Twice as many as there are lines in the cache, and more.  */
#define LINES 4096

struct job {
  const struct dv_scene *scene;
  const struct dv_raster *raster;
  enum dv_colouring colouring;
  struct dv_lens lens;
  struct dg_cache_each *caches;
  struct dg_reuse_each *reuse;
  struct line *lines;      /* LINES, by number */
  float *sums;             /* of each pixel */
  uint32_t *counts;
};

/* ---- Pixels --------------------------------------------------------- */

static void
add (struct job *job, int64_t cell, double value)
{
  job->sums[cell] += (float) value;
  job->counts[cell]++;
}

/* The pixels of an access: rows y0 .. y1, columns x0 .. x1; false: it is not
   in view.  */
struct pixels {
  uint32_t x0, x1, y0, y1;
};

static bool
find_pixels (const struct job *job, const struct dg_access *access,
             struct pixels *pixels)
{
  const struct dv_raster *raster = job->raster;
  const struct dv_lens *lens = &job->lens;
  if (access->icount < raster->view.y0 || access->icount >= raster->view.y1)
    return false;
  struct dv_pagemap_entry *entry =
    dv_pagemap_find (&lens->pages, access->address >> lens->page_shift);
  if (entry == NULL)
    return false;
  int64_t first =
    entry->value + (int64_t) (access->address & lens->page_mask);
  int64_t last = first + access->size - 1;
  first = MAX (first, 0);
  last = MIN (last, (int64_t) raster->x.span - 1);
  if (first > last)
    return false;
  uint64_t row = access->icount - raster->y.start;
  *pixels = (struct pixels){
    dv_scale_pixel (&raster->x, (uint64_t) first),
    dv_scale_last (&raster->x, (uint64_t) last),
    dv_scale_pixel (&raster->y, row), dv_scale_last (&raster->y, row) };
  return true;
}

static void
add_everywhere (struct job *job, const struct pixels *pixels, double value)
{
  for (uint32_t y = pixels->y0; y <= pixels->y1; y++)
    for (uint32_t x = pixels->x0; x <= pixels->x1; x++)
      add (job, (int64_t) y * job->raster->width + x, value);
}

/* ---- Use of lines --------------------------------------------------- */

static struct line *
line_of (const struct job *job, uint64_t number)
{
  uint32_t i = (uint32_t) (number * 0x9e3779b97f4a7c15u >> 40);
  while (job->lines[i % LINES].number != number
         && job->lines[i % LINES].number != UINT64_MAX)
    i++;
  return &job->lines[i % LINES];
}

/* Those behind it move up, as far as they were moved away.  */
static void
take_line (struct job *job, struct line *line)
{
  uint32_t hole = (uint32_t) (line - job->lines);
  for (uint32_t i = (hole + 1) % LINES;
       job->lines[i].number != UINT64_MAX; i = (i + 1) % LINES) {
    uint32_t home =
      (uint32_t) (job->lines[i].number * 0x9e3779b97f4a7c15u >> 40) % LINES;
    if ((i - home) % LINES < (i - hole) % LINES)
      continue;
    job->lines[hole] = job->lines[i];
    hole = i;
  }
  job->lines[hole].number = UINT64_MAX;
}

static void
tell_use (struct job *job, const struct line *line)
{
  if (line->cell >= 0)
    add (job, line->cell, 1 - __builtin_popcountll (line->used) / 64.0);
}

static void
use_lines (struct job *job, const struct dg_access *access,
           const struct dg_cache_step *step, int64_t cell)
{
  for (unsigned i = 0; i < step->n_lines; i++) {
    struct line *old = line_of (job, step->evicted[i]);
    if (step->evicted[i] != UINT64_MAX && old->number == step->evicted[i]) {
      tell_use (job, old);
      take_line (job, old);
    }
    *line_of (job, step->fetched[i]) =
      (struct line){ step->fetched[i], 0, cell };
  }
  uint64_t end = access->address + access->size;
  for (uint64_t at = access->address; at < end;) {
    uint64_t number = at / DG_CACHE_EACH_LINE;
    uint64_t stop = MIN (end, (number + 1) * DG_CACHE_EACH_LINE);
    struct line *line = line_of (job, number);
    if (line->number == number)
      line->used |= (UINT64_MAX >> (64 - (stop - at)))
                    << at % DG_CACHE_EACH_LINE;
    at = stop;
  }
}

/* What is still there at the end of the view counts, too.  */
static void
tell_rest (struct job *job)
{
  for (uint32_t i = 0; job->lines != NULL && i < LINES; i++)
    if (job->lines[i].number != UINT64_MAX)
      tell_use (job, &job->lines[i]);
}

/* ---- Accesses ------------------------------------------------------- */

static int
see_access (struct job *job, const struct dg_access *access,
            struct dg_error *err)
{
  struct pixels pixels;
  bool is_in_view = find_pixels (job, access, &pixels);
  if (job->reuse != NULL) {
    uint32_t distance;
    if (dg_reuse_each_access (job->reuse, access->address, access->size,
                              &distance, err) < 0)
      return err->code;
    if (is_in_view)
      add_everywhere (job, &pixels,
                      log (1.0 + MIN (distance, DV_HEAT_FAR))
                        / log (1.0 + DV_HEAT_FAR));
    return 0;
  }
  struct dg_cache_step step;
  dg_cache_each_access (job->caches, access->address, access->size, &step);
  if (job->lines != NULL)
    use_lines (job, access, &step,
               is_in_view ? (int64_t) pixels.y0 * job->raster->width
                              + pixels.x0
                          : -1);
  else if (is_in_view)
    add_everywhere (job, &pixels, step.level / 2.0);
  return 0;
}

static int
see_run (struct job *job, const struct dg_run *run, struct dg_error *err)
{
  const struct dg_filter *filter = job->scene->filter;
  /* As for analyses: what is left out is not simulated.  */
  if (filter != NULL
      && !dg_filter_run (filter, run->context, run->icount))
    return 0;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.address == 0 || access.size == 0
        || (filter != NULL && !dg_filter_access (filter, &access)))
      continue;
    int code = see_access (job, &access, err);
    if (code < 0)
      return code;
  }
  return 0;
}

/* ---- The log -------------------------------------------------------- */

/* The first chunk that is simulated, and the one behind the last.  */
static void
choose_chunks (const struct job *job, size_t *first, size_t *end)
{
  const struct dv_data *data = job->scene->data;
  const struct dv_view *view = &job->raster->view;
  uint64_t lead = MAX (DV_HEAT_LEAD, dv_data_second (data)), from, to;
  size_t n, begin = 0;
  const struct dg_chunk *chunks = dg_log_chunks (data->log, &n);
  *end = n;
  for (size_t i = 0; i < n; i++) {
    dv_data_chunk (data, i, &from, &to);
    if (to <= view->y0)
      begin = i + 1 < n ? i + 1 : i;
    if (from >= view->y1 && *end == n)
      *end = i;
  }
  *first = begin;
  while (*first > 0
         && chunks[begin].accesses - chunks[*first].accesses < lead)
    (*first)--;
}

static int
simulate (struct job *job, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  const struct dv_view *view = &job->raster->view;
  size_t first, end;
  unsigned left = RUNS_AT_ONCE;
  choose_chunks (job, &first, &end);
  struct dg_reader *reader =
    dg_reader_new (job->scene->data->log, first, MAX (end, first), err);
  if (reader == NULL)
    return err->code;
  uint64_t from, to, unused;
  dv_data_chunk (job->scene->data, first, &from, &unused);
  to = MAX (view->y1, from + 1);
  struct dg_run run;
  int result;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.icount >= view->y1) {
      result = 0;
      break;
    }
    result = see_run (job, &run, err);
    if (result < 0)
      break;
    if (--left > 0)
      continue;
    left = RUNS_AT_ONCE;
    if (progress != NULL
        && progress (user, MAX (run.icount, from) - from, to - from) != 0) {
      *err = (struct dg_error){ .code = DG_ERR_CANCELLED,
                                .message = "cancelled" };
      result = DG_ERR_CANCELLED;
      break;
    }
  }
  dg_reader_free (reader);
  return result;
}

static bool
job_init (struct job *job, struct dg_error *err)
{
  size_t n = (size_t) job->raster->width * job->raster->height;
  job->sums = g_try_new0 (float, n);
  job->counts = g_try_new0 (uint32_t, n);
  if (job->colouring == DV_COLOUR_REUSE)
    job->reuse = dg_reuse_each_new (err);
  else
    job->caches = dg_cache_each_new (err);
  if (job->colouring == DV_COLOUR_USE) {
    job->lines = g_new0 (struct line, LINES);
    for (uint32_t i = 0; i < LINES; i++)
      job->lines[i].number = UINT64_MAX;
  }
  if (job->sums == NULL || job->counts == NULL)
    dv_items_nomem (err);
  return job->sums != NULL && job->counts != NULL
         && (job->reuse != NULL || job->caches != NULL);
}

float *
dv_heat_new (const struct dv_scene *scene, const struct dv_raster *raster,
             enum dv_colouring colouring, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  struct job job = { .scene = scene, .raster = raster,
                     .colouring = colouring };
  size_t n = (size_t) raster->width * raster->height;
  float *heat = NULL;
  if (job_init (&job, err)) {
    dv_lens_init (&job.lens, scene, raster);
    if (simulate (&job, progress, user, err) == 0) {
      tell_rest (&job);
      heat = job.sums;
      for (size_t i = 0; i < n; i++)
        heat[i] = job.counts[i] > 0 ? heat[i] / (float) job.counts[i]
                                    : DV_HEAT_NONE;
    }
    dv_lens_fini (&job.lens);
  }
  if (heat == NULL)
    g_free (job.sums);
  g_free (job.counts);
  g_free (job.lines);
  dg_cache_each_free (job.caches);
  dg_reuse_each_free (job.reuse);
  return heat;
}
