/* test-shortcuts.c: every key has one meaning, every action that has keys is
   there, and the manual names them all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "chrome/shortcuts.h"

#include <string.h>

#include "unit_main.h"
#include "window/window.h"

/* What gtk_accelerator_parse does, which wants a display.  */
static void
parse (const char *accelerator, guint *key, GdkModifierType *mods)
{
  static const struct { const char *name; GdkModifierType mod; } all[] = {
    { "<Control>", GDK_CONTROL_MASK }, { "<Shift>", GDK_SHIFT_MASK },
    { "<Alt>", GDK_MOD1_MASK },
  };
  *mods = (GdkModifierType) 0;
  while (*accelerator == '<') {
    guint i = 0;
    while (i < G_N_ELEMENTS (all)
           && !g_str_has_prefix (accelerator, all[i].name))
      i++;
    if (i == G_N_ELEMENTS (all))
      g_error ("what is %s?", accelerator);
    *mods |= all[i].mod;
    accelerator += strlen (all[i].name);
  }
  *key = gdk_keyval_from_name (accelerator);
  if (*key == GDK_KEY_VoidSymbol || *key == 0)
    g_error ("there is no key %s", accelerator);
}

static void
check_unique (const struct dv_shortcut *shortcuts, guint n, GHashTable *seen)
{
  for (guint i = 0; i < n; i++) {
    g_assert_nonnull (shortcuts[i].keys[0]);
    for (guint k = 0; shortcuts[i].keys[k] != NULL; k++) {
      guint key;
      GdkModifierType mods;
      parse (shortcuts[i].keys[k], &key, &mods);
      char *name = g_strdup_printf ("%s, %u", gdk_keyval_name (key), mods);
      const char *other = g_hash_table_lookup (seen, name);
      if (other != NULL)
        g_error ("%s: both \"%s\" and \"%s\"", name, other,
                 shortcuts[i].title);
      g_hash_table_insert (seen, name, (char *) shortcuts[i].title);
    }
  }
}

static void
test_unique (void)
{
  guint n;
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            NULL);
  const struct dv_shortcut *shortcuts = dv_shortcuts (&n);
  check_unique (shortcuts, n, seen);
  for (guint i = 0; i < n; i++) {
    g_assert_true (g_str_has_prefix (shortcuts[i].action, "win."));
    for (guint j = 0; j < i; j++)
      g_assert_cmpstr (shortcuts[i].action, !=, shortcuts[j].action);
  }
  shortcuts = dv_shortcuts_of_plot (&n);
  check_unique (shortcuts, n, seen);
  for (guint i = 0; i < n; i++)
    g_assert_null (shortcuts[i].action);
  /* Those of the heap may be the plot's, but have one meaning there.  */
  g_hash_table_remove_all (seen);
  shortcuts = dv_shortcuts (&n);
  check_unique (shortcuts, n, seen);
  shortcuts = dv_shortcuts_of_heap (&n);
  check_unique (shortcuts, n, seen);
  g_hash_table_unref (seen);
}

/* ---- The manual ------------------------------------------------------- */

/* The part on keys, as it is read: without commands and escapes.  */
static char *
manual (void)
{
  char *path = g_build_filename (g_getenv ("abs_top_srcdir"), "docs", "man",
                                 "dg_view.1", NULL);
  char *text;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  char *start = strstr (text, "\n.SH KEYS\n");
  /* Ends, which g_assert_nonnull need not: the compiler knows it.  */
  g_assert (start != NULL);
  char *end = strstr (start + 1, "\n.SH ");
  g_assert_nonnull (end);
  GString *plain = g_string_new (" ");
  for (const char *c = start; c < end; c++) {
    if (*c == '\n' && (c[1] == '.' || c[1] == '\\'))
      while (c + 1 < end && c[1] != ' ' && c[1] != '\n')
        c++;
    if (*c == '\\')
      continue;
    g_string_append_c (plain, strchr ("\n\",", *c) != NULL
                                && !(c[-1] == '+') ? ' ' : *c);
  }
  g_string_append_c (plain, ' ');
  g_free (text);
  g_free (path);
  return g_string_free (plain, FALSE);
}

/* As the manual writes keys.  */
static char *
label (const char *accelerator)
{
  static const struct { const char *key, *text; } names[] = {
    { "Page_Up", "Page Up" }, { "Page_Down", "Page Down" },
    { "Return", "Enter" },    { "space", "Space" },
    { "plus", "+" },          { "minus", "-" },
    { "equal", "=" },         { "comma", "," },
    { "period", "." },        { "question", "?" },
    { "bracketleft", "[" },   { "bracketright", "]" },
  };
  guint key;
  GdkModifierType mods;
  parse (accelerator, &key, &mods);
  const char *name = gdk_keyval_name (key);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].key, name) == 0)
      name = names[i].text;
  char *upper = g_ascii_strup (name, -1);
  bool single = strlen (name) == 1 && mods != 0;
  char *text = g_strdup_printf (
    " %s%s%s%s ", mods & GDK_CONTROL_MASK ? "Ctrl+" : "",
    mods & GDK_SHIFT_MASK ? "Shift+" : "", mods & GDK_MOD1_MASK ? "Alt+" : "",
    single ? upper : name);
  g_free (upper);
  return text;
}

static void
check_named (const char *text, const struct dv_shortcut *shortcuts, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; shortcuts[i].keys[k] != NULL; k++) {
      char *key = label (shortcuts[i].keys[k]);
      if (strstr (text, key) == NULL)
        g_error ("dg_view(1), KEYS: no%s(%s)", key, shortcuts[i].title);
      g_free (key);
    }
}

static void
test_manual (void)
{
  guint n;
  char *text = manual ();
  const struct dv_shortcut *shortcuts = dv_shortcuts (&n);
  check_named (text, shortcuts, n);
  shortcuts = dv_shortcuts_of_plot (&n);
  check_named (text, shortcuts, n);
  shortcuts = dv_shortcuts_of_heap (&n);
  check_named (text, shortcuts, n);
  g_free (text);
}

/* ---- The actions ------------------------------------------------------ */

static void
activated (GApplication *app, gpointer data)
{
  struct dv_application *application = data;
  guint n;
  const struct dv_shortcut *shortcuts = dv_shortcuts (&n);
  dv_window_new (application, application->options, NULL);
  GtkWidget *window = gtk_application_get_windows (application->app)->data;
  for (guint i = 0; i < n; i++) {
    const char *name = shortcuts[i].action + strlen ("win.");
    if (!g_action_group_has_action (G_ACTION_GROUP (window), name))
      g_error ("there is no action %s", shortcuts[i].action);
  }
  gtk_widget_destroy (window);
}

/* Run by drive_app.py, too, which brings a display.  */
static void
test_actions (void)
{
  struct dv_options options = { .address_end = UINT64_MAX,
                                .instruction_end = UINT64_MAX };
  struct dv_application application = { .options = &options };
  if (!gtk_init_check (NULL, NULL)) {
    g_test_skip ("there is no display; drive_app.py has one");
    return;
  }
  application.windows = g_ptr_array_new_with_free_func (
    (GDestroyNotify) dv_window_free);
  application.settings = dv_settings_new ("no-such-folder/dg_view.ini");
  dv_choices_init (&application.choices, application.settings, &options);
  application.app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect (application.app, "activate", G_CALLBACK (activated),
                    &application);
  g_application_run (G_APPLICATION (application.app), 0, NULL);
  g_object_unref (application.app);
  g_ptr_array_unref (application.windows);
  dv_choices_fini (&application.choices);
  dv_settings_free (application.settings);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shortcuts/unique", test_unique);
  g_test_add_func ("/shortcuts/manual", test_manual);
  g_test_add_func ("/shortcuts/actions", test_actions);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
