/* test-axis.c: ticks of addresses; the editor's command.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/axis.h"

#include <string.h>

#include "chrome/editor.h"
#include "format.h"
#include "unit_main.h"

/* True addresses, across gaps, and labels that do not touch.  */
static void
test_addresses_axis (void)
{
  static const uint64_t pages[] = { 0x400, 0x401, 0x600, 0x7fff0, 0x7fff1 };
  struct dv_layout layout;
  dv_layout_init (&layout, pages, G_N_ELEMENTS (pages), 12);
  struct dv_view view = { 0, layout.size, 0, 10 };
  for (int zoom = 0; zoom < 8; zoom++) {
    GArray *ticks = dv_axis_addresses (&layout, &view, 800, 7);
    double scale = 800 / (double) (view.x1 - view.x0);
    g_assert_cmpuint (ticks->len, >, 0);
    for (guint i = 0; i < ticks->len; i++) {
      const struct dv_tick *t = &g_array_index (ticks, struct dv_tick, i);
      uint64_t position;
      char label[32];
      g_assert_true (dv_layout_position (&layout, t->value, &position));
      g_assert_cmpfloat (ABS (t->pixel
                              - (double) (position - view.x0) * scale), <,
                         0.01);
      g_snprintf (label, sizeof label, "0x%" G_GINT64_MODIFIER "x",
                  t->value);
      g_assert_cmpstr (t->label, ==, label);
      if (i > 0)
        g_assert_cmpfloat (t->pixel - t[-1].pixel, >,
                           7.0 * (double) strlen (label) / 2);
    }
    if (zoom == 0) {
      g_assert_cmphex (g_array_index (ticks, struct dv_tick, 0).value, ==,
                       0x400000);
      /* Each of the three segments begins with its own address.  */
      int starts = 0;
      for (guint i = 0; i < ticks->len; i++) {
        uint64_t a = g_array_index (ticks, struct dv_tick, i).value;
        starts += a == 0x400000 || a == 0x600000 || a == 0x7fff0000;
      }
      g_assert_cmpint (starts, ==, 3);
    }
    g_array_unref (ticks);
    view.x0 += (view.x1 - view.x0) / 3;
    view.x1 -= (view.x1 - view.x0) / 3;
  }
  dv_layout_fini (&layout);
}

static void
check_command (const char *command, const char *wanted)
{
  GError *error = NULL;
  char **argv = dv_editor_argv (command, "/src/a b.c", 42, &error);
  if (wanted == NULL) {
    g_assert_null (argv);
    g_clear_error (&error);
    return;
  }
  char *joined = g_strjoinv ("|", argv);
  g_assert_cmpstr (joined, ==, wanted);
  g_free (joined);
  g_strfreev (argv);
}

static void
test_editor (void)
{
  check_command ("code -g %f:%l", "code|-g|/src/a b.c:42");
  check_command ("vi +%l", "vi|+42|/src/a b.c");
  /* In a command of its own a space could begin an option.  */
  check_command ("sh -c 'exec ed \"%f\"'", NULL);
  check_command ("e 100%% %x %f", "e|100%|%x|/src/a b.c");
  check_command ("e '", NULL);
  check_command ("", NULL);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/axis/addresses", test_addresses_axis);
  g_test_add_func ("/editor/command", test_editor);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
