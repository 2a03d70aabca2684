/* stepping.h: from one access to the next, and what is selected.

   A part of the window, see host.h; its actions are next-access,
   previous-access (under the same pixel), next-touch, previous-touch (of the
   same cache line), clear-selection.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_STEPPING_H
#define DV_STEPPING_H

#include "model/log/seek.h"
#include "host/host.h"

/* A step from what is selected to another access.  */
typedef void (*dv_stepping_fn) (void *user, bool backward);

struct dv_stepping *dv_stepping_new (struct dv_host *host);
void dv_stepping_free (struct dv_stepping *stepping);
void dv_stepping_scene_changed (struct dv_stepping *stepping);

/* Looks for an access in the background, selects it, and moves the view there
   if it is not in it; if there is none, says `none` (a static text).  What was
   being looked for is given up.  The scene of *seek is the window's; a
   reference of its highlight is taken.  */
void dv_stepping_seek (struct dv_stepping *stepping,
                       const struct dv_seek *seek, const char *none);
/* Takes a step: now, or, while what it begins at is itself still being looked
   for, once that is known and the steps before it have been taken, so that
   each key counts, however quickly keys follow one another.  */
void dv_stepping_take (struct dv_stepping *stepping, dv_stepping_fn step,
                       void *user, bool backward);
/* Whether one would have to wait.  */
bool dv_stepping_is_busy (const struct dv_stepping *stepping);
/* What was pointed at is selected; it will never be.  */
void dv_stepping_go_on (struct dv_stepping *stepping);
void dv_stepping_forget (struct dv_stepping *stepping);

#endif /* DV_STEPPING_H */
