/* window.h: one window: its parts together, and what happens to them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_WINDOW_H
#define DV_WINDOW_H

#include "application.h"

/* Opens a window, with a log, or with the start page (NULL).  It is among the
   application's until it is closed.  The options must outlive it.  */
struct dv_window *dv_window_new (struct dv_application *application,
                                 const struct dv_options *options,
                                 const char *path);
/* After it was closed, or the program has ended.  */
void dv_window_free (struct dv_window *window);
/* The application's choices are others.  */
void dv_window_choices_changed (struct dv_window *window);

/* Closes all of them.  */
void dv_windows_close (struct dv_application *application);

#endif /* DV_WINDOW_H */
