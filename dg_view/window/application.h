/* application.h: what all windows of one dg_view share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_APPLICATION_H
#define DV_APPLICATION_H

#include <gtk/gtk.h>

#include "model/user/choices.h"
#include "model/user/options.h"

struct dv_application {
  GtkApplication *app;
  const struct dv_options *options;  /* of the first window */
  struct dv_options further;         /* of all others; owns nothing */
  struct dv_settings *settings;
  struct dv_choices choices;
  GPtrArray *windows;                /* of struct dv_window, owned */
  GPtrArray *compared;               /* of struct dv_compare_window */
  int status;                        /* to exit with */
};

/* Opens the window and returns, when it is closed, the exit status: 1 if
   there is no display, or the log could not be shown.  */
int dv_application_run (const struct dv_options *options);

/* Compares two logs in a window of its own; after: NULL: shows one by
   owner.  */
void dv_application_compare (struct dv_application *application,
                             const struct dv_options *options,
                             const char *before, const char *after);
/* Closes all windows.  */
void dv_application_quit (struct dv_application *application);

#endif /* DV_APPLICATION_H */
