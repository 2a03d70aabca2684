/* following.h: reading the log again: once, or while it is being written.

   A part of the window, see host.h; its actions are reload and follow.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FOLLOWING_H
#define DV_FOLLOWING_H

#include "loading.h"

struct dv_following *dv_following_new (struct dv_host *host,
                                       struct dv_loading *loading,
                                       struct dv_indexing *indexing);
void dv_following_free (struct dv_following *following);
/* How far it has come; while there is something to be followed.  */
GtkWidget *dv_following_widget (const struct dv_following *following);
void dv_following_scene_changed (struct dv_following *following);

#endif /* DV_FOLLOWING_H */
