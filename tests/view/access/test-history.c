/* test-history.c: the history of a line is what walking finds, page by page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/access/history.h"

#include <dg_record.h>

#include "model/log/seek.h"
#include "unit_main.h"
#include "view/scene_walk.h"

static const struct dg_access *
at (const GArray *all, guint i)
{
  return &g_array_index (all, struct dg_access, i);
}

/* Every row of a page is the access of its number.  */
static void
check_page (const struct dv_history_page *page, const GArray *all, guint most)
{
  g_assert_cmpuint (page->history->total, ==, all->len);
  g_assert_cmpuint (page->rows->len, ==, MIN (most, all->len - page->first));
  for (guint i = 0; i < page->rows->len; i++) {
    const struct dv_history_row *row
      = &g_array_index (page->rows, struct dv_history_row, i);
    g_assert_true (dv_seek_same_access (&row->access,
                                        at (all, (guint) page->first + i)));
    g_assert_nonnull (row->who);
    g_assert_nonnull (row->field);
    g_assert_nonnull (row->thread);
  }
}

static void
check_counts (const struct dv_history *history, const GArray *all)
{
  uint64_t writes = 0;
  for (guint i = 0; i < all->len; i++)
    writes += at (all, i)->kind == DG_ACC_WRITE;
  g_assert_cmpuint (history->writes, ==, writes);
  g_assert_cmpuint (history->reads, ==, all->len - writes);
}

/* From the page around one access to all others.  */
static void
check_line (struct dv_scene *scene, uint64_t low, uint64_t high, guint most)
{
  struct dg_error err = { 0 };
  GArray *all = scene_walk (scene, low, high);
  guint i = (guint) g_test_rand_int_range (0, (gint32) all->len), row;
  struct dv_history_page *page = dv_history_new (scene, low, high, at (all, i),
                                                 most, NULL, NULL, &err);
  g_assert_nonnull (page);
  check_counts (page->history, all);
  check_page (page, all, most);
  g_assert_true (dv_history_find (page, at (all, i), &row));
  for (uint64_t first = 0; first < all->len; first += most) {
    struct dv_history_page *other = dv_history_page (page->history, first,
                                                     most, NULL, NULL, &err);
    g_assert_nonnull (other);
    g_assert_cmpuint (other->first, ==, first);
    check_page (other, all, most);
    dv_history_page_free (other);
  }
  dv_history_page_free (page);
  g_array_unref (all);
}

static void
check_scene (struct dv_scene *scene)
{
  GArray *all = scene_walk (scene, 0, UINT64_MAX);
  g_assert_cmpuint (all->len, >, 0);
  for (int n = 0; n < 20; n++) {
    guint i = (guint) g_test_rand_int_range (0, (gint32) all->len);
    uint64_t low = at (all, i)->address & ~UINT64_C (63);
    check_line (scene, low, low + 64, n % 2 == 0 ? 5 : 1000);
  }
  check_line (scene, 0, UINT64_MAX, 3000);
  g_array_unref (all);
}

static void
test_random (gconstpointer events)
{
  struct random_log *log = random_log_new (8, false, 3000);
  struct dv_scene *scene = scene_walk_open (log, events);
  check_scene (scene);
  dv_scene_unref (scene);
  random_log_free (log);
}

/* Chunks are left out by the index.  */
static void
test_index (void)
{
  struct random_log *log = random_log_new (8, false, 3000);
  struct dv_scene *scene = scene_walk_open_indexed (log);
  check_scene (scene);
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
refuse (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

/* Memory that nobody touched; and who does not want to know.  */
static void
test_nothing (void)
{
  struct random_log *log = random_log_new (8, false, 500);
  struct dv_scene *scene = scene_walk_open (log, NULL);
  struct dg_access nowhere = { .icount = 7 };
  struct dg_error err = { 0 };
  struct dv_history_page *page
    = dv_history_new (scene, 8, 16, &nowhere, 10, NULL, NULL, &err);
  guint row;
  g_assert_nonnull (page);
  g_assert_cmpuint (page->history->total, ==, 0);
  g_assert_cmpuint (page->rows->len, ==, 0);
  g_assert_false (dv_history_find (page, &nowhere, &row));
  dv_history_page_free (page);
  g_assert_null (dv_history_new (scene, 0, UINT64_MAX, &nowhere, 10, refuse,
                                 NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/history/random", NULL, test_random);
  g_test_add_data_func ("/history/filtered", "user:work", test_random);
  g_test_add_func ("/history/index", test_index);
  g_test_add_func ("/history/nothing", test_nothing);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
