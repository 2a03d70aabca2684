/* test-raster-index.c: pictures that are drawn from the index, against the
   bounds that the definition leaves it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/picture/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/access/pick.h"
#include "raster_check.h"
#include "model/picture/raster_plan.h"
#include "unit_main.h"

static void
check_view (const struct random_log *log, const struct dv_scene *scene,
            const GArray *pages, const struct dv_view *view, uint32_t width,
            uint32_t height)
{
  dv_raster_free (raster_check_view (log, RASTER_ALL, scene, pages, view,
                                     width, height));
}

struct bound {
  uint64_t least[2], most[2];
};

/* What a pixel may show, by the definition in pen.h: accesses stay
   within their lines and chunks.  right_rows: those of chunks that lie in
   several rows are each in the right one.  */
static struct bound *
expected_bounds (const struct random_log *log, const struct dv_scene *scene,
                 const GArray *pages, const struct dv_view *view,
                 uint32_t width, uint32_t height, bool right_rows)
{
  struct bound *bounds = g_new0 (struct bound, width * height);
  size_t chunk = 0;
  uint64_t start, end, w = view->x1 - view->x0, h = view->y1 - view->y0;
  dv_data_chunk (scene->data, chunk, &start, &end);
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    while (a->icount >= end)
      dv_data_chunk (scene->data, ++chunk, &start, &end);
    if (end <= view->y0 || start >= view->y1)
      continue;
    uint32_t top, bottom, unused;
    raster_check_own (MAX (start, view->y0) - view->y0, h, height, &top,
                      &unused);
    raster_check_own (MIN (end, view->y1) - 1 - view->y0, h, height, &unused,
                      &bottom);
    bool whole = start >= view->y0 && end <= view->y1 && top == bottom;
    if (right_rows && !whole) {
      if (a->icount < view->y0 || a->icount >= view->y1)
        continue;
      raster_check_own (a->icount - view->y0, h, height, &top, &bottom);
    }
    for (uint64_t line = a->address / 64;
         line <= (a->address + a->size - 1) / 64; line++) {
      uint64_t x = (uint64_t) raster_check_position (pages, line * 64);
      if (x + 64 <= view->x0 || x >= view->x1)
        continue;
      uint32_t left, right;
      raster_check_own (MAX (x, view->x0) - view->x0, w, width, &left,
                        &unused);
      raster_check_own (MIN (x + 64, view->x1) - 1 - view->x0, w, width,
                        &unused, &right);
      bool sure = whole && left == right && x >= view->x0
                  && x + 64 <= view->x1;
      for (uint32_t r = top; r <= bottom; r++)
        for (uint32_t c = left; c <= right; c++) {
          bounds[r * width + c].most[a->kind]++;
          bounds[r * width + c].least[a->kind] += sure;
        }
    }
  }
  return bounds;
}

/* How often lines are touched in all.  */
static uint64_t
count_lines (const struct random_log *log)
{
  uint64_t sum = 0;
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    sum += (a->address + a->size - 1) / 64 - a->address / 64 + 1;
  }
  return sum;
}

static void
check_bounds (const struct random_log *log, const struct dv_scene *scene,
              const GArray *pages, const struct dv_view *view,
              uint32_t width, uint32_t height, enum dv_detail detail,
              bool right_rows)
{
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, view, width, height, detail,
                                            NULL, NULL, &err);
  if (raster == NULL)
    g_error ("%s", err.message);
  struct bound *bounds = expected_bounds (log, scene, pages, view, width,
                                          height, right_rows);
  bool is_wide = (view->x1 - view->x0) / 64 >= width;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < width * height; i++)
    for (int kind = 0; kind < 2; kind++) {
      uint32_t got = raster->cells[i].count[kind];
      if (got < bounds[i].least[kind] || got > bounds[i].most[kind])
        g_error ("pixel %u, %u of %u x %u, kind %d: %u; should be from %"
                 G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, i % width,
                 i / width, width, height, kind, got, bounds[i].least[kind],
                 bounds[i].most[kind]);
      sum += got;
    }
  /* An instruction higher than a pixel counts in all pixels that it is in.  */
  if (dv_view_equal (view, &scene->full) && is_wide
      && view->y1 - view->y0 >= height && detail == DV_DETAIL_DRAFT)
    g_assert_cmpuint (sum, ==, count_lines (log));
  if (detail == DV_DETAIL_FINE)
    g_assert_false (raster->is_draft);
  if (!is_wide && detail == DV_DETAIL_DRAFT && raster->max > 0)
    g_assert_true (raster->is_draft);
  g_free (bounds);
  dv_raster_free (raster);
}

/* What the index cannot tell well enough is decoded, and exact.  (A chunk that
   is hardly higher than a row may lie in one all the same.)  */
static void
check_exact (const struct random_log *log, const struct dv_scene *scene,
             const GArray *pages, const struct dv_view *view,
             uint32_t width, uint32_t height)
{
  uint64_t start, end, h = view->y1 - view->y0;
  size_t n;
  dg_log_chunks (scene->data->log, &n);
  bool tall = true;
  for (size_t i = 0; i < n; i++) {
    dv_data_chunk (scene->data, i, &start, &end);
    if (end > start && (end - start) * height <= (DV_FINE_ROWS + 1) * h)
      tall = false;
  }
  if (tall || (view->x1 - view->x0) / 64 < width)
    check_view (log, scene, pages, view, width, height);
}

/* The accesses of all chunks that the view has a part of; *edges: of those of
   at most DV_FINE_ROWS that are not within one.  */
static uint64_t
accesses_near (const struct random_log *log, const struct dv_scene *scene,
               const struct dv_view *view, uint32_t height, uint64_t *edges)
{
  uint64_t start, end, sum = 0, h = view->y1 - view->y0;
  size_t chunk = 0;
  *edges = 0;
  dv_data_chunk (scene->data, chunk, &start, &end);
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    while (a->icount >= end)
      dv_data_chunk (scene->data, ++chunk, &start, &end);
    if (end <= view->y0 || start >= view->y1)
      continue;
    sum++;
    uint32_t top, bottom, unused;
    raster_check_own (MAX (start, view->y0) - view->y0, h, height, &top,
                      &unused);
    raster_check_own (MIN (end, view->y1) - 1 - view->y0, h, height, &unused,
                      &bottom);
    if (start < view->y0 || end > view->y1 || top != bottom)
      *edges += (end - start) * height <= DV_FINE_ROWS * h;
  }
  return sum;
}

/* The cells of a picture.  */
static void
check_cells (const struct random_log *log, struct dv_scene *scene,
             const GArray *pages, const struct dv_view *view, uint32_t width,
             uint32_t height, enum dv_detail detail)
{
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, view, width, height, detail,
                                            NULL, NULL, &err);
  struct raster_check_cell *cells = raster_check_cells (
    log, RASTER_ALL, NULL, pages, view, width, height);
  g_assert_nonnull (raster);
  if (detail == DV_DETAIL_DRAFT) {
    g_assert_true (raster->is_draft || raster->max == 0);
  } else {
    g_assert_false (raster->is_draft);
    raster_check_counts (raster, cells);
  }
  g_free (cells);
  dv_raster_free (raster);
}

/* What is decoded within a second, by a rate that was measured, is drawn as it
   is, after a draft; what is not, may not be; unless it is to be exact.  */
static void
check_rate (const struct random_log *log, struct dv_scene *scene,
            const GArray *pages, const struct dv_view *view, uint32_t width,
            uint32_t height)
{
  struct dv_data *data = scene->data;
  uint64_t most = count_lines (log);
  check_cells (log, scene, pages, view, width, height, DV_DETAIL_EXACT);
  data->rate = 1;
  dv_data_note_decoding (data, (uint64_t) 1 << 30, G_USEC_PER_SEC);
  g_assert_cmpuint (dv_data_second (data), >, most);
  g_assert_cmpint (data->rate, ==, (1 << 30) / 1000);
  check_cells (log, scene, pages, view, width, height, DV_DETAIL_FINE);
  check_cells (log, scene, pages, view, width, height, DV_DETAIL_DRAFT);
  /* Too little says nothing.  */
  dv_data_note_decoding (data, 1000, G_USEC_PER_SEC);
  g_assert_cmpint (data->rate, ==, (1 << 30) / 1000);
  data->rate = 0;
  dv_data_note_decoding (data, (uint64_t) 1 << 30, G_USEC_PER_SEC);
  g_assert_cmpuint (dv_data_second (data), ==, 0);
}

/* Few accesses are decoded whatever the zoom; and few chunks on the edges of
   rows, so that nothing of theirs is in a wrong row.  */
static void
check_few (const struct random_log *log, struct dv_scene *scene,
           const GArray *pages, const struct dv_view *view, uint32_t width,
           uint32_t height)
{
  uint64_t edges, near = accesses_near (log, scene, view, height, &edges);
  scene->data->few = near;
  check_view (log, scene, pages, view, width, height);
  scene->data->few = near / 2;
  bool is_wide = (view->x1 - view->x0) / 64 >= width;
  check_bounds (log, scene, pages, view, width, height, DV_DETAIL_FINE,
                edges <= near / 2 || !is_wide);
  scene->data->few = 0;
}

static void
check_indexed (const struct random_log *log)
{
  struct dv_scene *scene = raster_check_indexed (log);
  GArray *pages = raster_check_pages (log, RASTER_ALL);
  g_assert_cmpuint (scene->layout.size, ==,
                    (uint64_t) pages->len * RASTER_PAGE);
  for (guint i = 0; i < pages->len; i++)
    g_assert_cmpuint (dv_layout_address (&scene->layout,
                                         (uint64_t) i * RASTER_PAGE), ==,
                      g_array_index (pages, uint64_t, i) * RASTER_PAGE);
  g_assert_cmpuint (scene->accesses, ==, log->accesses->len);
  g_assert_null (scene->chunk_pages);

  static const uint32_t sizes[][2] = { { 100, 5 }, { 1, 1 }, { 37, 40 },
                                       { 400, 3 }, { 64, 300 }, { 20, 12 } };
  struct dv_view view = scene->full;
  for (int zoom = 0; zoom < 12; zoom++) {
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      for (int detail = DV_DETAIL_DRAFT; detail <= DV_DETAIL_FINE; detail++)
        check_bounds (log, scene, pages, &view, sizes[s][0], sizes[s][1],
                      detail, false);
      check_exact (log, scene, pages, &view, sizes[s][0], sizes[s][1]);
      check_few (log, scene, pages, &view, sizes[s][0], sizes[s][1]);
      check_rate (log, scene, pages, &view, sizes[s][0], sizes[s][1]);
    }
    uint64_t w = view.x1 - view.x0, h = view.y1 - view.y0;
    if (zoom % 3 != 0) {
      view.x0 += (uint64_t) (g_test_rand_double () * 0.5 * (double) w);
      view.x1 = view.x0 + MAX (w / 2, 1);
    }
    if (zoom % 3 != 1) {
      view.y0 += (uint64_t) (g_test_rand_double () * 0.5 * (double) h);
      view.y1 = view.y0 + MAX (h / 2, 1);
    }
  }
  g_array_unref (pages);
  dv_scene_unref (scene);
}

static void
test_index (void)
{
  for (int kind = 0; kind < 4; kind++)
    for (unsigned n = 200; n <= 5000; n *= 5) {
      struct random_log *log = random_log_new (kind & 1 ? 4 : 8, kind & 2, n);
      check_indexed (log);
      random_log_free (log);
    }
}

/* When nothing lies on the edge of a line, a row, or two lines, the two
   pictures are the same.  */
static void
test_index_same (void)
{
  struct random_log *log = random_log_new (8, false, 2000);
  struct dv_scene *indexed = raster_check_indexed (log);
  struct dv_scene *plain = raster_check_scene (log, RASTER_ALL);
  struct dg_error err = { 0 };
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (indexed->data->log, &n);
  g_assert_cmpuint (n, >, 9);
  /* A row for each chunk, one after the other; a pixel for each page.  */
  for (size_t i = 2; i + 1 < n; i++) {
    if (chunks[i].icount == chunks[i + 1].icount)
      continue;
    struct dv_view view = { 0, indexed->full.x1, chunks[i].icount,
                            chunks[i + 1].icount };
    uint32_t width = (uint32_t) (view.x1 / RASTER_PAGE);
    struct dv_raster *a = dv_raster_new (indexed, &view, width, 1,
                                         DV_DETAIL_FINE, NULL, NULL, &err);
    struct dv_raster *b = dv_raster_new (plain, &view, width, 1,
                                         DV_DETAIL_FINE, NULL, NULL, &err);
    for (uint32_t x = 0; x < width; x++)
      for (int kind = 0; kind < 2; kind++) {
        uint32_t lines = dv_raster_cell (a, x, 0)->count[kind];
        uint32_t accesses = dv_raster_cell (b, x, 0)->count[kind];
        /* One of 600 bytes touches up to 11 lines.  */
        g_assert_cmpuint (lines, >=, accesses);
        g_assert_cmpuint (lines, <=, 11 * accesses);
      }
    dv_raster_free (a);
    dv_raster_free (b);
  }
  dv_scene_unref (indexed);
  dv_scene_unref (plain);
  random_log_free (log);
}

/* Every pixel that shows something can be asked about.  */
static void
test_index_pick (void)
{
  struct random_log *log = random_log_new (8, false, 3000);
  struct dv_scene *scene = raster_check_indexed (log);
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, &scene->full, 60, 50,
                                            DV_DETAIL_FINE, NULL, NULL, &err);
  g_assert_nonnull (raster);
  for (uint32_t y = 0; y < 50; y++)
    for (uint32_t x = 0; x < 60; x++) {
      const struct dv_raster_cell *cell = dv_raster_cell (raster, x, y);
      if (cell->count[0] + cell->count[1] == 0)
        continue;
      struct dv_pick *pick = dv_pick_new (scene, raster, x, y, x + 0.5,
                                          y + 0.5, NULL, NULL, &err);
      if (pick == NULL)
        g_error ("%s", err.message);
      g_assert_cmpuint (pick->nearest, <, pick->accesses->len);
      dv_pick_free (pick);
    }
  dv_raster_free (raster);
  dv_scene_unref (scene);
  random_log_free (log);
}

/* A sidecar that is damaged where nobody looked at first: drawn without.  */
static void
test_index_damaged (void)
{
  struct random_log *log = random_log_new (8, false, 2000);
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  char *path = dg_index_sidecar (data->log);
  g_assert_cmpint (dg_index_build (data->log, path, 2, NULL, NULL, &index,
                                   &err), ==, 0);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  dg_index_close (index);
  dv_data_unref (data);

  /* The chunks' lists come first, then what the first picture needs.  */
  char *bytes;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  FILE *file = fopen (path, "r+");
  for (gsize at = 100; at < n_bytes / 3; at += 40) {
    fseek (file, (long) at, SEEK_SET);
    putc (bytes[at] ^ 0x55, file);
  }
  fclose (file);
  g_free (bytes);
  data = dv_data_new (log->path, true, NULL, NULL, &err);
  g_assert_nonnull (dv_data_index (data));
  data->few = 0;
  data->rate = 0;
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  g_assert_nonnull (scene);
  GArray *pages = raster_check_pages (log, RASTER_ALL);
  check_view (log, scene, pages, &scene->full, 50, 200);
  check_view (log, scene, pages, &scene->full, 10, 10);
  g_assert_null (dv_data_index (data));
  g_assert_true (dv_data_wants_index (data));
  g_array_unref (pages);
  dv_scene_unref (scene);
  dv_data_unref (data);
  remove (path);
  free (path);
  random_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster-index/bounds", test_index);
  g_test_add_func ("/raster-index/same", test_index_same);
  g_test_add_func ("/raster-index/pick", test_index_pick);
  g_test_add_func ("/raster-index/damaged", test_index_damaged);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
