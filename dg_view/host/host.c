/* host.c: what every part of a window may do with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "host.h"

void
dv_host_go_to (struct dv_host *host, const struct dv_view *view)
{
  if (dv_viewport_show (&host->canvas->viewport, view, true))
    dv_canvas_view_changed (host->canvas);
}

void
dv_host_say (struct dv_host *host, const char *text)
{
  gtk_label_set_text (GTK_LABEL (host->status), text);
}

void
dv_host_copy (struct dv_host *host, const char *text)
{
  gtk_clipboard_set_text (
    gtk_widget_get_clipboard (host->canvas->widget, GDK_SELECTION_CLIPBOARD),
    text, -1);
}

/* ---- Actions --------------------------------------------------------- */

void
dv_host_add_actions (struct dv_host *host, const GActionEntry *actions,
                     guint n, void *user)
{
  g_action_map_add_action_entries (G_ACTION_MAP (host->window), actions,
                                   (gint) n, user);
}

static GSimpleAction *
find_action (struct dv_host *host, const char *name)
{
  GAction *action =
    g_action_map_lookup_action (G_ACTION_MAP (host->window), name);
  return action != NULL ? G_SIMPLE_ACTION (action) : NULL;
}

void
dv_host_enable (struct dv_host *host, const char *name, bool enabled)
{
  GSimpleAction *action = find_action (host, name);
  if (action != NULL)
    g_simple_action_set_enabled (action, enabled);
}

void
dv_host_set_state (struct dv_host *host, const char *name, GVariant *state)
{
  g_simple_action_set_state (find_action (host, name), state);
}

/* ---- Messages -------------------------------------------------------- */

/* People copy messages to ask others about them.  */
static void
make_selectable (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_LABEL (widget)) {
    gtk_label_set_selectable (GTK_LABEL (widget), TRUE);
    /* Names of files have no spaces.  */
    gtk_label_set_line_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD_CHAR);
  }
}

void
dv_host_error (struct dv_host *host, const char *what, const char *why)
{
  if (host->error != NULL)
    return;
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (host->window),
                            GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                            GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", what);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            why);
  gtk_window_set_title (GTK_WINDOW (dialog), "Datagrind");
  gtk_container_foreach (GTK_CONTAINER (gtk_message_dialog_get_message_area (
                           GTK_MESSAGE_DIALOG (dialog))),
                         make_selectable, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  gtk_widget_grab_focus (gtk_dialog_get_widget_for_response (
    GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE));
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_widget_destroy), NULL);
  host->error = dialog;
  g_signal_connect (dialog, "destroy", G_CALLBACK (gtk_widget_destroyed),
                    &host->error);
  gtk_widget_show (dialog);
}
