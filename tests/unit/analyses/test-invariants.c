/* test-invariants.c: "dg invariants" finds sums that are not what there is.
   What texts of logs can show is in tests/cli/dg-invariants.sh.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "dg_analysis.h"
#include "unit_main.h"

static const struct dg_analysis *
find_analysis (void)
{
  size_t n;
  const struct dg_analysis *const *all = dg_analyses (&n);

  for (size_t i = 0; i < n; i++)
    if (strcmp (all[i]->name, "invariants") == 0)
      return all[i];
  g_error ("there is no such analysis");
}

/* What was found, a line for each.  */
static char *
find (const struct dg_log *log, bool *has_failed)
{
  const struct dg_analysis *analysis = find_analysis ();
  const struct dg_analyse_options options = {.size = sizeof options,
                                             .workers = 2};
  struct dg_report *report = dg_report_new (NULL);
  GString *text = g_string_new (NULL);
  const struct dg_report_item *item;
  struct dg_error err = { 0 };

  if (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report, &err) < 0)
    g_error ("%s", err.message);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++)
    for (uint64_t row = 0; row < item->n_rows; row++) {
      struct dg_cell cells[64];

      if (item->key == NULL || strcmp (item->key, "findings") != 0)
        continue;
      dg_report_row (item, row, cells);
      g_string_append_printf (text, "%s: %s\n", cells[2].text, cells[3].text);
    }
  *has_failed = dg_report_has_failed (report);
  dg_report_free (report);
  return g_string_free (text, FALSE);
}

static void
assert_found (const struct dg_log *log, const char *expected)
{
  bool has_failed;
  char *text = find (log, &has_failed);

  g_assert_cmpstr (text, ==, expected);
  g_assert_true (has_failed == (*expected != '\0'));
  g_free (text);
}

#define LOG                                                          \
  "bbdef [0x100+1 0x101+1] [R4@0 W8@1]\ncontext 0 [0x100]\n"         \
  "bbrun 0 2 [0x10 0x20]\nbbrun 0 2 [0 0x20]\nthread_switch 2\n"     \
  "bbrun 0 1 [0x10]\n"

/* Each of the sums, one more than it is.  */
static void
test_totals (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (LOG, &bytes);
  struct dg_summary *summary = &log->contents.summary;
  struct dg_thread *threads = log->contents.threads.items;
  const struct {
    uint64_t *sum;
    const char *expected;
  } sums[] = {
    { &summary->runs, "totals: runs: the log says 4, but it has 3\n" },
    { &summary->instructions,
      "totals: instructions: the log says 6, but it has 5\n" },
    { &summary->reads, "totals: reads: the log says 3, but it has 2\n" },
    { &summary->writes, "totals: writes: the log says 3, but it has 2\n" },
    { &threads[1].instructions,
      "totals: instructions of thread 2: the log says 2, but it has 1\n" }
  };

  assert_found (log, "");
  for (size_t i = 0; i < G_N_ELEMENTS (sums); i++) {
    ++*sums[i].sum;
    assert_found (log, sums[i].expected);
    --*sums[i].sum;
  }
  assert_found (log, "");
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* More findings than are kept are counted.  */
static void
test_many (void)
{
  GString *text = g_string_new (LOG);
  GByteArray *bytes;
  struct dg_log *log;
  bool has_failed;
  char *found;
  size_t n = 0;

  for (unsigned i = 0; i < 10050; i++)
    g_string_append (text, "end_event \"e\"\n");
  log = core_test_log (text->str, &bytes);
  found = find (log, &has_failed);
  for (const char *at = found; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  g_assert_cmpuint (n, ==, 10000);
  g_assert_true (has_failed);
  g_free (found);
  g_string_free (text, TRUE);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/invariants/totals", test_totals);
  g_test_add_func ("/invariants/many", test_many);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
