/* test-editor.c: the command of an editor, and what goes wrong with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "chrome/editor.h"
#include "unit_main.h"

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
check_argv (const char *command, const char *file, const char *wanted)
{
  char **argv = dv_editor_argv (command, file, 7, NULL);
  char *got = argv != NULL ? g_strjoinv ("|", argv) : NULL;
  g_assert_cmpstr (got, ==, wanted);
  g_free (got);
  g_strfreev (argv);
}

/* Names of files come from logs.  */
static void
test_hostile (void)
{
  static const char *const hostile[] = {
    "/a b.c", "/$(touch pwned).c", "/`touch pwned`.c", "/a';touch pwned;'.c",
    "/a\".c", "/a\ntouch pwned\n.c", "/a|b.c", "/a&b.c", "/a%f.c", "/a\\.c",
    "/a*.c", "/a\033[31m.c", "/~.c", "/a#.c", "/a!b.c"
  };
  GError *error = NULL;
  check_argv ("vim %f", "-c:!touch pwned", "vim|./-c:!touch pwned");
  check_argv ("vim %f", "+:!touch pwned", "vim|./+:!touch pwned");
  check_argv ("emacs --file=%f", "--eval=(x)", "emacs|--file=./--eval=(x)");
  check_argv ("sh -c 'vi +%l %f'", "/src/a-1.2/b_c++.c",
              "sh|-c|vi +7 /src/a-1.2/b_c++.c");
  check_argv ("sh -c 'vi +%l \"$0\"' %f", "/$(x).c",
              "sh|-c|vi +7 \"$0\"|/$(x).c");
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++) {
    char *whole = g_strconcat ("vim|", hostile[i], NULL);
    check_argv ("vim", hostile[i], whole);
    check_argv ("sh -c 'vi +%l %f'", hostile[i], NULL);
    check_argv ("xterm -e 'vi \"%f\"'", hostile[i], NULL);
    check_argv ("emacsclient -e '(find-file\"%f\")'", hostile[i], NULL);
    g_free (whole);
  }
  g_assert_null (dv_editor_argv ("sh -c 'vi %f'", "/a b.c", 7, &error));
  g_assert_nonnull (strstr (error->message, "word by itself"));
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

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/editor/argv", test_argv);
  g_test_add_func ("/editor/failures", test_failures);
  g_test_add_func ("/editor/hostile", test_hostile);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
