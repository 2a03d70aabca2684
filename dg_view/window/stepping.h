/* stepping.h: from one access to the next, and what is selected.

   A part of the window, see window_parts.h; its actions are next-access,
   previous-access (under the same pixel), next-touch, previous-touch (of the
   same cache line), clear-selection.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_STEPPING_H
#define DV_STEPPING_H

#include "seek.h"
#include "window_parts.h"

void dv_stepping_init (struct dv_window *window);
void dv_stepping_scene_changed (struct dv_window *window);
void dv_stepping_free (struct dv_window *window);

/* Selects an access and moves the view there if it is not in it.  */
void dv_stepping_show (struct dv_window *window,
                       const struct dg_access *access);
/* Looks for an access in the background and shows it so; if there is none,
   says `none` (a static text).  What was being looked for is given up.  The
   scene of *seek is the window's; a reference of its highlight is taken.  */
void dv_stepping_seek (struct dv_window *window, const struct dv_seek *seek,
                       const char *none);
/* What is being looked for; NULL: nothing.  */
struct dv_job *dv_stepping_job (const struct dv_window *window);
void dv_stepping_stop (struct dv_window *window);

#endif /* DV_STEPPING_H */
