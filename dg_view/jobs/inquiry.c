/* inquiry.c: picking and explaining, off the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "inquiry.h"

struct question {
  struct dv_picture *picture;   /* NULL: about `access` */
  struct dv_data *data;
  struct dg_access access;
  double x, y, reach;
  enum dv_inquiry_kind kind;
};

static void
question_free (void *memory)
{
  struct question *question = memory;
  dv_picture_unref (question->picture);
  dv_data_unref (question->data);
  g_free (question);
}

void
dv_inquiry_free (struct dv_inquiry *inquiry)
{
  if (inquiry == NULL)
    return;
  dv_pick_free (inquiry->pick);
  dv_answer_free (inquiry->answer);
  g_free (inquiry);
}

/* How often to see whether debug information has come, or nobody wants it any
   more.  */
#define WAIT_US 20000

/* Debug information that is being fetched holds up this job only, which can be
   dropped meanwhile.  False if it was.  */
static bool
wait_for_names (struct question *question, const struct dg_access *access,
                dg_progress_fn progress, void *user)
{
  while (dv_answer_has_to_wait (question->data, access)) {
    if (progress != NULL && progress (user, 0, 1) != 0)
      return false;
    g_usleep (WAIT_US);
  }
  return true;
}

/* About a pixel without accesses.  */
static struct dv_answer *
answer_nothing (const struct question *question)
{
  const struct dv_scene *scene = question->picture->scene;
  const struct dv_raster *raster = question->picture->raster;
  double fx = CLAMP (question->x / raster->width, 0, 1);
  double fy = CLAMP (question->y / raster->height, 0, 1);
  uint64_t width = raster->view.x1 - raster->view.x0;
  uint64_t height = raster->view.y1 - raster->view.y0;
  uint64_t x = MIN ((uint64_t) (fx * (double) width), width - 1);
  uint64_t y = MIN ((uint64_t) (fy * (double) height), height - 1);
  return dv_answer_new_nothing (
    question->data, dv_layout_address (&scene->layout, raster->view.x0 + x),
    raster->view.y0 + y, scene->filter != NULL);
}

static void *
run_inquiry (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  struct question *question = input;
  const struct dv_picture *picture = question->picture;
  struct dv_inquiry *inquiry = g_new0 (struct dv_inquiry, 1);
  struct dg_access access = question->access;
  if (picture != NULL) {
    uint32_t column, row;
    if (!dv_pick_pixel (picture->raster, question->x, question->y,
                        question->reach, &column, &row))
      *err = (struct dg_error){ DG_ERR_INVALID, 0, "no access there" };
    else
      inquiry->pick = dv_pick_new (picture->scene, picture->raster, column,
                                   row, question->x, question->y, progress,
                                   user, err);
    if (inquiry->pick == NULL && question->kind == DV_INQUIRY_CLICK
        && err->code == DG_ERR_INVALID) {
      inquiry->answer = answer_nothing (question);
      return inquiry;
    }
    if (inquiry->pick == NULL) {
      dv_inquiry_free (inquiry);
      return NULL;
    }
    access = g_array_index (inquiry->pick->accesses, struct dg_access,
                            inquiry->pick->nearest);
  }
  if (question->kind == DV_INQUIRY_HOVER) {
    inquiry->answer = dv_answer_new_brief (question->data, &access);
    return inquiry;
  }
  if (!wait_for_names (question, &access, progress, user)) {
    *err = (struct dg_error){ DG_ERR_CANCELLED, 0, "cancelled" };
    dv_inquiry_free (inquiry);
    return NULL;
  }
  inquiry->answer = dv_answer_new (question->data, &access);
  return inquiry;
}

static const struct dv_job_class inquiry_class = {
  run_inquiry, question_free, (GDestroyNotify) dv_inquiry_free};

struct dv_job *
dv_inquiry_at (struct dv_picture *picture, enum dv_inquiry_kind kind, double x,
               double y, double reach, dv_job_done done, void *user)
{
  struct question *question = g_new0 (struct question, 1);
  question->picture = dv_picture_ref (picture);
  question->data = dv_data_ref (picture->scene->data);
  question->x = x;
  question->y = y;
  question->reach = reach;
  question->kind = kind;
  return dv_job_start (&inquiry_class, question, done, user);
}

struct dv_job *
dv_inquiry_about (struct dv_data *data, const struct dg_access *access,
                  dv_job_done done, void *user)
{
  struct question *question = g_new0 (struct question, 1);
  question->data = dv_data_ref (data);
  question->access = *access;
  return dv_job_start (&inquiry_class, question, done, user);
}
