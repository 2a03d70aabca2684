/* test-pick.c: what a click means: every pixel that shows something can be
   asked about, whatever the picture was made of; the nearest access is the
   nearest; those around it are kept.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/access/pick.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "model/access/pick_window.h"
#include "random_log.h"
#include "unit_main.h"

/* ---- The window ------------------------------------------------------ */

/* Accesses with random badness; what stays is a part without gaps that has the
   first of the best, with half of the room on each side as far as there are
   accesses.  */
static void
test_window (void)
{
  for (int round = 0; round < 60; round++) {
    guint n = (guint) g_test_rand_int_range (1, round % 4 == 0 ? 90000
                                                              : 3000);
    guint kept = (guint) g_test_rand_int_range (1, 4097);
    bool improves = round % 3 == 0;
    struct dv_pick_window window;
    double best = INFINITY;
    guint at = 0;
    dv_pick_window_init (&window);
    for (guint i = 0; i < n; i++) {
      struct dg_access access = { .icount = i };
      double badness = g_test_rand_int_range (0, 1000);
      if (improves)
        badness += (n - i) * 3.0;
      if (badness < best) {
        best = badness;
        at = i;
      }
      dv_pick_window_add (&window, &access, badness);
    }
    dv_pick_window_close (&window, kept);
    g_assert_cmpuint (window.total, ==, n);
    g_assert_cmpuint (window.accesses->len, <=, kept);
    g_assert_cmpuint (window.accesses->len, >=, MIN (MIN (n, kept), 2048));
    g_assert_cmpuint (window.first + window.best, ==, at);
    for (guint i = 0; i < window.accesses->len; i++)
      g_assert_cmpuint (g_array_index (window.accesses, struct dg_access,
                                       i).icount,
                        ==, window.first + i);
    dv_pick_window_fini (&window);
  }
}

/* ---- Pixels ---------------------------------------------------------- */

static struct dv_scene *
open_scene (const struct random_log *log, bool with_index)
{
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  g_assert_nonnull (data);
  /* All is told, however busy the machine.  */
  data->patience = G_MAXINT32;
  if (with_index) {
    g_assert_cmpint (dg_index_build (data->log, NULL, 1, NULL, NULL, &index,
                                     &err), ==, 0);
    dv_data_set_index (data, index);
    /* However little there is, it comes from the index.  */
    data->few = 0;
    data->rate = 0;
  }
  struct dv_scene *scene = dv_scene_new (data, "", "", NULL, NULL, &err);
  g_assert_nonnull (scene);
  dv_data_unref (data);
  return scene;
}

/* How far the middle of an access is from a point, in pixels.  */
static double
distance (const struct dv_scene *scene, const struct dv_raster *raster,
          const struct dg_access *access, double x, double y)
{
  uint64_t position;
  g_assert_true (dv_layout_position (&scene->layout, access->address,
                                     &position));
  double per_x = (double) raster->x.span / raster->width;
  double per_y = (double) raster->y.span / raster->height;
  /* Those that the index moved may be outside of the view.  */
  double across = (double) position - (double) raster->view.x0
                  + access->size / 2.0;
  double down = (double) access->icount - (double) raster->view.y0 + 0.5;
  return hypot (across / per_x - x, down / per_y - y);
}

static void
check_pixel (const struct dv_scene *scene, const struct dv_raster *raster,
             uint32_t column, uint32_t row, bool is_exact)
{
  struct dg_error err = { 0 };
  double x = column + g_test_rand_double (), y = row + g_test_rand_double ();
  struct dv_pick *pick = dv_pick_new (scene, raster, column, row, x, y, NULL,
                                      NULL, &err);
  if (pick == NULL)
    g_error ("pixel %u, %u: %s", column, row, err.message);
  g_assert_cmpuint (pick->nearest, <, pick->accesses->len);
  g_assert_cmpuint (pick->first + pick->accesses->len, <=, pick->total);
  const struct dg_access *nearest
    = &g_array_index (pick->accesses, struct dg_access, pick->nearest);
  double least = distance (scene, raster, nearest, x, y);
  uint64_t last = 0;
  for (guint i = 0; i < pick->accesses->len; i++) {
    const struct dg_access *access
      = &g_array_index (pick->accesses, struct dg_access, i);
    guint index;
    g_assert_cmpuint (access->icount, >=, last);
    last = access->icount;
    g_assert_cmpfloat (distance (scene, raster, access, x, y), >=,
                       least - 1e-9);
    g_assert_true (dv_pick_find (pick, access, &index));
  }
  /* On a machine that is very busy it may not look at all of them.  */
  if (is_exact && !pick->is_partial) {
    const struct dv_raster_cell *cell = dv_raster_cell (raster, column, row);
    g_assert_cmpuint (pick->total, ==, cell->count[0] + cell->count[1]);
  }
  dv_pick_free (pick);
}

static void
check_view (const struct dv_scene *scene, const struct dv_view *view,
            uint32_t width, uint32_t height, enum dv_detail detail,
            bool is_exact)
{
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, view, width, height,
                                            detail, NULL, NULL, &err);
  g_assert_nonnull (raster);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      const struct dv_raster_cell *cell = dv_raster_cell (raster, x, y);
      if (cell->count[0] + cell->count[1] > 0
          && g_test_rand_int_range (0, 4) == 0)
        check_pixel (scene, raster, x, y, is_exact);
    }
  dv_raster_free (raster);
}

static void
test_pixels (gconstpointer data)
{
  bool with_index = GPOINTER_TO_INT (data) != 0;
  struct random_log *log = random_log_new (8, false, 1500);
  struct dv_scene *scene = open_scene (log, with_index);
  static const enum dv_detail details[] = { DV_DETAIL_DRAFT, DV_DETAIL_GOOD,
                                            DV_DETAIL_FINE };
  for (guint i = 0; i < G_N_ELEMENTS (details); i++) {
    check_view (scene, &scene->full, 40, 30, details[i], !with_index);
    check_view (scene, &scene->full, 5, 3, details[i], !with_index);
    for (int k = 0; k < 4; k++) {
      struct dv_view view = scene->full;
      view.x0 += (uint64_t) g_test_rand_int_range (
        0, (gint32) (view.x1 - view.x0) / 2);
      view.x1 = view.x0 + 1 + (uint64_t) g_test_rand_int_range (
        0, (gint32) (view.x1 - view.x0));
      view.y0 += (uint64_t) g_test_rand_int_range (
        0, (gint32) (view.y1 - view.y0) / 2);
      view.y1 = view.y0 + 1 + (uint64_t) g_test_rand_int_range (
        0, (gint32) (view.y1 - view.y0));
      check_view (scene, &view, 60, 40, details[i], !with_index);
    }
  }
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_none (void)
{
  struct random_log *log = random_log_new (8, false, 300);
  struct dv_scene *scene = open_scene (log, false);
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, &scene->full, 200, 200,
                                            DV_DETAIL_FINE, NULL, NULL, &err);
  uint32_t at = 0;
  while (raster->cells[at].count[0] + raster->cells[at].count[1] > 0)
    at++;
  g_assert_null (dv_pick_new (scene, raster, at % 200, at / 200,
                              at % 200 + 0.5, at / 200 + 0.5, NULL, NULL,
                              &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  while (raster->cells[at].count[0] + raster->cells[at].count[1] == 0)
    at++;
  struct dv_pick *pick = dv_pick_new (scene, raster, at % 200, at / 200,
                                      at % 200 + 0.5, at / 200 + 0.5, cancel,
                                      NULL, &err);
  /* It may have been too quick to be cancelled.  */
  if (pick == NULL)
    g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  dv_pick_free (pick);
  dv_raster_free (raster);
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pick/window", test_window);
  g_test_add_data_func ("/pick/pixels", GINT_TO_POINTER (0), test_pixels);
  g_test_add_data_func ("/pick/pixels-index", GINT_TO_POINTER (1),
                        test_pixels);
  g_test_add_func ("/pick/none", test_none);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
