/* following.c: a log that is still being written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

struct dv_following {
  struct dv_window *window;
};

void
dv_following_init (struct dv_window *window)
{
  window->following = g_new0 (struct dv_following, 1);
  window->following->window = window;
}

void
dv_following_free (struct dv_window *window)
{
  g_free (window->following);
  window->following = NULL;
}

void
dv_following_scene_changed (struct dv_window *window)
{
}
