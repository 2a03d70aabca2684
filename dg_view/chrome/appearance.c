/* appearance.c: how the plot is drawn: by the user's choices and the theme.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "appearance.h"

/* ---- Look ------------------------------------------------------------ */

/* A theme is dark if its text is light.  */
static bool
is_dark (GtkWidget *widget)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA ink;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &ink);
  double light = 0.3 * ink.red + 0.6 * ink.green + 0.1 * ink.blue;
  return light > 0.5;
}

struct dv_look
dv_appearance_look (const struct dv_host *host)
{
  const struct dv_choices *choices = host->choices;
  struct dv_look look = choices->look;
  look.palette = dv_palette_find (choices->palette, is_dark (host->window));
  return look;
}

/* ---- Actions --------------------------------------------------------- */

void
dv_appearance_update (struct dv_host *host)
{
  if (host->window == NULL)
    return;
  struct dv_look look = dv_appearance_look (host);
  dv_host_set_state (host, "colour",
                     g_variant_new_string (
                       dv_colouring_name (look.colouring)));
  dv_host_set_state (host, "boxes", g_variant_new_boolean (!look.no_boxes));
  dv_host_set_state (host, "grid", g_variant_new_boolean (!look.no_grid));
  dv_host_set_state (host, "sharing", g_variant_new_boolean (look.sharing));
  dv_host_set_state (host, "clock", g_variant_new_boolean (look.clock));
  dv_canvas_set_look (host->canvas, &look);
}

static void
set_colour (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_host *host = data;
  struct dv_choices *choices = host->choices;
  struct dv_look look = choices->look;
  const char *name = g_variant_get_string (value, NULL);
  dv_colouring_parse (name, &look.colouring);
  dv_choices_set_look (choices, &look);
}

static void
set_flag (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_host *host = data;
  struct dv_choices *choices = host->choices;
  struct dv_look look = choices->look;
  const char *name = g_action_get_name (G_ACTION (action));
  bool on = g_variant_get_boolean (value);
  if (g_str_equal (name, "boxes"))
    look.no_boxes = !on;
  else if (g_str_equal (name, "grid"))
    look.no_grid = !on;
  else if (g_str_equal (name, "clock"))
    look.clock = on;
  else
    look.sharing = on;
  dv_choices_set_look (choices, &look);
}

static const GActionEntry actions[] = {
  { "colour", NULL, "s", "'kind'", set_colour },
  { "boxes", NULL, NULL, "true", set_flag },
  { "grid", NULL, NULL, "true", set_flag },
  { "sharing", NULL, NULL, "false", set_flag },
  { "clock", NULL, NULL, "false", set_flag },
};

static void
style_updated (struct dv_host *host)
{
  if (host->canvas != NULL)
    dv_appearance_update (host);
}

void
dv_appearance_init (struct dv_host *host)
{
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), host);
  g_signal_connect_swapped (host->window, "style-updated",
                            G_CALLBACK (style_updated), host);
}
