/* choices.c: preferences: of the command line, of the settings, the usual.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "choices.h"

#include <string.h>

/* Indexed by enum dv_theme.  */
static const char *const theme_names[] = { "desktop", "dark", "light" };

bool
dv_source_map_is_good (const char *map)
{
  return *map != '=' && strchr (map, '=') != NULL;
}

char **
dv_choices_own_source_map (const struct dv_choices *choices)
{
  GPtrArray *good = g_ptr_array_new ();
  char **all = dv_settings_texts (choices->settings, "source-map");
  for (char **map = all; map != NULL && *map != NULL; map++)
    if (dv_source_map_is_good (*map))
      g_ptr_array_add (good, g_strdup (*map));
  g_strfreev (all);
  g_ptr_array_add (good, NULL);
  return (char **) g_ptr_array_free (good, FALSE);
}

/* What the command line says comes first, and so counts.  */
static void
join_source_map (struct dv_choices *choices)
{
  GPtrArray *joined = g_ptr_array_new ();
  for (char **map = choices->given_map; map != NULL && *map != NULL; map++)
    g_ptr_array_add (joined, g_strdup (*map));
  char **own = dv_choices_own_source_map (choices);
  for (char **map = own; *map != NULL; map++)
    g_ptr_array_add (joined, *map);
  g_free (own);
  g_ptr_array_add (joined, NULL);
  g_strfreev (choices->source_map);
  choices->source_map = (char **) g_ptr_array_free (joined, FALSE);
}

static enum dv_theme
remembered_theme (const struct dv_settings *settings)
{
  enum dv_theme theme = DV_THEME_DESKTOP;
  char *name = dv_settings_text (settings, "theme");
  for (guint i = 0; i < G_N_ELEMENTS (theme_names); i++)
    if (g_strcmp0 (name, theme_names[i]) == 0)
      theme = (enum dv_theme) i;
  g_free (name);
  return theme;
}

/* The first of them that there is a palette of.  */
static char *
known_palette (const char *given, const char *remembered)
{
  if (given != NULL && dv_palette_find (given, true) != NULL)
    return g_strdup (given);
  if (remembered != NULL && dv_palette_find (remembered, true) != NULL)
    return g_strdup (remembered);
  return g_strdup (dv_palette_names ()[0]);
}

void
dv_choices_init (struct dv_choices *choices, struct dv_settings *settings,
                 const struct dv_options *options)
{
  *choices = (struct dv_choices){ .settings = settings };
  choices->theme = options->theme != DV_THEME_DESKTOP
                   ? options->theme : remembered_theme (settings);
  char *text = dv_settings_text (settings, "palette");
  choices->palette = known_palette (options->palette, text);
  g_free (text);
  text = dv_settings_text (settings, "colour");
  choices->look.colouring
    = options->colour_given ? options->colouring
      : g_strcmp0 (text, "thread") == 0 ? DV_COLOUR_THREAD : DV_COLOUR_KIND;
  g_free (text);
  choices->look.no_boxes = !dv_settings_flag (settings, "boxes", true);
  choices->look.no_grid = !dv_settings_flag (settings, "grid", true);
  choices->look.sharing = dv_settings_flag (settings, "sharing", false);
  choices->look.clock = dv_settings_flag (settings, "clock", false);
  choices->editor = options->editor != NULL && *options->editor != '\0'
                    ? g_strdup (options->editor)
                    : dv_settings_text (settings, "editor");
  choices->given_map = g_strdupv (options->source_map);
  join_source_map (choices);
}

void
dv_choices_fini (struct dv_choices *choices)
{
  g_free (choices->palette);
  g_free (choices->editor);
  g_strfreev (choices->source_map);
  g_strfreev (choices->given_map);
}

static void
tell (struct dv_choices *choices)
{
  if (choices->changed != NULL)
    choices->changed (choices->user);
}

void
dv_choices_set_theme (struct dv_choices *choices, enum dv_theme theme)
{
  choices->theme = theme;
  dv_settings_set_text (choices->settings, "theme", theme_names[theme]);
  tell (choices);
}

void
dv_choices_set_palette (struct dv_choices *choices, const char *name)
{
  if (name == NULL || dv_palette_find (name, true) == NULL)
    return;
  char *old = choices->palette;
  choices->palette = g_strdup (name);
  g_free (old);
  dv_settings_set_text (choices->settings, "palette", choices->palette);
  tell (choices);
}

void
dv_choices_set_look (struct dv_choices *choices, const struct dv_look *look)
{
  struct dv_settings *settings = choices->settings;
  const struct dv_look old = choices->look;
  choices->look = *look;
  choices->look.palette = NULL;
  /* What the command line said is remembered only if it is chosen here; what
     takes a while is not.  */
  if (look->colouring != old.colouring
      && !dv_colouring_is_heat (look->colouring))
    dv_settings_set_text (settings, "colour",
                          dv_colouring_name (look->colouring));
  if (look->no_boxes != old.no_boxes)
    dv_settings_set_flag (settings, "boxes", !look->no_boxes);
  if (look->no_grid != old.no_grid)
    dv_settings_set_flag (settings, "grid", !look->no_grid);
  if (look->sharing != old.sharing)
    dv_settings_set_flag (settings, "sharing", look->sharing);
  if (look->clock != old.clock)
    dv_settings_set_flag (settings, "clock", look->clock);
  tell (choices);
}

void
dv_choices_set_editor (struct dv_choices *choices, const char *command)
{
  char *old = choices->editor;
  choices->editor = command != NULL && *command != '\0' ? g_strdup (command)
                                                        : NULL;
  g_free (old);
  dv_settings_set_text (choices->settings, "editor", choices->editor);
  tell (choices);
}

void
dv_choices_set_source_map (struct dv_choices *choices,
                           const char *const *map)
{
  dv_settings_set_texts (choices->settings, "source-map", map);
  join_source_map (choices);
  tell (choices);
}
