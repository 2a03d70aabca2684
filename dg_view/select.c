/* select.c: addresses and instruction counts to a view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "select.h"

#include <glib.h>

bool
dv_select_view (const struct dv_scene *scene,
                const struct dv_options *options, struct dv_view *view)
{
  const struct dv_view *full = &scene->full;
  struct dv_view wanted = *full;
  if (!dv_view_is_empty (full)) {
    dv_layout_position (&scene->layout, options->address_start, &wanted.x0);
    if (options->address_end != UINT64_MAX)
      dv_layout_position (&scene->layout, options->address_end, &wanted.x1);
    wanted.y0 = MAX (full->y0, options->instruction_start);
    wanted.y1 = MIN (full->y1, options->instruction_end);
  }
  if (dv_view_is_empty (&wanted)) {
    *view = (struct dv_view){ 0 };
    return false;
  }
  *view = dv_view_clamp (wanted, full);
  return true;
}
