/* test-gaps.c: in what way logs tell less than their programs did.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <unistd.h>

#include "core_test.h"
#include "dg_record.h"
#include "unit_main.h"

/* START_TICKS is 0: nobody can be found to write it still.  */
#define PROCESS(flags) \
  "process 1 0 0 0 4096 64 " flags " 8 \"\" \"\" \"\" \"\" \"\" []\n"
#define CODE "bbdef [1+1 2+1] [W8@0]\ncontext 0 [1]\n"
#define RUN "bbrun 0 2 [0x10]\n"

/* "skip:100 killed": kinds, and instructions where they are known.  */
static char *
gaps_of (const struct dg_log *log)
{
  struct dg_gap gaps[DG_GAP_KINDS];
  GString *text = g_string_new (NULL);
  size_t n = dg_log_gaps (log, gaps);
  unsigned lacks = 0;

  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            dg_gap_name (gaps[i].kind));
    if (gaps[i].instructions > 0)
      g_string_append_printf (text, ":%" G_GUINT64_FORMAT,
                              gaps[i].instructions);
    lacks |= gaps[i].lacks;
  }
  g_assert_cmpuint (lacks, ==, dg_log_lacks (log));
  return g_string_free (text, FALSE);
}

static void
check (const char *text, const char *expected)
{
  GByteArray *bytes = core_test_assemble (text, 8, false);
  unsigned workers[] = { 1, 3 };

  for (size_t i = 0; i < G_N_ELEMENTS (workers); i++) {
    struct dg_error err;
    int code;
    struct dg_log *log = core_test_load (bytes, workers[i], &code, &err);
    char *got = gaps_of (log);

    g_assert_cmpstr (got, ==, expected);
    g_free (got);
    dg_log_close (log);
  }
  g_byte_array_unref (bytes);
}

static void
test_ends (void)
{
  check (PROCESS ("0") CODE RUN "end\n", "");
  check (PROCESS ("0") CODE RUN "end why=1\n", "");
  check (PROCESS ("0") CODE RUN "end why=2\n", "output");
  check (PROCESS ("0") CODE RUN "end why=3\n", "max-size");
  check (PROCESS ("0") CODE RUN "end why=4 exit_code=9\n", "killed");
#define UNDECODED "undecoded 1 0x400003 \"AVX-512\" [0x62 0xf1]\n"
  check (PROCESS ("0") CODE RUN UNDECODED "end why=4 exit_code=4\n",
         "undecoded");
  check (PROCESS ("0") CODE RUN UNDECODED "end\n", "");
  check (PROCESS ("0") CODE RUN "end why=5\n", "cut-end");
  check (PROCESS ("0") CODE RUN, "truncated");
  check (PROCESS ("0") CODE RUN RUN "cut 3\n", "truncated");
  check (PROCESS ("0") CODE RUN "bbrun 7 2 [0x10]\n" RUN, "damaged");
  /* It may be whole.  */
  check (CODE RUN, "no-end");
  check (PROCESS ("1") CODE RUN "end\n", "forked");
  check (PROCESS ("2") CODE RUN "end\n", "");
}

static void
test_windows (void)
{
  /* Off from the start, and once more for a while.  */
  check (PROCESS ("0") "window 0 0 0\n" CODE "window 1 2 1000\n" RUN
         "window 0 2 1002\nwindow 1 2 1500\n" RUN "end\n", "off:1498");
  check (PROCESS ("0") "window 0 4 0\nwindow 1 4 50\n" CODE RUN
         "window 0 5 52\nend icount=90\n", "skip:50 stop-after:38");
  /* No instruction was executed meanwhile: nothing is missing.  */
  check (PROCESS ("0") CODE RUN "window 0 2 2\nwindow 1 2 2\n" RUN
         "window 0 1 4\nend\n", "");
  check (PROCESS ("0") CODE RUN "window 0 6 2\nend why=3 icount=10\n",
         "max-size:8");
  /* What dg cut notes within a gap does not become its own.  */
  check (PROCESS ("0") "window 0 4 0\nwindow 0 7 20\nwindow 1 4 50\n" CODE RUN
         "window 0 7 52\nwindow 1 7 60\n" RUN "end\n", "cut:8 skip:50");
  /* Accesses were left out of runs that stayed.  */
  check (PROCESS ("0") "window 1 7 0\n" CODE RUN "end\n", "cut");
  check (PROCESS ("1") "window 0 1 0\n" CODE "end why=4 icount=8\n",
         "killed forked off:8");
}

/* ---- What dg_log_cut makes -------------------------------------------- */

static void
check_cut (const struct dg_cut_options *options, const char *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (PROCESS ("0") CODE RUN RUN RUN "end\n",
                                      &bytes), *cut;
  char *path = g_build_filename (g_get_tmp_dir (), "test-gaps-XXXXXX", NULL);
  struct dg_error err;
  int fd = g_mkstemp (path);
  char *got;

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_cmpint (dg_log_cut (log, path, options, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (dg_log_open (path, &cut, &err), ==, 0);
  g_assert_cmpint (dg_log_load (cut, 1, NULL, NULL, &err), ==, 0);
  got = gaps_of (cut);
  g_assert_cmpstr (got, ==, expected);
  g_free (got);
  dg_log_close (cut);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  unlink (path);
  g_free (path);
}

static void
test_cut (void)
{
  const struct dg_pack_options pack = {.size = sizeof pack};
  const struct dg_pack_options *forms[] = { NULL, &pack };

  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++) {
    struct dg_cut_options options = {
      .size = sizeof options, .workers = 1, .pack = forms[i]};

    check_cut (&options, "");
    options.start_icount = 2;
    check_cut (&options, "cut:2");
    options.end_icount = 4;
    check_cut (&options, "cut-end cut:2");
    options = (struct dg_cut_options){.size = sizeof (struct dg_cut_options),
                                      .workers = 1,
                                      .pack = forms[i],
                                      .low = 0x4000,
                                      .high = 0x5000};
    check_cut (&options, "cut");
    options.low = 0;
    check_cut (&options, "cut");
  }
}

static void
test_words (void)
{
  for (unsigned kind = 0; kind <= DG_GAP_KINDS; kind++) {
    g_assert_nonnull (dg_gap_name (kind));
    g_assert_nonnull (dg_gap_text (kind));
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gaps/ends", test_ends);
  g_test_add_func ("/gaps/windows", test_windows);
  g_test_add_func ("/gaps/cut", test_cut);
  g_test_add_func ("/gaps/words", test_words);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
