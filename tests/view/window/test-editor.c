/* test-editor.c: the command of an editor, and what goes wrong with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "chrome/editor.h"

#include <string.h>

#include <glib/gstdio.h>

static void
test_argv (void)
{
  static const char *const cases[][2] = {
    { "vim +%l %f", "vim|+7|/a b/$(x).c" },
    { "code -g '%f:%l'", "code|-g|/a b/$(x).c:7" },
    { "gedit", "gedit|/a b/$(x).c" },
    { "ed 100%% %x %", "ed|100%|%x|%|/a b/$(x).c" },
    { "sh -c 'e \"$0\"' %f", "sh|-c|e \"$0\"|/a b/$(x).c" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char **argv = dv_editor_argv (cases[i][0], "/a b/$(x).c", 7, NULL);
    char *got = g_strjoinv ("|", argv);
    g_assert_cmpstr (got, ==, cases[i][1]);
    g_free (got);
    g_strfreev (argv);
  }
  GError *error = NULL;
  g_assert_null (dv_editor_argv ("vim '%f", "/a", 1, &error));
  g_assert_nonnull (error);
  g_error_free (error);
}

static void
check_fails (const char *command, const char *const *map, const char *file,
             const char *part)
{
  GError *error = NULL;
  g_assert_false (dv_editor_show (command, map, NULL, file, 1, &error));
  g_assert_nonnull (strstr (error->message, part));
  g_error_free (error);
}

static void
test_failures (void)
{
  char *folder = g_dir_make_tmp ("editor-XXXXXX", NULL);
  char *file = g_build_filename (folder, "a.c", NULL);
  char *pair = g_strconcat ("/gone=", folder, NULL);
  const char *const map[] = { pair, NULL };
  GError *error = NULL;
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  check_fails ("true", NULL, "/none/a.c", "/none/a.c is not on this machine");
  check_fails ("true", NULL, folder, "is not on this machine");
  check_fails ("no-such-editor-at-all", NULL, file, "no-such-editor-at-all");
  check_fails ("'", NULL, file, "cannot be started");
  check_fails ("true", NULL, "/gone/a.c", "not on this machine");
  g_assert_true (dv_editor_show ("true", map, NULL, "/gone/a.c", 1, &error));
  g_assert_no_error (error);
  g_unlink (file);
  g_rmdir (folder);
  g_free (pair);
  g_free (file);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/editor/argv", test_argv);
  g_test_add_func ("/editor/failures", test_failures);
  return g_test_run ();
}
