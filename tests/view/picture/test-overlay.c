/* test-overlay.c: which boxes of heap blocks are drawn, against every block of
   random logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/picture/overlay.h"

#include "tally_log.h"
#include "unit_main.h"

static struct dv_scene *
open_scene (const char *path)
{
  struct dg_error err = { 0 };
  struct dv_data *data = dv_data_new (path, false, NULL, NULL, &err);
  if (data == NULL)
    g_error ("%s", err.message);
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

/* How much of [start, end) is in [from, to).  */
static uint64_t
common (uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
  start = MAX (start, from);
  end = MIN (end, to);
  return end > start ? end - start : 0;
}

static bool
is_seen (const struct dv_scene *scene, const struct tally_block *block,
         const struct dv_view *view, uint64_t bytes, uint64_t instructions)
{
  uint64_t x0, x1;
  dv_layout_position (&scene->layout, block->address, &x0);
  dv_layout_position (&scene->layout, block->address + block->size, &x1);
  uint64_t width = common (x0, x1, view->x0, view->x1);
  uint64_t height = common (block->alloc, block->free, view->y0, view->y1);
  return width >= MAX (bytes, 1) && height >= MAX (instructions, 1);
}

static guint
check_view (const struct dv_scene *scene, const GArray *blocks,
            const struct dv_view *view, uint64_t bytes,
            uint64_t instructions)
{
  GArray *boxes = dv_overlay_new (scene, view, bytes, instructions);
  guint at = 0;
  for (guint i = 0; i < blocks->len; i++) {
    const struct tally_block *block
      = &g_array_index (blocks, struct tally_block, i);
    if (!is_seen (scene, block, view, bytes, instructions))
      continue;
    g_assert_cmpuint (at, <, boxes->len);
    const struct dv_box *box = &g_array_index (boxes, struct dv_box, at++);
    g_assert_cmpint (box->kind, ==, DV_BOX_BLOCK);
    g_assert_cmpuint (box->index, ==, i);
    g_assert_cmpuint (box->y0, ==, block->alloc);
    g_assert_cmpuint (box->y1, ==, block->free);
  }
  g_assert_cmpuint (at, ==, boxes->len);
  g_array_unref (boxes);
  return at;
}

static uint64_t
part_of (uint64_t n)
{
  return (uint64_t) (g_test_rand_double () * (double) n);
}

/* Fewer than are drawn at most, or they would come in another order.  */
static void
test_blocks (void)
{
  const struct tally_log_kind kind = { .word_size = 8, .page = 4096,
                                       .line = 64, .threads = 1,
                                       .runs = 6000 };
  struct tally_log *log = tally_log_new (&kind);
  struct dv_scene *scene = open_scene (log->path);
  const struct dv_view *full = &scene->full;
  uint64_t width = full->x1 - full->x0, height = full->y1 - full->y0;
  guint seen = 0;
  g_assert_cmpuint (log->blocks->len, >, 1000);
  g_assert_cmpuint (log->blocks->len, <, 2000);
  seen += check_view (scene, log->blocks, full, 0, 0);
  for (int i = 0; i < 2000; i++) {
    struct dv_view view;
    unsigned zoom = (unsigned) g_test_rand_int_range (0, 7);
    view.x0 = full->x0 + part_of (width - 1);
    view.x1 = MIN (view.x0 + 1 + (width >> zoom), full->x1);
    view.y0 = full->y0 + part_of (height - 1);
    view.y1 = MIN (view.y0 + 1 + (height >> zoom), full->y1);
    seen += check_view (scene, log->blocks, &view,
                        part_of ((uint64_t) 400 >> zoom),
                        part_of (height / 10 >> zoom));
  }
  g_assert_cmpuint (seen, >, 2000);
  dv_scene_unref (scene);
  tally_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/overlay/blocks", test_blocks);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
