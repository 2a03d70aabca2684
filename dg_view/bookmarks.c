/* bookmarks.c: views that were given a name.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

struct dv_bookmarks {
  struct dv_window *window;
};

void
dv_bookmarks_init (struct dv_window *window)
{
  window->bookmarks = g_new0 (struct dv_bookmarks, 1);
  window->bookmarks->window = window;
}

void
dv_bookmarks_free (struct dv_window *window)
{
  g_free (window->bookmarks);
  window->bookmarks = NULL;
}

void
dv_bookmarks_scene_changed (struct dv_window *window)
{
}

GtkWidget *
dv_bookmarks_widget (struct dv_window *window)
{
  return gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
}
