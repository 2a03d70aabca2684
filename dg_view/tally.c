/* tally.c: adding up the accesses of a view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally.h"

static void
tally_clear (void *memory)
{
  struct dv_tally *tally = memory;
  GArray *arrays[] = { tally->contexts, tally->threads, tally->code,
                       tally->pages, tally->lines, tally->sites };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i] != NULL)
      g_array_unref (arrays[i]);
  dv_scene_unref (tally->scene);
}

struct dv_tally *
dv_tally_ref (struct dv_tally *tally)
{
  return g_atomic_rc_box_acquire (tally);
}

void
dv_tally_unref (struct dv_tally *tally)
{
  if (tally != NULL)
    g_atomic_rc_box_release_full (tally, tally_clear);
}

struct dv_tally *
dv_tally_new (struct dv_scene *scene, const struct dv_view *view,
              dv_tally_partial_fn partial, dg_progress_fn progress,
              void *user, struct dg_error *err)
{
  struct dv_tally *tally = g_atomic_rc_box_new0 (struct dv_tally);
  tally->scene = dv_scene_ref (scene);
  tally->view = *view;
  tally->done = 1;
  GArray **arrays[] = { &tally->contexts, &tally->threads, &tally->code,
                        &tally->pages, &tally->lines, &tally->sites };
  static const guint sizes[] = {
    sizeof (struct dv_tally_context), sizeof (struct dv_tally_thread),
    sizeof (struct dv_tally_code), sizeof (struct dv_tally_place),
    sizeof (struct dv_tally_place), sizeof (struct dv_tally_site)
  };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_array_new (FALSE, FALSE, sizes[i]);
  return tally;
}
