/* test-heap-rows.c: who has how much of the heap at a moment, and where that
   is in the plot, against every block of random logs; and what is said of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/user/command.h"
#include "model/heap/heap_rows.h"
#include "model/heap/heap_text.h"
#include "model/picture/overlay.h"
#include "palette.h"
#include "tally_log.h"
#include "all_blocks.h"
#include "unit_main.h"

#define MOMENTS 40

static const struct tally_log_kind kind = {
  .word_size = 8, .page = 4096, .line = 64, .threads = 3, .runs = 3000
};

struct world {
  struct tally_log *log;
  struct dv_scene *scene;
  struct dv_heap *heap;
};

static int
go_on (void *user, uint64_t done, uint64_t total)
{
  return 0;
}

static void
world_init (struct world *world)
{
  struct dg_error err = { 0 };
  world->log = tally_log_new (&kind);
  struct dv_data *data = dv_data_new (world->log->path, false, NULL, NULL,
                                      &err);
  g_assert_nonnull (data);
  g_assert_true (dv_heap_has_blocks (data));
  world->scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  g_assert_nonnull (world->scene);
  world->heap = dv_heap_new (data, NULL, NULL, &err);
  g_assert_nonnull (world->heap);
  dv_data_unref (data);
}

static void
world_fini (struct world *world)
{
  dv_heap_unref (world->heap);
  dv_scene_unref (world->scene);
  tally_log_free (world->log);
}

/* Without names, the innermost address is the allocator, and who calls it
   allocates.  */
static uint64_t
site_of (const struct dg_stack *stack)
{
  return stack->n > 1 ? stack->sites[1] : 0;
}

/* Bytes and blocks of a site that are alive.  */
static uint64_t
count_alive (const struct world *world, uint64_t site, uint64_t moment,
             uint64_t *n)
{
  uint64_t bytes = 0;
  size_t n_blocks;
  g_autofree struct dg_block *blocks
    = all_blocks (world->heap->data->log, &n_blocks);
  *n = 0;
  for (size_t i = 0; i < n_blocks; i++)
    if (site_of (&blocks[i].alloc_stack) == site
        && blocks[i].alloc_icount <= moment
        && blocks[i].free_icount > moment) {
      bytes += blocks[i].size;
      ++*n;
    }
  return bytes;
}

/* Of a part of the log; end 0: all of it.  */
static struct dv_heap_rows *
rows_of (const struct world *world, enum dv_heap_preset preset,
         uint64_t moment, uint64_t start, uint64_t end)
{
  const struct dg_curve_options options = {.size = sizeof options,
                                           .start_icount = start,
                                           .end_icount = end};
  struct dg_error err = { 0 };
  struct dv_heap_curve *curve
    = dv_heap_curve_new (world->heap, &options, NULL, NULL, &err);
  g_assert_nonnull (curve);
  struct dv_heap_rows *rows
    = dv_heap_rows_new (curve, preset, moment, NULL, NULL, &err);
  g_assert_nonnull (rows);
  dv_heap_curve_unref (curve);
  return rows;
}

static struct dv_heap_rows *
rows_at (const struct world *world, uint64_t moment)
{
  return rows_of (world, DV_HEAP_ANY, moment, 0, 0);
}

static void
check_rows (const struct world *world, uint64_t moment, uint64_t peak)
{
  struct dv_heap_rows *rows = rows_at (world, moment);
  uint64_t bytes = 0, blocks = 0, peak_bytes = 0, n;
  for (guint i = 0; i < rows->rows->len; i++) {
    const struct dv_heap_row *row = dv_heap_rows_at (rows, i);
    uint64_t site = site_of (&row->stack);
    g_assert_cmpuint (row->bytes, ==,
                      count_alive (world, site, moment, &n));
    g_assert_cmpuint (row->blocks, ==, n);
    g_assert_cmpuint (row->peak_bytes, ==,
                      count_alive (world, site, peak, &n));
    g_assert_cmpuint (row->peak_blocks, ==, n);
    g_assert_true (g_utf8_validate (row->name, -1, NULL));
    bytes += row->bytes;
    blocks += row->blocks;
    peak_bytes += row->peak_bytes;
  }
  g_assert_cmpuint (bytes, ==, rows->now->curve->peak_bytes);
  g_assert_cmpuint (blocks, ==, rows->now->curve->peak_blocks);
  g_assert_cmpuint (peak_bytes, ==, rows->most->curve->peak_bytes);
  dv_heap_rows_unref (rows);
}

static void
test_rows (void)
{
  struct world world;
  world_init (&world);
  for (int i = 0; i < MOMENTS; i++)
    check_rows (&world, (uint64_t) g_test_rand_int () % world.log->icount,
                world.heap->peak_icount);
  check_rows (&world, world.heap->peak_icount, world.heap->peak_icount);
  world_fini (&world);
}

/* ---- Presets ------------------------------------------------------------ */

/* Whether the block that was allocated last before a free is freed by it, and
   counts: it has lived.  By the numbers that the log gives to all records.  */
static bool
is_temporary (const struct dg_block *blocks, size_t n, size_t i)
{
  if (blocks[i].free_order == DG_NONE
      || blocks[i].free_icount == blocks[i].alloc_icount)
    return false;
  for (size_t k = 0; k < n; k++)
    if ((blocks[k].alloc_order > blocks[i].alloc_order
         && blocks[k].alloc_order < blocks[i].free_order)
        || (blocks[k].free_order > blocks[i].alloc_order
            && blocks[k].free_order < blocks[i].free_order))
      return false;
  return true;
}

/* Which blocks a preset is about.  */
static bool
is_of (const struct world *world, enum dv_heap_preset preset,
       const struct dg_block *blocks, size_t n, size_t i)
{
  uint64_t peak = world->heap->peak_icount;
  switch (preset) {
  case DV_HEAP_AT_PEAK:
    return blocks[i].alloc_icount <= peak && blocks[i].free_icount > peak;
  case DV_HEAP_AT_EXIT:
    return blocks[i].free_icount == DG_NEVER;
  default:
    return is_temporary (blocks, n, i);
  }
}

static uint64_t
shown_by (const struct dv_heap_row *row, enum dv_heap_preset preset)
{
  return preset == DV_HEAP_TEMPORARY ? row->temporary : row->blocks;
}

static void
check_preset (const struct world *world, enum dv_heap_preset preset)
{
  uint64_t last = dg_log_summary (world->heap->data->log)->last_icount;
  struct dv_view view = world->scene->full, box;
  struct dv_heap_rows *rows = rows_of (
    world, preset, preset == DV_HEAP_AT_EXIT ? last : world->heap->peak_icount,
    0, 0);
  uint64_t shown = 0, wanted = 0, boxes = 0;
  size_t n;
  g_autofree struct dg_block *blocks
    = all_blocks (world->heap->data->log, &n);
  for (guint i = 0; i < rows->rows->len; i++) {
    const struct dv_heap_row *row = dv_heap_rows_at (rows, i);
    uint64_t of_site = 0;
    for (size_t k = 0; k < n; k++)
      of_site += site_of (&blocks[k].alloc_stack) == site_of (&row->stack)
                 && is_of (world, preset, blocks, n, k);
    g_assert_cmpuint (shown_by (row, preset), ==, of_site);
    g_assert_cmpuint (of_site, >, 0);
    g_assert_cmpuint (row->temporary, <=, row->allocations);
    shown += of_site;
  }
  for (size_t i = 0; i < n; i++)
    if (is_of (world, preset, blocks, n, i)) {
      wanted++;
      boxes += dv_overlay_block (world->scene, &view, i, &box);
    }
  g_assert_cmpuint (wanted, >, 0);
  g_assert_cmpuint (shown, ==, wanted);
  struct dv_highlight *all
    = dv_heap_highlight (rows, NULL, world->scene, &view, go_on, NULL);
  g_assert_cmpuint (all->boxes != NULL ? all->boxes->len : 0, ==, boxes);
  dv_highlight_unref (all);
  dv_heap_rows_unref (rows);
}

static void
test_presets (void)
{
  struct world world;
  world_init (&world);
  check_preset (&world, DV_HEAP_AT_PEAK);
  check_preset (&world, DV_HEAP_AT_EXIT);
  check_preset (&world, DV_HEAP_TEMPORARY);
  world_fini (&world);
}

/* A part of the log has what is allocated in it.  */
static void
test_part (void)
{
  struct world world;
  uint64_t allocations = 0, temporary = 0;
  size_t n;
  world_init (&world);
  uint64_t start = world.log->icount / 3, end = world.log->icount / 2;
  g_autofree struct dg_block *blocks
    = all_blocks (world.heap->data->log, &n);
  struct dv_heap_rows *rows
    = rows_of (&world, DV_HEAP_TEMPORARY, start, start, end);
  for (size_t i = 0; i < n; i++)
    if (blocks[i].alloc_icount >= start && blocks[i].alloc_icount < end
        && blocks[i].free_icount > blocks[i].alloc_icount) {
      allocations++;
      temporary += is_temporary (blocks, n, i);
    }
  g_assert_cmpuint (rows->allocations, ==, allocations);
  g_assert_cmpuint (rows->temporary, ==, temporary);
  g_assert_cmpuint (allocations, >, 0);
  dv_heap_rows_unref (rows);
  world_fini (&world);
}

/* Nothing is more than the peak.  */
static void
test_peak (void)
{
  struct world world;
  world_init (&world);
  struct dv_heap_rows *rows = rows_at (&world, world.heap->peak_icount);
  const struct tally_block *blocks
    = (const struct tally_block *) (void *) world.log->blocks->data;
  for (guint i = 0; i < world.log->blocks->len; i++) {
    uint64_t alive = 0, now = blocks[i].alloc;
    for (guint k = 0; k < world.log->blocks->len; k++)
      if (blocks[k].alloc <= now && blocks[k].free > now)
        alive += blocks[k].size;
    g_assert_cmpuint (alive, <=, rows->now->curve->peak_bytes);
  }
  dv_heap_rows_unref (rows);
  world_fini (&world);
}

/* ---- In the plot -------------------------------------------------------- */

static guint
check_highlight (const struct world *world, const struct dv_heap_rows *rows,
                 const struct dv_heap_row *row, const struct dv_view *view)
{
  struct dv_highlight *highlight
    = dv_heap_highlight (rows, row, world->scene, view, go_on, NULL);
  guint found = highlight->boxes != NULL ? highlight->boxes->len : 0;
  guint wanted = 0;
  size_t n;
  g_autofree struct dg_block *blocks
    = all_blocks (world->heap->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    struct dv_view box;
    bool has_box = false;
    if (site_of (&blocks[i].alloc_stack) != site_of (&row->stack)
        || !dv_overlay_block (world->scene, view, i, &box))
      continue;
    wanted++;
    for (guint k = 0; k < found && !has_box; k++)
      has_box = dv_view_equal (&box, &g_array_index (
        highlight->boxes, struct dv_view, k));
    g_assert_true (has_box);
  }
  g_assert_cmpuint (found, ==, wanted);
  dv_highlight_unref (highlight);
  return found;
}

static void
test_highlight (void)
{
  struct world world;
  guint found = 0;
  world_init (&world);
  struct dv_heap_rows *rows = rows_at (&world, world.heap->peak_icount);
  struct dv_view view = world.scene->full, part = view;
  part.y0 = view.y0 + (view.y1 - view.y0) / 3;
  part.y1 = view.y0 + (view.y1 - view.y0) / 2;
  for (guint i = 0; i < rows->rows->len; i++) {
    const struct dv_heap_row *row = dv_heap_rows_at (rows, i);
    found += check_highlight (&world, rows, row, &view);
    check_highlight (&world, rows, row, &part);
  }
  g_assert_cmpuint (found, >, 0);
  dv_heap_rows_unref (rows);
  world_fini (&world);
}

/* ---- In words ----------------------------------------------------------- */

static void
test_window (void)
{
  struct world world;
  struct dg_curve_options options = {.size = sizeof options};
  world_init (&world);
  struct dv_view view = world.scene->full;
  dv_heap_window (world.scene, &view, &options);
  g_assert_cmpuint (options.start_icount, ==, 0);
  g_assert_cmpuint (options.end_icount, ==, 0);
  view.y0 += 10;
  view.y1 -= 20;
  dv_heap_window (world.scene, &view, &options);
  g_assert_cmpuint (options.start_icount, ==, view.y0);
  g_assert_cmpuint (options.end_icount, ==, view.y1);
  dv_heap_window (world.scene, NULL, &options);
  g_assert_cmpuint (options.end_icount, ==, 0);
  world_fini (&world);
}

static void
test_command (void)
{
  struct world world;
  struct dg_error err = { 0 };
  world_init (&world);
  const struct dg_curve_options options = {.size = sizeof options,
                                           .start_icount = 100,
                                           .end_icount = 900,
                                           .series = 3};
  struct dv_heap_curve *curve = dv_heap_curve_new (world.heap, &options,
                                                   NULL, NULL, &err);
  g_assert_nonnull (curve);
  char *line = dv_command_heap (curve->curve, 3,
                                dv_palette_find (NULL, true), "heap.svg",
                                "-my log");
  g_assert_cmpstr (line, ==, "dg heap --render=heap.svg --by=site --series=3"
                             " --instructions=100..900 --palette=classic"
                             " --theme=dark './-my log'");
  g_free (line);
  char *text = dv_heap_tip (curve, 0, 0);
  char **lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_cmpstr (lines[0], ==, curve->curve->series[0].name);
  g_assert_true (g_str_has_prefix (lines[2], "all: "));
  g_assert_true (g_str_has_prefix (lines[3], "instruction "));
  g_strfreev (lines);
  g_free (text);
  dv_heap_curve_unref (curve);
  world_fini (&world);
}

static void
test_table (void)
{
  struct world world;
  static const char *const titles[] = { "a", "b", "c", "d", "e", "f", "g",
                                        "h", "i", "j" };
  world_init (&world);
  struct dv_heap_rows *rows = rows_at (&world, world.heap->peak_icount);
  char *text = dv_heap_table_text (rows, titles);
  char **lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, rows->rows->len + 2);
  g_assert_cmpstr (lines[0], ==, "a\tb\tc\td\te\tf\tg\th\ti\tj");
  for (guint i = 0; i < rows->rows->len; i++) {
    char **cells = g_strsplit (lines[i + 1], "\t", -1);
    const struct dv_heap_row *row = dv_heap_rows_at (rows, i);
    g_assert_cmpuint (g_strv_length (cells), ==, 10);
    g_assert_cmpuint (g_ascii_strtoull (cells[2], NULL, 10), ==, row->bytes);
    g_assert_cmpuint (g_ascii_strtoull (cells[7], NULL, 10), ==,
                      row->peak_blocks);
    g_strfreev (cells);
  }
  /* At the peak, the others are the least of all.  */
  for (guint i = 1; i < rows->rows->len; i++)
    g_assert_cmpint (dv_heap_rows_compare (
      dv_heap_rows_at (rows, i - 1), dv_heap_rows_at (rows, i),
      DV_HEAP_PEAK_BYTES), >=, 0);
  g_strfreev (lines);
  g_free (text);
  char *summary = dv_heap_summary (rows);
  g_assert_true (g_str_has_prefix (summary, "Peak in view: "));
  g_free (summary);
  dv_heap_rows_unref (rows);
  world_fini (&world);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-rows/rows", test_rows);
  g_test_add_func ("/heap-rows/presets", test_presets);
  g_test_add_func ("/heap-rows/part", test_part);
  g_test_add_func ("/heap-rows/peak", test_peak);
  g_test_add_func ("/heap-rows/highlight", test_highlight);
  g_test_add_func ("/heap-rows/window", test_window);
  g_test_add_func ("/heap-rows/command", test_command);
  g_test_add_func ("/heap-rows/table", test_table);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
