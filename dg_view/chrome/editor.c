/* editor.c: starting an editor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "editor.h"

#include <string.h>

#include "i18n.h"
#include "model/calls/sourcefile.h"

/* A word with more than one word in it is given to a shell, or to what else
   reads programs.  */
static bool
is_program (const char *word)
{
  return strstr (word, "%f") != NULL && strpbrk (word, " \t\n'\"`$();|&<>")
                                          != NULL;
}

/* Is it a name that means itself in any program?  */
static bool
is_plain (const char *file)
{
  for (; *file != '\0'; file++)
    if (!g_ascii_isalnum (*file) && strchr ("/._+,@:-", *file) == NULL
        && (unsigned char) *file < 0x80)
      return false;
  return true;
}

/* The file as no editor takes it for an option, which "-x" and "+x" are to
   some; to be freed.  */
static char *
name_for (const char *file)
{
  return g_path_is_absolute (file) ? g_strdup (file)
                                   : g_build_filename (".", file, NULL);
}

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
  bool has_file = false, is_good = true;
  if (!g_shell_parse_argv (command, &n, &words, error))
    return NULL;
  char *name = name_for (file);
  char **argv = g_new0 (char *, n + 2);
  for (int i = 0; i < n; i++) {
    is_good &= !is_program (words[i]) || is_plain (name);
    argv[i] = expand (words[i], name, line, &has_file);
  }
  if (!has_file)
    argv[n] = g_strdup (name);
  g_strfreev (words);
  g_free (name);
  if (is_good)
    return argv;
  g_strfreev (argv);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _ ("it has %%f within a command of its own, where the name of "
                  "this file would mean something else; write %%f as a word "
                  "by itself."));
  return NULL;
}

/* What the desktop edits files of this name with.  What only calls itself a
   source, as a page, a picture or a program, is opened as a text, too: to show
   it could be to run it.  NULL: nothing.  */
static GAppInfo *
find_application (const char *file)
{
  char *type = g_content_type_guess (file, NULL, 0, NULL);
  GAppInfo *application = NULL;
  if (g_str_has_prefix (type, "text/x-"))
    application = g_app_info_get_default_for_type (type, FALSE);
  g_free (type);
  return application != NULL
         ? application : g_app_info_get_default_for_type ("text/plain", FALSE);
}

/* With what the desktop uses; a line cannot be told.  */
static bool
open_by_desktop (const char *file, GError **error)
{
  GError *why = NULL;
  GAppInfo *application = find_application (file);
  GFile *one = g_file_new_for_path (file);
  GList files = { .data = one };
  bool good = application != NULL
              && g_app_info_launch (application, &files, NULL, &why);
  g_object_unref (one);
  g_clear_object (&application);
  if (!good && why == NULL)
    why = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _ ("no program is set for texts"));
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
