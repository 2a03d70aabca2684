/* cli_places.c: where the files are that names come from, and what counts as
   an instruction.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cli_places.h"

#include <string.h>

void
cli_places_add (struct cli_places *places, GArray *entries)
{
  const GOptionEntry all[] = {
    {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &places->sysroot, NULL, "DIR"},
    {"debug-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &places->debug_dirs,
     NULL, "DIR"},
    {"source-map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &places->source_map,
     NULL, "FROM=TO"},
    {"repetitions", 0, 0, G_OPTION_ARG_FILENAME, &places->repetitions, NULL,
     "HOW"}};

  memset (places, 0, sizeof *places);
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    bool is_there = false;

    for (guint k = 0; k < entries->len; k++)
      is_there |= strcmp (g_array_index (entries, GOptionEntry, k).long_name,
                          all[i].long_name)
                  == 0;
    if (!is_there)
      g_array_append_val (entries, all[i]);
  }
}

void
cli_places_fini (struct cli_places *places)
{
  g_free (places->sysroot);
  g_strfreev (places->debug_dirs);
  g_strfreev (places->source_map);
  g_free (places->repetitions);
  memset (places, 0, sizeof *places);
}

/* The environment has ':' between several.  */
static int
check_text (const struct cli_command *command, const char *option,
            const char *text)
{
  if (strchr (text, ':') == NULL)
    return -1;
  return cli_fail_usage (command, "--%s: '%s' has a ':'", option, text);
}

static int
check_dir (const struct cli_command *command, const char *option,
           const char *dir)
{
  if (g_file_test (dir, G_FILE_TEST_IS_DIR))
    return -1;
  return cli_fail_usage (command, "--%s: '%s' is not a folder", option, dir);
}

static void
keep (const char *name, char *const *texts)
{
  char *joined;

  if (texts == NULL)
    return;
  joined = g_strjoinv (":", (char **) texts);
  g_setenv (name, joined, TRUE);
  g_free (joined);
}

static int
check_repetitions (const struct cli_command *command, const char *text)
{
  if (text == NULL || strcmp (text, "once") == 0 || strcmp (text, "each") == 0)
    return -1;
  return cli_fail_usage (command, "--repetitions: '%s' is not once or each",
                         text);
}

int
cli_places_take (struct cli_places *places, const struct cli_command *command)
{
  int status = -1;

  if (places->sysroot != NULL)
    status = check_dir (command, "sysroot", places->sysroot);
  for (char **dir = places->debug_dirs;
       status < 0 && dir != NULL && *dir != NULL; dir++)
    status = check_text (command, "debug-dir", *dir) < 0
               ? check_dir (command, "debug-dir", *dir)
               : CLI_USAGE;
  if (status < 0)
    status = cli_check_source_map (command, places->source_map);
  for (char **map = places->source_map;
       status < 0 && map != NULL && *map != NULL; map++)
    status = check_text (command, "source-map", *map);
  if (status < 0)
    status = check_repetitions (command, places->repetitions);
  if (status < 0) {
    if (places->repetitions != NULL)
      g_setenv (DG_REPETITIONS, places->repetitions, TRUE);
    if (places->sysroot != NULL)
      g_setenv (DG_PLACES_SYSROOT, places->sysroot, TRUE);
    keep (DG_PLACES_DEBUG_DIRS, places->debug_dirs);
    keep (DG_PLACES_SOURCE_MAP, places->source_map);
  }
  cli_places_fini (places);
  return status;
}
