/* appearance.c: how the plot is drawn: by the user's choices and the theme.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

#include "application.h"

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
dv_appearance_look (const struct dv_window *window)
{
  const struct dv_choices *choices = &window->application->choices;
  struct dv_look look = choices->look;
  look.palette = dv_palette_find (choices->palette, is_dark (window->window));
  return look;
}

/* ---- Actions --------------------------------------------------------- */

static void
set_state (struct dv_window *window, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (
    G_ACTION_MAP (window->window), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

void
dv_appearance_update (struct dv_window *window)
{
  if (window->window == NULL)
    return;
  struct dv_look look = dv_appearance_look (window);
  set_state (window, "colour",
             g_variant_new_string (look.colouring == DV_COLOUR_THREAD
                                     ? "thread" : "kind"));
  set_state (window, "boxes", g_variant_new_boolean (!look.no_boxes));
  set_state (window, "grid", g_variant_new_boolean (!look.no_grid));
  set_state (window, "sharing", g_variant_new_boolean (look.sharing));
  set_state (window, "clock", g_variant_new_boolean (look.clock));
  dv_canvas_set_look (window->canvas, &look);
  dv_panes_show_look (window);
}

static void
set_colour (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_window *window = data;
  struct dv_choices *choices = &window->application->choices;
  struct dv_look look = choices->look;
  const char *name = g_variant_get_string (value, NULL);
  look.colouring = g_str_equal (name, "thread") ? DV_COLOUR_THREAD
                                                : DV_COLOUR_KIND;
  dv_choices_set_look (choices, &look);
}

static void
set_flag (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_window *window = data;
  struct dv_choices *choices = &window->application->choices;
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
style_updated (GtkWidget *widget, gpointer data)
{
  struct dv_window *window = data;
  if (window->canvas != NULL)
    dv_appearance_update (window);
}

void
dv_appearance_init (struct dv_window *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window->window), actions,
                                   G_N_ELEMENTS (actions), window);
  g_signal_connect (window->window, "style-updated",
                    G_CALLBACK (style_updated), window);
}
