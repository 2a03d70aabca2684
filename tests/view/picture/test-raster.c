/* test-raster.c: pictures of random logs, pixel by pixel against what the
   definition says, worked out access by access without the library; and the
   accesses that a pixel is said to hold.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/picture/raster.h"

#include "model/access/pick.h"
#include "raster_check.h"
#include "model/log/work.h"
#include "unit_main.h"

/* The accesses of some pixels, as the pick gives them, are as many as the
   raster has counted there.  */
static void
check_picks (const struct dv_scene *scene, const struct dv_raster *raster)
{
  for (int i = 0; i < 30; i++) {
    struct dg_error err = { 0 };
    double x = g_test_rand_double_range (0, raster->width);
    double y = g_test_rand_double_range (0, raster->height);
    uint32_t column, row;
    if (!dv_pick_pixel (raster, x, y, 1e9, &column, &row)) {
      g_assert_cmpuint (raster->max, ==, 0);
      return;
    }
    const struct dv_raster_cell *cell = dv_raster_cell (raster, column, row);
    g_assert_cmpuint (cell->count[0] + cell->count[1], >, 0);
    struct dv_pick *pick = dv_pick_new (scene, raster, column, row, x, y,
                                        NULL, NULL, &err);
    if (pick == NULL)
      g_error ("%s", err.message);
    g_assert_cmpuint (pick->total, ==, cell->count[0] + cell->count[1]);
    uint32_t kinds[2] = { 0, 0 };
    for (guint k = 0; k < pick->accesses->len; k++)
      kinds[g_array_index (pick->accesses, struct dg_access, k).kind]++;
    if (pick->total <= DV_PICK_KEPT) {
      g_assert_cmpuint (kinds[0], ==, cell->count[0]);
      g_assert_cmpuint (kinds[1], ==, cell->count[1]);
    }
    g_assert_cmpuint (pick->nearest, <, pick->accesses->len);
    dv_pick_free (pick);
  }
}

static void
check_view (const struct random_log *log, int filter,
            const struct dv_scene *scene, const GArray *pages,
            const struct dv_view *view, uint32_t width, uint32_t height)
{
  struct dv_raster *raster = raster_check_view (log, filter, scene, pages,
                                                view, width, height);
  check_picks (scene, raster);
  dv_raster_free (raster);
}

static void
check_log (const struct random_log *log, int filter)
{
  struct dv_scene *scene = raster_check_scene (log, filter);
  GArray *pages = raster_check_pages (log, filter);
  uint64_t first = UINT64_MAX, last = 0, n = 0;
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!raster_check_selected (a, filter))
      continue;
    first = MIN (first, a->icount);
    last = MAX (last, a->icount);
    n++;
  }
  g_assert_cmpuint (scene->accesses, ==, n);
  g_assert_cmpuint (scene->layout.size, ==,
                    (uint64_t) pages->len * RASTER_PAGE);
  for (guint i = 0; i < pages->len; i++)
    g_assert_cmpuint (dv_layout_address (&scene->layout,
                                         (uint64_t) i * RASTER_PAGE), ==,
                      g_array_index (pages, uint64_t, i) * RASTER_PAGE);
  g_assert_cmpuint (scene->full.y0, <=, first);
  g_assert_cmpuint (scene->full.y1, >, last);

  static const uint32_t sizes[][2] = { { 100, 80 }, { 1, 1 }, { 333, 57 },
                                       { 64, 400 } };
  struct dv_view view = scene->full;
  for (int zoom = 0; zoom < 9; zoom++) {
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      check_view (log, filter, scene, pages, &view, sizes[s][0],
                  sizes[s][1]);
    /* Closer, somewhere.  */
    uint64_t w = view.x1 - view.x0, h = view.y1 - view.y0;
    view.x0 += (uint64_t) (g_test_rand_double () * 0.6 * (double) w);
    view.x1 = view.x0 + MAX (w * 2 / 5, 1);
    if (zoom % 2 == 1) {
      view.y0 += (uint64_t) (g_test_rand_double () * 0.6 * (double) h);
      view.y1 = view.y0 + MAX (h * 2 / 5, 1);
    }
  }
  /* One byte and one instruction, each many pixels.  */
  const struct random_access *a
    = &g_array_index (log->accesses, struct random_access,
                      log->accesses->len / 2);
  if (raster_check_selected (a, filter)) {
    uint64_t x = (uint64_t) raster_check_position (pages, a->address);
    struct dv_view one = { x, x + 1, a->icount, a->icount + 1 };
    check_view (log, filter, scene, pages, &one, 31, 17);
  }
  g_array_unref (pages);
  dv_scene_unref (scene);
}

static void
test_kind (unsigned word_size, bool big_endian)
{
  for (int round = 0; round < 3; round++) {
    struct random_log *log = random_log_new (word_size, big_endian, 600);
    for (int filter = 0; filter < 4; filter++)
      check_log (log, filter);
    random_log_free (log);
  }
}

static void
test_64_little (void)
{
  test_kind (8, false);
}

static void
test_64_big (void)
{
  test_kind (8, true);
}

static void
test_32_little (void)
{
  test_kind (4, false);
}

static void
test_32_big (void)
{
  test_kind (4, true);
}

/* No log has to be open for this.  */
static void
test_empty (void)
{
  struct random_log *log = random_log_new (8, false, 0);
  struct dv_scene *scene = raster_check_scene (log, RASTER_ALL);
  g_assert_true (dv_view_is_empty (&scene->full));
  g_assert_cmpuint (scene->accesses, ==, 0);
  dv_scene_unref (scene);
  random_log_free (log);
}

struct stop {
  GMutex lock;
  GCond told;
  unsigned asked, begun;
};

/* Ends the tasks only when it is asked again, after its answer was heard.  */
static int
stop (void *user, uint64_t done, uint64_t total)
{
  struct stop *stop = user;
  g_mutex_lock (&stop->lock);
  stop->asked++;
  g_cond_broadcast (&stop->told);
  g_mutex_unlock (&stop->lock);
  return 1;
}

static int
until_stopped (void *user, size_t task, unsigned worker)
{
  struct stop *stop = user;
  g_mutex_lock (&stop->lock);
  stop->begun++;
  while (stop->asked < 2)
    g_cond_wait (&stop->told, &stop->lock);
  g_mutex_unlock (&stop->lock);
  return 0;
}

/* Work that is asked to stop does: no worker begins a second task.  */
static void
test_cancel (void)
{
  struct stop asked = {0};
  g_mutex_init (&asked.lock);
  g_cond_init (&asked.told);
  g_assert_cmpint (
    dv_work_run (1000000, 2, until_stopped, &asked, stop, &asked, -7), ==, -7);
  g_assert_cmpuint (asked.begun, <=, 2);
  g_mutex_clear (&asked.lock);
  g_cond_clear (&asked.told);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/64-little", test_64_little);
  g_test_add_func ("/raster/64-big", test_64_big);
  g_test_add_func ("/raster/32-little", test_32_little);
  g_test_add_func ("/raster/32-big", test_32_big);
  g_test_add_func ("/raster/empty", test_empty);
  g_test_add_func ("/raster/cancel", test_cancel);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
