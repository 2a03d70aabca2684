/* editor.c: starting an editor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "editor.h"

#include <string.h>

#include "i18n.h"
#include "model/calls/sourcefile.h"

/* One word of the command; *has_file tells whether %f was in it.  */
static char *
expand (const char *word, const char *file, unsigned line, bool *has_file)
{
  GString *text = g_string_new (NULL);
  for (; *word != '\0'; word++) {
    if (*word != '%' || strchr ("fl%", word[1]) == NULL || word[1] == '\0') {
      g_string_append_c (text, *word);
      continue;
    }
    word++;
    if (*word == 'l') {
      g_string_append_printf (text, "%u", line);
    } else if (*word == 'f') {
      g_string_append (text, file);
      *has_file = true;
    } else {
      g_string_append_c (text, '%');
    }
  }
  return g_string_free (text, FALSE);
}

char **
dv_editor_argv (const char *command, const char *file, unsigned line,
                GError **error)
{
  char **words;
  int n;
  bool has_file = false;
  if (!g_shell_parse_argv (command, &n, &words, error))
    return NULL;
  char **argv = g_new0 (char *, n + 2);
  for (int i = 0; i < n; i++)
    argv[i] = expand (words[i], file, line, &has_file);
  if (!has_file)
    argv[n] = g_strdup (file);
  g_strfreev (words);
  return argv;
}

/* With what the desktop uses; a line cannot be told.  */
static bool
open_by_desktop (const char *file, GError **error)
{
  GError *why = NULL;
  char *uri = g_filename_to_uri (file, NULL, &why);
  bool good = uri != NULL
              && g_app_info_launch_default_for_uri (uri, NULL, &why);
  g_free (uri);
  if (good)
    return true;
  g_set_error (error, why->domain, why->code,
               _ ("The desktop does not open %s: %s. An editor can be set in "
                  "the preferences, with --editor, or with DG_EDITOR."),
               file, why->message);
  g_error_free (why);
  return false;
}

static bool
open_by_command (const char *command, const char *file, unsigned line,
                 GError **error)
{
  GError *why = NULL;
  char **argv = dv_editor_argv (command, file, line, &why);
  bool good = argv != NULL
              && g_spawn_async (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                NULL, NULL, &why);
  g_strfreev (argv);
  if (good)
    return true;
  g_set_error (error, why->domain, why->code,
               _ ("The editor “%s” cannot be started: %s"), command,
               why->message);
  g_error_free (why);
  return false;
}

bool
dv_editor_open (const char *command, const char *file, unsigned line,
                GError **error)
{
  if (!g_file_test (file, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _ ("The source file %s is not on this machine."), file);
    return false;
  }
  if (command == NULL || *command == '\0')
    command = g_getenv ("DG_EDITOR");
  return command == NULL || *command == '\0'
         ? open_by_desktop (file, error)
         : open_by_command (command, file, line, error);
}

bool
dv_editor_show (const char *command, const char *const *map,
                const struct dv_data *data, const char *file, unsigned line,
                GError **error)
{
  char *found = dv_sourcefile_find (map, data, file);
  bool good = dv_editor_open (command, found != NULL ? found : file, line,
                              error);
  g_free (found);
  return good;
}
