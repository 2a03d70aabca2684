/* test-shown.c: which parts of a name can be shown.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "base/shown.h"
#include "unit_main.h"

/* The name with "?" for what cannot be shown.  */
static char *
shown (const char *name)
{
  GString *text = g_string_new (NULL);

  for (const char *from = name; *name != '\0'; from = name)
    if (dg_shown_next (&name))
      g_string_append_len (text, from, name - from);
    else
      g_string_append_c (text, '?');
  return g_string_free (text, FALSE);
}

static void
test_next (void)
{
  static const char *const names[][2] = {
    {"", ""},
    {"a b~", "a b~"},
    {"gr\xc3\xb6\xc3\x9f \xe6\x97\xa5", "gr\xc3\xb6\xc3\x9f \xe6\x97\xa5"},
    {"\x1b[31m\n\t\x7f", "?[31m???"},
    {"\xc2\x9b" "31m", "?31m"},
    {"\x9b" "31m\xff", "?31m?"},
    {"\xe2\x80\xae\xe2\x80\xa8", "??"},
    /* Cut short, too long, a surrogate.  */
    {"a\xe6\x97", "a??"},
    {"\xc0\xaf", "??"},
    {"\xed\xa0\x80", "???"}};

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    char *text = shown (names[i][0]);

    g_assert_cmpstr (text, ==, names[i][1]);
    g_free (text);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shown/next", test_next);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
