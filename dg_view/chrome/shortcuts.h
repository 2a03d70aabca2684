/* shortcuts.h: all keys, and what else the plot understands.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SHORTCUTS_H
#define DV_SHORTCUTS_H

#include <gtk/gtk.h>

#define DV_SHORTCUT_KEYS 3

struct dv_shortcut {
  const char *group, *title;    /* N_ () */
  const char *action;           /* NULL: the widget knows the keys itself */
  const char *keys[DV_SHORTCUT_KEYS + 1];   /* as GTK's accelerators */
};

struct dv_gesture {
  const char *how, *title; /* N_ () */
};

/* Keys of actions, which work in all of the window.  */
const struct dv_shortcut *dv_shortcuts (guint *n);
/* Keys that work while the plot has the focus.  */
const struct dv_shortcut *dv_shortcuts_of_plot (guint *n);
/* Keys that work while the picture of the heap has the focus.  */
const struct dv_shortcut *dv_shortcuts_of_heap (guint *n);
/* What mouse and touchpad do on the plot.  */
const struct dv_gesture *dv_shortcuts_gestures (guint *n);

/* Sets the keys of all actions.  */
void dv_shortcuts_init (GtkApplication *app);

#endif /* DV_SHORTCUTS_H */
