/* search.c: going to an address, an instruction, a function, a label.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stepping.h"
#include "window_parts.h"

struct dv_search {
  struct dv_window *window;
};

void
dv_search_init (struct dv_window *window)
{
  window->search = g_new0 (struct dv_search, 1);
  window->search->window = window;
  dv_stepping_init (window);
}

void
dv_search_free (struct dv_window *window)
{
  dv_stepping_free (window);
  g_free (window->search);
  window->search = NULL;
}

void
dv_search_scene_changed (struct dv_window *window)
{
  dv_stepping_scene_changed (window);
}

GtkWidget *
dv_search_widget (struct dv_window *window)
{
  return gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
}
