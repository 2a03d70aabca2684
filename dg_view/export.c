/* export.c: saving the picture, or a part of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

struct dv_export {
  struct dv_window *window;
};

void
dv_export_init (struct dv_window *window)
{
  window->export = g_new0 (struct dv_export, 1);
  window->export->window = window;
}

void
dv_export_free (struct dv_window *window)
{
  g_free (window->export);
  window->export = NULL;
}

void
dv_export_scene_changed (struct dv_window *window)
{
}
