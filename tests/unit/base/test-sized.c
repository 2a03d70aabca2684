/* test-sized.c: options of callers of earlier and of later versions; and what
   the library says its version is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "base/sized.h"
#include "dg_analysis.h"
#include "unit_main.h"

/* A struct of three versions.  */
struct first {
  size_t size;
  uint32_t a;
};
struct second {
  size_t size;
  uint32_t a, b;
};
struct third {
  size_t size;
  uint32_t a, b;
  uint64_t c;
};

static void
test_take (void)
{
  const struct second same = {.size = sizeof same, .a = 1, .b = 2};
  const struct first small = {.size = offsetof (struct second, b), .a = 1};
  const struct third unset = {.size = sizeof unset, .a = 1, .b = 2};
  const struct third set = {.size = sizeof set, .a = 1, .b = 2, .c = 3};
  const struct first none = {.a = 1};
  struct dg_error err = {0};
  struct second own = {.b = 7};

  g_assert_cmpint (DG_SIZED_TAKE (&own, a, &same, &err), ==, 0);
  g_assert_cmpuint (own.size, ==, sizeof own);
  g_assert_cmpuint (own.a, ==, 1);
  g_assert_cmpuint (own.b, ==, 2);
  g_assert_cmpint (DG_SIZED_TAKE (&own, a, &small, &err), ==, 0);
  g_assert_cmpuint (own.size, ==, sizeof own);
  g_assert_cmpuint (own.a, ==, 1);
  g_assert_cmpuint (own.b, ==, 0);
  g_assert_cmpint (DG_SIZED_TAKE (&own, a, &unset, &err), ==, 0);
  g_assert_cmpuint (own.b, ==, 2);
  g_assert_cmpint (DG_SIZED_TAKE (&own, a, NULL, &err), ==, 0);
  g_assert_cmpuint (own.size, ==, sizeof own);
  g_assert_cmpuint (own.a, ==, 0);
  g_assert_cmpint (err.code, ==, 0);
  g_assert_cmpint (DG_SIZED_TAKE (&own, a, &set, &err), ==, DG_ERR_INVALID);
  g_assert_cmpstr (err.message, ==,
                   "options that this version of the library does not know");
  g_assert_cmpint (DG_SIZED_TAKE (&own, a, &none, &err), ==, DG_ERR_INVALID);
  g_assert_cmpint (DG_SIZED_TAKE (&own, b, &small, &err), ==, DG_ERR_INVALID);
}

static void
test_give (void)
{
  const struct second own = {.size = sizeof own, .a = 1, .b = 2};
  struct third large = {.c = 9};
  struct second small = {.b = 9};

  dg_sized_give (&large, sizeof large, &own, sizeof own);
  g_assert_cmpuint (large.size, ==, sizeof large);
  g_assert_cmpuint (large.b, ==, 2);
  g_assert_cmpuint (large.c, ==, 0);
  dg_sized_give (&small, offsetof (struct second, b), &own, sizeof own);
  g_assert_cmpuint (small.size, ==, offsetof (struct second, b));
  g_assert_cmpuint (small.a, ==, 1);
  g_assert_cmpuint (small.b, ==, 9);
}

static void
test_version (void)
{
  unsigned major, minor, micro;
  char *text;

  g_assert_nonnull (dg_version (NULL, NULL, NULL));
  text = g_strdup (dg_version (&major, &minor, &micro));
  g_assert_cmpuint (major, ==, DG_VERSION_MAJOR);
  g_assert_cmpuint (minor, ==, DG_VERSION_MINOR);
  g_assert_cmpuint (micro, ==, DG_VERSION_MICRO);
  g_assert_true (g_str_has_prefix (
    text, G_STRINGIFY (DG_VERSION_MAJOR) "." G_STRINGIFY (DG_VERSION_MINOR)));
  g_free (text);
  g_assert_true (
    DG_VERSION_CHECK (DG_VERSION_MAJOR, DG_VERSION_MINOR, DG_VERSION_MICRO));
  g_assert_true (DG_VERSION_CHECK (0, 99, 99));
  g_assert_false (DG_VERSION_CHECK (DG_VERSION_MAJOR, DG_VERSION_MINOR,
                                    DG_VERSION_MICRO + 1));
  g_assert_false (
    DG_VERSION_CHECK (DG_VERSION_MAJOR, DG_VERSION_MINOR + 1, 0));
  g_assert_false (DG_VERSION_CHECK (DG_VERSION_MAJOR + 1, 0, 0));
  g_assert_cmpstr (dg_code_name (DG_ERR_LIMIT), ==, "limit");
}

static void
test_find (void)
{
  size_t n;
  const struct dg_analysis *const *analyses = dg_analyses (&n);

  for (size_t i = 0; i < n; i++)
    g_assert_true (dg_analysis_find (analyses[i]->name) == analyses[i]);
  g_assert_null (dg_analysis_find (""));
  g_assert_null (dg_analysis_find ("count"));
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sized/take", test_take);
  g_test_add_func ("/sized/give", test_give);
  g_test_add_func ("/sized/version", test_version);
  g_test_add_func ("/sized/analysis-find", test_find);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
