/* tallying.c: the tallies of what the plot shows, in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

struct dv_tallying {
  struct dv_window *window;
};

void
dv_tallying_init (struct dv_window *window)
{
  window->tallying = g_new0 (struct dv_tallying, 1);
  window->tallying->window = window;
}

void
dv_tallying_free (struct dv_window *window)
{
  g_free (window->tallying);
  window->tallying = NULL;
}

void
dv_tallying_view_changed (struct dv_window *window)
{
}

void
dv_tallying_scene_changed (struct dv_window *window)
{
}

void
dv_tallying_panel_changed (struct dv_window *window)
{
}

struct dv_job *
dv_tallying_job (const struct dv_window *window)
{
  return NULL;
}
