/* test-regular.c: files that a log names: regular ones are read, others not
   even opened.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/regular.h"
#include "unit_main.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir;

static char *
in_dir (const char *name)
{
  return g_build_filename (dir, name, NULL);
}

static void
test_regular (void)
{
  char *path = in_dir ("file"), *text;
  struct dg_error err;
  int64_t changed = 0;
  size_t n = 0;

  g_assert_true (g_file_set_contents (path, "a\0b\n", 4, NULL));
  g_assert_false (dg_regular_is_other (path));
  g_assert_cmpint (dg_regular_read (path, 4, &text, &n, &changed, &err), ==,
                   0);
  g_assert_cmpmem (text, n + 1, "a\0b\n", 5);
  g_assert_cmpint (changed, >, 1500000000);
  free (text);
  g_assert_cmpint (dg_regular_read (path, 3, &text, &n, NULL, &err), ==,
                   DG_ERR_LIMIT);
  g_assert_null (text);
  g_assert_cmpstr (err.message, ==, "too large");
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_cmpint (dg_regular_read (path, 0, &text, &n, NULL, NULL), ==, 0);
  g_assert_cmpstr (text, ==, "");
  free (text);
  g_unlink (path);
  g_assert_cmpint (dg_regular_read (path, 9, &text, &n, NULL, &err), ==,
                   DG_ERR_IO);
  g_assert_false (dg_regular_is_other (path));
  g_free (path);
}

/* Larger than any disk, as it takes no place on one.  */
static void
test_hollow (void)
{
  char *path = in_dir ("hollow"), *text;
  struct dg_error err;
  size_t n;

  g_assert_true (g_file_set_contents (path, "a", 1, NULL));
  g_assert_cmpint (truncate (path, (off_t) 200 << 20), ==, 0);
  g_assert_false (dg_regular_is_other (path));
  if (truncate (path, (off_t) 1 << 40) < 0) {
    g_test_skip ("the file system has no such files");
  } else {
    g_assert_true (dg_regular_is_other (path));
    g_assert_cmpint (dg_regular_open (path, &err), ==, DG_ERR_INVALID);
    g_assert_cmpstr (err.message, ==, "nearly all of it is a hole");
    g_assert_cmpint (dg_regular_read (path, SIZE_MAX, &text, &n, NULL, &err),
                     ==, DG_ERR_INVALID);
    g_assert_null (text);
  }
  g_unlink (path);
  g_free (path);
}

/* Who opened the FIFO for reading would let a writer in.  */
static void
test_others (void)
{
  char *fifo = in_dir ("fifo"), *link = in_dir ("link");
  const char *const others[] = {fifo, link, dir, "/dev/null", "/dev/tty"};
  struct dg_error err;
  char *text;
  size_t n;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink (fifo, link), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
    g_assert_true (dg_regular_is_other (others[i]));
    g_assert_cmpint (dg_regular_open (others[i], &err), ==, DG_ERR_INVALID);
    g_assert_cmpstr (err.message, ==, "not a regular file");
    g_assert_cmpint (dg_regular_read (others[i], 9, &text, &n, NULL, NULL),
                     ==, DG_ERR_INVALID);
    g_assert_null (text);
  }
  g_unlink (link);
  g_unlink (fifo);
  g_free (link);
  g_free (fifo);
}

static int
run_tests (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  dir = g_dir_make_tmp ("test-regular-XXXXXX", NULL);
  g_assert_nonnull (dir);
  g_test_add_func ("/regular/files", test_regular);
  g_test_add_func ("/regular/others", test_others);
  g_test_add_func ("/regular/hollow", test_hollow);
  status = g_test_run ();
  g_rmdir (dir);
  g_free (dir);
  return status;
}

UNIT_MAIN (run_tests)
