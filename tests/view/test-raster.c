/* test-raster.c: pictures of random logs, pixel by pixel against what the
   definition says, worked out access by access without the library; and the
   accesses that a pixel is said to hold.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "palette.h"
#include "pick.h"
#include "random_log.h"
#include "work.h"

#define PAGE 4096u

enum { ALL = 0, EVENTS = 1, RANGES = 2 };

static bool
selected (const struct random_access *access, int filter)
{
  return (!(filter & EVENTS) || access->in_event)
         && (!(filter & RANGES) || access->in_range);
}

/* Which pages are touched, ascending: page number to its place.  */
static GArray *
touched_pages (const struct random_log *log, int filter)
{
  GHashTable *seen = g_hash_table_new (NULL, NULL);
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!selected (a, filter))
      continue;
    for (uint64_t p = a->address / PAGE; p <= (a->address + a->size - 1)
                                              / PAGE; p++)
      g_hash_table_add (seen, GSIZE_TO_POINTER (p + 1));
  }
  for (uint64_t p = 0; p <= 0xfffff; p++)
    if (g_hash_table_contains (seen, GSIZE_TO_POINTER (p + 1)))
      g_array_append_val (pages, p);
  g_hash_table_unref (seen);
  return pages;
}

static int64_t
position_of (const GArray *pages, uint64_t address)
{
  for (guint i = 0; i < pages->len; i++)
    if (g_array_index (pages, uint64_t, i) == address / PAGE)
      return (int64_t) (i * PAGE + address % PAGE);
  return -1;
}

/* The pixels of one unit, by the definition in scale.h.  */
static void
own (uint64_t unit, uint64_t span, uint32_t pixels, uint32_t *first,
     uint32_t *last)
{
  *first = (uint32_t) (unit * pixels / span);
  uint32_t next = (uint32_t) ((unit + 1) * pixels / span);
  *last = next > *first + 1 ? next - 1 : *first;
}

/* The counts of every pixel, by looking at every byte.  */
static struct dv_cell *
expected_cells (const struct random_log *log, int filter,
                const GArray *pages, const struct dv_view *view,
                uint32_t width, uint32_t height)
{
  struct dv_cell *cells = g_new0 (struct dv_cell, width * height);
  bool *touched = g_new (bool, width);
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!selected (a, filter) || a->icount < view->y0
        || a->icount >= view->y1)
      continue;
    uint32_t top, bottom;
    own (a->icount - view->y0, view->y1 - view->y0, height, &top, &bottom);
    memset (touched, 0, width * sizeof *touched);
    for (uint32_t b = 0; b < a->size; b++) {
      int64_t position = position_of (pages, a->address + b);
      if (position < (int64_t) view->x0 || position >= (int64_t) view->x1)
        continue;
      uint32_t left, right;
      own ((uint64_t) position - view->x0, view->x1 - view->x0, width, &left,
           &right);
      for (; left <= right; left++)
        touched[left] = true;
    }
    for (uint32_t x = 0; x < width; x++)
      for (uint32_t y = top; touched[x] && y <= bottom; y++)
        cells[y * width + x].count[a->kind]++;
  }
  g_free (touched);
  return cells;
}

/* With an index that is used for however few accesses.  */
static struct dv_scene *
open_indexed (const struct random_log *log)
{
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  if (data == NULL
      || dg_index_build (data->log, NULL, 2, NULL, NULL, &index, &err) < 0)
    g_error ("%s", err.message);
  g_assert_null (dv_data_index (data));
  data->few = 0;
  g_assert_true (dv_data_wants_index (data) == (log->accesses->len > 0));
  dv_data_set_index (data, index);
  g_assert_false (dv_data_wants_index (data));
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

static struct dv_scene *
open_scene (const struct random_log *log, int filter)
{
  struct dg_error err = { 0 };
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  if (data == NULL)
    g_error ("%s", err.message);
  g_assert_cmpint (data->flaw.code, ==, 0);
  struct dv_scene *scene
    = dv_scene_new (data, filter & EVENTS ? "user:work" : NULL,
                    filter & RANGES ? "user:data" : NULL, NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

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
    const struct dv_cell *cell = dv_raster_cell (raster, column, row);
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
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, view, width, height,
                                            DV_DETAIL_FINE, NULL, NULL, &err);
  if (raster == NULL)
    g_error ("%s", err.message);
  struct dv_cell *cells = expected_cells (log, filter, pages, view, width,
                                          height);
  uint64_t max = 0;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      const struct dv_cell *want = &cells[y * width + x];
      const struct dv_cell *got = dv_raster_cell (raster, x, y);
      if (memcmp (want, got, sizeof *want) != 0)
        g_error ("pixel %u, %u of %u x %u: %u reads, %u writes; should be "
                 "%u, %u", x, y, width, height, got->count[0], got->count[1],
                 want->count[0], want->count[1]);
      max = MAX (max, (uint64_t) want->count[0] + want->count[1]);
    }
  g_assert_cmpuint (raster->max, ==, max);
  check_picks (scene, raster);
  g_free (cells);
  dv_raster_free (raster);
}

static void
check_log (const struct random_log *log, int filter)
{
  struct dv_scene *scene = open_scene (log, filter);
  GArray *pages = touched_pages (log, filter);
  uint64_t first = UINT64_MAX, last = 0, n = 0;
  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *a
      = &g_array_index (log->accesses, struct random_access, i);
    if (!selected (a, filter))
      continue;
    first = MIN (first, a->icount);
    last = MAX (last, a->icount);
    n++;
  }
  g_assert_cmpuint (scene->accesses, ==, n);
  g_assert_cmpuint (scene->layout.size, ==, (uint64_t) pages->len * PAGE);
  for (guint i = 0; i < pages->len; i++)
    g_assert_cmpuint (dv_layout_address (&scene->layout,
                                         (uint64_t) i * PAGE), ==,
                      g_array_index (pages, uint64_t, i) * PAGE);
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
  if (selected (a, filter)) {
    uint64_t x = (uint64_t) position_of (pages, a->address);
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

/* ---- By the index ---------------------------------------------------- */

struct bound {
  uint64_t least[2], most[2];
};

/* What a pixel may show, by the definition in raster_index.h: accesses stay
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
    own (MAX (start, view->y0) - view->y0, h, height, &top, &unused);
    own (MIN (end, view->y1) - 1 - view->y0, h, height, &unused, &bottom);
    bool whole = start >= view->y0 && end <= view->y1 && top == bottom;
    if (right_rows && !whole) {
      if (a->icount < view->y0 || a->icount >= view->y1)
        continue;
      own (a->icount - view->y0, h, height, &top, &bottom);
    }
    for (uint64_t line = a->address / 64;
         line <= (a->address + a->size - 1) / 64; line++) {
      uint64_t x = (uint64_t) position_of (pages, line * 64);
      if (x + 64 <= view->x0 || x >= view->x1)
        continue;
      uint32_t left, right;
      own (MAX (x, view->x0) - view->x0, w, width, &left, &unused);
      own (MIN (x + 64, view->x1) - 1 - view->x0, w, width, &unused, &right);
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
  if (dv_view_equal (view, &scene->full) && is_wide
      && detail == DV_DETAIL_DRAFT)
    g_assert_cmpuint (sum, ==, count_lines (log));
  if (detail == DV_DETAIL_FINE)
    g_assert_false (raster->is_draft);
  if (!is_wide && detail == DV_DETAIL_DRAFT && raster->max > 0)
    g_assert_true (raster->is_draft);
  g_free (bounds);
  dv_raster_free (raster);
}

/* What the index cannot tell well enough is decoded, and exact.  */
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
    if (end > start && (end - start) * height <= 4 * h)
      tall = false;
  }
  if (tall || (view->x1 - view->x0) / 64 < width)
    check_view (log, ALL, scene, pages, view, width, height);
}

/* The accesses of all chunks that the view has a part of; *edges: of those of
   at most four rows that are not within one.  */
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
    own (MAX (start, view->y0) - view->y0, h, height, &top, &unused);
    own (MIN (end, view->y1) - 1 - view->y0, h, height, &unused, &bottom);
    if (start < view->y0 || end > view->y1 || top != bottom)
      *edges += (end - start) * height <= 4 * h;
  }
  return sum;
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
  check_view (log, ALL, scene, pages, view, width, height);
  scene->data->few = near / 2;
  bool is_wide = (view->x1 - view->x0) / 64 >= width;
  check_bounds (log, scene, pages, view, width, height, DV_DETAIL_FINE,
                edges <= near / 2 || !is_wide);
  scene->data->few = 0;
}

static void
check_indexed (const struct random_log *log)
{
  struct dv_scene *scene = open_indexed (log);
  GArray *pages = touched_pages (log, ALL);
  g_assert_cmpuint (scene->layout.size, ==, (uint64_t) pages->len * PAGE);
  for (guint i = 0; i < pages->len; i++)
    g_assert_cmpuint (dv_layout_address (&scene->layout,
                                         (uint64_t) i * PAGE), ==,
                      g_array_index (pages, uint64_t, i) * PAGE);
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
  struct dv_scene *indexed = open_indexed (log), *plain = open_scene (log,
                                                                      ALL);
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
    uint32_t width = (uint32_t) (view.x1 / PAGE);
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
  struct dv_scene *scene = open_indexed (log);
  struct dg_error err = { 0 };
  struct dv_raster *raster = dv_raster_new (scene, &scene->full, 60, 50,
                                            DV_DETAIL_FINE, NULL, NULL, &err);
  g_assert_nonnull (raster);
  for (uint32_t y = 0; y < 50; y++)
    for (uint32_t x = 0; x < 60; x++) {
      const struct dv_cell *cell = dv_raster_cell (raster, x, y);
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
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  g_assert_nonnull (scene);
  GArray *pages = touched_pages (log, ALL);
  check_view (log, ALL, scene, pages, &scene->full, 50, 200);
  check_view (log, ALL, scene, pages, &scene->full, 10, 10);
  g_assert_null (dv_data_index (data));
  g_assert_true (dv_data_wants_index (data));
  g_array_unref (pages);
  dv_scene_unref (scene);
  dv_data_unref (data);
  remove (path);
  free (path);
  random_log_free (log);
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
  struct dv_scene *scene = open_scene (log, ALL);
  g_assert_true (dv_view_is_empty (&scene->full));
  g_assert_cmpuint (scene->accesses, ==, 0);
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static int
forever (void *user, size_t task, unsigned worker)
{
  g_usleep (1000);
  return 0;
}

/* Work that is asked to stop does.  */
static void
test_cancel (void)
{
  gint64 start = g_get_monotonic_time ();
  g_assert_cmpint (dv_work_run (1000000, 2, forever, NULL, stop, NULL, -7),
                   ==, -7);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
}

static void
test_colours (void)
{
  struct dv_cell cells[4] = { { { 0, 0 } }, { { 9, 0 } }, { { 0, 9 } },
                              { { 1, 1 } } };
  struct dv_raster raster = { .width = 4, .height = 1, .cells = cells,
                              .max = 9 };
  uint32_t pixels[4];
  dv_palette_paint (dv_palette_find (NULL, true), &raster,
                    (unsigned char *) pixels, sizeof pixels);
  uint32_t r[4], g[4], b[4];
  for (int i = 0; i < 4; i++) {
    r[i] = pixels[i] >> 16 & 255;
    g[i] = pixels[i] >> 8 & 255;
    b[i] = pixels[i] & 255;
  }
  g_assert_cmpuint (pixels[0], ==, 0);
  g_assert_true (g[1] > 200 && r[1] < 100 && b[1] < 120);
  g_assert_true (r[2] > 200 && g[2] < 100 && b[2] < 120);
  g_assert_true (r[3] > 100 && g[3] > 90 && b[3] < 60 && r[3] < 200);
  /* Brighter with each access, never dark.  */
  g_assert_cmpfloat (dv_palette_density (0, 100), ==, 0);
  g_assert_cmpfloat (dv_palette_density (1, 100), >, 0.3);
  g_assert_cmpfloat (dv_palette_density (100, 100), ==, 1);
  for (uint64_t n = 1; n < 100; n++)
    g_assert_cmpfloat (dv_palette_density (n, 100), <,
                       dv_palette_density (n + 1, 100));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/64-little", test_64_little);
  g_test_add_func ("/raster/64-big", test_64_big);
  g_test_add_func ("/raster/32-little", test_32_little);
  g_test_add_func ("/raster/32-big", test_32_big);
  g_test_add_func ("/raster/index", test_index);
  g_test_add_func ("/raster/index/same", test_index_same);
  g_test_add_func ("/raster/index/pick", test_index_pick);
  g_test_add_func ("/raster/index/damaged", test_index_damaged);
  g_test_add_func ("/raster/empty", test_empty);
  g_test_add_func ("/raster/cancel", test_cancel);
  g_test_add_func ("/raster/colours", test_colours);
  return g_test_run ();
}
