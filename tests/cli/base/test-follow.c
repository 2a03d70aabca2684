/* test-follow.c: what --follow makes of a command's output, and when.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "base/follow.h"

static void
test_lines (void)
{
  static const struct {
    const char *text, *first;
    unsigned most, n;
  } cases[] = {{"", "", 3, 0},
               {"a\n", "a\n", 3, 1},
               {"a\nb\nc\n", "a\nb\n", 2, 2},
               {"a\nb\nc\n", "a\nb\nc\n", 3, 3},
               {"a\n\n\nd\n", "a\n\n", 2, 2},
               {"a\nb\n", "", 0, 0}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    unsigned n;
    char *first = follow_first_lines (cases[i].text, cases[i].most, &n);

    g_assert_cmpstr (first, ==, cases[i].first);
    g_assert_cmpuint (n, ==, cases[i].n);
    g_free (first);
  }
}

static void
test_json (void)
{
  static const char *const cases[][2] = {
    {"{}\n", "{}\n"},
    {"{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n",
     "{ \"a\": 1, \"b\": [ 2 ] }\n"},
    {"{\n\"a\\n  b\": \"c  d\"\n}\n", "{ \"a\\n  b\": \"c  d\" }\n"},
    {"", ""}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *line = follow_one_line (cases[i][0]);

    g_assert_cmpstr (line, ==, cases[i][1]);
    g_free (line);
  }
}

/* A step each second, or as long again as the last one took.  */
static void
test_next (void)
{
  const gint64 second = G_USEC_PER_SEC;

  g_assert_cmpint (follow_next (5 * second, 5 * second), ==, 6 * second);
  g_assert_cmpint (follow_next (0, second / 2), ==, second);
  g_assert_cmpint (follow_next (second, 4 * second), ==, 7 * second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/follow/lines", test_lines);
  g_test_add_func ("/follow/json", test_json);
  g_test_add_func ("/follow/next", test_next);
  return g_test_run ();
}
