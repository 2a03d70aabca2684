/* toolbar.c: the header bar, and the actions of its buttons.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "toolbar.h"

#include "i18n.h"
#include "widgets/pieces.h"

#define STEP 1.6

/* ---- Actions --------------------------------------------------------- */

static void
changed (struct dv_host *host, bool really)
{
  if (really)
    dv_canvas_view_changed (host->canvas);
  gtk_widget_grab_focus (host->canvas->widget);
}

static void
do_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = data;
  changed (host, dv_viewport_back (&host->canvas->viewport));
}

static void
do_forward (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = data;
  changed (host, dv_viewport_forward (&host->canvas->viewport));
}

static void
do_fit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = data;
  changed (host, dv_viewport_fit (&host->canvas->viewport));
}

/* "x-in", "y-out"...  */
static void
do_zoom (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = data;
  const char *name = g_action_get_name (G_ACTION (action));
  changed (
    host, dv_viewport_zoom (
            &host->canvas->viewport, *name == 'x' ? DV_AXIS_X : DV_AXIS_Y,
            g_str_has_suffix (name, "-in") ? 1 / STEP : STEP, 0.5, 0.5, true));
}

static const GActionEntry actions[] = {
  {"back", do_back},  {"forward", do_forward}, {"fit", do_fit},
  {"x-in", do_zoom},  {"x-out", do_zoom},      {"y-in", do_zoom},
  {"y-out", do_zoom},
};

/* Of the window, in pixels: below it, there is only room for what is needed
   most.  */
#define NARROW 720

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
  dv_pieces_name (button, tip);
  return button;
}

/* Buttons side by side as one.  */
static GtkWidget *
new_group (GtkWidget *first, GtkWidget *second)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  dv_pieces_class (box, "linked");
  dv_pieces_add (box, first, second, NULL);
  return box;
}

static gboolean
fold_due (gpointer data)
{
  GtkWidget *group = data;
  GtkWidget *bar = gtk_widget_get_parent (group);
  if (bar != NULL)
    gtk_widget_set_visible (group, gtk_widget_get_allocated_width (bar)
                                     >= NARROW);
  return G_SOURCE_REMOVE;
}

/* Buttons that wheel and keys stand for go where there is no room.  Not from
   within an allocation: it asks for another one.  */
static void
bar_allocated (GtkWidget *bar, GdkRectangle *size, gpointer data)
{
  GtkWidget *group = data;
  if (gtk_widget_get_visible (group) != (size->width >= NARROW))
    g_idle_add_full (GTK_PRIORITY_RESIZE, fold_due, g_object_ref (group),
                     g_object_unref);
}

GtkWidget *
dv_toolbar_new (struct dv_host *host, GtkWidget *menu, GtkWidget *bookmarks)
{
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), host);
  GtkWidget *bar = gtk_header_bar_new ();
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  GtkWidget *start[] = {
    new_button ("win.open", "document-open-symbolic", NULL,
                _ ("Open a log (Ctrl+O)")),
    new_group (new_button ("win.back", "go-previous-symbolic", NULL,
                           _ ("Back to the last view (Alt+Left)")),
               new_button ("win.forward", "go-next-symbolic", NULL,
                           _ ("Forward (Alt+Right)"))),
    new_button ("win.fit", "zoom-fit-best-symbolic", NULL,
                _ ("Show everything (Home)")),
  };
  GtkWidget *end[] = {
    new_group (new_button ("win.y-out", "zoom-out-symbolic", "↕",
                           _ ("Show more instructions (Shift+Y)")),
               new_button ("win.y-in", "zoom-in-symbolic", "↕",
                           _ ("Show fewer instructions (Y)"))),
    new_group (new_button ("win.x-out", "zoom-out-symbolic", "↔",
                           _ ("Show more addresses (Shift+X)")),
               new_button ("win.x-in", "zoom-in-symbolic", "↔",
                           _ ("Show fewer addresses (X)"))),
  };
  for (guint i = 0; i < G_N_ELEMENTS (start); i++)
    gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), start[i]);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), menu);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), bookmarks);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar),
                           new_button ("win.search", "edit-find-symbolic",
                                       NULL, _ ("Search, go to (Ctrl+F)")));
  for (guint i = 0; i < G_N_ELEMENTS (end); i++) {
    gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), end[i]);
    g_signal_connect (bar, "size-allocate", G_CALLBACK (bar_allocated),
                      end[i]);
  }
  return bar;
}

void
dv_toolbar_update (struct dv_host *host)
{
  const struct dv_viewport *viewport = &host->canvas->viewport;
  const struct dv_view *now = &viewport->now, *full = &viewport->full;
  bool any = !dv_view_is_empty (full);
  uint64_t x = now->x1 - now->x0, y = now->y1 - now->y0;
  dv_host_enable (host, "back", viewport->back->len > 0);
  dv_host_enable (host, "forward", viewport->forward->len > 0);
  dv_host_enable (host, "fit", any && !dv_view_equal (now, full));
  dv_host_enable (host, "x-in", any && x > DV_MIN_BYTES);
  dv_host_enable (host, "x-out", any && x < full->x1 - full->x0);
  dv_host_enable (host, "y-in", any && y > DV_MIN_INSTRUCTIONS);
  dv_host_enable (host, "y-out", any && y < full->y1 - full->y0);
}
