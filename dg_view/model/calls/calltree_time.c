/* calltree_time.c: call trees of what the time model says: cycles and misses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calltree_build.h"

#include <stdlib.h>

#include <libdatagrind.h>

#define PROGRESS_STEP 1024

/* ---- Paths ------------------------------------------------------------ */

static int
add_sums (struct dv_call_build *build, const struct dg_time_sum *all, size_t n,
          dg_progress_fn progress, void *user)
{
  for (size_t i = 0; i < n; i++) {
    const uint64_t sums[] = { all[i].cycles, all[i].memory_cycles,
                              all[i].l1_misses, all[i].l2_misses,
                              all[i].l3_misses };
    uint32_t node;
    struct dv_call_time *self;
    if (i % PROGRESS_STEP == 0 && progress != NULL
        && progress (user, i, n) != 0)
      return DG_ERR_CANCELLED;
    node = dv_call_build_context (build, all[i].context, all[i].icount,
                                  all[i].cycles);
    if (node == DV_CALL_NONE)
      return DG_ERR_NOMEM;
    self = &dv_call_build_raw (build, node)->self_time;
    for (size_t k = 0; k < G_N_ELEMENTS (sums); k++)
      self->sums[k] += sums[k];
  }
  return 0;
}

struct dv_calltree *
dv_calltree_time_new (struct dv_scene *scene, uint64_t start, uint64_t end,
                      uint32_t max_nodes, dg_progress_fn progress, void *user,
                      struct dg_error *err)
{
  struct dv_calltree *tree = g_atomic_rc_box_new0 (struct dv_calltree);
  struct dv_data *data = scene->data;
  struct dg_time_sum *all = NULL;
  struct dv_call_build build;
  uint64_t last = dg_log_summary (data->log)->last_icount;
  struct dg_time_options options = {
    .size = sizeof options, .start_icount = start,
    .end_icount = end < last ? end : 0, .symbols = data->symbols };
  struct dg_filter *made = NULL;
  size_t n = 0;
  int code = DG_ERR_NOMEM;
  tree->data = dv_data_ref (data);
  tree->is_time = true;
  tree->sample = options.sample = dv_scene_time_sample (scene, start, end);
  if (dv_call_build_init (&build, tree, data, max_nodes))
    code = dv_scene_code_filter (scene, &options.filter, &made, err);
  if (code == 0)
    code = dg_time_find (data->log, &options, progress, user, &all, &n,
                         &tree->is_understood, err);
  if (code == 0)
    code = add_sums (&build, all, n, progress, user);
  if (code == 0)
    code = dv_call_build_finish (tree, &build);
  tree->cut = build.cut;
  dv_call_build_fini (&build);
  dg_filter_free (made);
  free (all);
  return code == 0 ? tree : dv_call_build_failed (tree, code, err);
}
