/* tally_lines.h: the cache lines of a view that several threads touch.  No
   drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_LINES_H
#define DV_TALLY_LINES_H

#include "tally.h"

struct dv_tally_line {
  uint64_t x0, x1;         /* positions */
  enum dv_sharing sharing; /* not DV_SHARING_NONE */
};

/* An array of struct dv_tally_line, ordered by position: those of the tally
   of the view, which keeps the busiest lines if there are very many.  NULL and
   *err on failure, as dv_tally_new.  */
GArray *dv_tally_lines_new (struct dv_scene *scene,
                            const struct dv_view *view,
                            dg_progress_fn progress, void *user,
                            struct dg_error *err);

#endif /* DV_TALLY_LINES_H */
