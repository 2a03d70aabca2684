/* test-foreign.c: whose links are followed, and whose files are believed.

   Only root can make the links of another user; neighbours/ does more.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/foreign.h"
#include "unit_main.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define OTHER 65533

static struct stat
status_of (uid_t owner, mode_t mode)
{
  struct stat status;

  memset (&status, 0, sizeof status);
  status.st_uid = owner;
  status.st_mode = mode;
  return status;
}

static void
test_owners (void)
{
  const struct stat own = status_of (geteuid (), S_IFDIR | 0755),
                    team = status_of (geteuid (), S_IFDIR | 0775),
                    open = status_of (geteuid (), S_IFDIR | 0777),
                    sticky = status_of (0, S_IFDIR | 01777),
                    other = status_of (OTHER, S_IFDIR | 0700);

  g_assert_false (dg_foreign_is_owner (0));
  g_assert_false (dg_foreign_is_owner (geteuid ()));
  g_assert_true (dg_foreign_is_owner (OTHER));
  g_assert_false (dg_foreign_is_writable (&own));
  g_assert_false (dg_foreign_is_writable (&team));
  g_assert_true (dg_foreign_is_writable (&open));
  g_assert_true (dg_foreign_is_writable (&sticky));
  g_assert_true (dg_foreign_is_writable (&other));
  g_assert_false (dg_foreign_may_replace (&own));
  g_assert_true (dg_foreign_may_replace (&open));
  g_assert_false (dg_foreign_may_replace (&sticky));
  g_assert_true (dg_foreign_may_replace (&other));
}

/* Whether there is another user to whom we may give files: root alone may, and
   of a namespace of users only to those that it has.  */
static bool
may_give (const char *folder)
{
  return chown (folder, OTHER, (gid_t) -1) == 0
         && chown (folder, geteuid (), (gid_t) -1) == 0;
}

static void
link_in (const char *dir, const char *name, const char *target, uid_t owner)
{
  char *path = g_build_filename (dir, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
  g_assert_cmpint (lchown (path, owner, (gid_t) -1), ==, 0);
  g_free (path);
}

static void
check (const char *dir, const char *name, bool is_beside, int wanted)
{
  char *path = g_build_filename (dir, name, NULL);
  struct dg_error err;

  g_assert_cmpint (dg_foreign_check_links (path, is_beside, &err), ==,
                   wanted);
  if (wanted < 0)
    g_assert_nonnull (strstr (err.message, "another user has made"));
  g_free (path);
}

static void
test_links (void)
{
  char *dir = g_dir_make_tmp ("test-foreign-XXXXXX", NULL);
  char *folder = g_build_filename (dir, "folder", NULL), *cwd;
  static const char *const names[] = {"own", "none", "circle", "step", "his",
                                      "over"};
  uid_t other = geteuid ();
  int refused = 0;

  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  if (may_give (folder)) {
    other = OTHER;
    refused = DG_ERR_IO;
  }
  link_in (dir, "own", "folder", geteuid ());
  link_in (dir, "none", "nowhere", geteuid ());
  link_in (dir, "circle", "circle", geteuid ());
  link_in (dir, "step", "./folder/../his", geteuid ());
  link_in (dir, "his", folder, other);
  link_in (dir, "over", "his/file", geteuid ());
  /* Where nobody else may make files, somebody has given it to him.  */
  check (dir, "his", false, 0);
  check (dir, "his", true, refused);
  check (dir, "his/file", true, 0);
  g_assert_cmpint (g_chmod (dir, 01777), ==, 0);
  for (unsigned beside = 0; beside < 2; beside++) {
    check (dir, "own/file", beside, 0);
    check (dir, "none", beside, 0);
    check (dir, "circle", beside, 0);
    check (dir, "folder/../own/./file", beside, 0);
    check (dir, "his", beside, refused);
    check (dir, "his/file", beside, refused);
    check (dir, "step", beside, refused);
    check (dir, "over", beside, refused);
    check (dir, "nothing/at/all", beside, 0);
  }
  /* By names that do not begin at the root.  */
  cwd = g_get_current_dir ();
  g_assert_cmpint (g_chdir (dir), ==, 0);
  g_assert_cmpint (dg_foreign_check_links ("his", false, NULL), ==, refused);
  g_assert_cmpint (dg_foreign_check_links ("own", false, NULL), ==, 0);
  g_assert_cmpint (g_chdir (cwd), ==, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    char *path = g_build_filename (dir, names[i], NULL);

    g_unlink (path);
    g_free (path);
  }
  g_rmdir (folder);
  g_rmdir (dir);
  g_free (cwd);
  g_free (folder);
  g_free (dir);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/foreign/owners", test_owners);
  g_test_add_func ("/foreign/links", test_links);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
