/* test-completion.c: what conditions are offered for what is typed, and in
   which order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/completion.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "asm.h"
#include "unit_main.h"

/* Labels instead of functions: those need a program.  */
static const char text[] =
  "bbdef [0x400000+3] [R4@0]\n"
  "context 0 [0x400000]\n"
  "thread_start 2 1 77\n"
  "thread_name 2 \"worker one\"\n"
  "start_event \"sort\"\n"
  "end_event \"sort\"\n"
  "start_event \"quick, sort\"\n"
  "end_event \"quick, sort\"\n"
  "start_event \"sorting\"\n"
  "end_event \"sorting\"\n"
  "start_event \"resort\"\n"
  "end_event \"resort\"\n"
  "bbrun 0 1 [0x1000]\n"
  "track_range 0x1000 16 \"int\" \"sorted table\"\n"
  "end\n";

static struct dv_completion *
complete_of (const char *log_text)
{
  char *path = NULL;
  struct dg_error err = { 0 };
  int file = g_file_open_tmp ("complete-XXXXXX.dg", &path, NULL);
  struct dg_asm as;
  char *problem = NULL;
  dg_asm_init (&as);
  if (!dg_asm_text (&as, log_text, &problem))
    g_error ("%s", problem);
  close (file);
  g_assert_true (g_file_set_contents (path, (const char *) as.bytes->data,
                                      (gssize) as.bytes->len, NULL));
  dg_asm_fini (&as);
  struct dv_data *data = dv_data_new (path, false, NULL, NULL, &err);
  if (data == NULL)
    g_error ("%s", err.message);
  g_unlink (path);
  struct dv_completion *complete = dv_completion_new (data);
  g_assert_cmpint (dv_completion_gather (complete, NULL, NULL, &err), ==, 0);
  dv_data_unref (data);
  g_free (path);
  return complete;
}

static void
check (struct dv_completion *complete, enum dv_completion_side side,
       const char *typed, const char *expected)
{
  GPtrArray *all = dv_completion_find (complete, side, typed, 6);
  g_ptr_array_add (all, NULL);
  char *got = g_strjoinv ("|", (char **) all->pdata);
  g_assert_cmpstr (got, ==, expected);
  for (guint i = 0; i + 1 < all->len; i++) {
    const char *one = g_ptr_array_index (all, i);
    size_t n = strlen (one);
    bool of_events = side == DV_COMPLETION_EVENTS;
    if (one[n - 1] != ':' && one[n - 1] != ' ')
      g_assert_cmpint (dg_filter_check (of_events ? one : NULL,
                                        of_events ? NULL : one, NULL), ==, 0);
  }
  g_free (got);
  g_ptr_array_unref (all);
}

static void
test_ranking (void)
{
  struct dv_completion *complete = complete_of (text);
  const enum dv_completion_side e = DV_COMPLETION_EVENTS,
                                r = DV_COMPLETION_RANGES;
  /* All of it; the beginning; a word; within one.  */
  check (complete, e, "sort",
         "user:sort|user:sorting|user:quick\\, sort|user:resort");
  check (complete, e, "user:SORT",
         "user:sort|user:sorting|user:quick\\, sort|user:resort");
  check (complete, e, "not  user:quick", "not user:quick\\, sort");
  check (complete, e, "user:quick\\, s", "user:quick\\, sort");
  check (complete, r, "sort", "user:sorted table");
  check (complete, e, "thread:w", "thread:worker one");
  check (complete, e, "2", "thread:2");
  check (complete, e, "dso:sort", "");
  check (complete, r, "thread:w", "");
  dv_completion_unref (complete);
}

static void
test_words (void)
{
  struct dv_completion *complete = dv_completion_new (NULL);
  struct dg_error err;
  g_assert_cmpint (dv_completion_gather (complete, NULL, NULL, &err), ==, 0);
  check (complete, DV_COMPLETION_EVENTS, "",
         "fn:|file:|dso:|user:|thread:|not ");
  check (complete, DV_COMPLETION_EVENTS, "not ",
         "not fn:|not file:|not dso:|not user:|not thread:");
  check (complete, DV_COMPLETION_EVENTS, "f", "fn:|file:");
  check (complete, DV_COMPLETION_EVENTS, "malloc", "");
  check (complete, DV_COMPLETION_RANGES, "m", "malloc");
  check (complete, DV_COMPLETION_RANGES, "not r", "not range");
  check (complete, DV_COMPLETION_RANGES, "a", "addr:");
  dv_completion_unref (complete);
}

static void
test_negate (void)
{
  static const char *const pairs[][2]
    = { { "fn:a", "not fn:a" }, { "range", "not range" } };
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    char *with = dv_completion_negate (pairs[i][0]);
    char *without = dv_completion_negate (pairs[i][1]);
    g_assert_cmpstr (with, ==, pairs[i][1]);
    g_assert_cmpstr (without, ==, pairs[i][0]);
    g_free (with);
    g_free (without);
  }
}

/* 74,000 names: what is typed must not wait for them.  */
static void
test_many (void)
{
  GString *many = g_string_new ("bbdef [0x400000+3] [R4@0]\n"
                                "context 0 [0x400000]\n");
  for (int i = 0; i < 74000; i++)
    g_string_append_printf (many, "start_event \"phase %05d\"\n"
                                  "end_event \"phase %05d\"\n", i, i);
  g_string_append (many, "bbrun 0 1 [0x1000]\nend\n");
  struct dv_completion *complete = complete_of (many->str);
  check (complete, DV_COMPLETION_EVENTS, "73999", "user:phase 73999");
  check (complete, DV_COMPLETION_EVENTS, "user:phase 0000",
         "user:phase 00000|user:phase 00001|user:phase 00002|"
         "user:phase 00003|user:phase 00004|user:phase 00005");
  dv_completion_unref (complete);
  g_string_free (many, TRUE);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/complete/ranking", test_ranking);
  g_test_add_func ("/complete/words", test_words);
  g_test_add_func ("/complete/negate", test_negate);
  g_test_add_func ("/complete/many", test_many);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
