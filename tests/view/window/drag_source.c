/* drag_source.c: a small window from which files can be dragged: what
   drive_app.py drops on dg_view.

     drag_source X Y URI...

   Prints "taken" when they are where they can be dropped.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#include <gtk/gtk.h>

/* What is under the pointer answers whether it would take them.  */
static void
action_changed (GdkDragContext *context, GdkDragAction action, gpointer unused)
{
  if (action != 0) {
    puts ("taken");
    fflush (stdout);
  }
}

static void
begin (GtkWidget *widget, GdkDragContext *context, gpointer unused)
{
  g_signal_connect (context, "action-changed", G_CALLBACK (action_changed),
                    NULL);
}

static void
give (GtkWidget *widget, GdkDragContext *context, GtkSelectionData *selection,
      guint info, guint when, gpointer uris)
{
  gtk_selection_data_set_uris (selection, uris);
}

int
main (int argc, char **argv)
{
  gtk_init (&argc, &argv);
  if (argc < 4)
    return 2;
  GtkWidget *window = gtk_window_new (GTK_WINDOW_POPUP);
  gtk_window_move (GTK_WINDOW (window), atoi (argv[1]), atoi (argv[2]));
  gtk_window_set_default_size (GTK_WINDOW (window), 60, 60);
  gtk_container_add (GTK_CONTAINER (window), gtk_label_new ("Drag"));
  gtk_drag_source_set (window, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_source_add_uri_targets (window);
  g_signal_connect (window, "drag-begin", G_CALLBACK (begin), NULL);
  g_signal_connect (window, "drag-data-get", G_CALLBACK (give), argv + 3);
  g_signal_connect (window, "drag-end", G_CALLBACK (gtk_main_quit), NULL);
  gtk_widget_show_all (window);
  gtk_main ();
  return 0;
}
