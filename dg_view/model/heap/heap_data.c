/* heap_data.c: the heap of a log over time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_data.h"

#include <stdlib.h>

#include "model/user/command.h"
#include "model/log/refs.h"

bool
dv_heap_has_blocks (const struct dv_data *data)
{
  return !data->is_glance && dg_log_n_blocks (data->log) > 0;
}

/* ---- What curves are made from ------------------------------------------ */

static void
heap_clear (void *memory)
{
  struct dv_heap *heap = memory;
  dg_curve_source_free (heap->source);
  free (heap->are_temporary);
  dv_data_unref (heap->data);
}

struct dv_heap *
dv_heap_new (struct dv_data *data, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  struct dg_curve_source *source
    = dg_curve_source_new (data->log, data->symbols, NULL, progress, user,
                           err);
  if (source == NULL)
    return NULL;
  static const struct dg_curve_options whole = {
    .size = sizeof whole, .columns = 1, .series = 1};
  struct dg_curve *curve;
  uint8_t *are_temporary;
  if (dg_temporary_find (data->log, &are_temporary, err) < 0) {
    dg_curve_source_free (source);
    return NULL;
  }
  if (dg_curve_build (source, &whole, progress, user, &curve, err) < 0) {
    free (are_temporary);
    dg_curve_source_free (source);
    return NULL;
  }
  struct dv_heap *heap = g_atomic_rc_box_new0 (struct dv_heap);
  heap->data = dv_data_ref (data);
  heap->source = source;
  heap->are_temporary = are_temporary;
  heap->peak_icount = curve->peak_icount;
  dg_curve_free (curve);
  return heap;
}

DV_DEFINE_REFS (dv_heap, heap_clear)

/* ---- Curves ------------------------------------------------------------- */

static void
curve_clear (void *memory)
{
  struct dv_heap_curve *curve = memory;
  dg_curve_free (curve->curve);
  dv_heap_unref (curve->heap);
}

struct dv_heap_curve *
dv_heap_curve_new (struct dv_heap *heap,
                   const struct dg_curve_options *options,
                   dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dg_curve *built;
  if (dg_curve_build (heap->source, options, progress, user, &built, err) < 0)
    return NULL;
  struct dv_heap_curve *curve = g_atomic_rc_box_new0 (struct dv_heap_curve);
  curve->heap = dv_heap_ref (heap);
  curve->curve = built;
  return curve;
}

DV_DEFINE_REFS (dv_heap_curve, curve_clear)

uint32_t
dv_heap_curve_find (const struct dv_heap_curve *curve, uint32_t id)
{
  for (size_t i = 0; id != DG_NONE && i < curve->curve->n_series; i++)
    if (curve->curve->series[i].id == id)
      return (uint32_t) i;
  return DG_NONE;
}

/* ---- Windows ------------------------------------------------------------ */

void
dv_heap_window (const struct dv_scene *scene, const struct dv_view *view,
                struct dg_curve_options *options)
{
  uint64_t start = 0, end = UINT64_MAX;
  if (view != NULL)
    dv_command_instructions (scene, view, &start, &end);
  options->size = sizeof *options;
  options->start_icount = start;
  options->end_icount = end != UINT64_MAX ? end : 0;
}
