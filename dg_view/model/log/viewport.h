/* viewport.h: which part of the picture is looked at, and how zooming and
   moving change it; with its history.  Knows neither pixels nor GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_VIEWPORT_H
#define DV_VIEWPORT_H

#include <glib.h>

#include "view.h"

enum dv_axis { DV_AXIS_X = 1, DV_AXIS_Y = 2, DV_AXIS_BOTH = 3 };

struct dv_viewport {
  struct dv_view full;     /* all that there is */
  struct dv_view now;      /* within full, never empty unless full is */
  GArray *back, *forward;  /* struct dv_view, latest last */
  /* What zooming has made of `now` before it was rounded, so that zooming in
     and out again comes back; used while `now` is what it was rounded to.  */
  struct dv_viewport_axis {
    uint64_t start;        /* whole part and rest of where it begins */
    long double rest, span;
  } exact_x, exact_y;
  struct dv_view rounded;
};

void dv_viewport_init (struct dv_viewport *viewport);
void dv_viewport_fini (struct dv_viewport *viewport);

/* What there is has changed: shows all of it and forgets the history.  */
void dv_viewport_reset (struct dv_viewport *viewport,
                        const struct dv_view *full);

/* The same, but views become what `map` makes of them, with their history.  */
typedef struct dv_view (*dv_viewport_map_fn) (void *user,
                                              const struct dv_view *view);
void dv_viewport_map (struct dv_viewport *viewport,
                      const struct dv_view *full, dv_viewport_map_fn map,
                      void *user);

/* All changes below return whether anything changed.  */

/* Shows `view`, made to fit into what there is; keeps the old one for
   dv_viewport_back if `remember`.  */
bool dv_viewport_show (struct dv_viewport *viewport,
                       const struct dv_view *view, bool remember);
bool dv_viewport_fit (struct dv_viewport *viewport);
bool dv_viewport_back (struct dv_viewport *viewport);
bool dv_viewport_forward (struct dv_viewport *viewport);

/* The axes' spans times factor (< 1: closer); what is at the fractions fx, fy
   of the view (0 left or top, 1 right or bottom) stays where it is.  */
bool dv_viewport_zoom (struct dv_viewport *viewport, enum dv_axis axes,
                       double factor, double fx, double fy, bool remember);
/* Moves by fractions of the view.  */
bool dv_viewport_move (struct dv_viewport *viewport, double dx, double dy,
                       bool remember);

#endif /* DV_VIEWPORT_H */
