/* tallying.h: the tallies of what the plot shows, in the background, for the
   panels below it.

   A part of the window, see host.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLYING_H
#define DV_TALLYING_H

#include "panes.h"

struct dv_tallying *dv_tallying_new (struct dv_host *host,
                                     struct dv_panes *panes);
void dv_tallying_free (struct dv_tallying *tallying);
void dv_tallying_view_changed (struct dv_tallying *tallying);
void dv_tallying_scene_changed (struct dv_tallying *tallying);
/* Some panel came to be seen, or none is any more.  */
void dv_tallying_panel_changed (struct dv_tallying *tallying);

#endif /* DV_TALLYING_H */
