/* shortcuts_window.h: the window that shows all keys.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SHORTCUTS_WINDOW_H
#define DV_SHORTCUTS_WINDOW_H

#include <gtk/gtk.h>

/* Shows *shown, which is made if it is NULL; it goes with its parent.  */
void dv_shortcuts_window_show (GtkWidget **shown, GtkWindow *parent);

#endif /* DV_SHORTCUTS_WINDOW_H */
