/* test-arrow-text.c: dictionaries of texts that only grow.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "arrow/arrow_text.h"
#include "unit_main.h"

static void
check (const struct ArrowArray *array, int64_t n)
{
  const int32_t *ends = array->buffers[1];
  const char *bytes = array->buffers[2];

  g_assert_cmpint (array->length, ==, n);
  for (int64_t i = 0; i < n; i++) {
    char *expected = g_strdup_printf ("text %" G_GINT64_FORMAT, i),
         *found = g_strndup (bytes + ends[i],
                             (gsize) (ends[i + 1] - ends[i]));

    g_assert_cmpstr (found, ==, expected);
    g_free (expected);
    g_free (found);
  }
}

/* Arrays keep what they had, while the dictionary grows and when it is
   gone.  */
static void
test_grows (void)
{
  struct dg_arrow_text *text = dg_arrow_text_new (NULL);
  struct ArrowArray arrays[20];
  char name[32];

  for (int i = 0; i < 20000; i++) {
    g_snprintf (name, sizeof name, "text %d", i);
    g_assert_cmpint (dg_arrow_text_index (text, name, NULL), ==, i);
    if (i % 1000 == 0)
      g_assert_cmpint (dg_arrow_text_array (text, &arrays[i / 1000], NULL), ==,
                       0);
  }
  for (int i = 0; i < 20000; i++) {
    g_snprintf (name, sizeof name, "text %d", i);
    g_assert_cmpint (dg_arrow_text_index (text, name, NULL), ==, i);
  }
  dg_arrow_text_free (text);
  for (int i = 19; i >= 0; i--) {
    check (&arrays[i], 1000 * i + 1);
    arrays[i].release (&arrays[i]);
    g_assert_null (arrays[i].release);
  }
}

static void
test_odd_texts (void)
{
  struct dg_arrow_text *text = dg_arrow_text_new (NULL);
  struct ArrowArray array;
  const int32_t *ends;

  g_assert_cmpint (dg_arrow_text_array (text, &array, NULL), ==, 0);
  g_assert_cmpint (array.length, ==, 0);
  array.release (&array);
  g_assert_cmpint (dg_arrow_text_index (text, "", NULL), ==, 0);
  g_assert_cmpint (dg_arrow_text_index (text, "\xff" "a", NULL), ==, 1);
  g_assert_cmpint (dg_arrow_text_index (text, "\xfe" "a", NULL), ==, 1);
  g_assert_cmpint (dg_arrow_text_index (text, "", NULL), ==, 0);
  g_assert_cmpint (dg_arrow_text_array (text, &array, NULL), ==, 0);
  ends = array.buffers[1];
  g_assert_cmpint (ends[1], ==, 0);
  g_assert_true (g_utf8_validate ((const char *) array.buffers[2], ends[2],
                                  NULL));
  array.release (&array);
  dg_arrow_text_free (text);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrow-text/grows", test_grows);
  g_test_add_func ("/arrow-text/odd", test_odd_texts);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
