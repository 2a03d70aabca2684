/* areas.h: what the parts of the X axis are: heap, stacks, modules, mappings.
   No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_AREAS_H
#define DV_AREAS_H

#include <glib.h>

#include "scene.h"

/* Positions [x0, x1) that have the same name, with whatever is left out
   between them.  */
struct dv_area {
  uint64_t x0, x1;
  const char *name;        /* UTF-8; lives as long as the scene */
};

/* An array of struct dv_area with those that are in the view, from left to
   right; they do not overlap.  Who owns a page may change while the program
   runs: the first that fits of heap blocks, stacks, files, and others.  All
   areas of a scene are worked out once, which may take a while.  For any
   thread.  */
GArray *dv_areas_for (const struct dv_scene *scene,
                      const struct dv_view *view);

struct dv_areas;
/* For scene.c: frees what a scene keeps of this; NULL is fine.  */
void dv_areas_free (struct dv_areas *areas);

#endif /* DV_AREAS_H */
