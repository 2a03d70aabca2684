/* loading_info.c: the line above the plot that says what is to be known of the
   log, with a button for what could be done.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "loading_parts.h"

#include "i18n.h"

void
dv_loading_offer (struct dv_window *window, GtkMessageType type,
                  const char *text, const char *button,
                  void (*accepted) (struct dv_window *window))
{
  if (window->window == NULL)
    return;
  window->info_accepted = accepted;
  gtk_info_bar_set_message_type (GTK_INFO_BAR (window->info_bar), type);
  gtk_label_set_text (GTK_LABEL (window->info_text), text);
  gtk_widget_set_visible (window->info_button, button != NULL);
  if (button != NULL)
    gtk_button_set_label (GTK_BUTTON (window->info_button), button);
  gtk_widget_show (window->info_bar);
  gtk_info_bar_set_revealed (GTK_INFO_BAR (window->info_bar), TRUE);
}

void
dv_loading_tell (struct dv_window *window, GtkMessageType type,
                 const char *text)
{
  dv_loading_offer (window, type, text, NULL, NULL);
}

void
dv_loading_tell_failed (struct dv_window *window, const char *text)
{
  /* One part of the window after the other notices the same.  */
  if (window->window != NULL && gtk_widget_get_visible (window->info_bar)
      && window->info_accepted == dv_loading_reload)
    return;
  dv_loading_offer (window, GTK_MESSAGE_ERROR, text, _("_Load Again"),
                    dv_loading_reload);
}

void
dv_loading_hide_info (struct dv_window *window)
{
  gtk_widget_hide (window->info_bar);
}

static void
responded (GtkInfoBar *bar, gint response, gpointer data)
{
  struct dv_window *window = data;
  dv_loading_hide_info (window);
  if (response == GTK_RESPONSE_OK && window->info_accepted != NULL)
    window->info_accepted (window);
}

GtkWidget *
dv_loading_info_bar (struct dv_window *window)
{
  GtkWidget *bar = gtk_info_bar_new ();
  window->info_bar = bar;
  window->info_text = gtk_label_new (NULL);
  gtk_label_set_line_wrap (GTK_LABEL (window->info_text), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (window->info_text),
                                PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (window->info_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (window->info_text), 0);
  gtk_widget_show (window->info_text);
  gtk_container_add (
    GTK_CONTAINER (gtk_info_bar_get_content_area (GTK_INFO_BAR (bar))),
    window->info_text);
  window->info_button = gtk_info_bar_add_button (GTK_INFO_BAR (bar), "",
                                                 GTK_RESPONSE_OK);
  gtk_button_set_use_underline (GTK_BUTTON (window->info_button), TRUE);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (bar),
                       _("About this log"));
  g_signal_connect (bar, "response", G_CALLBACK (responded), window);
  gtk_widget_set_no_show_all (bar, TRUE);
  return bar;
}
