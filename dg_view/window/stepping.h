/* stepping.h: from one access to the next, and what is selected.

   A part of the window, see window_parts.h; its actions are next-access,
   previous-access (under the same pixel), next-touch, previous-touch (of the
   same cache line), clear-selection.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_STEPPING_H
#define DV_STEPPING_H

#include "model/log/seek.h"
#include "window_parts.h"

/* A step from what is selected to another access.  */
typedef void (*dv_step) (struct dv_window *window, bool backward);

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
/* Takes a step: now, or, while what it begins at is itself still being looked
   for, once that is known and the steps before it have been taken, so that
   each key counts, however quickly keys follow one another.  */
void dv_stepping_take (struct dv_window *window, dv_step step, bool backward);
/* Whether one would have to wait.  */
bool dv_stepping_is_busy (const struct dv_window *window);
/* What was pointed at is selected; it will never be.  */
void dv_stepping_go_on (struct dv_window *window);
void dv_stepping_forget (struct dv_window *window);
/* What is being looked for; NULL: nothing.  */
struct dv_job *dv_stepping_job (const struct dv_window *window);
/* Ends that, and forgets the steps that wait.  */
void dv_stepping_stop (struct dv_window *window);

#endif /* DV_STEPPING_H */
