/* pair.c: two logs on common axes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair.h"

#include "model/log/refs.h"

static void
pair_clear (void *memory)
{
  struct dv_pair *pair = memory;
  dv_pair_axis_fini (&pair->axis);
  dv_pair_time_fini (&pair->time);
  dv_scene_unref (pair->scenes[0]);
  dv_scene_unref (pair->scenes[1]);
}

DV_DEFINE_REFS (dv_pair, pair_clear)

struct dv_pair *
dv_pair_new (struct dv_scene *before, struct dv_scene *after,
             bool is_laid_over, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  struct dv_scene *scenes[2] = { before, after };
  struct dv_pair_things *things[2] = { NULL, NULL };
  for (unsigned s = 0; s < 2 && scenes[s] != NULL; s++) {
    things[s] = dv_pair_things_new (scenes[s], progress, user, err);
    if (things[s] == NULL) {
      dv_pair_things_free (things[0]);
      return NULL;
    }
  }
  struct dv_pair_axis axis;
  if (dv_pair_axis_init (&axis, things, is_laid_over, err) < 0)
    return NULL;
  struct dv_pair *pair = g_atomic_rc_box_new0 (struct dv_pair);
  pair->scenes[0] = dv_scene_ref (before);
  pair->scenes[1] = after != NULL ? dv_scene_ref (after) : NULL;
  pair->is_laid_over = is_laid_over;
  pair->axis = axis;
  dv_pair_time_init (&pair->time, pair->scenes);
  if (pair->axis.size > 0 && pair->time.length > 0)
    pair->full = (struct dv_view){ 0, pair->axis.size, 0, pair->time.length };
  return pair;
}
