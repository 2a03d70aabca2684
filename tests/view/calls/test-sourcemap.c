/* test-sourcemap.c: names of sources by pairs FROM=TO.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/calls/sourcemap.h"
#include "unit_main.h"

static void
test_map (void)
{
  static const char *const map[] = {
    "/build=/src", "/build/lib=/other/lib/", "/build=/late", "no pair",
    "=/nothing", "/slash/=/s", "rel=/r", "/one.c=/two.c", "/top=", NULL
  };
  static const char *const cases[][2] = {
    { "/build/a.c", "/src/a.c" },
    { "/build", "/src" },
    { "/builder/a.c", NULL },
    { "/build/lib/x/b.c", "/other/lib/x/b.c" },
    { "/build/library/b.c", "/src/library/b.c" },
    { "/slash/a/b.c", "/s/a/b.c" },
    { "/slash", "/s" },
    { "rel/a.c", "/r/a.c" },
    { "/rel/a.c", NULL },
    { "/one.c", "/two.c" },
    { "/top/a.c", "/a.c" },
    { "", NULL },
    { "/", NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *got = dv_sourcemap_map (map, cases[i][0]);
    g_assert_cmpstr (got, ==, cases[i][1]);
    g_free (got);
  }
  static const char *const all[] = { "/=/mnt", NULL };
  char *got = dv_sourcemap_map (all, "/usr/a.c");
  g_assert_cmpstr (got, ==, "/mnt/usr/a.c");
  g_free (got);
  g_assert_null (dv_sourcemap_map (NULL, "/a.c"));
}

static void
check (const char *const *map, const char *const *folders, const char *file,
       const char *wanted)
{
  char **names = dv_sourcemap_candidates (map, folders, file);
  char *got = g_strjoinv (" ", names);
  g_assert_cmpstr (got, ==, wanted);
  g_free (got);
  g_strfreev (names);
}

static void
test_candidates (void)
{
  static const char *const map[] = { "/build=/src", "/here=/here", NULL };
  static const char *const folders[] = { "/build", "/log", NULL };
  check (map, folders, "/build/a.c", "/src/a.c /build/a.c");
  check (map, folders, "/here/a.c", "/here/a.c");
  check (map, folders, "x/a.c", "/src/x/a.c /build/x/a.c /log/x/a.c");
  check (NULL, NULL, "/a.c", "/a.c");
  check (NULL, NULL, "a.c", "");
}

static void
test_pair (void)
{
  static const char *const cases[][3] = {
    { "/build/p/src/a.c", "/mnt/me/src/a.c", "/build/p=/mnt/me" },
    { "/src/a.c", "/mnt/me/src/a.c", "/src=/mnt/me/src" },
    { "/build/a.c", "/mnt/b.c", "/build/a.c=/mnt/b.c" },
    { "src/a.c", "/mnt/src/a.c", "src=/mnt/src" },
    { "a.c", "/mnt/a.c", "a.c=/mnt/a.c" },
    { "../x/a.c", "/mnt/x/a.c", "..=/mnt" },
    { "/build/xa.c", "/mnt/a.c", "/build/xa.c=/mnt/a.c" },
    { "/b=c/a.c", "/mnt/a.c", NULL },
    { "", "/mnt/a.c", NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *got = dv_sourcemap_pair (cases[i][0], cases[i][1]);
    g_assert_cmpstr (got, ==, cases[i][2]);
    if (got != NULL) {
      const char *const map[] = { got, NULL };
      char *back = dv_sourcemap_map (map, cases[i][0]);
      g_assert_cmpstr (back, ==, cases[i][1]);
      g_free (back);
    }
    g_free (got);
  }
}

static void
test_with (void)
{
  static const char *const map[] = { "/a=/b", "/c=/d", "/a/=/e", NULL };
  char **more = dv_sourcemap_with (map, "/a=/f");
  char *got = g_strjoinv (" ", more);
  g_assert_cmpstr (got, ==, "/a=/f /c=/d");
  g_free (got);
  g_strfreev (more);
  more = dv_sourcemap_with (NULL, "/a=/f");
  g_assert_cmpuint (g_strv_length (more), ==, 1);
  g_strfreev (more);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sourcemap/map", test_map);
  g_test_add_func ("/sourcemap/candidates", test_candidates);
  g_test_add_func ("/sourcemap/pair", test_pair);
  g_test_add_func ("/sourcemap/with", test_with);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
