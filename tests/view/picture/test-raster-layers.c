/* test-raster-layers.c: whose the accesses under a pixel are, who ran, and
   pictures of accesses that stand out; against the definition.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/picture/raster.h"

#include "raster_check.h"
#include "unit_main.h"

static struct dv_raster *
make (const struct dv_scene *scene, const struct dv_view *view,
      uint32_t width, uint32_t height, enum dv_detail detail,
      const struct dv_highlight *only)
{
  struct dg_error err = { 0 };
  struct dv_raster_order order = { .view = *view, .width = width,
                                   .height = height, .detail = detail,
                                   .by_thread = only == NULL, .only = only };
  struct dv_raster *raster = dv_raster_make (scene, &order, NULL, NULL, &err);
  if (raster == NULL)
    g_error ("%s", err.message);
  return raster;
}

/* Somewhere in it, smaller.  */
static struct dv_view
closer (struct dv_view view)
{
  uint64_t w = view.x1 - view.x0, h = view.y1 - view.y0;
  view.x0 += (uint64_t) (g_test_rand_double () * 0.5 * (double) w);
  view.x1 = view.x0 + MAX (w / 2, 1);
  view.y0 += (uint64_t) (g_test_rand_double () * 0.5 * (double) h);
  view.y1 = view.y0 + MAX (h / 2, 1);
  return view;
}

/* ---- Threads --------------------------------------------------------- */

static void
check_owner (struct dv_raster_owner owner,
             const struct raster_check_cell *cell)
{
  uint32_t all = 0, most = 0, present = 0;
  for (uint32_t t = 1; t <= RANDOM_THREADS; t++) {
    all += cell->threads[t];
    present += cell->threads[t] > 0;
    if (cell->threads[t] > cell->threads[most])
      most = t;
  }
  g_assert_cmpuint (all, ==, cell->count[0] + cell->count[1]);
  g_assert_cmpuint (owner.is_mixed, ==, present > 1);
  if (all == 0) {
    g_assert_cmpuint (owner.thread, ==, 0);
    return;
  }
  g_assert_cmpuint (owner.thread, <=, RANDOM_THREADS);
  g_assert_cmpuint (cell->threads[owner.thread], >, 0);
  if (cell->threads[most] * 2 > all) {
    g_assert_cmpuint (owner.thread, ==, most);
    g_assert_cmpuint (owner.lead, >, 0);
  }
  if (present == 1)
    g_assert_cmpuint (owner.lead, ==, all);
}

/* The rows of chunks without accesses, which are not decoded.  */
static bool *
unread_rows (const struct random_log *log, const struct dv_scene *scene,
             const struct dv_raster *raster)
{
  const struct dv_view *view = &raster->view;
  uint64_t start, end, h = view->y1 - view->y0;
  bool *unread = g_new0 (bool, raster->height);
  size_t n;
  guint at = 0;
  dg_log_chunks (scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    guint before = at;
    dv_data_chunk (scene->data, i, &start, &end);
    while (at < log->accesses->len
           && g_array_index (log->accesses, struct random_access, at).icount
              < end)
      at++;
    if (at != before || end <= start || end <= view->y0 || start >= view->y1)
      continue;
    uint32_t first, last, unused;
    raster_check_own (MAX (start, view->y0) - view->y0, h, raster->height,
                      &first, &unused);
    raster_check_own (MIN (end, view->y1) - 1 - view->y0, h, raster->height,
                      &unused, &last);
    for (; first <= last; first++)
      unread[first] = true;
  }
  return unread;
}

/* The instructions of each thread in each row, by walking the runs.  */
static void
check_lane (const struct random_log *log, const struct dv_scene *scene,
            const struct dv_raster *raster)
{
  bool *unread = unread_rows (log, scene, raster);
  uint64_t *lane = g_new0 (uint64_t, raster->height * DV_LANE_SLOTS);
  const struct dv_view *view = &raster->view;
  for (guint i = 0; i < log->runs->len; i++) {
    const struct random_run *run = &g_array_index (log->runs,
                                                   struct random_run, i);
    for (uint32_t k = 0; k < run->n_instrs; k++) {
      uint64_t icount = run->icount + k;
      uint32_t first, last;
      if (icount < view->y0 || icount >= view->y1)
        continue;
      raster_check_own (icount - view->y0, view->y1 - view->y0,
                        raster->height, &first, &last);
      for (; first <= last; first++)
        lane[first * DV_LANE_SLOTS + run->thread - 1]++;
    }
  }
  for (uint32_t i = 0; i < raster->height * DV_LANE_SLOTS; i++)
    if (!unread[i / DV_LANE_SLOTS])
      g_assert_cmpuint (raster->lane[i], ==, lane[i]);
  g_free (unread);
  g_free (lane);
}

static void
check_threads (const struct random_log *log, int filter)
{
  static const uint32_t sizes[][2] = { { 60, 40 }, { 1, 1 }, { 200, 5 },
                                       { 9, 300 } };
  struct dv_scene *scene = raster_check_scene (log, filter);
  GArray *pages = raster_check_pages (log, filter);
  struct dv_view view = scene->full;
  for (int zoom = 0; zoom < 7; zoom++, view = closer (view))
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      uint32_t width = sizes[s][0], height = sizes[s][1];
      struct dv_raster *raster = make (scene, &view, width, height,
                                       DV_DETAIL_FINE, NULL);
      struct raster_check_cell *cells
        = raster_check_cells (log, filter, NULL, pages, &view, width, height);
      raster_check_counts (raster, cells);
      for (uint32_t i = 0; i < width * height; i++)
        check_owner (raster->owners[i], &cells[i]);
      if (filter == RASTER_ALL && zoom == 0)
        check_lane (log, scene, raster);
      g_free (cells);
      dv_raster_free (raster);
    }
  g_array_unref (pages);
  dv_scene_unref (scene);
}

static void
test_threads (void)
{
  for (int kind = 0; kind < 4; kind++) {
    struct random_log *log = random_log_new (kind & 1 ? 4 : 8, kind & 2, 900);
    check_threads (log, RASTER_ALL);
    check_threads (log, RASTER_EVENTS | RASTER_RANGES);
    random_log_free (log);
  }
}

/* A picture is always the same, whichever worker is faster.  */
static void
test_threads_same (void)
{
  struct random_log *log = random_log_new (8, false, 3000);
  struct dv_scene *scene = raster_check_scene (log, RASTER_ALL);
  struct dv_raster *first = make (scene, &scene->full, 20, 7, DV_DETAIL_FINE,
                                  NULL);
  for (int round = 0; round < 20; round++) {
    struct dv_raster *again = make (scene, &scene->full, 20, 7,
                                    DV_DETAIL_FINE, NULL);
    g_assert_cmpmem (first->owners, 140 * sizeof *first->owners,
                     again->owners, 140 * sizeof *again->owners);
    dv_raster_free (again);
  }
  dv_raster_free (first);
  dv_scene_unref (scene);
  random_log_free (log);
}

/* The rows of instructions in which no other thread was alive.  A draft has
   nobody where the chunk goes on to instructions in which one was.  */
static void
check_alone (const struct dv_raster *raster, uint32_t start, uint32_t end,
             uint32_t thread)
{
  uint32_t known = 0;
  for (uint32_t i = start * raster->width; i < end * raster->width; i++) {
    const struct dv_raster_cell *cell = &raster->cells[i];
    if (cell->count[0] + cell->count[1] == 0)
      continue;
    if (raster->is_draft && raster->owners[i].thread == 0)
      continue;
    known++;
    g_assert_cmpuint (raster->owners[i].thread, ==, thread);
    g_assert_false (raster->owners[i].is_mixed);
  }
  g_assert_cmpuint (known, >, 0);
}

/* The index knows no threads: it is used for chunks in which there was but
   one, and for drafts, in which nobody is better than the wrong one.  */
static void
test_threads_indexed (void)
{
  struct random_log *log = random_log_new (8, false, 6000);
  struct dv_scene *scene = raster_check_indexed (log);
  const struct dv_view *full = &scene->full;
  for (int detail = DV_DETAIL_DRAFT; detail <= DV_DETAIL_FINE; detail++) {
    struct dv_raster *raster = make (scene, full, 30, 12,
                                     (enum dv_detail) detail, NULL);
    check_alone (raster, 0, 3, 1);
    check_alone (raster, 9, 12, 1);
    uint32_t unknown = 0, others = 0;
    for (uint32_t i = 4 * 30; i < 8 * 30; i++) {
      const struct dv_raster_cell *cell = &raster->cells[i];
      unknown += cell->count[0] + cell->count[1] > 0
                 && raster->owners[i].thread == 0;
      others += raster->owners[i].thread > 1;
    }
    if (detail == DV_DETAIL_DRAFT) {
      g_assert_true (raster->is_draft);
      g_assert_cmpuint (unknown, >, 0);
      g_assert_cmpuint (others, ==, 0);
    } else {
      g_assert_cmpuint (unknown, ==, 0);
      g_assert_cmpuint (others, >, 0);
    }
    g_assert_nonnull (raster->lane);
    for (uint32_t y = 0; y < 12; y++) {
      const uint64_t *row = raster->lane + y * DV_LANE_SLOTS;
      g_assert_cmpuint (row[0] + row[1] + row[2], >, 0);
    }
    dv_raster_free (raster);
  }
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

/* Those that wait for their turn are not left waiting.  */
static void
test_threads_cancel (void)
{
  struct random_log *log = random_log_new (8, false, 6000);
  struct dv_scene *scene = raster_check_scene (log, RASTER_ALL);
  for (int round = 0; round < 20; round++) {
    struct dg_error err = { 0 };
    struct dv_raster_order order = { .view = scene->full, .width = 2000,
                                     .height = 1000, .by_thread = true };
    struct dv_raster *raster = dv_raster_make (scene, &order, stop, NULL,
                                               &err);
    g_assert_true (raster != NULL || err.code == DG_ERR_CANCELLED);
    dv_raster_free (raster);
  }
  dv_scene_unref (scene);
  random_log_free (log);
}

static void
test_vote (void)
{
  struct dv_raster_owner owner = { 0 };
  dv_raster_vote (&owner, 3, 5);
  g_assert_true (owner.thread == 3 && owner.lead == 5 && !owner.is_mixed);
  dv_raster_vote (&owner, 2, 5);
  g_assert_true (owner.thread == 3 && owner.lead == 0 && owner.is_mixed);
  dv_raster_vote (&owner, 2, 7);
  g_assert_true (owner.thread == 2 && owner.lead == 7);
  dv_raster_vote (&owner, 2, UINT32_MAX);
  g_assert_cmpuint (owner.lead, ==, UINT32_MAX);
}

/* ---- What stands out ------------------------------------------------- */

static struct dv_highlight *
random_highlight (int round)
{
  struct dv_highlight *highlight = dv_highlight_new ("some");
  for (uint32_t i = 0; i < 6 && round % 3 != 1; i++)
    if (g_test_rand_int_range (0, 3) == 0)
      dv_highlight_add_context (highlight, i);
  for (int i = 0; i < 8 && round % 3 != 0; i++)
    dv_highlight_add_code (highlight,
                           0x400000 + (uint64_t) g_test_rand_int_range (0, 6)
                           * 256 + (uint64_t) g_test_rand_int_range (0, 8)
                           * 4);
  dv_highlight_finish (highlight);
  return highlight;
}

static void
check_highlight (const struct random_log *log, const struct dv_scene *scene,
                 int filter, const struct dv_highlight *only)
{
  GArray *pages = raster_check_pages (log, filter);
  struct dv_view view = scene->full;
  for (int zoom = 0; zoom < 4; zoom++, view = closer (view)) {
    struct dv_raster *raster = make (scene, &view, 70, 50, DV_DETAIL_FINE,
                                     only);
    struct raster_check_cell *cells
      = raster_check_cells (log, filter, only, pages, &view, 70, 50);
    raster_check_counts (raster, cells);
    g_assert_null (raster->lane);
    g_assert_null (raster->owners);
    g_free (cells);
    dv_raster_free (raster);
  }
  g_array_unref (pages);
}

/* With an index, too, which must not be drawn from.  */
static void
test_highlight (void)
{
  for (int round = 0; round < 12; round++) {
    struct random_log *log = random_log_new (round & 1 ? 4 : 8, round & 2,
                                             700);
    struct dv_highlight *only = random_highlight (round);
    struct dv_scene *indexed = raster_check_indexed (log);
    check_highlight (log, indexed, RASTER_ALL, only);
    dv_scene_unref (indexed);
    for (int filter = 0; filter < 4; filter++) {
      struct dv_scene *scene = raster_check_scene (log, filter);
      check_highlight (log, scene, filter, only);
      dv_scene_unref (scene);
    }
    dv_highlight_unref (only);
    random_log_free (log);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster-layers/vote", test_vote);
  g_test_add_func ("/raster-layers/threads", test_threads);
  g_test_add_func ("/raster-layers/threads/same", test_threads_same);
  g_test_add_func ("/raster-layers/threads/indexed", test_threads_indexed);
  g_test_add_func ("/raster-layers/threads/cancel", test_threads_cancel);
  g_test_add_func ("/raster-layers/highlight", test_highlight);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
