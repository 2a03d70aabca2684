/* info.c: the line above the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "info.h"

#include "i18n.h"
#include "widgets/pieces.h"

struct dv_info {
  struct dv_host *host;
  GtkWidget *bar, *text, *button;
  dv_info_accepted accepted; /* NULL: nothing was offered */
  void *user;
};

void
dv_info_offer (struct dv_info *info, GtkMessageType type, const char *text,
               const char *button, dv_info_accepted accepted, void *user)
{
  if (info->host->window == NULL)
    return;
  info->accepted = accepted;
  info->user = user;
  gtk_info_bar_set_message_type (GTK_INFO_BAR (info->bar), type);
  gtk_label_set_text (GTK_LABEL (info->text), text);
  gtk_widget_set_visible (info->button, button != NULL);
  if (button != NULL)
    gtk_button_set_label (GTK_BUTTON (info->button), button);
  gtk_widget_show (info->bar);
  gtk_info_bar_set_revealed (GTK_INFO_BAR (info->bar), TRUE);
}

void
dv_info_tell (struct dv_info *info, GtkMessageType type, const char *text)
{
  dv_info_offer (info, type, text, NULL, NULL, NULL);
}

static void
reload (void *user)
{
  struct dv_host *host = user;
  host->reload (host->user);
}

void
dv_info_offer_reload (struct dv_info *info, GtkMessageType type,
                      const char *text, const char *button)
{
  dv_info_offer (info, type, text, button, reload, info->host);
}

void
dv_info_tell_failed (struct dv_info *info, const char *text)
{
  /* One part of the window after the other notices the same.  */
  if (info->host->window != NULL && gtk_widget_get_visible (info->bar)
      && dv_info_offers (info, reload))
    return;
  dv_info_offer_reload (info, GTK_MESSAGE_ERROR, text, _ ("_Load Again"));
}

bool
dv_info_offers (const struct dv_info *info, dv_info_accepted accepted)
{
  return info->accepted == accepted;
}

void
dv_info_hide (struct dv_info *info)
{
  gtk_widget_hide (info->bar);
}

static void
responded (GtkInfoBar *bar, gint response, gpointer data)
{
  struct dv_info *info = data;
  dv_info_hide (info);
  if (response == GTK_RESPONSE_OK && info->accepted != NULL)
    info->accepted (info->user);
}

GtkWidget *
dv_info_widget (const struct dv_info *info)
{
  return info->bar;
}

struct dv_info *
dv_info_new (struct dv_host *host)
{
  struct dv_info *info = g_new0 (struct dv_info, 1);
  GtkWidget *bar = gtk_info_bar_new ();
  info->host = host;
  info->bar = bar;
  info->text =
    dv_pieces_label_new (NULL, DV_WRAP_NAMES | DV_SELECTABLE | DV_LEFT);
  gtk_widget_show (info->text);
  gtk_container_add (
    GTK_CONTAINER (gtk_info_bar_get_content_area (GTK_INFO_BAR (bar))),
    info->text);
  info->button =
    gtk_info_bar_add_button (GTK_INFO_BAR (bar), "", GTK_RESPONSE_OK);
  gtk_button_set_use_underline (GTK_BUTTON (info->button), TRUE);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar), TRUE);
  dv_pieces_name (bar, _ ("About this log"));
  g_signal_connect (bar, "response", G_CALLBACK (responded), info);
  gtk_widget_set_no_show_all (bar, TRUE);
  return info;
}

void
dv_info_free (struct dv_info *info)
{
  g_free (info);
}
