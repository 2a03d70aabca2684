/* viewsteps.c: how long dg_view works on one picture after the other, for
   bench/view.

   Usage: viewsteps LOG
   Opens the log as the window does and makes pictures of 1000 x 700 pixels:
   the first one, then of views that zoom in where most happens, and move
   around there; asks for the access under the fullest pixel, and for the sums
   of what is seen.  Prints lines of a name and milliseconds: what is shown at
   once (draft) and what takes its place (exact) when the draft is not as
   good.  For sums, the time of all processors together as well; if they take
   long, when the tables of code are complete, when what is shown after two
   seconds was there (or the first, if that comes later), and by how many of
   100 accesses it is wrong.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <time.h>

#include "model/log/data.h"
#include "model/access/pick.h"
#include "model/picture/raster.h"
#include "model/log/scene.h"
#include "model/tally/tally.h"
#include "model/log/viewport.h"

static double
since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

/* Where in the view the fullest pixel is, 0 to 1.  */
struct place {
  double x, y;
};

static struct place
fullest (const struct dv_raster *raster)
{
  struct place place = { 0.5, 0.5 };
  for (uint32_t y = 0; y < raster->height; y++)
    for (uint32_t x = 0; x < raster->width; x++) {
      const struct dv_raster_cell *cell = dv_raster_cell (raster, x, y);
      if ((uint64_t) cell->count[0] + cell->count[1] == raster->max)
        place = (struct place){ (x + 0.5) / raster->width,
                                (y + 0.5) / raster->height };
    }
  return place;
}

static void
fail (const struct dg_error *err)
{
  fprintf (stderr, "viewsteps: %s\n", err->message);
  exit (1);
}

/* A click on the fullest pixel of a picture.  */
static void
click (const struct dv_scene *scene, const struct dv_raster *raster,
       const char *name)
{
  struct dg_error err = { 0 };
  struct place place = fullest (raster);
  double x = place.x * raster->width, y = place.y * raster->height;
  uint32_t column, row;
  gint64 start = g_get_monotonic_time ();
  if (!dv_pick_pixel (raster, x, y, 100, &column, &row))
    return;
  struct dv_pick *pick = dv_pick_new (scene, raster, column, row, x, y, NULL,
                                      NULL, &err);
  if (pick == NULL)
    fail (&err);
  printf ("%s-click %.3f\n", name, since (start));
  dv_pick_free (pick);
}

/* The last partial sums that came within two seconds, or else the first.  */
struct early {
  gint64 start;
  double ms, code_ms;          /* code_ms: all of the code; 0: not yet */
  struct dv_tally *tally;
};

static void
note_partial (void *user, struct dv_tally *tally)
{
  struct early *early = user;
  double ms = since (early->start);
  if (early->code_ms == 0 && tally->code_done >= 1)
    early->code_ms = ms;
  if (early->tally != NULL && ms > 2000)
    return;
  dv_tally_unref (early->tally);
  early->tally = dv_tally_ref (tally);
  early->ms = ms;
}

static double
share (const struct dv_tally *tally, guint i)
{
  const struct dv_tally_code *code
    = &g_array_index (tally->code, struct dv_tally_code, i);
  return (double) dv_tally_count_accesses (&code->count)
         / (double) MAX (1, dv_tally_count_accesses (&tally->code_total));
}

/* By how many of 100 accesses the shares of instructions differ.  Those of
   the partial sums are among the others, both in ascending order.  */
static double
difference (const struct dv_tally *early, const struct dv_tally *tally)
{
  double sum = 0;
  guint k = 0;
  for (guint i = 0; i < tally->code->len; i++) {
    double right = share (tally, i), shown = 0;
    if (k < early->code->len
        && g_array_index (early->code, struct dv_tally_code, k).instruction
             == g_array_index (tally->code, struct dv_tally_code, i)
                  .instruction)
      shown = share (early, k++);
    sum += ABS (right - shown);
  }
  return sum / 2 * 100;
}

static void
add_up (struct dv_scene *scene, const struct dv_view *view, const char *name)
{
  struct dg_error err = { 0 };
  gint64 start = g_get_monotonic_time ();
  struct early early = { .start = start };
  clock_t spent = clock ();
  struct dv_tally *tally = dv_tally_new (scene, view, 0, note_partial, NULL,
                                         &early, &err);
  if (tally == NULL)
    fail (&err);
  printf ("%s-sums %.3f\n", name, since (start));
  printf ("%s-sums-work %.3f\n", name,
          (double) (clock () - spent) * 1000 / CLOCKS_PER_SEC);
  if (early.code_ms > 0)
    printf ("%s-code-sums %.3f\n", name, early.code_ms);
  if (early.tally != NULL) {
    printf ("%s-early-sums %.3f\n", name, early.ms);
    printf ("%s-early-error %.3f\n", name, difference (early.tally, tally));
  }
  dv_tally_unref (early.tally);
  dv_tally_unref (tally);
}

static struct place
step (const struct dv_scene *scene, const struct dv_view *view,
      const char *name)
{
  struct place place = { 0 };
  struct dg_error err = { 0 };
  for (int draft = 1; draft >= 0; draft--) {
    gint64 start = g_get_monotonic_time ();
    struct dv_raster *raster = dv_raster_new (
      scene, view, 1000, 700, draft ? DV_DETAIL_DRAFT : DV_DETAIL_FINE, NULL,
      NULL, &err);
    if (raster == NULL)
      fail (&err);
    printf ("%s-%s %.3f\n", name, draft ? "draft" : "exact", since (start));
    bool done = !raster->is_draft;
    if (done && !scene->data->is_glance)
      click (scene, raster, name);
    place = fullest (raster);
    dv_raster_free (raster);
    /* What is only a draft of a glance has to wait for the log.  */
    if (done || scene->data->is_glance)
      break;
  }
  return place;
}

int
main (int argc, char **argv)
{
  struct dg_error err = { 0 };
  if (argc != 2) {
    fputs ("usage: viewsteps LOG\n", stderr);
    return 2;
  }
  setvbuf (stdout, NULL, _IOLBF, 0);
  gint64 start = g_get_monotonic_time ();
  struct dv_data *data = dv_data_glance (argv[1]);
  if (data != NULL) {
    struct dv_scene *glance = dv_scene_new (data, NULL, NULL, NULL, NULL,
                                            &err);
    printf ("glance %.3f\n", since (start));
    if (glance != NULL)
      step (glance, &glance->full, "glance");
    dv_scene_unref (glance);
    dv_data_unref (data);
  }
  start = g_get_monotonic_time ();
  data = dv_data_new (argv[1], true, NULL, NULL, &err);
  if (data == NULL)
    fail (&err);
  printf ("load %.3f\n", since (start));
  start = g_get_monotonic_time ();
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, &err);
  if (scene == NULL)
    fail (&err);
  printf ("scene %.3f\n", since (start));

  struct dv_viewport viewport;
  dv_viewport_init (&viewport);
  dv_viewport_reset (&viewport, &scene->full);
  struct place place = step (scene, &viewport.now, "whole");
  add_up (scene, &viewport.now, "whole");
  for (int i = 0; i < 12; i++) {
    dv_viewport_zoom (&viewport, DV_AXIS_BOTH, 0.8, place.x, place.y, false);
    place = step (scene, &viewport.now, "zoom");
    add_up (scene, &viewport.now, "zoom");
    for (int k = 0; k < 2; k++) {
      dv_viewport_move (&viewport, k ? -0.1 : 0.1, k ? -0.1 : 0.1, false);
      step (scene, &viewport.now, "pan");
    }
  }
  dv_viewport_fini (&viewport);
  dv_scene_unref (scene);
  dv_data_unref (data);
  return 0;
}
