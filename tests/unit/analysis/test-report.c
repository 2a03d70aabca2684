/* test-report.c: what is told to a report is what it holds; its files take
   their places at the end, or not at all; values of options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/option.h"
#include "analysis/report.h"
#include "analysis/report_parts.h"
#include "unit_main.h"

static struct dg_report *
new_report (void)
{
  struct dg_error err;
  struct dg_report *report = dg_report_new (&err);

  g_assert_nonnull (report);
  return report;
}

static void
finish (struct dg_report *report)
{
  struct dg_error err;

  g_assert_cmpint (dg_report_finish (report, &err), ==, 0);
}

/* ---- Items ------------------------------------------------------------ */

static void
test_empty (void)
{
  struct dg_report *report = new_report ();

  g_assert_null (dg_report_at (report, 0));
  g_assert_false (dg_report_has_failed (report));
  g_assert_false (dg_report_has_output (report));
  finish (report);
  dg_report_free (report);
  dg_report_free (NULL);
}

static void
test_items (void)
{
  struct dg_report *report = new_report ();
  const struct dg_report_item *item;
  char key[] = "name", text[] = "main";
  struct dg_cell cell;

  dg_report_count (report, "count", "Count", UINT64_MAX);
  dg_report_begin (report, "group", "Group");
  dg_report_value (report, key, "Name", DG_UNIT_TEXT, DG_CELL_TEXT (text));
  dg_report_value (report, "share", NULL, DG_UNIT_PERCENT,
                   DG_CELL_REAL (0.1));
  dg_report_end (report);
  dg_report_note (report, "%d of %s", 3, "four");
  dg_report_text (report, "source", "Source", "a\n\tb\n");
  dg_report_value (report, "none", "None", DG_UNIT_COUNT, DG_CELL_EMPTY);
  /* Texts are copied.  */
  memset (key, 'x', sizeof key - 1);
  memset (text, 'x', sizeof text - 1);

  item = dg_report_at (report, 0);
  g_assert_cmpint (item->kind, ==, DG_ITEM_VALUE);
  g_assert_cmpstr (item->key, ==, "count");
  g_assert_cmpstr (item->title, ==, "Count");
  g_assert_cmpuint (item->n_columns, ==, 1);
  g_assert_cmpuint (item->n_rows, ==, 1);
  dg_report_row (item, 0, &cell);
  g_assert_true (cell.number == UINT64_MAX && !cell.is_empty);
  item = dg_report_at (report, 1);
  g_assert_cmpint (item->kind, ==, DG_ITEM_BEGIN);
  g_assert_cmpstr (item->key, ==, "group");
  item = dg_report_at (report, 2);
  g_assert_cmpstr (item->key, ==, "name");
  dg_report_row (item, 0, &cell);
  g_assert_cmpstr (cell.text, ==, "main");
  item = dg_report_at (report, 3);
  g_assert_null (item->title);
  dg_report_row (item, 0, &cell);
  g_assert_cmpfloat (cell.real, ==, 0.1);
  g_assert_cmpint (dg_report_at (report, 4)->kind, ==, DG_ITEM_END);
  item = dg_report_at (report, 5);
  g_assert_cmpint (item->kind, ==, DG_ITEM_NOTE);
  g_assert_cmpstr (item->text, ==, "3 of four");
  item = dg_report_at (report, 6);
  g_assert_cmpint (item->kind, ==, DG_ITEM_TEXT);
  g_assert_cmpstr (item->text, ==, "a\n\tb\n");
  dg_report_row (dg_report_at (report, 7), 0, &cell);
  g_assert_true (cell.is_empty);
  g_assert_null (dg_report_at (report, 8));
  finish (report);
  dg_report_free (report);
}

static void
test_table (void)
{
  static const struct dg_column columns[] = {
    { "name", "Name", DG_UNIT_TEXT, DG_COLUMN_LAST },
    { "address", "Address", DG_UNIT_ADDRESS, 0 },
    { "mean", "Mean", DG_UNIT_REAL, 0 },
    { "threads", "Threads", DG_UNIT_PAIRS, 0 },
  };
  static const struct dg_pair pairs[] = { { 1, 500 }, { UINT64_MAX, 300 } };
  struct dg_report *report = new_report ();
  const struct dg_report_item *item;
  struct dg_rows *rows =
    dg_report_table (report, "rows", "Rows", columns, G_N_ELEMENTS (columns));
  const uint64_t n = 10000;
  struct dg_cell cells[4];

  for (uint64_t i = 0; i < n; i++) {
    char *name = g_strdup_printf ("f%" G_GUINT64_FORMAT, i % 100);
    const struct dg_cell row[] = {
      i % 7 ? DG_CELL_TEXT (name) : DG_CELL_TEXT (NULL),
      i % 5 ? DG_CELL_NUMBER (i << 40) : DG_CELL_EMPTY,
      DG_CELL_REAL (i % 3 ? (double) i / 3 : NAN),
      DG_CELL_PAIRS (pairs, i % 3),
    };

    dg_rows_add (rows, row);
    g_free (name);
  }
  item = dg_report_at (report, 0);
  g_assert_cmpint (item->kind, ==, DG_ITEM_TABLE);
  g_assert_cmpuint (item->n_columns, ==, G_N_ELEMENTS (columns));
  g_assert_cmpint (item->columns[0].flags, ==, DG_COLUMN_LAST);
  g_assert_cmpuint (item->n_rows, ==, n);
  for (uint64_t i = 0; i < n; i++) {
    char *name = g_strdup_printf ("f%" G_GUINT64_FORMAT, i % 100);

    dg_report_row (item, i, cells);
    g_assert_cmpstr (cells[0].text, ==, i % 7 ? name : NULL);
    g_assert_true (cells[0].is_empty == (i % 7 == 0));
    g_assert_true (cells[1].is_empty == (i % 5 == 0));
    g_assert_true (cells[1].is_empty || cells[1].number == i << 40);
    g_assert_true (i % 3 ? cells[2].real == (double) i / 3
                         : isnan (cells[2].real));
    g_assert_cmpuint (cells[3].n_pairs, ==, i % 3);
    for (size_t j = 0; j < cells[3].n_pairs; j++) {
      g_assert_cmpuint (cells[3].pairs[j].key, ==, pairs[j].key);
      g_assert_cmpuint (cells[3].pairs[j].count, ==, pairs[j].count);
    }
    g_free (name);
  }
  finish (report);
  dg_report_free (report);
}

/* Values at the ends of their ranges, in another order.  */
static void
test_arrange (void)
{
  static const struct dg_column columns[] = {
    { "count", "Count", DG_UNIT_COUNT, 0 },
    { "step", "Step", DG_UNIT_STEP, 0 },
    { "change", "Change", DG_UNIT_CHANGE_PERCENT, 0 },
    { "list", "List", DG_UNIT_LIST, 0 },
    { "is_last", "Last", DG_UNIT_BOOLEAN, 0 },
  };
  static const uint64_t numbers[] = { 0, 1, 127, 128, UINT64_MAX / 2,
                                      UINT64_MAX };
  static const double reals[] = { 0, -0.0, 0.5, -1, 1.0 / 3, HUGE_VAL };
  struct dg_report *report = new_report ();
  struct dg_rows *rows =
    dg_report_table (report, "rows", "Rows", columns, G_N_ELEMENTS (columns));
  const uint32_t n = 1001;
  uint32_t *order = g_new (uint32_t, n);
  struct dg_cell cells[G_N_ELEMENTS (columns)];

  for (uint32_t i = 0; i < n; i++) {
    const struct dg_pair pairs[] = { { i, 1 }, { numbers[i % 6], 1 } };
    const struct dg_cell row[] = {
      DG_CELL_NUMBER (numbers[i % 6]),
      DG_CELL_NUMBER (numbers[i / 6 % 6]),
      DG_CELL_REAL (reals[i % 6]),
      DG_CELL_PAIRS (pairs, 2),
      i % 2 ? DG_CELL_NUMBER (1) : DG_CELL_EMPTY,
    };

    dg_rows_add (rows, row);
    order[i] = n - 1 - i;
  }
  dg_report_arrange (rows, order, n);
  for (uint32_t row = 0; row < n; row++) {
    uint32_t i = n - 1 - row;

    dg_report_row (dg_report_at (report, 0), row, cells);
    g_assert_cmpuint (cells[0].number, ==, numbers[i % 6]);
    g_assert_cmpuint (cells[1].number, ==, numbers[i / 6 % 6]);
    g_assert_cmpmem (&cells[2].real, sizeof (double), &reals[i % 6],
                     sizeof (double));
    g_assert_cmpuint (cells[3].n_pairs, ==, 2);
    g_assert_cmpuint (cells[3].pairs[0].key, ==, i);
    g_assert_cmpuint (cells[3].pairs[1].key, ==, numbers[i % 6]);
    g_assert_true (cells[4].is_empty == (i % 2 == 0));
  }
  finish (report);
  dg_report_free (report);
}

/* Rows of which most cells are small, or as before, take little.  */
static void
test_size (void)
{
  static const struct dg_column columns[] = {
    { "accesses", "Accesses", DG_UNIT_COUNT, 0 },
    { "threads", "Threads", DG_UNIT_PAIRS, 0 },
    { "share", "Share", DG_UNIT_PERCENT, 0 },
    { "address", "Address", DG_UNIT_ADDRESS, 0 },
    { "name", "Name", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  static const struct dg_pair pairs[] = { { 1, 2 }, { 2, 2 } };
  struct dg_report *report = new_report ();
  struct dg_rows *rows =
    dg_report_table (report, "rows", "Rows", columns, G_N_ELEMENTS (columns));
  const uint64_t n = 100000;

  for (uint64_t i = 0; i < n; i++)
    dg_rows_add (rows, (struct dg_cell[]){ DG_CELL_NUMBER (4),
                                           DG_CELL_PAIRS (pairs, 2),
                                           DG_CELL_REAL (0.5),
                                           DG_CELL_NUMBER (0x40000 + 8 * i),
                                           DG_CELL_TEXT ("<global>.a") });
  g_assert_cmpuint (rows->item.n_rows, ==, n);
  g_assert_cmpuint (rows->room + rows->starts.room * sizeof (size_t), <,
                    20 * n);
  g_assert_cmpuint (report->references.n, <, 10);
  finish (report);
  dg_report_free (report);
}

static void
test_failed (void)
{
  struct dg_report *report = new_report ();

  dg_report_fail (report);
  g_assert_true (dg_report_has_failed (report));
  finish (report);
  dg_report_free (report);
}

/* The third time, it is enough.  */
static int
stop_at_three (void *user, uint64_t done, uint64_t total)
{
  unsigned *calls = user;

  g_assert_cmpuint (done, >=, ++*calls);
  g_assert_cmpuint (total, ==, 10);
  return *calls == 3;
}

static void
test_pace (void)
{
  struct dg_report *report = new_report ();
  struct dg_error err;
  unsigned calls = 0;
  uint64_t done = 0;
  int code;

  g_assert_cmpint (dg_report_pace (report, 1, 10, &err), ==, 0);
  dg_report_set_progress (report, stop_at_three, &calls);
  /* However often it is called, not every time is told.  */
  do {
    code = dg_report_pace (report, ++done, 10, &err);
    g_assert_cmpuint (calls, <=, 3);
  } while (code == 0);
  g_assert_cmpint (code, ==, DG_ERR_CANCELLED);
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_cmpuint (calls, ==, 3);
  g_assert_cmpuint (done, >, 100);
  dg_report_free (report);
}

/* ---- Files ------------------------------------------------------------ */

/* How many files there are in a folder.  */
static unsigned
count_files (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  unsigned n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

static void
check_text (const char *path, const char *expected)
{
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_files (void)
{
  char *folder = g_dir_make_tmp ("test-report-XXXXXX", NULL);
  char *path = g_build_filename (folder, "out", NULL);
  char *absent = g_build_filename (folder, "absent", "out", NULL);
  struct dg_report *report;
  struct dg_error err;
  FILE *file;

  g_file_set_contents (path, "old", -1, NULL);
  /* Not finished: nothing has happened.  */
  report = new_report ();
  file = dg_report_file (report, path, &err);
  g_assert_nonnull (file);
  fputs ("new", file);
  dg_report_free (report);
  check_text (path, "old");
  g_assert_cmpuint (count_files (folder), ==, 1);

  report = new_report ();
  file = dg_report_file (report, path, &err);
  fputs ("new", file);
  check_text (path, "old");
  g_assert_null (dg_report_file (report, path, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  g_assert_null (dg_report_file (report, absent, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_IO);
  g_assert_nonnull (strstr (err.message, absent));
  finish (report);
  check_text (path, "new");
  g_assert_cmpuint (count_files (folder), ==, 1);
  dg_report_free (report);
  check_text (path, "new");

  g_remove (path);
  g_rmdir (folder);
  g_free (absent);
  g_free (path);
  g_free (folder);
}

/* A file that cannot be written is told of, and the others stay away, too.  */
static void
test_full (void)
{
  char *folder = g_dir_make_tmp ("test-report-XXXXXX", NULL);
  char *path = g_build_filename (folder, "out", NULL);
  struct dg_report *report;
  struct dg_error err;
  FILE *file;
  int full, saved;

  full = g_open ("/dev/full", O_WRONLY, 0);
  if (full < 0) {
    g_test_skip ("no /dev/full");
    g_free (path);
    g_rmdir (folder);
    g_free (folder);
    return;
  }
  report = new_report ();
  file = dg_report_file (report, path, &err);
  fputs ("new", file);
  fflush (stdout);
  saved = dup (STDOUT_FILENO);
  dup2 (full, STDOUT_FILENO);
  close (full);
  file = dg_report_file (report, "-", &err);
  dup2 (saved, STDOUT_FILENO);
  close (saved);
  g_assert_nonnull (file);
  g_assert_true (dg_report_has_output (report));
  g_assert_null (dg_report_file (report, "-", &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  fputs ("new", file);
  g_assert_cmpint (dg_report_finish (report, &err), ==, DG_ERR_IO);
  g_assert_nonnull (strstr (err.message, "standard output"));
  g_assert_nonnull (strstr (err.message, g_strerror (ENOSPC)));
  dg_report_free (report);
  g_assert_cmpuint (count_files (folder), ==, 0);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
}

/* ---- Options ---------------------------------------------------------- */

static void
check_option (const struct dg_option *option, const char *text,
              const char *message)
{
  struct dg_error err = { 0 };
  int code = dg_option_check (option, text, &err);

  g_assert_cmpint (code, ==, message ? DG_ERR_INVALID : 0);
  g_assert_cmpstr (err.message, ==, message ? message : "");
}

static void
test_options (void)
{
  static const struct dg_option options[] = {
    { "flag", DG_OPTION_FLAG, NULL, NULL, NULL, "help" },
    { "number", DG_OPTION_NUMBER, "N", "3", NULL, "help" },
    { "rate", DG_OPTION_REAL, "RATE", NULL, NULL, "help" },
    { "by", DG_OPTION_CHOICE, "WHAT", NULL, "line,function", "help" },
    { "out", DG_OPTION_FILE, "FILE", NULL, NULL, "help" },
    { "text", DG_OPTION_TEXT, "TEXT", NULL, NULL, "help" },
    { NULL }
  };
  struct dg_option_value value;
  struct dg_error err;

  check_option (&options[0], NULL, NULL);
  check_option (&options[0], "yes", "--flag takes no value");
  check_option (&options[1], NULL, "--number needs a value");
  check_option (&options[1], "3k", NULL);
  check_option (&options[1], "3q", "--number: '3q' is not a number");
  check_option (&options[2], "0.01", NULL);
  check_option (&options[2], "1e-3", NULL);
  check_option (&options[2], "nan", "--rate: 'nan' is not a number");
  check_option (&options[2], "1e999", "--rate: '1e999' is not a number");
  check_option (&options[2], "1x", "--rate: '1x' is not a number");
  check_option (&options[3], "line", NULL);
  check_option (&options[3], "function", NULL);
  check_option (&options[3], "func",
                "--by: 'func' must be one of line,function");
  check_option (&options[3], "", "--by: '' must be one of line,function");
  check_option (&options[3], "line,function",
                "--by: 'line,function' must be one of line,function");
  check_option (&options[4], "", "--out needs the name of a file");
  check_option (&options[4], "-", NULL);
  check_option (&options[5], "", NULL);
  g_assert_cmpint (dg_option_parse (&options[3], "function", &value, &err),
                   ==, 0);
  g_assert_cmpuint (value.number, ==, 1);
  g_assert_cmpint (dg_option_parse (&options[2], "0.25", &value, &err), ==,
                   0);
  g_assert_cmpfloat (value.real, ==, 0.25);
  g_assert_true (dg_option_find (options, "out") == &options[4]);
  g_assert_null (dg_option_find (options, "ou"));
  g_assert_null (dg_option_find (NULL, "out"));
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/empty", test_empty);
  g_test_add_func ("/report/items", test_items);
  g_test_add_func ("/report/table", test_table);
  g_test_add_func ("/report/arrange", test_arrange);
  g_test_add_func ("/report/size", test_size);
  g_test_add_func ("/report/failed", test_failed);
  g_test_add_func ("/report/pace", test_pace);
  g_test_add_func ("/report/files", test_files);
  g_test_add_func ("/report/full", test_full);
  g_test_add_func ("/report/options", test_options);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
