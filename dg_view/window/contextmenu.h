/* contextmenu.h: the menu about a point of the plot.

   A part of the window, see window_parts.h; its actions are plot-menu, with
   the point in the canvas as (dd), and copy-address.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CONTEXTMENU_H
#define DV_CONTEXTMENU_H

#include "window_parts.h"

void dv_contextmenu_init (struct dv_window *window);
void dv_contextmenu_scene_changed (struct dv_window *window);
void dv_contextmenu_free (struct dv_window *window);

#endif /* DV_CONTEXTMENU_H */
