/* ruler.h: the fields of the objects in view, where they are wide enough to be
   told apart: of tracked ranges with a type, and of variables.

   Looks types up in debug information: for background threads.  No drawing
   here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RULER_H
#define DV_RULER_H

#include <glib.h>

#include "model/log/scene.h"

/* Objects that are at least so wide are shown, and fields of them from this
   on; in pixels.  */
#define DV_RULER_OBJECT 60
#define DV_RULER_FIELD  4

struct dv_ruler_field {
  uint64_t x0, x1; /* positions */
  char *name;      /* "node.next", "table[3]"; "": several that are narrow */
  bool begins;     /* the object begins here */
};

/* An array of struct dv_ruler_field for a view of so many pixels, by position,
   disjoint; its names go with it.  Where several ranges had the same memory,
   those are shown that were there in the middle of the view.  NULL and *err
   when it was cancelled.  */
GArray *dv_ruler_new (const struct dv_scene *scene,
                      const struct dv_view *view, double width,
                      dg_progress_fn progress, void *user,
                      struct dg_error *err);

#endif /* DV_RULER_H */
