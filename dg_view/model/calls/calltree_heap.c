/* calltree_heap.c: making a call tree of what was allocated.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calltree_build.h"

#include <stdlib.h>

#define MOST_FRAMES   1024
#define PROGRESS_STEP 1024

/* ---- Paths ------------------------------------------------------------ */

/* 0 or DG_ERR_NOMEM.  */
static int
add_stack (struct dv_call_build *build, const struct dg_site_options *how,
           struct dg_site_frame *frames, const struct dg_allocation *one)
{
  size_t n = dg_site_frames (how, &one->stack, one->icount, one->is_call,
                             frames, MOST_FRAMES);
  uint32_t node = 0;
  bool is_cut = false;
  if (n == 0)
    frames[n++] = (struct dg_site_frame){ .address = 0 };
  while (n-- > 0) {
    node = dv_call_build_frame (build, node, &frames[n].frame, one->bytes,
                                &is_cut);
    if (node == DV_CALL_NONE)
      return DG_ERR_NOMEM;
  }
  struct dv_call_heap *self = &dv_call_build_raw (build, node)->self_heap;
  self->bytes += one->bytes;
  self->blocks += one->blocks;
  self->temporary += one->temporary;
  self->leaked += one->leaked;
  if (is_cut)
    build->cut += one->bytes;
  return 0;
}

static int
add_stacks (struct dv_call_build *build, const struct dg_allocation *all,
            size_t n, dg_progress_fn progress, void *user)
{
  const struct dg_site_options how = {.size = sizeof how,
                                      .symbols = build->symbols};
  struct dg_site_frame *frames = g_new (struct dg_site_frame, MOST_FRAMES);
  int code = 0;
  for (size_t i = 0; i < n && code == 0; i++) {
    if (i % PROGRESS_STEP == 0 && progress != NULL
        && progress (user, i, n) != 0)
      code = DG_ERR_CANCELLED;
    else
      code = add_stack (build, &how, frames, &all[i]);
  }
  g_free (frames);
  return code;
}

struct dv_calltree *
dv_calltree_heap_new (struct dv_data *data, uint64_t start, uint64_t end,
                      uint32_t max_nodes, dg_progress_fn progress, void *user,
                      struct dg_error *err)
{
  struct dv_calltree *tree = g_atomic_rc_box_new0 (struct dv_calltree);
  struct dg_allocation *all = NULL;
  size_t n;
  struct dv_call_build build;
  int code = DG_ERR_NOMEM;
  tree->data = dv_data_ref (data);
  if (dv_call_build_init (&build, tree, data, max_nodes))
    code = dg_allocations_find (data->log, start, end, progress, user, &all,
                                &n, err);
  if (code == 0)
    code = add_stacks (&build, all, n, progress, user);
  if (code == 0)
    code = dv_call_build_finish (tree, &build);
  tree->cut = build.cut;
  dv_call_build_fini (&build);
  free (all);
  return code == 0 ? tree : dv_call_build_failed (tree, code, err);
}
