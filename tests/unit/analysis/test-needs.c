/* test-needs.c: which analyses ask for heap blocks; the others find the same
   in a log that was loaded without them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "dg_analysis.h"
#include "unit_main.h"

static bool
needs (const char *name, const char *option, const char *value)
{
  const struct dg_analysis *analysis = dg_analysis_find (name);
  const struct dg_setting setting = { option, value };
  const struct dg_analyse_options options = {
    .size = sizeof options, .settings = &setting,
    .n_settings = option != NULL
  };

  g_assert_nonnull (analysis);
  return dg_analyse_blocks (&analysis, 1, &options) != DG_BLOCKS_NONE;
}

static void
test_options (void)
{
  static const struct {
    const char *analysis, *option, *value;
    bool needs;
  } cases[] = {
    { "counts", NULL, NULL, false },
    { "counts", "by", "line", false },
    { "counts", "by", "thread", false },
    { "counts", "by", "variable", true },
    { "counts", "by", "site", true },
    { "counts", "by", "nonsense", true },
    { "cache", NULL, NULL, false },
    { "cache", "by", "site", true },
    { "cache", "cores", "1", false },
    { "cache", "cores", "2", true },
    { "cache", "cores", "threads", true },
    { "tlb", NULL, NULL, false },
    { "tlb", "cores", "2", false },
    { "tlb", "by", "variable", true },
    { "calls", NULL, NULL, false },
    { "calls", "folded", "-", false },
    { "calls", "chrome", "-", true },
    { "branches", NULL, NULL, false },
    { "time", NULL, NULL, false },
    { "invariants", NULL, NULL, false },
    { "opcodes", NULL, NULL, false },
    { "schedule", NULL, NULL, false },
    { "reuse", NULL, NULL, true },
    { "reuse", "worst", "0", false },
    { "pages", NULL, NULL, true },
    { "patterns", NULL, NULL, true },
    { "sharing", NULL, NULL, true },
    { "whatif", NULL, NULL, true },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%s --%s=%s", cases[i].analysis, cases[i].option,
                    cases[i].value);
    g_assert_cmpint (needs (cases[i].analysis, cases[i].option,
                            cases[i].value), ==, cases[i].needs);
  }
}

/* One that needs them is enough.  */
static void
test_several (void)
{
  const struct dg_analysis *both[] = { dg_analysis_find ("counts"),
                                       dg_analysis_find ("patterns") };
  const struct dg_analyse_options options = { .size = sizeof options };

  g_assert_cmpint (dg_analyse_blocks (both, 1, &options), ==, DG_BLOCKS_NONE);
  g_assert_cmpint (dg_analyse_blocks (both, 2, &options), ==,
                   DG_BLOCKS_PASSING);
}

/* ---- What they find ---- */

static void
add_item (GString *text, const struct dg_report_item *item)
{
  struct dg_cell cells[64];

  g_string_append_printf (text, "%d %s %s\n", (int) item->kind,
                          item->key != NULL ? item->key : "",
                          item->text != NULL ? item->text : "");
  for (uint64_t row = 0; row < item->n_rows; row++) {
    memset (cells, 0, sizeof cells);
    dg_report_row (item, row, cells);
    for (size_t i = 0; i < item->n_columns; i++)
      g_string_append_printf (text, " %" G_GUINT64_FORMAT " %g %s %zu",
                              cells[i].number, cells[i].real,
                              cells[i].text != NULL ? cells[i].text : "",
                              cells[i].n_pairs);
    g_string_append_c (text, '\n');
  }
}

/* other: a second analysis, or NULL.  */
static char *
report_of (const struct dg_log *log, const struct dg_analysis *analysis,
           const struct dg_analysis *other, const struct dg_setting *setting,
           unsigned workers)
{
  const struct dg_analysis *const both[] = { analysis, other };
  const struct dg_analyse_options options = {
    .size = sizeof options, .workers = workers, .settings = setting,
    .n_settings = setting != NULL
  };
  struct dg_report *report = dg_report_new (NULL);
  const struct dg_report_item *item;
  GString *text = g_string_new (NULL);
  struct dg_error err = { 0 };
  int code =
    dg_analyse (log, both, other != NULL ? 2 : 1, &options, NULL, NULL,
                report, &err);

  g_string_append_printf (text, "%s: %d %s\n", analysis->name, code,
                          err.message);
  for (size_t i = 0; code == 0 && (item = dg_report_at (report, i)); i++)
    add_item (text, item);
  dg_report_free (report);
  return g_string_free (text, FALSE);
}

static void
check (const struct dg_log *log)
{
  static const char *const names[] = { "counts", "cache", "tlb", "calls",
                                       "branches", "time", "invariants",
                                       "opcodes", "schedule", "reuse" };
  static const struct dg_setting none_of_worst = { "worst", "0" };
  const struct dg_analysis *analysis = dg_analysis_find (
    names[g_test_rand_int_range (0, G_N_ELEMENTS (names))]);
  const struct dg_setting *setting =
    strcmp (analysis->name, "reuse") == 0 ? &none_of_worst : NULL;
  struct dg_log none = { .ops = log->ops, .source = log->source,
                         .path = log->path, .header = log->header,
                         .format = log->format, .blocks = DG_BLOCKS_NONE };
  struct dg_error err;
  char *expected, *got;

  g_assert_cmpint (dg_log_load (&none, 1, NULL, NULL, &err), ==,
                   log->contents.load_code);
  expected = report_of (log, analysis, NULL, setting, 2);
  got = report_of (&none, analysis, NULL, setting, 2);
  g_assert_cmpstr (got, ==, expected);
  g_free (expected);
  g_free (got);
  dg_contents_fini (&none.contents);
}

static void
test_reports (void)
{
  core_test_random (10, 2000, check);
}

/* ---- What they find while blocks pass ---- */

static unsigned n_passing;

static void
check_passing (const struct dg_log *log)
{
  static const struct {
    const char *name;
    struct dg_setting setting;
  } cases[] = {
    { "counts", { "by", "variable" } }, { "counts", { "by", "site" } },
    { "cache", { "by", "site" } }, { "cache", { "cores", "threads" } },
    { "tlb", { "by", "variable" } }, { "reuse", { "worst", "30" } },
    { "reuse", { "by", "variable" } }, { "pages", { "hot", "30" } },
    { "pages", { "by", "variable" } }, { "patterns", { NULL } },
    { "sharing", { NULL } }, { "sharing", { "false", "" } }
  };
  size_t at = (size_t) g_test_rand_int_range (0, G_N_ELEMENTS (cases));
  const struct dg_analysis *analysis = dg_analysis_find (cases[at].name);
  const struct dg_setting *setting =
    cases[at].setting.name != NULL ? &cases[at].setting : NULL;
  const struct dg_analysis *other = NULL;
  struct dg_log passing;
  char *expected, *got;

  core_test_load_passing (log, &passing);
  n_passing += passing.window != NULL;
  g_test_message ("%s --%s", cases[at].name, cases[at].setting.name);
  if (g_test_rand_int_range (0, 3) == 0)
    other = dg_analysis_find (cases[at].name[0] == 'p' ? "reuse" : "pages");
  expected = report_of (log, analysis, other, setting, 1);
  got = report_of (&passing, analysis, other, setting,
                   (unsigned) g_test_rand_int_range (1, 4));
  g_assert_cmpstr (got, ==, expected);
  g_free (expected);
  g_free (got);
  core_test_close_passing (&passing);
}

static void
test_passing (void)
{
  core_test_random (60, 4000, check_passing);
  g_assert_cmpuint (n_passing, >, 10);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/needs/options", test_options);
  g_test_add_func ("/needs/several", test_several);
  g_test_add_func ("/needs/reports", test_reports);
  g_test_add_func ("/needs/passing", test_passing);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
