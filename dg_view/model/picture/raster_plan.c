/* raster_plan.c: what of a picture is drawn from what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "raster_plan.h"

/* A part that would look better decoded.  */
struct tall {
  double height;
  guint part;
};

struct plan {
  const struct dv_raster *raster;
  struct dg_index *index;
  enum dv_detail detail;
  bool is_wide;            /* pixels are at least a line wide */
  bool is_few;             /* all chunks together are decoded quickly */
  uint32_t *threads;       /* of each chunk, 0: not known; NULL: nobody asks */
  GArray *parts;           /* struct dv_raster_part */
  uint64_t edges;          /* accesses of short chunks on the edge of rows */
  GArray *tall;            /* struct tall: of a good picture, those that are
                              decoded for their height only */
  bool lacks;              /* something should have been decoded */
};

/* The one thread that ran in each chunk; 0 where there may have been
   several.  */
static uint32_t *
chunk_threads (const struct dv_data *data)
{
  size_t n, n_threads;
  const struct dg_chunk *chunks = dg_log_chunks (data->log, &n);
  const struct dg_thread *threads = dg_log_threads (data->log, &n_threads);
  bool one = dg_log_summary (data->log)->threads <= 1;
  uint32_t *found = g_new0 (uint32_t, n + 1);
  for (size_t i = 0; i < n; i++) {
    uint64_t start, end;
    size_t alive = 0;
    dv_data_chunk (data, i, &start, &end);
    for (size_t t = 0; !one && t < n_threads && alive < 2; t++)
      alive += threads[t].start_icount < end
               && threads[t].end_icount >= start;
    if (one || (alive == 1 && end > start))
      found[i] = chunks[i].thread;
  }
  return found;
}

/* Of a list of the index; 0: not known, or nobody asks.  */
static uint32_t
thread_of (const struct plan *plan, const struct dg_index_span *span)
{
  if (plan->threads == NULL || span->first_chunk >= span->end_chunk)
    return 0;
  uint32_t thread = plan->threads[span->first_chunk];
  for (size_t i = span->first_chunk; i < span->end_chunk; i++)
    if (plan->threads[i] != thread)
      return 0;
  return thread;
}

static void
add_part (struct plan *plan, unsigned level, size_t i, bool decode,
          uint32_t thread)
{
  struct dv_raster_part part = { level, i, decode, thread };
  g_array_append_val (plan->parts, part);
}

/* A chunk that does not lie in one row.  */
static void
plan_edge (struct plan *plan, size_t chunk, const struct dg_index_span *span)
{
  const struct dv_scale *y = &plan->raster->y;
  double height = (double) (span->end_icount - span->start_icount)
                  * y->pixels / (double) y->span;
  uint32_t thread = thread_of (plan, span);
  bool anyway = !plan->is_wide || plan->is_few
                || (plan->threads != NULL && thread == 0);
  bool fine = anyway || height > DV_FINE_ROWS;
  bool decode = plan->detail == DV_DETAIL_FINE ? fine
                : plan->detail == DV_DETAIL_GOOD
                  && (anyway || height > DV_GOOD_ROWS);
  plan->lacks |= fine && !decode;
  if (decode && !anyway && plan->detail == DV_DETAIL_GOOD) {
    struct tall tall = { height, plan->parts->len };
    g_array_append_val (plan->tall, tall);
  }
  add_part (plan, 0, chunk, decode, thread);
  if (!fine)
    plan->edges += span->accesses;
}

static void
plan_list (struct plan *plan, unsigned level, size_t i)
{
  const struct dv_scale *y = &plan->raster->y;
  const struct dv_view *view = &plan->raster->view;
  struct dg_index_span span = dg_index_span (plan->index, level, i);
  if (span.accesses == 0 || span.end_icount <= view->y0
      || span.start_icount >= view->y1)
    return;
  uint32_t thread = thread_of (plan, &span);
  bool decode = !plan->is_wide || plan->is_few
                || (plan->threads != NULL && thread == 0);
  if (span.start_icount >= view->y0 && span.end_icount <= view->y1
      && (!decode || plan->detail == DV_DETAIL_DRAFT)) {
    uint32_t first, last;
    dv_raster_rows (y, span.start_icount, span.end_icount, &first, &last);
    if (first == last) {
      add_part (plan, level, i, false, thread);
      plan->lacks |= decode;
      return;
    }
  }
  if (level == 0) {
    plan_edge (plan, i, &span);
    return;
  }
  for (size_t k = i * 8; k < i * 8 + 8; k++)
    if (k < dg_index_lists (plan->index, level - 1))
      plan_list (plan, level - 1, k);
}

static bool
is_forward (const struct dg_index *index)
{
  for (size_t i = 0; i < dg_index_lists (index, 0); i++) {
    struct dg_index_span span = dg_index_span (index, 0, i);
    if (span.end_icount < span.start_icount)
      return false;
  }
  return true;
}

static uint64_t
accesses_in (const struct dg_index *index, const struct dv_view *view)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < dg_index_lists (index, 0); i++) {
    struct dg_index_span span = dg_index_span (index, 0, i);
    if (span.start_icount < view->y1 && span.end_icount > view->y0)
      sum += span.accesses;
  }
  return sum;
}

/* Few chunks on edges are no trouble to decode, and exact.  */
static void
decode_edges (struct plan *plan)
{
  for (guint i = 0; i < plan->parts->len; i++) {
    struct dv_raster_part *part
      = &g_array_index (plan->parts, struct dv_raster_part, i);
    struct dg_index_span span = dg_index_span (plan->index, part->level,
                                               part->i);
    uint32_t first, last;
    if (part->level > 0 || part->decode)
      continue;
    if (span.start_icount >= plan->raster->view.y0
        && span.end_icount <= plan->raster->view.y1) {
      dv_raster_rows (&plan->raster->y, span.start_icount, span.end_icount,
                      &first, &last);
      if (first == last)
        continue;
    }
    part->decode = true;
  }
}

static int
compare_heights (const void *a, const void *b)
{
  const struct tall *x = a, *y = b;
  if (x->height != y->height)
    return x->height < y->height ? 1 : -1;
  return (x->part > y->part) - (x->part < y->part);
}

/* A good picture must be there soon: those that look coarsest are decoded, the
   others are not.  */
static void
keep_tallest (struct plan *plan)
{
  uint64_t left = DV_GOOD_ACCESSES;
  g_array_sort (plan->tall, compare_heights);
  for (guint i = 0; i < plan->tall->len; i++) {
    struct dv_raster_part *part
      = &g_array_index (plan->parts, struct dv_raster_part,
                        g_array_index (plan->tall, struct tall, i).part);
    uint64_t cost = dg_index_span (plan->index, part->level,
                                   part->i).accesses;
    part->decode = cost <= left;
    left = part->decode ? left - cost : 0;
    plan->lacks |= !part->decode;
  }
}

GArray *
dv_raster_plan (const struct dv_scene *scene, struct dg_index *index,
                const struct dv_raster *raster, enum dv_detail detail,
                const struct dv_sieve *sieve, bool *is_draft)
{
  struct plan plan = { .raster = raster, .index = index };
  plan.parts = g_array_new (FALSE, FALSE, sizeof (struct dv_raster_part));
  *is_draft = false;
  bool is_glance = scene->data->is_glance;
  if (index == NULL || sieve != NULL
      || (!is_forward (index) && !is_glance)) {
    size_t n;
    dg_log_chunks (scene->data->log, &n);
    for (size_t i = 0; i < n; i++)
      if (dv_scene_chunk_matters (scene, i, &raster->view)
          && (sieve == NULL || dv_sieve_chunk (sieve, i)))
        add_part (&plan, 0, i, true, 0);
    return plan.parts;
  }
  if (raster->owners != NULL)
    plan.threads = chunk_threads (scene->data);
  plan.is_wide = raster->x.span / DG_LINE_BYTES >= raster->width;
  uint64_t accesses = accesses_in (index, &raster->view);
  bool is_brief = accesses <= dv_data_second (scene->data);
  plan.is_few = accesses <= scene->data->few || detail == DV_DETAIL_EXACT
                || (detail == DV_DETAIL_FINE && is_brief);
  plan.detail = is_glance ? DV_DETAIL_DRAFT
                : plan.is_few ? DV_DETAIL_FINE : detail;
  plan.tall = g_array_new (FALSE, FALSE, sizeof (struct tall));
  unsigned levels = dg_index_levels (index);
  if (levels > 0)
    plan_list (&plan, levels - 1, 0);
  keep_tallest (&plan);
  if (plan.detail == DV_DETAIL_FINE && plan.edges <= scene->data->few)
    decode_edges (&plan);
  *is_draft = plan.lacks
              || (detail < DV_DETAIL_FINE && !plan.is_few && is_brief);
  g_array_unref (plan.tall);
  g_free (plan.threads);
  return plan.parts;
}

