/* menu.c: the primary menu, with the recent logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "menu.h"

#include "about.h"
#include "i18n.h"
#include "preferences.h"
#include "recent.h"
#include "shortcuts_window.h"
#include "widgets/pieces.h"

#define MOST_RECENT 10

struct dv_menu {
  struct dv_host *host;
  GtkWidget *button;
  GMenu *recent;
  gulong changed;         /* handler of the recent manager */
  GtkWidget *shortcuts;   /* a window; NULL: it was not shown yet */
};

struct item {
  const char *label; /* N_ (); NULL ends a section */
  const char *action;
};

static void
append_section (GMenu *menu, const char *title, const struct item *items)
{
  GMenu *section = g_menu_new ();
  for (; items->label != NULL; items++)
    g_menu_append (section, _ (items->label), items->action);
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
  g_object_unref (section);
}

/* ---- Recent logs ------------------------------------------------------ */

/* Labels of menus have mnemonics, names of files do not.  */
static char *
plain_label (const struct dv_recent_log *log)
{
  char **parts = g_strsplit (log->name, "_", -1);
  char *label = g_strjoinv ("__", parts);
  g_strfreev (parts);
  return label;
}

static void
recent_changed (GtkRecentManager *manager, gpointer data)
{
  struct dv_menu *menu = data;
  GPtrArray *logs = dv_recent_list (MOST_RECENT);
  g_menu_remove_all (menu->recent);
  for (guint i = 0; i < logs->len; i++) {
    const struct dv_recent_log *log = g_ptr_array_index (logs, i);
    char *label = plain_label (log);
    GMenuItem *item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.open-uri", "s", log->uri);
    g_menu_append_item (menu->recent, item);
    g_object_unref (item);
    g_free (label);
  }
  if (logs->len == 0)
    g_menu_append (menu->recent, _ ("No log has been opened yet"), "win.none");
  g_ptr_array_unref (logs);
}

/* ---- The menu -------------------------------------------------------- */

static GMenu *
new_view_menu (void)
{
  static const struct item places[] = {{N_ ("_Side Panel"), "win.side-panel"},
                                       {N_ ("_Tables Below"), "win.tables"},
                                       {N_ ("_Minimap"), "win.minimap"},
                                       {NULL}};
  static const struct item colours[] = {
    {N_ ("_Reads and Writes"), "win.colour::kind"},
    {N_ ("T_hreads"), "win.colour::thread"},
    {N_ ("Cache _Misses"), "win.colour::miss"},
    {N_ ("Re_use Distances"), "win.colour::reuse"},
    {N_ ("Use of Cache _Lines"), "win.colour::use"},
    {NULL}};
  static const struct item marks[] = {
    {N_ ("_Boxes of Blocks and Ranges"), "win.boxes"},
    {N_ ("_Grid of Pages and Lines"), "win.grid"},
    {N_ ("Lines S_hared by Threads"), "win.sharing"},
    {N_ ("_Time by the Clock"), "win.clock"},
    {NULL}};
  GMenu *menu = g_menu_new ();
  append_section (menu, NULL, places);
  append_section (menu, _ ("Colours Show"), colours);
  append_section (menu, _ ("In the Plot"), marks);
  return menu;
}

static GMenu *
new_model (struct dv_menu *menu)
{
  static const struct item saving[] = {
    {N_ ("Save _Picture…"), "win.save-picture"},
    {N_ ("Save P_art of Log…"), "win.save-part"},
    {NULL}};
  static const struct item general[] = {
    {N_ ("P_references"), "win.preferences"},
    {N_ ("_Keyboard Shortcuts"), "win.shortcuts"},
    {N_ ("_About Datagrind"), "win.about"},
    {NULL}};
  GMenu *model = g_menu_new (), *logs = g_menu_new (), *views = g_menu_new ();
  GMenu *view = new_view_menu ();
  g_menu_append (logs, _ ("_Open…"), "win.open");
  g_menu_append_submenu (logs, _ ("Open _Recent"),
                         G_MENU_MODEL (menu->recent));
  g_menu_append (logs, _ ("Co_mpare With…"), "win.compare");
  g_menu_append (logs, _ ("Show by O_wner"), "win.by-owner");
  g_menu_append (logs, _ ("Re_load"), "win.reload");
  g_menu_append (logs, _ ("_Follow the Recording"), "win.follow");
  g_menu_append_section (model, NULL, G_MENU_MODEL (logs));
  append_section (model, NULL, saving);
  g_menu_append_submenu (views, _ ("_View"), G_MENU_MODEL (view));
  g_menu_append_section (model, NULL, G_MENU_MODEL (views));
  append_section (model, NULL, general);
  g_object_unref (logs);
  g_object_unref (views);
  g_object_unref (view);
  return model;
}

/* ---- Actions --------------------------------------------------------- */

static void
do_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_menu *menu = data;
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (menu->button);
  gtk_toggle_button_set_active (button,
                                !gtk_toggle_button_get_active (button));
}

static void
do_dialog (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_menu *) data)->host;
  if (g_str_equal (g_action_get_name (G_ACTION (action)), "about"))
    dv_about_show (host);
  else
    dv_preferences_show (host);
}

static void
do_shortcuts (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_menu *menu = data;
  dv_shortcuts_window_show (&menu->shortcuts, GTK_WINDOW (menu->host->window));
}

static const GActionEntry actions[] = {
  {"menu", do_menu},
  {"preferences", do_dialog},
  {"shortcuts", do_shortcuts},
  {"about", do_dialog},
};

GtkWidget *
dv_menu_widget (const struct dv_menu *menu)
{
  return menu->button;
}

struct dv_menu *
dv_menu_new (struct dv_host *host)
{
  struct dv_menu *menu = g_new0 (struct dv_menu, 1);
  menu->host = host;
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), menu);
  menu->recent = g_menu_new ();
  menu->changed = g_signal_connect (gtk_recent_manager_get_default (),
                                    "changed", G_CALLBACK (recent_changed),
                                    menu);
  recent_changed (NULL, menu);
  menu->button = gtk_menu_button_new ();
  gtk_container_add (GTK_CONTAINER (menu->button),
                     gtk_image_new_from_icon_name ("open-menu-symbolic",
                                                   GTK_ICON_SIZE_BUTTON));
  gtk_widget_set_tooltip_text (menu->button, _ ("Menu (F10)"));
  dv_pieces_name (menu->button, _ ("Menu"));
  GMenu *model = new_model (menu);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (menu->button),
                                  G_MENU_MODEL (model));
  g_object_unref (model);
  return menu;
}

void
dv_menu_free (struct dv_menu *menu)
{
  g_signal_handler_disconnect (gtk_recent_manager_get_default (),
                               menu->changed);
  g_object_unref (menu->recent);
  g_free (menu);
}
