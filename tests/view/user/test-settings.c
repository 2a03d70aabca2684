/* test-settings.c: what is remembered, and what becomes of key files that are
   damaged, foreign or cannot be written; what wins over what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/user/choices.h"
#include "unit_main.h"

#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

struct fixture {
  char *folder, *path;
};

static void
set_up (struct fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("test-settings-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "below", "dg_view.ini", NULL);
}

static void
tear_down (struct fixture *f, gconstpointer data)
{
  char *below = g_path_get_dirname (f->path);
  char *other = g_build_filename (f->folder, "real.ini", NULL);
  g_remove (f->path);
  g_remove (below);
  g_remove (other);
  g_assert_cmpint (g_remove (f->folder), ==, 0);
  g_free (other);
  g_free (below);
  g_free (f->path);
  g_free (f->folder);
}

static void
put (const struct fixture *f, const char *bytes, gssize length)
{
  char *below = g_path_get_dirname (f->path);
  g_mkdir_with_parents (below, 0700);
  g_assert_true (g_file_set_contents (f->path, bytes, length, NULL));
  g_free (below);
}

static void
assert_text (const struct dv_settings *settings, const char *name,
             const char *wanted)
{
  char *text = dv_settings_text (settings, name);
  g_assert_cmpstr (text, ==, wanted);
  g_free (text);
}

/* ---- Settings --------------------------------------------------------- */

static void
test_values (struct fixture *f, gconstpointer data)
{
  const char *const texts[] = { "/a;b=/c", "", "ü\\n", NULL };
  struct dv_settings *settings = dv_settings_new (f->path);
  g_assert_true (dv_settings_flag (settings, "flag", true));
  g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, 7);
  assert_text (settings, "text", NULL);
  g_assert_null (dv_settings_texts (settings, "texts"));
  dv_settings_set_flag (settings, "flag", false);
  dv_settings_set_number (settings, "number", -3);
  dv_settings_set_text (settings, "text", "a \"b\"\n%f; =#");
  dv_settings_set_text (settings, "gone", "here");
  dv_settings_set_text (settings, "gone", NULL);
  dv_settings_set_texts (settings, "texts", texts);
  dv_settings_free (settings);

  settings = dv_settings_new (f->path);
  g_assert_false (dv_settings_flag (settings, "flag", true));
  g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, -3);
  assert_text (settings, "text", "a \"b\"\n%f; =#");
  assert_text (settings, "gone", NULL);
  char **read = dv_settings_texts (settings, "texts");
  g_assert_true (g_strv_equal ((const char *const *) read, texts));
  g_strfreev (read);
  dv_settings_free (settings);
}

/* Nothing is written before something is another.  */
static void
test_unchanged (struct fixture *f, gconstpointer data)
{
  struct dv_settings *settings = dv_settings_new (f->path);
  dv_settings_set_text (settings, "nothing", NULL);
  dv_settings_free (settings);
  g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
  put (f, "[dg_view]\nnumber=5\n", -1);
  g_assert_cmpint (g_chmod (f->path, 0400), ==, 0);
  settings = dv_settings_new (f->path);
  dv_settings_set_number (settings, "number", 5);
  dv_settings_free (settings);
  char *bytes;
  g_assert_true (g_file_get_contents (f->path, &bytes, NULL, NULL));
  g_assert_cmpstr (bytes, ==, "[dg_view]\nnumber=5\n");
  g_free (bytes);
}

/* Two programs at once: each keeps what the other has changed.  */
static void
test_two (struct fixture *f, gconstpointer data)
{
  struct dv_settings *a = dv_settings_new (f->path);
  struct dv_settings *b = dv_settings_new (f->path);
  dv_settings_set_text (a, "theme", "dark");
  dv_settings_set_text (a, "both", "a");
  dv_settings_set_text (b, "palette", "classic");
  dv_settings_set_text (b, "both", "b");
  g_assert_true (dv_settings_save (a));
  g_assert_true (dv_settings_save (b));
  dv_settings_free (a);
  dv_settings_free (b);
  a = dv_settings_new (f->path);
  assert_text (a, "theme", "dark");
  assert_text (a, "palette", "classic");
  assert_text (a, "both", "b");
  dv_settings_free (a);
}

/* Comments, other groups and unknown names are the user's.  */
static void
test_foreign (struct fixture *f, gconstpointer data)
{
  char *bytes;
  put (f, "# mine\n[other]\nx=1\n[dg_view]\nlater=2\n", -1);
  struct dv_settings *settings = dv_settings_new (f->path);
  dv_settings_set_flag (settings, "grid", false);
  dv_settings_free (settings);
  g_assert_true (g_file_get_contents (f->path, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "# mine"));
  g_assert_nonnull (strstr (bytes, "[other]\nx=1"));
  g_assert_nonnull (strstr (bytes, "later=2"));
  g_assert_nonnull (strstr (bytes, "grid=false"));
  g_free (bytes);
}

static void
test_link (struct fixture *f, gconstpointer data)
{
  char *real = g_build_filename (f->folder, "real.ini", NULL), *bytes;
  put (f, "", 0);
  g_remove (f->path);
  g_assert_true (g_file_set_contents (real, "[dg_view]\na=1\n", -1, NULL));
  GFile *link = g_file_new_for_path (f->path);
  g_assert_true (g_file_make_symbolic_link (link, real, NULL, NULL));
  g_object_unref (link);
  struct dv_settings *settings = dv_settings_new (f->path);
  dv_settings_set_number (settings, "a", 2);
  dv_settings_free (settings);
  g_assert_true (g_file_test (f->path, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (real, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "a=2"));
  g_free (bytes);
  g_free (real);
}

/* Whatever the file has: no crash, and it can be written again.  */
static void
test_damaged (struct fixture *f, gconstpointer data)
{
  static const struct { const char *bytes; gssize length; } files[] = {
    { "", 0 },
    { "\0\0\0\0", 4 },
    { "[dg_view", 8 },
    { "number=3\n[dg_view]\n", -1 },
    { "[dg_view]\n\xff\xfe=\xff\nnumber=\xff\n", -1 },
    { "[dg_view]\nnumber=99999999999999999999\nflag=perhaps\ntext=\xe4\n",
      -1 },
    { "[dg_view]\nnumber=12monkeys\nflag=\ntexts=a\\", -1 },
    { "[dg_view]\nnumber=3\0junk", 23 },
    { "\x7f" "ELF\x02\x01\x01", 7 },
    { "no key file at all\n[dg_view]\nflag=false\n", -1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    put (f, files[i].bytes, files[i].length);
    struct dv_settings *settings = dv_settings_new (f->path);
    int number = dv_settings_number (settings, "number", 7);
    g_assert_true (number == 7 || number == 3);
    dv_settings_flag (settings, "flag", true);
    char *text = dv_settings_text (settings, "text");
    g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
    g_free (text);
    g_strfreev (dv_settings_texts (settings, "texts"));
    dv_settings_set_number (settings, "number", 8);
    dv_settings_free (settings);
    settings = dv_settings_new (f->path);
    g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, 8);
    dv_settings_free (settings);
  }
}

/* Memory is not the file's to ask for.  */
static void
test_huge (struct fixture *f, gconstpointer data)
{
  GString *bytes = g_string_new ("[dg_view]\nnumber=3\n");
  while (bytes->len < (3u << 20))
    g_string_append (bytes, "# and so on, and so on, and so on\n");
  put (f, bytes->str, (gssize) bytes->len);
  g_string_free (bytes, TRUE);
  struct dv_settings *settings = dv_settings_new (f->path);
  g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, 7);
  dv_settings_free (settings);
}

static void
test_unwritable (struct fixture *f, gconstpointer data)
{
  /* A file where the folder should be: not even root can.  */
  char *below = g_path_get_dirname (f->path);
  g_assert_true (g_file_set_contents (below, "", 0, NULL));
  struct dv_settings *settings = dv_settings_new (f->path);
  dv_settings_set_number (settings, "number", 8);
  g_assert_false (dv_settings_save (settings));
  g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, 8);
  dv_settings_free (settings);
  g_remove (below);

  /* A folder where the file should be.  */
  g_mkdir_with_parents (f->path, 0700);
  settings = dv_settings_new (f->path);
  g_assert_cmpint (dv_settings_number (settings, "number", 7), ==, 7);
  dv_settings_set_number (settings, "number", 8);
  g_assert_false (dv_settings_save (settings));
  dv_settings_free (settings);
  g_free (below);
}

/* ---- Choices ---------------------------------------------------------- */

static void
note (void *user)
{
  (*(int *) user)++;
}

static void
test_usual (struct fixture *f, gconstpointer data)
{
  struct dv_options options = { 0 };
  struct dv_settings *settings = dv_settings_new (f->path);
  struct dv_choices choices;
  dv_choices_init (&choices, settings, &options);
  g_assert_cmpint (choices.theme, ==, DV_THEME_DESKTOP);
  g_assert_cmpstr (choices.palette, ==, dv_palette_names ()[0]);
  g_assert_cmpint (choices.look.colouring, ==, DV_COLOUR_KIND);
  g_assert_false (choices.look.no_boxes || choices.look.no_grid
                  || choices.look.sharing);
  g_assert_null (choices.editor);
  g_assert_null (choices.source_map[0]);
  dv_choices_fini (&choices);
  dv_settings_free (settings);
}

static void
test_remembered (struct fixture *f, gconstpointer data)
{
  const char *const map[] = { "/a=/b", "=no", "no", "/c=", NULL };
  const char *const kept[] = { "/a=/b", "/c=", NULL };
  const char *palette = dv_palette_names ()[1];
  struct dv_options options = { 0 };
  struct dv_settings *settings = dv_settings_new (f->path);
  struct dv_choices choices;
  int told = 0;
  dv_choices_init (&choices, settings, &options);
  choices.changed = note;
  choices.user = &told;
  dv_choices_set_theme (&choices, DV_THEME_LIGHT);
  dv_choices_set_palette (&choices, palette);
  dv_choices_set_palette (&choices, "no such palette");
  struct dv_look look = choices.look;
  look.colouring = DV_COLOUR_THREAD;
  look.no_boxes = look.no_grid = look.sharing = true;
  dv_choices_set_look (&choices, &look);
  dv_choices_set_editor (&choices, "ed %f");
  dv_choices_set_source_map (&choices, map);
  g_assert_cmpint (told, ==, 5);
  dv_choices_fini (&choices);
  dv_settings_free (settings);

  settings = dv_settings_new (f->path);
  dv_choices_init (&choices, settings, &options);
  g_assert_cmpint (choices.theme, ==, DV_THEME_LIGHT);
  g_assert_cmpstr (choices.palette, ==, palette);
  g_assert_cmpint (choices.look.colouring, ==, DV_COLOUR_THREAD);
  g_assert_true (choices.look.no_boxes && choices.look.no_grid
                 && choices.look.sharing);
  g_assert_cmpstr (choices.editor, ==, "ed %f");
  g_assert_true (g_strv_equal ((const char *const *) choices.source_map,
                               kept));
  dv_choices_set_editor (&choices, "");
  g_assert_null (choices.editor);
  dv_choices_fini (&choices);
  dv_settings_free (settings);
}

/* The command line counts for this start, and is not remembered.  */
static void
test_given (struct fixture *f, gconstpointer data)
{
  char map[] = "/x=/y", command[] = "vi", *given[] = { map, NULL };
  const char *const joined[] = { "/x=/y", "/a=/b", NULL };
  put (f, "[dg_view]\ntheme=light\ncolour=thread\neditor=ed\n"
       "source-map=/a=/b;\n", -1);
  struct dv_options options = { .theme = DV_THEME_DARK, .editor = command,
                                .colour_given = true, .source_map = given };
  options.palette = (char *) dv_palette_names ()[1];
  struct dv_settings *settings = dv_settings_new (f->path);
  struct dv_choices choices;
  dv_choices_init (&choices, settings, &options);
  g_assert_cmpint (choices.theme, ==, DV_THEME_DARK);
  g_assert_cmpstr (choices.palette, ==, dv_palette_names ()[1]);
  g_assert_cmpint (choices.look.colouring, ==, DV_COLOUR_KIND);
  g_assert_cmpstr (choices.editor, ==, "vi");
  g_assert_true (g_strv_equal ((const char *const *) choices.source_map,
                               joined));
  /* Another switch does not make it remembered.  */
  struct dv_look look = choices.look;
  look.sharing = true;
  dv_choices_set_look (&choices, &look);
  dv_choices_fini (&choices);
  dv_settings_free (settings);

  struct dv_options none = { 0 };
  settings = dv_settings_new (f->path);
  dv_choices_init (&choices, settings, &none);
  g_assert_cmpint (choices.theme, ==, DV_THEME_LIGHT);
  g_assert_cmpstr (choices.palette, ==, dv_palette_names ()[0]);
  g_assert_cmpint (choices.look.colouring, ==, DV_COLOUR_THREAD);
  g_assert_true (choices.look.sharing);
  g_assert_cmpstr (choices.editor, ==, "ed");
  g_assert_cmpuint (g_strv_length (choices.source_map), ==, 1);
  dv_choices_fini (&choices);
  dv_settings_free (settings);
}

/* Values that nobody can have meant.  */
static void
test_odd (struct fixture *f, gconstpointer data)
{
  put (f, "[dg_view]\ntheme=purple\npalette=../../etc\ncolour=\nboxes=12\n"
       "grid=yes please\nsource-map=;;=;\n", -1);
  struct dv_options options = { 0 };
  struct dv_settings *settings = dv_settings_new (f->path);
  struct dv_choices choices;
  dv_choices_init (&choices, settings, &options);
  g_assert_cmpint (choices.theme, ==, DV_THEME_DESKTOP);
  g_assert_cmpstr (choices.palette, ==, dv_palette_names ()[0]);
  g_assert_cmpint (choices.look.colouring, ==, DV_COLOUR_KIND);
  g_assert_false (choices.look.no_boxes || choices.look.no_grid);
  g_assert_null (choices.source_map[0]);
  dv_choices_fini (&choices);
  dv_settings_free (settings);
}

static int
run_tests (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (struct fixture *, gconstpointer);
  } tests[] = {
    { "/settings/values", test_values },
    { "/settings/unchanged", test_unchanged },
    { "/settings/two", test_two },
    { "/settings/foreign", test_foreign },
    { "/settings/link", test_link },
    { "/settings/damaged", test_damaged },
    { "/settings/huge", test_huge },
    { "/settings/unwritable", test_unwritable },
    { "/choices/usual", test_usual },
    { "/choices/remembered", test_remembered },
    { "/choices/given", test_given },
    { "/choices/odd", test_odd },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, struct fixture, NULL, set_up, tests[i].run,
                tear_down);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
