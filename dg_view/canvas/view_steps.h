/* view_steps.h: what keys and the wheel do to a view, in all plots.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_VIEW_STEPS_H
#define DV_VIEW_STEPS_H

#include <gtk/gtk.h>

#include "model/log/viewport.h"

/* One click of a wheel that is tilted, in parts of the view; how much a turn
   zooms.  */
#define DV_TILT_STEP  0.075
#define DV_WHEEL_STEP 1.25

/* For dv_viewport_zoom, or else for dv_viewport_move.  */
struct dv_view_step {
  bool is_zoom;
  enum dv_axis axes;
  double factor; /* below 1: in */
  double dx, dy; /* parts of the view */
};

/* Whether a key moves or zooms.  */
bool dv_view_steps_of_key (guint key, struct dv_view_step *step);
/* How far the wheel was turned, right and down.  */
void dv_view_steps_scrolled (const GdkEventScroll *event, double *dx,
                             double *dy);

#endif /* DV_VIEW_STEPS_H */
