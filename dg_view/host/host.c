/* host.c: what every part of a window may do with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "host.h"

#include "i18n.h"
#include "widgets/pieces.h"

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

GtkWidget *
dv_host_status_bar (struct dv_host *host, GtkWidget *right)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_size_request (box, -1, 34);
  host->status = dv_pieces_label_new (NULL, DV_LEFT | DV_SHORTEN);
  dv_pieces_describe (host->status, _ ("Under the pointer"));
  gtk_box_pack_start (GTK_BOX (box), host->status, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (box), right, FALSE, FALSE, 0);
  return box;
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

void
dv_host_error (struct dv_host *host, const char *what, const char *why)
{
  if (host->error != NULL)
    return;
  host->error = dv_pieces_tell (host->window, GTK_MESSAGE_ERROR, what, why);
  g_signal_connect (host->error, "destroy", G_CALLBACK (gtk_widget_destroyed),
                    &host->error);
}
