/* test-sampling.c: the periods of logs that are samples.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>

#include "core_test.h"
#include "dg_record.h"
#include "log/sampling.h"
#include "unit_main.h"

#define CODE                                                    \
  "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"\" \"\" \"\" []\n"   \
  "bbdef [1+1 2+1] [W8@0]\ncontext 0 [1]\n"
/* Two instructions.  */
#define RUN "bbrun 0 2 [0x10]\n"

/* "0:2/10 10:2/8": where each begins, and what it has, from start to end.  */
static void
check (const char *text, uint64_t start, uint64_t end, const char *expected)
{
  GByteArray *bytes = core_test_assemble (text, 8, false);
  struct dg_sampling_periods periods;
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);
  GString *got = g_string_new (NULL);

  g_assert_cmpint (
    dg_sampling_periods_init (&periods, log, start, end, &err), ==, 0);
  for (size_t i = 0; i < periods.n; i++)
    if (periods.items[i].executed > 0)
      g_string_append_printf (got, "%s%" PRIu64 ":%" PRIu64 "/%" PRIu64,
                              got->len > 0 ? " " : "", periods.items[i].start,
                              periods.items[i].recorded,
                              periods.items[i].executed);
  g_assert_cmpstr (got->str, ==, expected);
  g_string_free (got, TRUE);
  dg_sampling_periods_fini (&periods);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_none (void)
{
  struct dg_sampling sampling;
  GByteArray *bytes =
    core_test_assemble (CODE RUN "window 0 1 2\nend icount=9\n", 8, false);
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  g_assert_cmpint (dg_sampling_of (log, &sampling, &err), ==, 0);
  g_assert_cmpuint (sampling.executed, ==, 0);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  check (CODE RUN "end\n", 0, DG_NEVER, "");
  check (CODE "window 0 4 0\nwindow 1 4 5\n" RUN "end\n", 0, DG_NEVER, "");
}

static void
test_periods (void)
{
  const char *text = CODE
    "window 0 9 0\nwindow 1 8 4\n" RUN "window 0 8 6\n"
    /* Its window has two parts.  */
    "window 1 9 10\n" RUN "window 0 8 12\nwindow 1 8 18\n" RUN
    /* Recording goes on.  */
    "window 1 9 20\n" RUN "window 0 8 22\n"
    "end icount=27\n";

  check (text, 0, DG_NEVER, "0:2/10 10:4/10 20:2/7");
  check (text, 5, 21, "0:1/5 10:4/10 20:1/1");
  check (text, 11, 11, "");
}

/* What others than the sample did not want is not represented by it.  */
static void
test_others (void)
{
  /* A function from 3 to 8 and from 25 on, in periods of 10.  */
  check (CODE
         "window 0 0 0\nwindow 0 9 3\nwindow 1 8 5\n" RUN "window 0 8 7\n"
         "window 0 2 8\n"
         "window 0 9 25\nwindow 1 2 25\n" RUN "window 0 8 27\n"
         "window 0 9 30\nend icount=33\n",
         0, DG_NEVER, "3:2/5 25:2/5 30:0/3");
  /* A part of a log that dg cut took: its first period is not whole.  */
  check (CODE
         "window 1 7 6\n" RUN "window 0 8 8\nwindow 0 9 10\nwindow 1 8 14\n"
         RUN "window 1 7 16\n" RUN "window 0 8 18\nend icount=20\n",
         6, DG_NEVER, "0:2/4 10:4/10");
}

static void
test_sum (void)
{
  GByteArray *bytes = core_test_assemble (
    CODE "window 1 9 0\n" RUN "window 0 8 2\nwindow 0 9 10\n"
         "window 1 9 20\n" RUN "window 0 5 22\nend icount=99\n",
    8, false);
  struct dg_sampling sampling;
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  g_assert_cmpint (dg_sampling_of (log, &sampling, &err), ==, 1);
  g_assert_cmpuint (sampling.windows, ==, 2);
  g_assert_cmpuint (sampling.recorded, ==, 4);
  g_assert_cmpuint (sampling.executed, ==, 22);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Where windows begin: behind what is missing, and with periods.  */
static void
check_windows (const char *text, const char *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);
  struct dg_sampling_periods periods;
  GString *got = g_string_new (NULL);

  g_assert_cmpint (
    dg_sampling_periods_init (&periods, log, 0, DG_NEVER, NULL), ==, 0);
  for (size_t i = 0; i < periods.n_windows; i++)
    g_string_append_printf (got, "%" PRIu64 " ", periods.windows[i]);
  g_assert_cmpstr (got->str, ==, expected);
  g_string_free (got, TRUE);
  dg_sampling_periods_fini (&periods);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_windows (void)
{
  /* Two parts of a period; a period in which recording goes on.  */
  check_windows (CODE
                 "window 0 9 0\nwindow 1 8 4\n" RUN "window 0 8 6\n"
                 "window 1 9 10\n" RUN "window 0 8 12\nwindow 1 8 18\n" RUN
                 "window 1 9 20\n" RUN "window 0 8 22\nend icount=27\n",
                 "4 10 18 20 ");
  /* What was not to be recorded does not count.  */
  check_windows (CODE "window 1 9 0\n" RUN "window 0 1 2\nwindow 1 1 50\n"
                 RUN "window 0 8 52\nwindow 0 1 60\nwindow 1 1 70\n" RUN
                 "end icount=72\n",
                 "0 70 ");
  check_windows (CODE "window 0 1 0\nwindow 1 1 9\n" RUN "end\n", "");
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sampling/none", test_none);
  g_test_add_func ("/sampling/periods", test_periods);
  g_test_add_func ("/sampling/others", test_others);
  g_test_add_func ("/sampling/sum", test_sum);
  g_test_add_func ("/sampling/windows", test_windows);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
