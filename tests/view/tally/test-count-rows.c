/* test-count-rows.c: rows of tables: they have all that the tally has, each
   once, in order; and which functions are not the place of an allocation.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/tally/rows.h"

#include "tally_log.h"
#include "unit_main.h"

static struct dv_tally *
make_tally (const struct tally_log *log)
{
  struct dg_error err = { 0 };
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  g_assert_nonnull (data);
  struct dv_scene *scene = dv_scene_new (data, "", "", NULL, NULL, &err);
  g_assert_nonnull (scene);
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, NULL, NULL,
                                         NULL, &err);
  g_assert_nonnull (tally);
  dv_scene_unref (scene);
  dv_data_unref (data);
  return tally;
}

static uint64_t
weight (const struct dv_row *row)
{
  return MAX (dv_tally_count_accesses (&row->count), row->inclusive);
}

/* The sum of all rows, which are in order.  */
static uint64_t
check_rows (const struct dv_rows *rows)
{
  uint64_t sum = 0;
  g_assert_cmpuint (rows->n, ==, rows->rows.n);
  for (guint i = 0; i < rows->rows.n; i++) {
    const struct dv_row *row = dv_rows_at (rows, i);
    g_assert_true (g_utf8_validate (row->name, -1, NULL));
    g_assert_true (*row->name != '\0');
    g_assert_nonnull (row->where);
    g_assert_nonnull (row->module);
    g_assert_true (i == 0 || weight (&row[-1]) >= weight (row));
    sum += dv_tally_count_accesses (&row->count);
    struct dv_highlight *highlight = dv_rows_highlight (rows, i);
    struct dv_view view;
    if (dv_rows_view (rows, i, &view))
      g_assert_false (dv_view_is_empty (&view));
    dv_highlight_unref (highlight);
  }
  return sum;
}

static void
test_all (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 3, 1500, false };
  struct tally_log *log = tally_log_new (&kind);
  struct dv_tally *tally = make_tally (log);
  uint64_t total = dv_tally_count_accesses (&tally->total);
  struct dg_error err = { 0 };
  for (int i = DV_ROWS_FUNCTIONS; i <= DV_ROWS_THREADS; i++) {
    struct dv_rows *rows = dv_rows_new (tally, i, NULL, NULL, &err);
    g_assert_nonnull (rows);
    uint64_t sum = check_rows (rows);
    if (i == DV_ROWS_PAGES || i == DV_ROWS_LINES)
      g_assert_cmpuint (sum, >=, total);
    else
      g_assert_cmpuint (sum, ==, total);
    dv_rows_unref (rows);
  }
  dv_tally_unref (tally);
  tally_log_free (log);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_stop (void)
{
  struct tally_log_kind kind = { 8, 4096, 64, false, 3, 1500, false };
  struct tally_log *log = tally_log_new (&kind);
  struct dv_tally *tally = make_tally (log);
  struct dg_error err = { 0 };
  g_assert_null (dv_rows_new (tally, DV_ROWS_LINES, stop, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  dv_tally_unref (tally);
  tally_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/count-rows/all", test_all);
  g_test_add_func ("/count-rows/stop", test_stop);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
