/* panel_menu.h: what the context menus of calls and flame graph share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PANEL_MENU_H
#define DV_PANEL_MENU_H

#include <stdbool.h>

#include <gtk/gtk.h>

/* An empty menu that goes away with its choice.  */
GtkWidget *dv_panel_menu_new (GtkWidget *owner);
/* chosen (user).  */
void dv_panel_menu_add (GtkWidget *menu, const char *label, bool is_enabled,
                        GCallback chosen, gpointer user);
void dv_panel_menu_separate (GtkWidget *menu);
/* At the pointer of an event, or at a place of the owner, for keys
   (event NULL); both NULL: where a button was just clicked.  */
void dv_panel_menu_popup (GtkWidget *menu, const GdkEvent *event,
                          const GdkRectangle *place);

/* To the clipboard; the second frees the text.  */
void dv_panel_menu_copy (GtkWidget *widget, const char *text);
void dv_panel_menu_take (GtkWidget *widget, char *text);

#endif /* DV_PANEL_MENU_H */
