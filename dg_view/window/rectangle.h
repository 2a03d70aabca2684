/* rectangle.h: what the selected rectangle of the plot holds, in a line below
   it, and what can be done with it.

   A part of the window, see host.h; its actions are zoom-to-rectangle,
   count-rectangle and clear-rectangle.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RECTANGLE_H
#define DV_RECTANGLE_H

#include "host/host.h"

struct dv_rectangle *dv_rectangle_new (struct dv_host *host);
void dv_rectangle_free (struct dv_rectangle *rectangle);
/* Hidden while nothing is selected.  */
GtkWidget *dv_rectangle_widget (const struct dv_rectangle *rectangle);
/* The canvas has another one, or another scene.  */
void dv_rectangle_changed (struct dv_rectangle *rectangle);

#endif /* DV_RECTANGLE_H */
