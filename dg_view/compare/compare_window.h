/* compare_window.h: the window that compares two logs; or that shows one by
   owner, where addresses do not matter.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPARE_WINDOW_H
#define DV_COMPARE_WINDOW_H

#include <gtk/gtk.h>

#include "model/user/choices.h"
#include "model/user/options.h"

struct dv_compare_window;

struct dv_compare_start {
  GtkApplication *app;
  const struct dv_options *options;    /* filters, size, title */
  struct dv_choices *choices;
  struct dv_settings *settings;
  const char *before, *after;          /* paths; after: NULL: one log */
  bool is_laid_over;                   /* see struct dv_pair */
  /* Opens another window.  */
  void (*open) (void *user, const struct dv_compare_start *start);
  /* Closes all windows.  */
  void (*quit) (void *user);
  /* The window is gone; its exit status.  */
  void (*closed) (void *user, struct dv_compare_window *window, int status);
  void *user;
};

/* All but the paths must outlive the window, which frees itself.  */
struct dv_compare_window *
dv_compare_window_new (const struct dv_compare_start *start);
/* Palette or theme are others.  */
void dv_compare_window_choices_changed (struct dv_compare_window *window);
/* Closes it.  */
void dv_compare_window_close (struct dv_compare_window *window);

#endif /* DV_COMPARE_WINDOW_H */
