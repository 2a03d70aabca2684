/* minimap.c: the whole log, small, with what the plot shows of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

struct dv_minimap {
  struct dv_window *window;
};

void
dv_minimap_init (struct dv_window *window)
{
  window->minimap = g_new0 (struct dv_minimap, 1);
  window->minimap->window = window;
}

void
dv_minimap_free (struct dv_window *window)
{
  g_free (window->minimap);
  window->minimap = NULL;
}

void
dv_minimap_view_changed (struct dv_window *window)
{
}

void
dv_minimap_scene_changed (struct dv_window *window)
{
}

GtkWidget *
dv_minimap_widget (struct dv_window *window)
{
  return gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
}
