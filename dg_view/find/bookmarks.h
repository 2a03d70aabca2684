/* bookmarks.h: views that were given a name, and the command line that shows
   this one.

   A part of the window, see host.h; its actions are bookmark-add,
   bookmark-1 to bookmark-9, copy-command.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BOOKMARKS_H
#define DV_BOOKMARKS_H

#include "host/host.h"

/* Those of all windows.  */
void dv_bookmarks_set_keys (GtkApplication *app);
struct dv_bookmarks *dv_bookmarks_new (struct dv_host *host);
void dv_bookmarks_free (struct dv_bookmarks *bookmarks);
/* Its button for the header bar.  */
GtkWidget *dv_bookmarks_widget (struct dv_bookmarks *bookmarks);
void dv_bookmarks_scene_changed (struct dv_bookmarks *bookmarks);

#endif /* DV_BOOKMARKS_H */
