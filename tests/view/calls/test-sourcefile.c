/* test-sourcefile.c: reading sources, and what only looks like one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/calls/sourcefile.h"
#include "unit_main.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

static void
check_text (const char *bytes, size_t n, const char *wanted,
            bool is_converted, enum dv_source_problem problem)
{
  bool was_converted;
  enum dv_source_problem got;
  char *text = dv_sourcefile_text (bytes, n, &was_converted, &got);
  g_assert_cmpint (got, ==, problem);
  g_assert_cmpstr (text, ==, wanted);
  g_assert_cmpint (was_converted, ==, is_converted);
  g_free (text);
}

static void
test_text (void)
{
  check_text ("", 0, "", false, DV_SOURCE_FINE);
  check_text ("a\nb\r\nc", 6, "a\nb\r\nc", false, DV_SOURCE_FINE);
  check_text ("a\rb\r", 4, "a b ", false, DV_SOURCE_FINE);
  check_text ("a\xe2\x80\xa9z\xe2\x80", 7, "a\xc3\xa2\xc2\x80\xc2\xa9z"
              "\xc3\xa2\xc2\x80", true, DV_SOURCE_FINE);
  check_text ("a\xe2\x80\xa9z", 5, "a   z", false, DV_SOURCE_FINE);
  check_text ("caf\xe9", 4, "caf\xc3\xa9", true, DV_SOURCE_FINE);
  check_text ("a\0b", 3, NULL, false, DV_SOURCE_BINARY);
  char *line = g_strnfill (DV_SOURCE_MAX_LINE + 1, 'x');
  check_text (line, DV_SOURCE_MAX_LINE + 1, NULL, false,
              DV_SOURCE_LONG_LINES);
  line[10] = '\n';
  check_text (line, DV_SOURCE_MAX_LINE + 1, line, false, DV_SOURCE_FINE);
  g_free (line);
}

static void
check_file (const char *name, enum dv_source_problem problem,
            const char *text)
{
  const char *const names[] = { "missing", "a/b", name, NULL };
  struct dv_sourcefile *file = dv_sourcefile_read (NULL, names);
  g_assert_cmpint (file->problem, ==, problem);
  g_assert_cmpstr (file->text, ==, text);
  g_assert_cmpstr (file->path, ==,
                   problem == DV_SOURCE_MISSING ? NULL : name);
  if (text != NULL)
    g_assert_cmpuint (file->length, ==, strlen (text));
  dv_sourcefile_free (file);
}

static void
test_files (void)
{
  char *folder = g_dir_make_tmp ("sourcefile-XXXXXX", NULL);
  char *before = g_get_current_dir ();
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_true (g_file_set_contents ("a", "int x;\n", -1, NULL));
  g_assert_true (g_file_set_contents ("binary", "\177ELF\0\1", 6, NULL));
  int fd = g_creat ("large", 0600);
  g_assert_cmpint (ftruncate (fd, (off_t) DV_SOURCE_MAX_BYTES + 1), ==, 0);
  close (fd);
  g_assert_cmpint (mkfifo ("fifo", 0600), ==, 0);
  g_assert_cmpint (g_mkdir ("folder", 0700), ==, 0);
  check_file ("a", DV_SOURCE_FINE, "int x;\n");
  check_file ("binary", DV_SOURCE_BINARY, NULL);
  check_file ("large", DV_SOURCE_TOO_LARGE, NULL);
  check_file ("fifo", DV_SOURCE_NO_FILE, NULL);
  check_file ("folder", DV_SOURCE_NO_FILE, NULL);
  check_file ("/dev/zero", DV_SOURCE_NO_FILE, NULL);
  check_file ("none", DV_SOURCE_MISSING, NULL);
  if (getuid () != 0) {
    g_assert_cmpint (g_chmod ("a", 0), ==, 0);
    check_file ("a", DV_SOURCE_UNREADABLE, NULL);
  }
  static const char *const names[] = { "a", "binary", "large", "fifo" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_unlink (names[i]);
  g_rmdir ("folder");
  g_assert_cmpint (g_chdir (before), ==, 0);
  g_rmdir (folder);
  g_free (before);
  g_free (folder);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sourcefile/text", test_text);
  g_test_add_func ("/sourcefile/files", test_files);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
