/* raster.c: counting the accesses of each pixel.

   A task is one chunk that is decoded, or a list of the index.  What several
   of them share is changed under a lock; and in the order of the tasks, where
   that makes a difference.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "raster.h"

#include "band.h"
#include "pen.h"
#include "raster_plan.h"
#include "model/log/work.h"

struct worker {
  struct dg_error error;
  uint64_t decoded;            /* accesses */
  struct dv_pen pen;           /* if there is an index */
};

struct job {
  struct dv_band_counter counter;
  struct dg_index *index;      /* NULL: there is none to use */
  GArray *parts;               /* struct dv_raster_part */
  struct worker *workers;
  GMutex lock;                 /* guards the rows that two tasks share */
  gint is_spoilt;              /* atomic: the index cannot be read */
  GCond turned;
  size_t turn;                 /* which task's it is to change owners */
  bool is_stopped;             /* no turn will come any more */
  dg_progress_fn progress;     /* may be NULL */
  void *progress_user;
};

/* ---- Tasks ----------------------------------------------------------- */

/* Tasks begin in order, so those before this one are being worked on, unless
   all have been stopped.  */
static void
wait_turn (struct job *job, size_t task)
{
  if (job->counter.raster->owners == NULL)
    return;
  g_mutex_lock (&job->lock);
  while (job->turn != task && !job->is_stopped)
    g_cond_wait (&job->turned, &job->lock);
  g_mutex_unlock (&job->lock);
}

static void
stop_turns (struct job *job)
{
  g_mutex_lock (&job->lock);
  job->is_stopped = true;
  g_cond_broadcast (&job->turned);
  g_mutex_unlock (&job->lock);
}

static int
tell_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  int stop = job->progress == NULL
             ? 0 : job->progress (job->progress_user, done, total);
  if (stop != 0)
    stop_turns (job);
  return stop;
}

static void
end_turn (struct job *job, size_t task)
{
  if (job->counter.raster->owners == NULL)
    return;
  wait_turn (job, task);
  g_mutex_lock (&job->lock);
  job->turn++;
  g_cond_broadcast (&job->turned);
  g_mutex_unlock (&job->lock);
}

static int
decode_chunk (struct job *job, size_t task, size_t chunk,
              struct dg_error *err)
{
  struct dv_band band;
  int result = dv_band_count (&band, &job->counter, chunk, err);
  wait_turn (job, task);
  g_mutex_lock (&job->lock);
  dv_band_add (&band, job->counter.raster);
  g_mutex_unlock (&job->lock);
  dv_band_fini (&band);
  return result;
}

/* The chunks of a list that is not decoded.  */
static void
guess_lane (struct job *job, const struct dg_index_span *span)
{
  g_mutex_lock (&job->lock);
  for (size_t i = span->first_chunk; i < span->end_chunk; i++)
    dv_band_guess_lane (&job->counter, i);
  g_mutex_unlock (&job->lock);
}

static int
draw_list (struct job *job, size_t task, const struct dv_raster_part *part,
           struct worker *self)
{
  struct dv_raster *raster = job->counter.raster;
  const struct dg_line_list *list
    = dg_index_borrow (job->index, part->level, part->i, &self->error);
  if (list == NULL) {
    g_atomic_int_set (&job->is_spoilt, 1);
    return self->error.code;
  }
  struct dg_index_span span = dg_index_span (job->index, part->level,
                                             part->i);
  bool decode = part->decode && dv_pen_touches (&self->pen, list);
  if (!part->decode) {
    wait_turn (job, task);
    dv_pen_draw (&self->pen, list, &span, part->thread, raster, &job->lock);
  }
  dg_index_return (job->index, list);
  if (decode) {
    self->decoded += span.accesses;
    return decode_chunk (job, task, part->i, &self->error);
  }
  if (raster->lane != NULL)
    guess_lane (job, &span);
  return 0;
}

static int
raster_part (void *user, size_t task, unsigned worker)
{
  struct job *job = user;
  struct worker *self = &job->workers[worker];
  const struct dv_raster_part *part
    = &g_array_index (job->parts, struct dv_raster_part, task);
  int result = job->index == NULL
               ? decode_chunk (job, task, part->i, &self->error)
               : draw_list (job, task, part, self);
  if (result != 0)
    stop_turns (job);
  end_turn (job, task);
  return result;
}

/* Those chunks of which nothing was asked, as they have no access in view.  */
static void
guess_others (struct job *job)
{
  size_t n;
  dg_log_chunks (job->counter.scene->data->log, &n);
  bool *is_done = g_new0 (bool, n + 1);
  for (guint p = 0; p < job->parts->len; p++) {
    const struct dv_raster_part *part
      = &g_array_index (job->parts, struct dv_raster_part, p);
    struct dg_index_span span = { part->i, part->i + 1, 0, 0, 0 };
    if (job->index != NULL)
      span = dg_index_span (job->index, part->level, part->i);
    for (size_t i = span.first_chunk; i < span.end_chunk && i < n; i++)
      is_done[i] = true;
  }
  for (size_t i = 0; i < n; i++)
    if (!is_done[i])
      dv_band_guess_lane (&job->counter, i);
  g_free (is_done);
}

/* As dv_work_run.  */
static int
run_job (struct job *job, enum dv_detail detail, struct dg_error *err)
{
  struct dv_raster *raster = job->counter.raster;
  unsigned workers = dv_work_default_workers ();
  gint64 start = g_get_monotonic_time ();
  uint64_t decoded = 0;
  job->turn = 0;
  job->is_stopped = false;
  job->parts = dv_raster_plan (job->counter.scene, job->index, raster, detail,
                               job->counter.sieve, &raster->is_draft);
  job->workers = g_new0 (struct worker, workers);
  for (unsigned w = 0; w < workers && job->index != NULL; w++)
    dv_pen_init (&job->workers[w].pen, job->counter.scene, raster);
  int code = dv_work_run (job->parts->len, workers, raster_part, job,
                          tell_progress, job, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    if (code < 0 && job->workers[w].error.code == code)
      *err = job->workers[w].error;
    decoded += job->workers[w].decoded;
    if (job->index != NULL)
      dv_pen_fini (&job->workers[w].pen);
  }
  if (code == 0)
    dv_data_note_decoding (job->counter.scene->data, decoded,
                           g_get_monotonic_time () - start);
  if (raster->lane != NULL)
    guess_others (job);
  g_free (job->workers);
  g_array_unref (job->parts);
  return code;
}

/* ---- The picture ----------------------------------------------------- */

static void
alloc_cells (struct dv_raster *raster, bool by_thread, bool has_lane)
{
  size_t n = (size_t) raster->width * raster->height;
  g_free (raster->cells);
  g_free (raster->owners);
  g_free (raster->lane);
  raster->cells = g_new0 (struct dv_raster_cell, n);
  raster->owners = by_thread ? g_new0 (struct dv_raster_owner, n) : NULL;
  raster->lane = has_lane ? g_new0 (uint64_t, (size_t) raster->height
                                              * DV_LANE_SLOTS) : NULL;
}

/* By the index, if there is one for all accesses that are shown; what cannot
   be read of it is decoded.  */
static int
count_accesses (struct job *job, const struct dv_raster_order *order,
                struct dg_error *err)
{
  const struct dv_scene *scene = job->counter.scene;
  bool has_lane = order->only == NULL
                  && dg_log_summary (scene->data->log)->threads > 1;
  alloc_cells (job->counter.raster, order->by_thread, has_lane);
  if (scene->filter == NULL && scene->layout.page_shift >= 6)
    job->index = dv_data_index (scene->data);
  int code = run_job (job, order->detail, err);
  if (code == 0 || code == DG_ERR_CANCELLED
      || !g_atomic_int_get (&job->is_spoilt))
    return code;
  dv_data_spoil_index (scene->data);
  if (scene->data->is_glance)
    return code;
  job->index = NULL;
  alloc_cells (job->counter.raster, order->by_thread, has_lane);
  return run_job (job, order->detail, err);
}

static void
set_max (struct dv_raster *raster)
{
  size_t n = (size_t) raster->width * raster->height;
  for (size_t i = 0; i < n; i++) {
    const struct dv_raster_cell *cell = &raster->cells[i];
    raster->max = MAX (raster->max,
                       (uint64_t) cell->count[0] + cell->count[1]);
  }
}

static int
compare_pixels (const void *a, const void *b, void *user)
{
  GHashTable *pixels = user;
  guint x = GPOINTER_TO_UINT (g_hash_table_lookup (
    pixels, GUINT_TO_POINTER (*(const uint32_t *) a)));
  guint y = GPOINTER_TO_UINT (g_hash_table_lookup (
    pixels, GUINT_TO_POINTER (*(const uint32_t *) b)));
  if (x != y)
    return x < y ? 1 : -1;
  return *(const uint32_t *) a < *(const uint32_t *) b ? -1 : 1;
}

static void
set_threads (struct dv_raster *raster)
{
  GHashTable *pixels = g_hash_table_new (NULL, NULL);
  size_t n = (size_t) raster->width * raster->height, from = 0;
  raster->threads = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  /* Those of a thread mostly follow one another.  */
  for (size_t i = 1; i <= n; i++) {
    uint32_t thread = raster->owners[from].thread;
    if (i < n && raster->owners[i].thread == thread)
      continue;
    void *key = GUINT_TO_POINTER (thread);
    guint sum = GPOINTER_TO_UINT (g_hash_table_lookup (pixels, key));
    if (sum == 0 && thread != 0)
      g_array_append_val (raster->threads, thread);
    g_hash_table_insert (pixels, key,
                         GUINT_TO_POINTER (sum + (guint) (i - from)));
    from = i;
  }
  g_array_sort_with_data (raster->threads, compare_pixels, pixels);
  g_hash_table_unref (pixels);
}

struct dv_raster *
dv_raster_make (const struct dv_scene *scene,
                const struct dv_raster_order *order, dg_progress_fn progress,
                void *user, struct dg_error *err)
{
  const struct dv_view *view = &order->view;
  struct dv_raster *raster = g_new0 (struct dv_raster, 1);
  raster->view = *view;
  raster->width = order->width;
  raster->height = order->height;
  dv_scale_init (&raster->x, view->x0, view->x1 - view->x0, order->width);
  dv_scale_init (&raster->y, view->y0, view->y1 - view->y0, order->height);

  struct dv_sieve sieve = { 0 };
  struct job job = { .counter = { .scene = scene, .raster = raster },
                     .progress = progress, .progress_user = user };
  if (order->only != NULL) {
    dv_sieve_init (&sieve, scene->data, order->only);
    job.counter.sieve = &sieve;
  }
  g_mutex_init (&job.lock);
  g_cond_init (&job.turned);
  dv_lens_init (&job.counter.lens, scene, raster);
  int code = count_accesses (&job, order, err);
  dv_lens_fini (&job.counter.lens);
  g_cond_clear (&job.turned);
  g_mutex_clear (&job.lock);
  dv_sieve_fini (&sieve);
  if (code != 0) {
    dv_raster_free (raster);
    return NULL;
  }
  set_max (raster);
  if (raster->owners != NULL)
    set_threads (raster);
  return raster;
}

struct dv_raster *
dv_raster_new (const struct dv_scene *scene, const struct dv_view *view,
               uint32_t width, uint32_t height, enum dv_detail detail,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_raster_order order = { .view = *view, .width = width,
                                   .height = height, .detail = detail };
  return dv_raster_make (scene, &order, progress, user, err);
}

void
dv_raster_free (struct dv_raster *raster)
{
  if (raster == NULL)
    return;
  if (raster->threads != NULL)
    g_array_unref (raster->threads);
  g_free (raster->cells);
  g_free (raster->owners);
  g_free (raster->lane);
  g_free (raster->heat);
  g_free (raster);
}
