/* tally_lines.c: where the lines of a tally are, and which are shared.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_lines.h"

#include "model/log/order.h"

DV_DEFINE_COMPARE (compare_positions, struct dv_tally_line, x->x0)

GArray *
dv_tally_lines_new (struct dv_scene *scene, const struct dv_view *view,
                    dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_tally *tally =
    dv_tally_new (scene, view, 0, NULL, progress, user, err);
  if (tally == NULL)
    return NULL;
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (struct dv_tally_line));
  uint64_t size = (uint64_t) 1 << scene->data->line_shift;
  for (guint i = 0; i < tally->lines->len; i++) {
    const struct dv_tally_place *place =
      &g_array_index (tally->lines, struct dv_tally_place, i);
    struct dv_tally_line line = {.sharing = place->sharing};
    if (place->sharing == DV_SHARING_NONE
        || !dv_layout_position (&scene->layout, place->address, &line.x0))
      continue;
    line.x1 = line.x0 + size;
    g_array_append_val (lines, line);
  }
  g_array_sort (lines, compare_positions);
  dv_tally_unref (tally);
  return lines;
}
