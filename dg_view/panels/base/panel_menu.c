/* panel_menu.c: context menus.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panel_menu.h"

static gboolean
destroy_later (gpointer menu)
{
  gtk_widget_destroy (menu);
  return G_SOURCE_REMOVE;
}

/* The choice comes after the menu is gone from the screen.  */
static void
deactivated (GtkMenuShell *menu, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, destroy_later,
                   g_object_ref (menu), g_object_unref);
}

GtkWidget *
dv_panel_menu_new (GtkWidget *owner)
{
  GtkWidget *menu = gtk_menu_new ();
  gtk_menu_attach_to_widget (GTK_MENU (menu), owner, NULL);
  g_signal_connect (menu, "deactivate", G_CALLBACK (deactivated), NULL);
  return menu;
}

void
dv_panel_menu_add (GtkWidget *menu, const char *label, bool is_enabled,
                   GCallback chosen, gpointer user)
{
  GtkWidget *item = gtk_menu_item_new_with_mnemonic (label);
  gtk_widget_set_sensitive (item, is_enabled);
  g_signal_connect_swapped (item, "activate", chosen, user);
  gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
}

void
dv_panel_menu_separate (GtkWidget *menu)
{
  gtk_menu_shell_append (GTK_MENU_SHELL (menu),
                         gtk_separator_menu_item_new ());
}

void
dv_panel_menu_popup (GtkWidget *menu, const GdkEvent *event,
                     const GdkRectangle *place)
{
  static const GdkRectangle corner = {0, 0, 1, 1};
  GtkWidget *owner = gtk_menu_get_attach_widget (GTK_MENU (menu));
  bool is_button = event == NULL && place == NULL;
  GdkEvent *click = is_button ? gtk_get_current_event () : NULL;
  if (is_button) {
    event = click;
    place = &corner;
  }
  gtk_widget_show_all (menu);
  if (event != NULL)
    gtk_menu_popup_at_pointer (GTK_MENU (menu), event);
  else
    gtk_menu_popup_at_rect (GTK_MENU (menu), gtk_widget_get_window (owner),
                            place, GDK_GRAVITY_SOUTH_WEST,
                            GDK_GRAVITY_NORTH_WEST, NULL);
  if (event == NULL)
    gtk_menu_shell_select_first (GTK_MENU_SHELL (menu), FALSE);
  if (click != NULL)
    gdk_event_free (click);
}

void
dv_panel_menu_copy (GtkWidget *widget, const char *text)
{
  gtk_clipboard_set_text (
    gtk_widget_get_clipboard (widget, GDK_SELECTION_CLIPBOARD), text, -1);
}

void
dv_panel_menu_take (GtkWidget *widget, char *text)
{
  dv_panel_menu_copy (widget, text);
  g_free (text);
}
