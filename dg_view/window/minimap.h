/* minimap.h: the whole log, small, with what the plot shows of it.

   A part of the window, see host.h; its action is minimap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_MINIMAP_H
#define DV_MINIMAP_H

#include "host/host.h"

struct dv_minimap *dv_minimap_new (struct dv_host *host);
/* Before the widgets go.  */
void dv_minimap_free (struct dv_minimap *map);
/* Makes its widget; the host has its canvas.  */
GtkWidget *dv_minimap_widget (struct dv_minimap *map);
void dv_minimap_view_changed (struct dv_minimap *map);
void dv_minimap_scene_changed (struct dv_minimap *map);

#endif /* DV_MINIMAP_H */
