/* test-progress.c: who is told how far something is, and stops it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/progress.h"
#include "unit_main.h"

struct told {
  unsigned calls;
  uint64_t done, total;
  int answer;
};

static int
tell (void *user, uint64_t done, uint64_t total)
{
  struct told *told = user;

  told->calls++;
  told->done = done;
  told->total = total;
  return told->answer;
}

static void
test_nobody (void)
{
  struct dg_progress nobody = { NULL, NULL, 0 };

  g_assert_cmpint (dg_progress_tell (&nobody, 1, 2, NULL), ==, 0);
  g_assert_cmpint (dg_progress_pace (&nobody, 1, 2, NULL), ==, 0);
}

static void
test_cancel (void)
{
  struct told told = { .answer = 1 };
  const struct dg_progress progress = { tell, &told, 0 };
  struct dg_error err;

  g_assert_cmpint (dg_progress_tell (&progress, 3, 7, &err), ==,
                   DG_ERR_CANCELLED);
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_cmpstr (err.message, ==, "cancelled");
  g_assert_cmpuint (told.done, ==, 3);
  g_assert_cmpuint (told.total, ==, 7);
  told.answer = 0;
  g_assert_cmpint (dg_progress_tell (&progress, 7, 7, &err), ==, 0);
}

/* Before it is time, only the end is told.  */
static void
test_pace (void)
{
  struct told told = { .calls = 0 };
  struct dg_progress progress = dg_progress_start (tell, &told);

  progress.next = G_MAXINT64;
  for (uint64_t done = 0; done < 1000; done++)
    g_assert_cmpint (dg_progress_pace (&progress, done, 1000, NULL), ==, 0);
  g_assert_cmpuint (told.calls, ==, 0);
  g_assert_cmpint (dg_progress_pace (&progress, 1000, 1000, NULL), ==, 0);
  g_assert_cmpuint (told.calls, ==, 1);
  progress.next = 0;
  g_assert_cmpint (dg_progress_pace (&progress, 1, 1000, NULL), ==, 0);
  g_assert_cmpuint (told.calls, ==, 2);
  g_assert_cmpint (progress.next, >, 0);
}

/* A part that is half done reports half of its share of the whole.  */
static void
test_part (void)
{
  struct told told = { .calls = 0 };
  struct dg_progress_part part = { { tell, &told, 0 }, 0.25, 0.75 };
  const uint64_t steps[][2] = { { 0, 7 }, { 2, 4 }, { 9, 9 }, { 9, 3 },
                                { 5, 0 } };
  const double shares[] = { 0.25, 0.5, 0.75, 0.75, 0.25 };

  for (size_t i = 0; i < G_N_ELEMENTS (shares); i++) {
    g_assert_cmpint (dg_progress_part_fn (&part, steps[i][0], steps[i][1]),
                     ==, 0);
    g_assert_cmpfloat ((double) told.done / (double) told.total, ==,
                       shares[i]);
  }
  told.answer = 1;
  g_assert_cmpint (dg_progress_part_fn (&part, 1, 2), ==, 1);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/progress/nobody", test_nobody);
  g_test_add_func ("/progress/cancel", test_cancel);
  g_test_add_func ("/progress/pace", test_pace);
  g_test_add_func ("/progress/part", test_part);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
