/* test-replace.c: files that are put in their place when they are complete,
   where the system refuses what is asked for, or others come between.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/replace.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refusing_system.h"

struct fixture {
  char *folder, *path;
  mode_t mask;
};

static void
set_up (struct fixture *f, gconstpointer data)
{
  GError *error = NULL;

  (void) data;
  f->folder = g_dir_make_tmp ("test-replace-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "file", NULL);
  f->mask = umask (022);
  memset (&at_work, 0, sizeof at_work);
  at_work.thief = -1;
}

static GSList *
names (const struct fixture *f)
{
  GDir *dir = g_dir_open (f->folder, 0, NULL);
  GSList *list = NULL;
  const char *name;

  while ((name = g_dir_read_name (dir)))
    list =
      g_slist_insert_sorted (list, g_strdup (name), (GCompareFunc) strcmp);
  g_dir_close (dir);
  return list;
}

static void
assert_alone (const struct fixture *f)
{
  GSList *list = names (f);

  g_assert_cmpuint (g_slist_length (list), ==, 1);
  g_assert_cmpstr (list->data, ==, "file");
  g_slist_free_full (list, g_free);
}

static void
tear_down (struct fixture *f, gconstpointer data)
{
  GSList *list;

  (void) data;
  umask (f->mask);
  memset (&at_work, 0, sizeof at_work);
  list = names (f);
  for (GSList *at = list; at; at = at->next) {
    char *path = g_build_filename (f->folder, at->data, NULL);

    g_unlink (path);
    g_free (path);
  }
  g_slist_free_full (list, g_free);
  g_rmdir (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

static void
put (const char *path, const char *text, mode_t mode)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

static void
assert_text (const char *path, const char *text)
{
  char *got = NULL;

  g_assert_true (g_file_get_contents (path, &got, NULL, NULL));
  g_assert_cmpstr (got, ==, text);
  g_free (got);
}

static void
assert_mode (const char *path, mode_t mode)
{
  struct stat st;

  g_assert_cmpint (lstat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, mode);
}

static struct dg_output *
begin (const char *path, int mode)
{
  struct dg_output *output;
  struct dg_error err;

  if (dg_output_open (path, mode, &output, &err) < 0)
    g_error ("%s: %s", path, err.message);
  g_assert_cmpint (dg_replace_write (dg_output_fd (output), "new", 3, &err),
                   ==, 0);
  return output;
}

static void
commit (struct dg_output *output)
{
  struct dg_error err;

  if (dg_output_commit (output, &err) < 0)
    g_error ("%s", err.message);
  dg_output_close (output);
}

/* ---- Links ------------------------------------------------------------ */

/* What the kernel does not follow, as another user's link in a folder for all,
   is followed by nobody.  */
static void
test_refused_link (struct fixture *f, gconstpointer data)
{
  char *link = g_build_filename (f->folder, "link", NULL);
  const struct dg_source none = {.fd = -1};
  struct dg_output *output;
  struct dg_replace replace;
  struct dg_error err;

  (void) data;
  put (f->path, "old", 0644);
  g_assert_cmpint (symlink ("file", link), ==, 0);
  at_work.refused = link;
  g_assert_cmpint (dg_output_open (link, -1, &output, &err), ==, DG_ERR_IO);
  g_assert_null (output);
  g_assert_cmpstr (err.message, ==, "Permission denied");
  g_assert_cmpint (dg_output_check (link, false, &err), ==, DG_ERR_IO);
  g_assert_cmpstr (err.message, ==, "Permission denied");
  g_assert_cmpint (dg_replace_begin (&replace, link, false, &none, &err), ==,
                   DG_ERR_IO);
  at_work.refused = NULL;
  commit (begin (link, -1));
  assert_text (f->path, "new");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_free (link);
}

/* One that leads to nothing yet is one of the usual ways.  */
static void
test_link_to_nothing (struct fixture *f, gconstpointer data)
{
  char *link = g_build_filename (f->folder, "link", NULL);

  (void) data;
  g_assert_cmpint (symlink ("file", link), ==, 0);
  commit (begin (link, -1));
  assert_text (f->path, "new");
  g_free (link);
}

static void
test_link_circle (struct fixture *f, gconstpointer data)
{
  struct dg_output *output;
  struct dg_error err;

  (void) data;
  g_assert_cmpint (symlink ("file", f->path), ==, 0);
  g_assert_cmpint (dg_output_open (f->path, -1, &output, &err), ==, DG_ERR_IO);
  g_assert_cmpint (dg_output_check (f->path, false, &err), ==, DG_ERR_IO);
  g_assert_true (g_file_test (f->path, G_FILE_TEST_IS_SYMLINK));
}

/* ---- Modes ------------------------------------------------------------ */

static void
check_modes (struct fixture *f, bool is_named)
{
  static const mode_t replaced[] = {0600, 0640, 0666, 0400, 0755};

  at_work.has_no_unnamed = is_named;
  commit (begin (f->path, -1));
  assert_mode (f->path, 0644);
  for (unsigned i = 0; i < G_N_ELEMENTS (replaced); i++) {
    put (f->path, "old", replaced[i]);
    commit (begin (f->path, -1));
    assert_mode (f->path, replaced[i]);
    g_assert_cmpint (at_work.made & ~replaced[i] & 077, ==, 0);
  }
  /* What is asked for: whatever was there, and whatever the umask.  */
  put (f->path, "old", 0666);
  commit (begin (f->path, 0600));
  assert_mode (f->path, 0600);
  g_assert_cmpint (at_work.made, ==, 0600);
  umask (077);
  commit (begin (f->path, 0444));
  assert_mode (f->path, 0444);
  assert_alone (f);
}

static void
test_modes (struct fixture *f, gconstpointer data)
{
  (void) data;
  check_modes (f, false);
}

static void
test_modes_named (struct fixture *f, gconstpointer data)
{
  (void) data;
  check_modes (f, true);
}

/* Kernels that apply the umask only to files with names.  */
static void
test_umask (struct fixture *f, gconstpointer data)
{
  static const mode_t masks[] = {022, 077, 0, 027};

  (void) data;
  at_work.umask_is_named = true;
  for (unsigned i = 0; i < G_N_ELEMENTS (masks); i++) {
    umask (masks[i]);
    commit (begin (f->path, -1));
    assert_mode (f->path, 0666 & ~masks[i]);
    g_assert_cmpint (g_unlink (f->path), ==, 0);
  }
}

/* File systems whose files have the modes that they have.  */
static void
test_no_fchmod (struct fixture *f, gconstpointer data)
{
  (void) data;
  at_work.has_no_fchmod = true;
  for (unsigned named = 0; named < 2; named++) {
    at_work.has_no_unnamed = named;
    commit (begin (f->path, 0600));
    assert_mode (f->path, 0600);
    commit (begin (f->path, 0666));
    assert_mode (f->path, 0644);
    commit (begin (f->path, -1));
    g_assert_cmpint (g_unlink (f->path), ==, 0);
  }
}

/* ... which lets in others than it should.  */
static void
test_too_open (struct fixture *f, gconstpointer data)
{
  struct dg_output *output;
  struct dg_error err;

  (void) data;
  put (f->path, "old", 0600);
  at_work.has_no_fchmod = at_work.is_open_to_all = true;
  g_assert_cmpint (dg_output_open (f->path, 0600, &output, &err), ==,
                   DG_ERR_IO);
  g_assert_cmpstr (err.message, ==,
                   "its permissions cannot be set: "
                   "Operation not permitted");
  g_assert_null (output);
}

/* ---- Locks ------------------------------------------------------------ */

/* Another process that looks for what was left locks the new file before we
   do, and removes it when it likes.  */
static void
test_stolen (struct fixture *f, gconstpointer data)
{
  struct dg_output *output;

  (void) data;
  at_work.has_no_unnamed = true;
  at_work.thefts = 1;
  output = begin (f->path, -1);
  g_assert_cmpint (at_work.thief, >=, 0);
  g_assert_cmpint (g_unlink (at_work.stolen), ==, 0);
  close (at_work.thief);
  g_free (at_work.stolen);
  commit (output);
  assert_text (f->path, "new");
  assert_alone (f);
}

/* Where there are no locks, it goes without.  */
static void
test_no_locks (struct fixture *f, gconstpointer data)
{
  (void) data;
  at_work.has_no_unnamed = at_work.has_no_locks = true;
  commit (begin (f->path, -1));
  assert_text (f->path, "new");
  assert_alone (f);
}

/* ---- What is written is not lost -------------------------------------- */

static void
test_long_name (struct fixture *f, gconstpointer data)
{
  char *name = g_strnfill (253, 'n'), *path;
  struct dg_error err;

  /* The last bytes that fit are half a character.  */
  memcpy (name + 241, "\303\244", 2);
  path = g_build_filename (f->folder, name, NULL);
  for (unsigned i = 0; i < 4; i++) {
    struct dg_output *output;

    at_work.has_no_unnamed = i % 2;
    output = begin (path, -1);
    g_assert_cmpint (dg_output_commit (output, &err), ==, 0);
    dg_output_close (output);
    assert_text (path, "new");
  }
  g_unlink (path);
  g_free (path);
  g_free (name);
  g_assert_null (names (f));
}

static void
test_foreign (struct fixture *f, gconstpointer data)
{
  struct dg_output *output;
  struct dg_error err;

  put (f->path, "old", 0666);
  at_work.foreign = f->path;
  g_assert_cmpint (dg_output_check (f->path, false, &err), ==, DG_ERR_IO);
  g_assert_nonnull (strstr (err.message, "another user"));
  g_assert_cmpint (dg_output_open (f->path, -1, &output, &err), ==, DG_ERR_IO);
  g_assert_nonnull (strstr (err.message, "another user"));
  at_work.foreign = NULL;
  assert_text (f->path, "old");
  assert_alone (f);
}

static void
test_no_linkat (struct fixture *f, gconstpointer data)
{
  struct dg_error err;

  at_work.has_no_linkat = true;
  for (unsigned i = 0; i < 2; i++) {
    struct dg_output *output = begin (f->path, i == 0 ? 0600 : -1);

    g_assert_cmpint (dg_output_commit (output, &err), ==, 0);
    dg_output_close (output);
    assert_text (f->path, "new");
    assert_mode (f->path, 0600);
    assert_alone (f);
  }
}

static void
test_no_rename (struct fixture *f, gconstpointer data)
{
  put (f->path, "old", 0600);
  at_work.has_no_rename = true;
  for (unsigned i = 0; i < 4; i++) {
    struct dg_error err;
    struct dg_output *output;
    char *kept = g_strconcat (f->path, i == 0 ? ".kept" : ".kept-2", NULL);

    at_work.has_no_unnamed = i % 2;
    at_work.has_no_linkat = i > 1;
    output = begin (f->path, -1);
    g_assert_cmpint (dg_output_commit (output, &err), ==, DG_ERR_IO);
    dg_output_close (output);
    g_assert_nonnull (strstr (err.message, kept));
    assert_text (kept, "new");
    assert_mode (kept, 0600);
    assert_text (f->path, "old");
    if (i > 0)
      g_unlink (kept);
    g_free (kept);
  }
}

/* All of a file at once: it is there, or what was.  */
static void
test_save (struct fixture *f, gconstpointer data)
{
  struct dg_error err;
  char *folder = g_build_filename (f->folder, "none", "file", NULL);

  put (f->path, "old", 0640);
  g_assert_cmpint (dg_output_save (f->path, "new", 3, &err), ==, 0);
  assert_text (f->path, "new");
  assert_mode (f->path, 0640);
  assert_alone (f);
  g_assert_cmpint (dg_output_save (folder, "new", 3, &err), ==, DG_ERR_IO);
  g_assert_nonnull (strstr (err.message, "there is no folder"));
  g_assert_cmpint (dg_output_save ("/dev/null", "new", 3, &err), ==,
                   DG_ERR_IO);
  for (unsigned i = 0; i < 2; i++) {
    at_work.has_no_unnamed = i > 0;
    at_work.is_full = true;
    g_assert_cmpint (dg_output_save (f->path, "more", 4, &err), ==, DG_ERR_IO);
    at_work.is_full = false;
    g_assert_cmpstr (err.message, ==, "No space left on device");
    assert_text (f->path, "new");
    assert_alone (f);
  }
  g_free (folder);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (struct fixture *, gconstpointer);
  } tests[] = {
    {"/replace/link-refused", test_refused_link},
    {"/replace/link-to-nothing", test_link_to_nothing},
    {"/replace/link-circle", test_link_circle},
    {"/replace/modes", test_modes},
    {"/replace/modes-named", test_modes_named},
    {"/replace/umask", test_umask},
    {"/replace/no-fchmod", test_no_fchmod},
    {"/replace/too-open", test_too_open},
    {"/replace/stolen", test_stolen},
    {"/replace/no-locks", test_no_locks},
    {"/replace/long-name", test_long_name},
    {"/replace/foreign", test_foreign},
    {"/replace/no-linkat", test_no_linkat},
    {"/replace/no-rename", test_no_rename},
    {"/replace/save", test_save},
  };

  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, struct fixture, NULL, set_up, tests[i].test,
                tear_down);
  return g_test_run ();
}
