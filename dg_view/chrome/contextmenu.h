/* contextmenu.h: the menu about a point of the plot.

   A part of the window, see host.h; its actions are plot-menu, with
   the point in the canvas as (dd), and copy-address.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CONTEXTMENU_H
#define DV_CONTEXTMENU_H

#include "host/host.h"

struct dv_contextmenu *dv_contextmenu_new (struct dv_host *host);
void dv_contextmenu_free (struct dv_contextmenu *menu);
void dv_contextmenu_scene_changed (struct dv_contextmenu *menu);

#endif /* DV_CONTEXTMENU_H */
