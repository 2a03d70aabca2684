/* test-seek.c: the next access is the one that walking finds.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/log/seek.h"

#include "unit_main.h"
#include "view/scene_walk.h"

static bool
touches (const struct dg_access *access, const struct dv_seek *seek)
{
  return access->address < seek->high
         && access->address + access->size > seek->low
         && (seek->highlight == NULL
             || dv_highlight_context (seek->highlight, access->context)
             || dv_highlight_code (seek->highlight, access->instruction));
}

static const struct dg_access *
at (const GArray *all, guint i)
{
  return &g_array_index (all, struct dg_access, i);
}

/* From access i on, by walking; NULL: there is none.  */
static const struct dg_access *
expected (const GArray *all, guint i, const struct dv_seek *seek)
{
  /* Of accesses that cannot be distinguished the first counts.  */
  for (guint j = 0; j < i; j++)
    if (dv_seek_same_access (at (all, j), at (all, i)))
      i = j;
  if (seek->backward) {
    while (i-- > 0)
      if (touches (at (all, i), seek))
        return at (all, i);
    return NULL;
  }
  for (i++; i < all->len; i++)
    if (touches (at (all, i), seek)
        && !dv_seek_same_access (at (all, i), &seek->from))
      return at (all, i);
  return NULL;
}

static void
check (const GArray *all, guint i, const struct dv_seek *seek)
{
  struct dg_access found;
  struct dg_error err;
  const struct dg_access *wanted = expected (all, i, seek);
  int code = dv_seek_run (seek, &found, NULL, NULL, &err);
  g_assert_cmpint (code, ==, wanted != NULL);
  if (wanted != NULL)
    g_assert_true (dv_seek_same_access (&found, wanted));
}

/* A function's accesses: those of some contexts, or of one instruction.  */
static struct dv_highlight *
some_highlight (const GArray *all)
{
  struct dv_highlight *highlight = dv_highlight_new ("some");
  guint i = (guint) g_test_rand_int_range (0, (gint32) all->len);
  if (g_test_rand_bit ())
    dv_highlight_add_code (highlight, at (all, i)->instruction);
  else
    dv_highlight_add_context (highlight, at (all, i)->context);
  dv_highlight_finish (highlight);
  return highlight;
}

static void
check_scene (struct dv_scene *scene)
{
  GArray *all = scene_walk (scene, 0, UINT64_MAX);
  g_assert_cmpuint (all->len, >, 0);
  for (int n = 0; n < 200; n++) {
    guint i = (guint) g_test_rand_int_range (0, (gint32) all->len);
    struct dv_seek seek = { .scene = scene, .from = *at (all, i) };
    seek.backward = g_test_rand_bit ();
    /* A line, a page, or wherever.  */
    uint64_t size = n % 3 == 0 ? 64 : 4096;
    seek.low = seek.from.address & ~(size - 1);
    seek.high = seek.low + size;
    if (n % 3 == 2) {
      seek.low = 0;
      seek.high = UINT64_MAX;
    }
    if (n % 2 == 0)
      seek.highlight = some_highlight (all);
    check (all, i, &seek);
    dv_highlight_unref (seek.highlight);
  }
  g_array_unref (all);
}

static void
test_random (gconstpointer big)
{
  for (int i = 0; i < 3; i++) {
    struct random_log *log = random_log_new (GPOINTER_TO_INT (big) ? 4 : 8,
                                             GPOINTER_TO_INT (big), 3000);
    struct dv_scene *scene = scene_walk_open (log, NULL);
    check_scene (scene);
    dv_scene_unref (scene);
    scene = scene_walk_open (log, "user:work");
    if (scene->accesses > 0)
      check_scene (scene);
    dv_scene_unref (scene);
    random_log_free (log);
  }
}

/* Chunks are left out by the index.  */
static void
test_index (void)
{
  struct random_log *log = random_log_new (8, false, 5000);
  struct dv_scene *scene = scene_walk_open_indexed (log);
  check_scene (scene);
  dv_scene_unref (scene);
  random_log_free (log);
}

/* From a moment on, where no access is known.  */
static void
test_moment (void)
{
  struct random_log *log = random_log_new (8, false, 1000);
  struct dv_scene *scene = scene_walk_open (log, NULL);
  GArray *all = scene_walk (scene, 0, UINT64_MAX);
  struct dg_access found;
  struct dg_error err;
  struct dv_seek seek = { .scene = scene, .high = UINT64_MAX };
  g_assert_cmpint (dv_seek_run (&seek, &found, NULL, NULL, &err), ==, 1);
  g_assert_true (dv_seek_same_access (&found, at (all, 0)));
  seek.from.icount = scene->full.y1;
  g_assert_cmpint (dv_seek_run (&seek, &found, NULL, NULL, &err), ==, 0);
  seek.backward = true;
  g_assert_cmpint (dv_seek_run (&seek, &found, NULL, NULL, &err), ==, 1);
  g_assert_true (dv_seek_same_access (&found, at (all, all->len - 1)));
  /* Memory that nobody touched.  */
  seek.low = 8;
  seek.high = 16;
  g_assert_cmpint (dv_seek_run (&seek, &found, NULL, NULL, &err), ==, 0);
  seek.high = 8;
  g_assert_cmpint (dv_seek_run (&seek, &found, NULL, NULL, &err), ==, 0);
  g_array_unref (all);
  dv_scene_unref (scene);
  random_log_free (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/seek/random", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/seek/foreign", GINT_TO_POINTER (1), test_random);
  g_test_add_func ("/seek/index", test_index);
  g_test_add_func ("/seek/moment", test_moment);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
