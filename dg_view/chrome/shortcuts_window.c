/* shortcuts_window.c: the window that shows all keys.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shortcuts_window.h"

#include "i18n.h"
#include "libdatagrind.h"
#include "shortcuts.h"

static GtkWidget *
new_group (const char *title)
{
  return g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", title, "visible",
                       TRUE, NULL);
}

/* Adds lines to groups, which are made as they are met; lines of one group
   need not stand side by side.  */
static void
add_shortcuts (GtkWidget *section, GHashTable *groups,
               const struct dv_shortcut *shortcuts, guint n)
{
  for (guint i = 0; i < n; i++) {
    const struct dv_shortcut *shortcut = &shortcuts[i];
    GtkWidget *group = g_hash_table_lookup (groups, shortcut->group);
    if (group == NULL) {
      group = new_group (_ (shortcut->group));
      gtk_container_add (GTK_CONTAINER (section), group);
      g_hash_table_insert (groups, (char *) shortcut->group, group);
    }
    char *keys = g_strjoinv (" ", (char **) shortcut->keys);
    GtkWidget *line =
      g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "accelerator", keys, "title",
                    _ (shortcut->title), "visible", TRUE, NULL);
    gtk_container_add (GTK_CONTAINER (group), line);
    g_free (keys);
  }
}

static void
add_gestures (GtkWidget *section)
{
  guint n;
  const struct dv_gesture *gestures = dv_shortcuts_gestures (&n);
  GtkWidget *group = new_group (_ ("Mouse and touchpad"));
  GIcon *icon = g_themed_icon_new ("input-mouse-symbolic");
  for (guint i = 0; i < n; i++) {
    GtkWidget *line = g_object_new (
      GTK_TYPE_SHORTCUTS_SHORTCUT, "shortcut-type", GTK_SHORTCUT_GESTURE,
      "icon", icon, "title", _ (gestures[i].title), "subtitle",
      _ (gestures[i].how), "visible", TRUE, NULL);
    gtk_container_add (GTK_CONTAINER (group), line);
  }
  g_object_unref (icon);
  gtk_container_add (GTK_CONTAINER (section), group);
}

static GtkWidget *
new_window (GtkWindow *parent)
{
  guint n;
  GtkWidget *section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION,
                                     "section-name", "all", "max-height", 12,
                                     "visible", TRUE, NULL);
  GHashTable *groups = g_hash_table_new (dg_hash_text, g_str_equal);
  const struct dv_shortcut *shortcuts = dv_shortcuts (&n);
  add_shortcuts (section, groups, shortcuts, n);
  shortcuts = dv_shortcuts_of_plot (&n);
  add_shortcuts (section, groups, shortcuts, n);
  shortcuts = dv_shortcuts_of_heap (&n);
  add_shortcuts (section, groups, shortcuts, n);
  g_hash_table_unref (groups);
  add_gestures (section);
  GtkWidget *shown = g_object_new (
    GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE, "window-position",
    GTK_WIN_POS_CENTER_ON_PARENT, "destroy-with-parent", TRUE, NULL);
  gtk_container_add (GTK_CONTAINER (shown), section);
  gtk_window_set_transient_for (GTK_WINDOW (shown), parent);
  g_signal_connect (shown, "delete-event",
                    G_CALLBACK (gtk_widget_hide_on_delete), NULL);
  return shown;
}

void
dv_shortcuts_window_show (GtkWidget **shown, GtkWindow *parent)
{
  if (*shown == NULL)
    *shown = new_window (parent);
  gtk_window_present (GTK_WINDOW (*shown));
}
