/* test-symbols-private.c: what another user could change is read from a copy.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/symbols_private.h"
#include "unit_main.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path;

static int
open_it (void)
{
  return open (path, O_RDONLY | O_CLOEXEC);
}

/* Anybody may write it.  */
static void
test_foreign (void)
{
  struct stat status;
  char bytes[8] = "";
  int fd, other;

  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  fd = open_it ();
  g_assert_true (dg_symbols_is_foreign (fd));
  g_assert_false (dg_symbols_is_sealed (fd));
  fd = dg_symbols_private (fd);
  g_assert_true (dg_symbols_is_sealed (fd));
  g_assert_cmpint (fd, >=, 0);
  other = open (path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  close (other);
  g_assert_cmpint (fstat (fd, &status), ==, 0);
  g_assert_cmpint (status.st_size, ==, 5);
  g_assert_cmpint (pread (fd, bytes, sizeof bytes, 0), ==, 5);
  g_assert_cmpstr (bytes, ==, "bytes");
  /* It is nobody's to change.  */
  g_assert_cmpint (ftruncate (fd, 0), <, 0);
  g_assert_cmpint (pwrite (fd, "x", 1, 0), <, 0);
  close (fd);
}

static void
test_own (void)
{
  int fd, own;

  g_assert_true (g_file_set_contents (path, "bytes", 5, NULL));
  g_assert_cmpint (g_chmod (path, 0664), ==, 0);
  fd = open_it ();
  g_assert_false (dg_symbols_is_foreign (fd));
  own = dg_symbols_private (fd);
  g_assert_false (dg_symbols_is_sealed (own));
  g_assert_cmpint (own, ==, fd);
  close (own);
  g_assert_cmpint (dg_symbols_private (-1), ==, -1);
}

static void
test_owner (void)
{
  int fd;

  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  if (chown (path, 65533, (gid_t) -1) != 0) {
    g_test_skip ("only root can give files away, and to users that it has");
    return;
  }
  fd = open_it ();
  g_assert_true (dg_symbols_is_foreign (fd));
  close (fd);
}

static int
run_tests (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  close (g_file_open_tmp ("test-private-XXXXXX", &path, NULL));
  g_test_add_func ("/private/own", test_own);
  g_test_add_func ("/private/foreign", test_foreign);
  g_test_add_func ("/private/owner", test_owner);
  status = g_test_run ();
  g_unlink (path);
  g_free (path);
  return status;
}

UNIT_MAIN (run_tests)
