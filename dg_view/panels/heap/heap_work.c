/* heap_work.c: curves and rows of the heap in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_work.h"

#include "model/access/answer.h"

static void want_curve (struct dv_heap_work *work);
static void want_rows (struct dv_heap_work *work);
static void want_selection (struct dv_heap_work *work);

/* ---- Tasks -------------------------------------------------------------- */

/* Whether to begin now; else it is noted.  */
static bool
may_begin (struct dv_heap_task *task)
{
  task->is_due = task->job != NULL;
  return task->job == NULL;
}

/* Whether it is to be done once more.  */
static bool
has_ended (struct dv_heap_task *task)
{
  bool is_due = task->is_due;
  task->job = NULL;
  task->is_due = false;
  return is_due;
}

static void
drop_task (struct dv_heap_task *task)
{
  dv_job_drop (task->job);
  *task = (struct dv_heap_task){ 0 };
}

/* ---- The curve ---------------------------------------------------------- */

struct curve_order {
  struct dv_data *data;
  struct dv_heap *heap;        /* NULL: to be made */
  struct dg_curve_options options;
};

static void
free_curve_order (void *memory)
{
  struct curve_order *order = memory;
  dv_heap_unref (order->heap);
  dv_data_unref (order->data);
  g_free (order);
}

static void *
run_curve (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  struct curve_order *order = input;
  if (order->heap == NULL)
    order->heap = dv_heap_new (order->data, progress, user, err);
  return order->heap == NULL ? NULL
         : dv_heap_curve_new (order->heap, &order->options, progress, user,
                              err);
}

static void
curve_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_heap_work *work = user;
  bool again = has_ended (&work->curve_task);
  if (result != NULL) {
    dv_heap_curve_unref (work->curve);
    work->curve = result;
    work->curve_changed (work->user);
    want_rows (work);
  } else {
    work->failed (work->user, err);
  }
  if (again)
    want_curve (work);
}

static void
want_curve (struct dv_heap_work *work)
{
  static const struct dv_job_class class = {
    run_curve, free_curve_order, (GDestroyNotify) dv_heap_curve_unref};
  if (work->scene == NULL || !dv_heap_has_blocks (work->scene->data)
      || !may_begin (&work->curve_task))
    return;
  struct curve_order *order = g_new0 (struct curve_order, 1);
  order->data = dv_data_ref (work->scene->data);
  if (work->curve != NULL && work->curve->heap->data == order->data)
    order->heap = dv_heap_ref (work->curve->heap);
  order->options = work->options;
  dv_heap_window (work->scene, work->has_view ? &work->view : NULL,
                  &order->options);
  work->curve_task.job = dv_job_start (&class, order, curve_done, work);
}

/* ---- Rows --------------------------------------------------------------- */

struct rows_order {
  struct dv_heap_curve *curve;
  enum dv_heap_preset preset;
  uint64_t moment;
};

static void
free_rows_order (void *memory)
{
  struct rows_order *order = memory;
  dv_heap_curve_unref (order->curve);
  g_free (order);
}

static void *
run_rows (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  const struct rows_order *order = input;
  return dv_heap_rows_new (order->curve, order->preset, order->moment,
                           progress, user, err);
}

static void
rows_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_heap_work *work = user;
  bool again = has_ended (&work->rows_task);
  if (result != NULL) {
    dv_heap_rows_unref (work->rows);
    bool had_preset = work->preset == DV_HEAP_ANY && work->has_all;
    work->rows = result;
    work->rows_changed (work->user);
    if (had_preset && work->selected == DG_NONE)
      work->selection_changed (work->user, NULL, NULL);
    work->has_all = work->rows->preset != DV_HEAP_ANY;
    want_selection (work);
  } else {
    work->failed (work->user, err);
  }
  if (again)
    want_rows (work);
}

static void
want_rows (struct dv_heap_work *work)
{
  static const struct dv_job_class class = {
    run_rows, free_rows_order, (GDestroyNotify) dv_heap_rows_unref};
  if (work->curve == NULL || !may_begin (&work->rows_task))
    return;
  struct rows_order *order = g_new (struct rows_order, 1);
  order->curve = dv_heap_curve_ref (work->curve);
  order->preset = work->preset;
  order->moment = dv_heap_work_moment (work);
  work->rows_task.job = dv_job_start (&class, order, rows_done, work);
}

/* ---- What is selected --------------------------------------------------- */

struct selection_order {
  struct dv_heap_rows *rows;
  const struct dv_heap_row *row;
  struct dv_scene *scene;
  struct dv_view view;
  bool has_view;
};

struct selection {
  struct dv_highlight *highlight;
  GPtrArray *stack;
};

static void
free_selection_order (void *memory)
{
  struct selection_order *order = memory;
  dv_scene_unref (order->scene);
  dv_heap_rows_unref (order->rows);
  g_free (order);
}

static void
free_selection (void *memory)
{
  struct selection *selection = memory;
  dv_highlight_unref (selection->highlight);
  if (selection->stack != NULL)
    g_ptr_array_unref (selection->stack);
  g_free (selection);
}

static void *
run_selection (void *input, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  const struct selection_order *order = input;
  struct selection *selection = g_new0 (struct selection, 1);
  if (order->has_view)
    selection->highlight = dv_heap_highlight (order->rows, order->row,
                                              order->scene, &order->view,
                                              progress, user);
  if (order->row != NULL)
    selection->stack = dv_heap_rows_stack (order->rows, order->row);
  return selection;
}

static void
selection_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_heap_work *work = user;
  struct selection *selection = result;
  bool again = has_ended (&work->selection_task);
  if (!again)
    work->selection_changed (work->user, selection->highlight,
                             selection->stack);
  free_selection (selection);
  if (again)
    want_selection (work);
}

static void
want_selection (struct dv_heap_work *work)
{
  static const struct dv_job_class class = {
    run_selection, free_selection_order, free_selection
  };
  const struct dv_heap_row *row = dv_heap_work_row (work);
  /* With a preset, all its blocks stand out.  */
  bool are_all = work->selected == DG_NONE && work->rows != NULL
                 && work->rows->preset != DV_HEAP_ANY;
  if ((work->selected == DG_NONE && !are_all)
      || !may_begin (&work->selection_task))
    return;
  if (row == NULL && !are_all) {
    work->selection_changed (work->user, NULL, NULL);
    return;
  }
  struct selection_order *order = g_new0 (struct selection_order, 1);
  order->rows = dv_heap_rows_ref (work->rows);
  order->row = row;
  order->scene = dv_scene_ref (work->scene);
  order->view = work->view;
  order->has_view = work->has_view;
  work->selection_task.job = dv_job_start (&class, order, selection_done,
                                           work);
}

const struct dv_heap_row *
dv_heap_work_row (const struct dv_heap_work *work)
{
  if (work->rows == NULL || work->selected == DG_NONE)
    return NULL;
  for (guint i = 0; i < work->rows->rows->len; i++)
    if (dv_heap_rows_at (work->rows, i)->id == work->selected)
      return dv_heap_rows_at (work->rows, i);
  return NULL;
}

/* ---- What is wanted ----------------------------------------------------- */

/* Nothing that is there means anything any more.  */
static void
forget (struct dv_heap_work *work)
{
  drop_task (&work->curve_task);
  drop_task (&work->rows_task);
  drop_task (&work->selection_task);
  g_clear_pointer (&work->rows, dv_heap_rows_unref);
  work->moment = DG_NEVER;
  work->preset = DV_HEAP_ANY;
  work->selected = DG_NONE;
}

static void
forget_curve (struct dv_heap_work *work)
{
  g_clear_pointer (&work->curve, dv_heap_curve_unref);
}

static void
tell_all (struct dv_heap_work *work)
{
  work->curve_changed (work->user);
  work->rows_changed (work->user);
  work->selection_changed (work->user, NULL, NULL);
}

/* The same log, though there may be more of it.  */
static bool
is_same_log (const struct dv_scene *a, const struct dv_scene *b)
{
  return a->data == b->data
         || (a->data->is_growing
             && g_str_equal (dg_log_path (a->data->log),
                             dg_log_path (b->data->log)));
}

void
dv_heap_work_set_view (struct dv_heap_work *work, struct dv_scene *scene,
                       const struct dv_view *view)
{
  struct dv_scene *old = work->scene;
  struct dv_view now = view != NULL ? *view : (struct dv_view){ 0 };
  bool is_other = scene == NULL || old == NULL || !is_same_log (old, scene);
  if (!is_other && old == scene && work->has_view == (view != NULL)
      && dv_view_equal (&work->view, &now))
    return;
  if (is_other) {
    forget (work);
    forget_curve (work);
  }
  bool is_same_time = !is_other && old->data == scene->data
                      && work->has_view == (view != NULL)
                      && now.y0 == work->view.y0 && now.y1 == work->view.y1;
  work->scene = scene != NULL ? dv_scene_ref (scene) : NULL;
  dv_scene_unref (old);
  work->view = now;
  work->has_view = view != NULL;
  if (is_other)
    tell_all (work);
  /* Only other addresses: the curve stays, but not what is framed.  */
  if (is_same_time)
    want_selection (work);
  else
    want_curve (work);
}

void
dv_heap_work_set_series (struct dv_heap_work *work, enum dg_curve_by by,
                         uint32_t series)
{
  bool is_other = by != work->options.by;
  if (!is_other && series == work->options.series)
    return;
  work->options.by = by;
  work->options.series = series;
  /* Numbers of series mean something else now.  */
  if (is_other) {
    uint64_t moment = work->moment;
    enum dv_heap_preset preset = work->preset;
    forget (work);
    work->moment = moment;
    work->preset = preset;
    work->rows_changed (work->user);
    work->selection_changed (work->user, NULL, NULL);
  }
  want_curve (work);
}

void
dv_heap_work_set_columns (struct dv_heap_work *work, uint32_t columns)
{
  if (columns == work->options.columns)
    return;
  work->options.columns = columns;
  want_curve (work);
}

uint64_t
dv_heap_work_moment (const struct dv_heap_work *work)
{
  return work->moment != DG_NEVER || work->curve == NULL
         ? work->moment : work->curve->curve->peak_icount;
}

void
dv_heap_work_set_moment (struct dv_heap_work *work,
                         enum dv_heap_preset preset, uint64_t moment)
{
  if (moment == work->moment && preset == work->preset)
    return;
  work->moment = moment;
  work->preset = preset;
  want_rows (work);
}

void
dv_heap_work_select (struct dv_heap_work *work, uint32_t id)
{
  if (id == work->selected)
    return;
  work->selected = id;
  if (id == DG_NONE) {
    drop_task (&work->selection_task);
    work->selection_changed (work->user, NULL, NULL);
  }
  want_selection (work);
}

/* ---- Life --------------------------------------------------------------- */

void
dv_heap_work_init (struct dv_heap_work *work)
{
  work->moment = DG_NEVER;
  work->selected = DG_NONE;
}

void
dv_heap_work_fini (struct dv_heap_work *work)
{
  forget (work);
  forget_curve (work);
  g_clear_pointer (&work->scene, dv_scene_unref);
}
