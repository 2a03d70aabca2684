/* toolbar.c: the header bar, and the actions of its buttons.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "i18n.h"
#include "window_parts.h"

#define STEP 1.6

/* ---- Actions --------------------------------------------------------- */

static void
changed (struct dv_window *window, bool really)
{
  if (really)
    dv_canvas_view_changed (window->canvas);
  gtk_widget_grab_focus (window->canvas->widget);
}

static void
zoom (struct dv_window *window, enum dv_axis axes, double factor)
{
  changed (window, dv_viewport_zoom (&window->canvas->viewport, axes, factor,
                                     0.5, 0.5, true));
}

static void
do_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  changed (window, dv_viewport_back (&window->canvas->viewport));
}

static void
do_forward (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  changed (window, dv_viewport_forward (&window->canvas->viewport));
}

static void
do_fit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  changed (window, dv_viewport_fit (&window->canvas->viewport));
}

static void
do_x_in (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom (data, DV_AXIS_X, 1 / STEP);
}

static void
do_x_out (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom (data, DV_AXIS_X, STEP);
}

static void
do_y_in (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom (data, DV_AXIS_Y, 1 / STEP);
}

static void
do_y_out (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom (data, DV_AXIS_Y, STEP);
}

static void
do_filter (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  gtk_widget_grab_focus (window->events);
}

static void
do_close (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  gtk_window_close (GTK_WINDOW (window->window));
}

static void
do_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  GPtrArray *windows = window->application->windows;
  for (guint i = 0; i < windows->len; i++) {
    struct dv_window *each = g_ptr_array_index (windows, i);
    if (each->window != NULL)
      gtk_window_close (GTK_WINDOW (each->window));
  }
}

static const GActionEntry actions[] = {
  { "back", do_back },   { "forward", do_forward }, { "fit", do_fit },
  { "x-in", do_x_in },   { "x-out", do_x_out },     { "y-in", do_y_in },
  { "y-out", do_y_out }, { "filter", do_filter },   { "close", do_close },
  { "quit", do_quit },
};

/* ---- Buttons --------------------------------------------------------- */

static GtkWidget *
new_button (const char *action, const char *icon, const char *sign,
            const char *tip)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *image = gtk_image_new_from_icon_name (icon,
                                                   GTK_ICON_SIZE_BUTTON);
  if (sign != NULL) {
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 1);
    gtk_container_add (GTK_CONTAINER (box), image);
    gtk_container_add (GTK_CONTAINER (box), gtk_label_new (sign));
    gtk_container_add (GTK_CONTAINER (button), box);
  } else {
    gtk_container_add (GTK_CONTAINER (button), image);
  }
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_widget_set_focus_on_click (button, FALSE);
  atk_object_set_name (gtk_widget_get_accessible (button), tip);
  return button;
}

/* Buttons side by side as one.  */
static GtkWidget *
new_group (GtkWidget *first, GtkWidget *second)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (box), "linked");
  gtk_container_add (GTK_CONTAINER (box), first);
  gtk_container_add (GTK_CONTAINER (box), second);
  return box;
}

GtkWidget *
dv_toolbar_new (struct dv_window *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window->window), actions,
                                   G_N_ELEMENTS (actions), window);
  dv_shortcuts_init (window);
  GtkWidget *bar = gtk_header_bar_new ();
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  GtkWidget *start[] = {
    new_button ("win.open", "document-open-symbolic", NULL,
                _("Open a log (Ctrl+O)")),
    new_group (new_button ("win.back", "go-previous-symbolic", NULL,
                           _("Back to the last view (Alt+Left)")),
               new_button ("win.forward", "go-next-symbolic", NULL,
                           _("Forward (Alt+Right)"))),
    new_button ("win.fit", "zoom-fit-best-symbolic", NULL,
                _("Show everything (Home)")),
  };
  GtkWidget *end[] = {
    new_group (new_button ("win.y-out", "zoom-out-symbolic", "↕",
                           _("Show more instructions (Shift+Y)")),
               new_button ("win.y-in", "zoom-in-symbolic", "↕",
                           _("Show fewer instructions (Y)"))),
    new_group (new_button ("win.x-out", "zoom-out-symbolic", "↔",
                           _("Show more addresses (Shift+X)")),
               new_button ("win.x-in", "zoom-in-symbolic", "↔",
                           _("Show fewer addresses (X)"))),
  };
  for (guint i = 0; i < G_N_ELEMENTS (start); i++)
    gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), start[i]);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), dv_menu_new (window));
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar),
                           dv_bookmarks_widget (window));
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), new_button (
    "win.search", "edit-find-symbolic", NULL,
    _("Search, go to (Ctrl+F)")));
  for (guint i = 0; i < G_N_ELEMENTS (end); i++)
    gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), end[i]);
  return bar;
}

void
dv_toolbar_enable (struct dv_window *window, const char *name, bool enabled)
{
  GAction *action = g_action_map_lookup_action (
    G_ACTION_MAP (window->window), name);
  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
dv_toolbar_update (struct dv_window *window)
{
  const struct dv_viewport *viewport = &window->canvas->viewport;
  const struct dv_view *now = &viewport->now, *full = &viewport->full;
  bool any = !dv_view_is_empty (full);
  uint64_t x = now->x1 - now->x0, y = now->y1 - now->y0;
  dv_toolbar_enable (window, "back", viewport->back->len > 0);
  dv_toolbar_enable (window, "forward", viewport->forward->len > 0);
  dv_toolbar_enable (window, "fit", any && !dv_view_equal (now, full));
  dv_toolbar_enable (window, "x-in", any && x > DV_MIN_BYTES);
  dv_toolbar_enable (window, "x-out", any && x < full->x1 - full->x0);
  dv_toolbar_enable (window, "y-in", any && y > DV_MIN_INSTRUCTIONS);
  dv_toolbar_enable (window, "y-out", any && y < full->y1 - full->y0);
}
