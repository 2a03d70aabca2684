/* test-bookmarks.c: bookmarks come back as they were, whatever they are called
   and whatever else is in the file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/user/bookmark.h"
#include "unit_main.h"

#include <string.h>

#include <glib/gstdio.h>

static char *
new_folder (void)
{
  GError *error = NULL;
  char *folder = g_dir_make_tmp ("dg-bookmarks-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

static void
remove_folder (char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    char *path = g_build_filename (folder, name, NULL);
    g_remove (path);
    g_free (path);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

static bool
add (GPtrArray *bookmarks, const char *name, const char *events,
     uint64_t start, uint64_t end)
{
  struct dv_bookmark b = { (char *) name, start, end, 0, UINT64_MAX,
                           (char *) events, (char *) "", false };
  return dv_bookmark_add (bookmarks, &b);
}

static void
save (const char *path, const char *id, const GPtrArray *bookmarks)
{
  GError *error = NULL;
  g_assert_true (dv_bookmark_save (path, id, "/tmp/x.dg", bookmarks,
                                   &error));
  g_assert_no_error (error);
}

static const struct dv_bookmark *
nth (const GPtrArray *bookmarks, guint i)
{
  g_assert_cmpuint (i, <, bookmarks->len);
  return g_ptr_array_index (bookmarks, i);
}

static void
test_back (void)
{
  static const char *const names[] = {
    "plain", "[group]", "a=b", "#no comment", "semi;colon", "tab\there",
    "  spaces  ", "Ünïcode — “quoted”", "back\\slash \\n \\s", "%s%n",
    "\xff\xfe", "line\nbreak", "name1",
  };
  char *folder = new_folder ();
  char *path = g_build_filename (folder, "sub", "bookmarks.ini", NULL);
  GPtrArray *written = dv_bookmark_list_new ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (add (written, names[i], "fn:operator\\,,user:x=[1]; ",
                        0x1000 + i, i % 2 == 0 ? UINT64_MAX : 0x2000));
  struct dv_bookmark *first = g_ptr_array_index (written, 0);
  first->colouring = DV_COLOUR_MISS;
  first->icount_start = UINT64_MAX - 2;
  first->icount_end = UINT64_MAX - 1;
  save (path, "id", written);

  GPtrArray *read = dv_bookmark_load (path, "id");
  g_assert_cmpuint (read->len, ==, written->len);
  for (guint i = 0; i < read->len; i++) {
    const struct dv_bookmark *a = nth (written, i), *b = nth (read, i);
    g_assert_cmpstr (a->name, ==, b->name);
    g_assert_true (g_utf8_validate (b->name, -1, NULL));
    g_assert_null (strchr (b->name, '\n'));
    g_assert_cmpstr (a->events, ==, b->events);
    g_assert_cmpstr (a->ranges, ==, b->ranges);
    g_assert_cmpuint (a->address_start, ==, b->address_start);
    g_assert_cmpuint (a->address_end, ==, b->address_end);
    g_assert_cmpuint (a->icount_start, ==, b->icount_start);
    g_assert_cmpuint (a->icount_end, ==, b->icount_end);
    g_assert_true (a->colouring == b->colouring);
  }
  g_assert_cmpstr (nth (read, 6)->name, ==, "spaces");
  g_ptr_array_unref (read);
  /* Another recording has none.  */
  read = dv_bookmark_load (path, "another");
  g_assert_cmpuint (read->len, ==, 0);
  g_ptr_array_unref (read);

  /* Fewer leave nothing behind.  */
  g_ptr_array_set_size (written, 1);
  save (path, "id", written);
  read = dv_bookmark_load (path, "id");
  g_assert_cmpuint (read->len, ==, 1);
  g_ptr_array_unref (read);
  g_ptr_array_unref (written);
  g_remove (path);
  g_free (path);
  path = g_build_filename (folder, "sub", NULL);
  g_rmdir (path);
  g_free (path);
  remove_folder (folder);
}

static void
test_refused (void)
{
  GPtrArray *bookmarks = dv_bookmark_list_new ();
  g_assert_false (add (bookmarks, "", "", 0, 1));
  g_assert_false (add (bookmarks, " \n\t ", "", 0, 1));
  g_assert_false (add (bookmarks, "empty", "", 5, 5));
  g_assert_false (add (bookmarks, "wrong way", "", 6, 5));
  for (guint i = 0; i < DV_BOOKMARK_MOST; i++)
    g_assert_true (add (bookmarks, "one more", "", 0, 1));
  g_assert_false (add (bookmarks, "too many", "", 0, 1));
  g_ptr_array_unref (bookmarks);
  char *huge = g_strnfill (100000, 'x');
  char *name = dv_bookmark_name (huge);
  g_assert_cmpuint (strlen (name), <=, 200);
  g_free (name);
  g_free (huge);
}

/* What cannot be read is as if it were not there, and the rest is.  */
static void
test_damaged (void)
{
  char *folder = new_folder ();
  char *path = g_build_filename (folder, "bookmarks.ini", NULL);
  static const char *const files[] = {
    "", "garbage", "[", "[log x]\nview1", "\xff\xff\xff", "[a]\n[a]\nx=\\z\n",
  };
  GPtrArray *one = dv_bookmark_list_new (), *read;
  g_assert_true (add (one, "one", "", 1, 2));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_assert_true (g_file_set_contents (path, files[i], -1, NULL));
    read = dv_bookmark_load (path, "id");
    g_assert_cmpuint (read->len, ==, 0);
    g_ptr_array_unref (read);
    save (path, "id", one);
    read = dv_bookmark_load (path, "id");
    g_assert_cmpuint (read->len, ==, 1);
    g_ptr_array_unref (read);
  }
  /* Single values.  */
  g_remove (path);
  g_assert_true (add (one, "two", "", 3, 4));
  static const char *const views[] = {
    "", "1", "1 2 3", "1 2 3 4 5", "x y z w", "2 1 0 9", "-1 5 0 9",
    "99999999999999999999 5 0 9", "1 2 9 9",
  };
  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    char *text, *group;
    save (path, "id", one);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    GKeyFile *file = g_key_file_new ();
    g_assert_true (g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE,
                                              NULL));
    group = g_key_file_get_start_group (file);
    g_key_file_set_string (file, group, "view1", views[i]);
    g_assert_true (g_key_file_save_to_file (file, path, NULL));
    read = dv_bookmark_load (path, "id");
    g_assert_cmpuint (read->len, ==, 1);
    g_assert_cmpstr (nth (read, 0)->name, ==, "two");
    g_ptr_array_unref (read);
    g_key_file_unref (file);
    g_free (group);
    g_free (text);
  }
  /* A file of unlikely size is not read.  */
  char *huge = g_strnfill (5 << 20, '#');
  g_assert_true (g_file_set_contents (path, huge, -1, NULL));
  read = dv_bookmark_load (path, "id");
  g_assert_cmpuint (read->len, ==, 0);
  g_ptr_array_unref (read);
  g_free (huge);
  g_ptr_array_unref (one);
  g_free (path);
  remove_folder (folder);
}

/* However many logs there were, the file stays small.  */
static void
test_many (void)
{
  char *folder = new_folder (), id[32];
  char *path = g_build_filename (folder, "bookmarks.ini", NULL);
  GPtrArray *one = dv_bookmark_list_new (), *read;
  g_assert_true (add (one, "one", "", 1, 2));
  for (guint i = 0; i < DV_BOOKMARK_LOGS + 10; i++) {
    g_snprintf (id, sizeof id, "log %u", i);
    save (path, id, one);
  }
  GKeyFile *file = g_key_file_new ();
  gsize n;
  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE,
                                            NULL));
  g_strfreev (g_key_file_get_groups (file, &n));
  g_assert_cmpuint (n, ==, DV_BOOKMARK_LOGS);
  g_key_file_unref (file);
  /* The last one is there; removing it leaves no group.  */
  read = dv_bookmark_load (path, id);
  g_assert_cmpuint (read->len, ==, 1);
  g_ptr_array_set_size (read, 0);
  save (path, id, read);
  g_ptr_array_unref (read);
  read = dv_bookmark_load (path, id);
  g_assert_cmpuint (read->len, ==, 0);
  g_ptr_array_unref (read);
  g_ptr_array_unref (one);
  g_free (path);
  remove_folder (folder);
}

/* The folder cannot be made: an error, no crash.  */
static void
test_unwritable (void)
{
  char *folder = new_folder ();
  char *file = g_build_filename (folder, "file", NULL);
  char *path = g_build_filename (file, "bookmarks.ini", NULL);
  GError *error = NULL;
  GPtrArray *none = dv_bookmark_list_new ();
  g_assert_true (g_file_set_contents (file, "x", -1, NULL));
  g_assert_false (dv_bookmark_save (path, "id", "log", none, &error));
  g_assert_nonnull (error);
  g_error_free (error);
  g_ptr_array_unref (none);
  g_free (path);
  g_free (file);
  remove_folder (folder);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bookmarks/back", test_back);
  g_test_add_func ("/bookmarks/refused", test_refused);
  g_test_add_func ("/bookmarks/damaged", test_damaged);
  g_test_add_func ("/bookmarks/many", test_many);
  g_test_add_func ("/bookmarks/unwritable", test_unwritable);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
