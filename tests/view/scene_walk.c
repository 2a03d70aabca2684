/* scene_walk.c: scenes of random logs, and what walking finds in them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "scene_walk.h"

struct dv_scene *
scene_walk_open (const struct random_log *log, const char *events)
{
  struct dg_error err;
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  g_assert_nonnull (data);
  struct dv_scene *scene = dv_scene_new (data, events, NULL, NULL, NULL,
                                         &err);
  g_assert_nonnull (scene);
  dv_data_unref (data);
  return scene;
}

struct dv_scene *
scene_walk_open_indexed (const struct random_log *log)
{
  struct dv_scene *scene = scene_walk_open (log, NULL);
  struct dg_index *index;
  struct dg_error err;
  g_assert_cmpint (dg_index_build (scene->data->log, NULL, 1, NULL, NULL,
                                   &index, &err), ==, 0);
  dv_data_set_index (scene->data, index);
  return scene;
}

GArray *
scene_walk (const struct dv_scene *scene, uint64_t low, uint64_t high)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  struct dg_access some[512];
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (scene->data->log, 0, SIZE_MAX,
                                            &err);
  ptrdiff_t n;
  while ((n = dg_reader_accesses (reader, some, G_N_ELEMENTS (some), &err))
         > 0)
    for (ptrdiff_t i = 0; i < n; i++)
      if (some[i].size > 0 && some[i].address < high
          && some[i].address + some[i].size > low
          && (scene->filter == NULL
              || dg_filter_access (scene->filter, &some[i])))
        g_array_append_val (all, some[i]);
  g_assert_cmpint ((int) n, ==, 0);
  dg_reader_free (reader);
  return all;
}
