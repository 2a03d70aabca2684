/* parse_options.c: the command line, checked.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "parse_options.h"

#include <string.h>

#ifdef HAVE_CONFIG_H
#  include <config.h>
#endif
#include <gtk/gtk.h>

#include "model/user/choices.h"
#include "format.h"
#include "i18n.h"
#include "palette.h"
#include "model/picture/raster.h"

#ifndef PACKAGE_VERSION
#  define PACKAGE_VERSION "unknown"
#endif

/* As they come from GOption, before they are checked.  */
struct raw {
  char *size, *addresses, *instructions, *theme, *colour, *x_axis;
  char **files;
  gboolean exact, quick, follow, version;
};

static bool
complain (const char *what, const char *value, const char *wanted)
{
  char *shown = dv_format_printable (value);
  g_printerr ("dg_view: %s '%s': %s\n", what, shown, wanted);
  g_free (shown);
  return false;
}

/* What the user typed in another encoding is converted.  */
static bool
check_text (const char *option, char **text)
{
  if (*text == NULL || g_utf8_validate (*text, -1, NULL))
    return true;
  char *converted = g_locale_to_utf8 (*text, -1, NULL, NULL, NULL);
  if (converted == NULL)
    return complain (option, *text, _ ("is not valid UTF-8"));
  g_free (*text);
  *text = converted;
  return true;
}

static bool
check_texts (struct dv_options *options)
{
  if (!check_text ("--events", &options->events)
      || !check_text ("--ranges", &options->ranges)
      || !check_text ("--title", &options->title)
      || !check_text ("--editor", &options->editor)
      || !check_text ("--palette", &options->palette))
    return false;
  for (char **map = options->source_map; map != NULL && *map != NULL; map++)
    if (!check_text ("--source-map", map))
      return false;
  return true;
}

static bool
check_format (struct dv_options *options)
{
  if (!dv_format_of_file (options->render, &options->format))
    return complain ("--render", options->render,
                     _ ("the name must end in .png, .svg or .pdf"));
  return true;
}

static bool
check_theme (struct dv_options *options, const char *theme)
{
  if (strcmp (theme, "dark") == 0)
    options->theme = DV_THEME_DARK;
  else if (strcmp (theme, "light") == 0)
    options->theme = DV_THEME_LIGHT;
  else
    return complain ("--theme", theme, _ ("must be dark or light"));
  return true;
}

static bool
check_palette (const struct dv_options *options)
{
  if (dv_palette_find (options->palette, true) != NULL)
    return true;
  char *names = g_strjoinv (", ", (char **) dv_palette_names ());
  char *wanted = g_strdup_printf (_ ("must be one of %s"), names);
  complain ("--palette", options->palette, wanted);
  g_free (wanted);
  g_free (names);
  return false;
}

static bool
check_colour (struct dv_options *options, const char *colour)
{
  options->colour_given = true;
  if (!dv_colouring_parse (colour, &options->colouring))
    return complain ("--colour", colour,
                     _ ("must be kind, thread, miss, reuse or use"));
  return true;
}

static bool
check_x_axis (struct dv_options *options, const char *x_axis)
{
  static const char *const names[] = { "addresses", "owners", "blocks" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (x_axis, names[i]) == 0) {
      options->x_axis = (enum dv_x_axis) i;
      return true;
    }
  return complain ("--x-axis", x_axis,
                   _ ("must be addresses, owners or blocks"));
}

/* Two logs have no addresses in common.  */
static bool
check_by_owner (const struct dv_options *options, const struct raw *raw)
{
  const char *option = raw->addresses != NULL   ? "--addresses"
                       : raw->colour != NULL    ? "--colour"
                       : raw->follow            ? "--follow"
                                                : NULL;
  if (options->second != NULL && raw->x_axis != NULL
      && options->x_axis == DV_X_ADDRESSES)
    option = "--x-axis=addresses";
  if (option == NULL
      || (options->second == NULL && options->x_axis == DV_X_ADDRESSES))
    return true;
  g_printerr (options->second != NULL
                ? _ ("dg_view: %s cannot be used with two logs\n")
                : _ ("dg_view: %s needs an X axis of addresses\n"),
              option);
  return false;
}

static bool
check_source_map (const struct dv_options *options)
{
  for (char **map = options->source_map; map != NULL && *map != NULL; map++)
    if (!dv_source_map_is_good (*map))
      return complain ("--source-map", *map,
                       _ ("must be FROM=TO, as in /build=/src"));
  return true;
}

static bool
check (struct dv_options *options, struct raw *raw)
{
  if (raw->files != NULL && raw->files[0] != NULL) {
    if (raw->files[1] != NULL && raw->files[2] != NULL)
      return complain (_ ("extra argument"), raw->files[2],
                       _ ("give one log, or two to compare"));
    options->path = g_strdup (raw->files[0]);
    options->second = g_strdup (raw->files[1]);
  }
  if (!check_texts (options))
    return false;
  options->quick = raw->quick;
  options->follow = raw->follow;
  if (options->render != NULL && options->path == NULL) {
    g_printerr ("dg_view: %s\n", _ ("--render needs a log"));
    return false;
  }
  if (raw->quick && (options->render == NULL || raw->exact)) {
    g_printerr ("dg_view: %s\n",
                raw->exact ? _ ("--quick and --exact exclude each other")
                           : _ ("--quick needs --render"));
    return false;
  }
  if (options->render != NULL && !check_format (options))
    return false;
  if (raw->theme != NULL && !check_theme (options, raw->theme))
    return false;
  if (raw->colour != NULL && !check_colour (options, raw->colour))
    return false;
  if (raw->x_axis != NULL && !check_x_axis (options, raw->x_axis))
    return false;
  if (!check_by_owner (options, raw))
    return false;
  if (!check_palette (options))
    return false;
  if (!check_source_map (options))
    return false;
  if (raw->size != NULL
      && (!dv_parse_size (raw->size, DV_RASTER_MAX_SIDE, &options->width,
                          &options->height)
          || options->width < 200 || options->height < 150))
    return complain ("--size", raw->size,
                     _ ("must be WIDTHxHEIGHT, from 200x150 to 16384x16384"));
  if (raw->addresses != NULL
      && !dv_parse_interval (raw->addresses, &options->address_start,
                             &options->address_end))
    return complain ("--addresses", raw->addresses,
                     _ ("must be START..END, as in 0x1000..0x2000"));
  if (raw->instructions != NULL
      && !dv_parse_interval (raw->instructions, &options->instruction_start,
                             &options->instruction_end))
    return complain ("--instructions", raw->instructions,
                     _ ("must be START..END, as in 1.5M..2M"));
  return true;
}

static GOptionContext *
new_context (struct dv_options *options, struct raw *raw)
{
  const GOptionEntry entries[] = {
    {"events", 0, 0, G_OPTION_ARG_FILENAME, &options->events,
     N_ ("Show accesses by these instructions only"), N_ ("CONDITIONS")},
    {"ranges", 0, 0, G_OPTION_ARG_FILENAME, &options->ranges,
     N_ ("Show accesses to this memory only"), N_ ("CONDITIONS")},
    {"addresses", 0, 0, G_OPTION_ARG_FILENAME, &raw->addresses,
     N_ ("Look at these addresses"), "A..B"},
    {"instructions", 0, 0, G_OPTION_ARG_FILENAME, &raw->instructions,
     N_ ("Look at these instruction counts"), "I..J"},
    {"render", 0, 0, G_OPTION_ARG_FILENAME, &options->render,
     N_ ("Write a picture instead of opening a window; .png, .svg or .pdf"),
     N_ ("FILE")},
    {"exact", 0, 0, G_OPTION_ARG_NONE, &raw->exact,
     N_ ("Draw each access of the picture where it is; so it is without "
         "--quick, too"),
     NULL},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &raw->quick,
     N_ ("Draw the picture soon, if need be a bit coarser"), NULL},
    {"size", 0, 0, G_OPTION_ARG_FILENAME, &raw->size,
     N_ ("Size of the picture or the window in pixels"), "WxH"},
    {"title", 0, 0, G_OPTION_ARG_FILENAME, &options->title,
     N_ ("Title of the picture or the window"), N_ ("TEXT")},
    {"theme", 0, 0, G_OPTION_ARG_FILENAME, &raw->theme,
     N_ ("dark or light, instead of the desktop's"), N_ ("THEME")},
    {"palette", 0, 0, G_OPTION_ARG_FILENAME, &options->palette,
     N_ ("Colours of the data: classic, safe, contrast or paper"),
     N_ ("NAME")},
    {"colour", 0, 0, G_OPTION_ARG_FILENAME, &raw->colour,
     N_ ("What colours tell: kind (reads and writes), thread, miss (caches), "
         "reuse (distances) or use (of cache lines)"),
     N_ ("WHAT")},
    {"x-axis", 0, 0, G_OPTION_ARG_FILENAME, &raw->x_axis,
     N_ ("What X shows: addresses; owners, as two logs are compared; or "
         "blocks, those of a place one over the other"),
     N_ ("WHAT")},
    {"follow", 0, 0, G_OPTION_ARG_NONE, &raw->follow,
     N_ ("Read on while the log is being written"), NULL},
    {"source-map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->source_map,
     N_ ("Look for sources under TO instead of FROM; can be repeated"),
     N_ ("FROM=TO")},
    {"editor", 0, 0, G_OPTION_ARG_FILENAME, &options->editor,
     N_ ("Command that opens source file %f at line %l"), N_ ("COMMAND")},
    {"version", 'V', 0, G_OPTION_ARG_NONE, &raw->version,
     N_ ("Show the version"), NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->files, NULL,
     N_ ("LOG [LOG-AFTER]")},
    { NULL }};
  GOptionContext *context = g_option_context_new (NULL);
  g_option_context_set_translation_domain (context, "datagrind");
  g_option_context_set_summary (
    context, _ ("Shows the memory accesses of a log that valgrind "
                "--tool=exp-datagrind wrote."));
  g_option_context_set_description (
    context,
    _ ("CONDITIONS are separated by commas; for each option, one must "
       "hold:\n"
       "  fn:NAME     function NAME is in the call stack\n"
       "  file:NAME   a function of the call stack is from source file NAME\n"
       "  dso:NAME    ... from the executable or library NAME\n"
       "  user:LABEL  an event or range that the program has marked\n"
       "  range       --ranges only: any range that the program has marked\n"
       "  malloc      --ranges only: any heap block\n"
       "  thread:NAME --events only: this thread, by number or name; applies "
       "as well\n"
       "  var:NAME    --ranges only: a global or static variable\n"
       "  addr:A..B   --ranges only: these addresses, without B\n"
       "  not ...     followed by one of these: it must not hold\n"
       "\n"
       "The editor is --editor, else the one of the preferences, else\n"
       "$DG_EDITOR, else the desktop's.\n"));
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gtk_get_option_group (FALSE));
  return context;
}

enum dv_parse
dv_parse_options (struct dv_options *options, int *argc, char ***argv)
{
  *options = (struct dv_options){.address_end = UINT64_MAX,
                                 .instruction_end = UINT64_MAX};
  struct raw raw = {0};
  GError *error = NULL;
  enum dv_parse result = DV_PARSE_GO;
  GOptionContext *context = new_context (options, &raw);
  if (!g_option_context_parse (context, argc, argv, &error)) {
    char *shown = dv_format_printable (error->message);
    g_printerr ("dg_view: %s\n", shown);
    g_free (shown);
    g_clear_error (&error);
    result = DV_PARSE_USAGE;
  } else if (raw.version) {
    g_print ("dg_view (Datagrind) %s\n", PACKAGE_VERSION);
    result = DV_PARSE_DONE;
  } else if (!check (options, &raw)) {
    result = DV_PARSE_USAGE;
  }
  if (result == DV_PARSE_USAGE)
    g_printerr (_ ("Try 'dg_view --help'.\n"));
  g_option_context_free (context);
  g_free (raw.size);
  g_free (raw.addresses);
  g_free (raw.instructions);
  g_free (raw.theme);
  g_free (raw.colour);
  g_free (raw.x_axis);
  g_strfreev (raw.files);
  return result;
}
