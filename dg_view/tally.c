/* tally.c: adding up the accesses of a view.

   A task is one chunk, which a worker counts in tables of its own and then
   adds to the sums of all, so that these are all that grows with the view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally.h"

#include <dg_record.h>

#include "tally_code.h"
#include "work.h"

/* Between two partial results.  */
#define PARTIAL_US (350 * 1000)
/* So often, in runs, a worker looks whether it is to stop.  */
#define RUNS_AT_ONCE 4096
/* Where so many accesses are decoded, half of the processors are left to
   others, such as the picture.  */
#define MANY_ACCESSES ((uint64_t) 200 * 1000 * 1000)

struct worker {
  struct dg_error error;
  struct dv_run_counts runs;
};

struct job {
  struct dv_scene *scene;
  struct dv_view view;
  bool whole_x;                /* nothing is left out for its address */
  GArray *chunks;              /* size_t: those that are decoded */
  struct worker *workers;
  struct dv_code_sums *code;
  gint stop;                   /* atomic */

  dv_tally_partial_fn partial;
  dg_progress_fn progress;
  void *user;
  gint64 next_partial;
};

/* ---- Life of a tally ------------------------------------------------- */

static void
tally_clear (void *memory)
{
  struct dv_tally *tally = memory;
  GArray *arrays[] = { tally->contexts, tally->threads, tally->code,
                       tally->pages, tally->lines, tally->sites };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i] != NULL)
      g_array_unref (arrays[i]);
  dv_scene_unref (tally->scene);
}

struct dv_tally *
dv_tally_ref (struct dv_tally *tally)
{
  return g_atomic_rc_box_acquire (tally);
}

void
dv_tally_unref (struct dv_tally *tally)
{
  if (tally != NULL)
    g_atomic_rc_box_release_full (tally, tally_clear);
}

/* Of what has been added up by now.  */
static struct dv_tally *
snapshot (struct job *job, double done)
{
  struct dv_tally *tally = g_atomic_rc_box_new0 (struct dv_tally);
  tally->scene = dv_scene_ref (job->scene);
  tally->view = job->view;
  tally->done = done;
  GArray **arrays[] = { &tally->contexts, &tally->threads, &tally->code,
                        &tally->pages, &tally->lines, &tally->sites };
  static const guint sizes[] = {
    sizeof (struct dv_tally_context), sizeof (struct dv_tally_thread),
    sizeof (struct dv_tally_code), sizeof (struct dv_tally_place),
    sizeof (struct dv_tally_place), sizeof (struct dv_tally_site)
  };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_array_new (FALSE, FALSE, sizes[i]);
  dv_code_sums_tell (job->code, tally);
  return tally;
}

/* ---- Counting a chunk ------------------------------------------------ */

/* Whether a byte of it is in the view.  */
static bool
touches_view (const struct job *job, const struct dg_access *access)
{
  const struct dv_layout *layout = &job->scene->layout;
  uint64_t first, last;
  uint64_t end = access->address + access->size - 1;
  if (job->whole_x)
    return true;
  if (!dv_layout_position (layout, access->address, &first)
      || !dv_layout_position (layout, end, &last))
    return false;
  return first < job->view.x1 && last >= job->view.x0;
}

/* A run of which not everything may count.  */
static void
count_carefully (const struct job *job, struct worker *self,
                 const struct dg_run *run)
{
  const struct dg_filter *filter = job->scene->filter;
  if (filter != NULL && !dg_filter_run (filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.address == 0 || access.size == 0
        || access.icount < job->view.y0 || access.icount >= job->view.y1
        || (filter != NULL && !dg_filter_access (filter, &access))
        || !touches_view (job, &access))
      continue;
    dv_run_counts_add (&self->runs,
                       dv_run_key (run->context, DV_RUN_ONE, i), run->thread,
                       run->icount);
  }
}

static inline void
count_run (const struct job *job, struct worker *self,
           const struct dg_run *run)
{
  uint64_t end = run->icount + run->n_instrs;
  if (run->n_slots == 0 || end <= job->view.y0)
    return;
  if (!job->whole_x || job->scene->filter != NULL
      || run->icount < job->view.y0 || end > job->view.y1) {
    count_carefully (job, self, run);
    return;
  }
  dv_run_counts_add (&self->runs,
                     dv_run_key (run->context, DV_RUN_FIRST, run->n_slots),
                     run->thread, run->icount);
  const struct dg_slot *slots = run->bbdef->slots;
  for (unsigned i = 0; i < run->n_slots; i++)
    if (G_UNLIKELY (run->addresses[slots[i].entry] == 0))
      dv_run_counts_add (&self->runs,
                         dv_run_key (run->context, DV_RUN_NOT, i),
                         run->thread, run->icount);
}

static int
count_chunk (void *user, size_t task, unsigned worker)
{
  struct job *job = user;
  struct worker *self = &job->workers[worker];
  size_t chunk = g_array_index (job->chunks, size_t, task);
  struct dg_reader *reader = dg_reader_new (job->scene->data->log, chunk,
                                            chunk + 1, &self->error);
  if (reader == NULL)
    return self->error.code;
  struct dg_run run;
  int result;
  unsigned left = RUNS_AT_ONCE;
  while ((result = dg_reader_run (reader, &run, &self->error)) == 1) {
    if (run.icount >= job->view.y1) {
      result = 0;
      break;
    }
    count_run (job, self, &run);
    if (--left > 0)
      continue;
    left = RUNS_AT_ONCE;
    if (g_atomic_int_get (&job->stop)) {
      result = DG_ERR_CANCELLED;
      break;
    }
  }
  dg_reader_free (reader);
  dv_code_sums_take (job->code, &self->runs);
  return result;
}

/* ---- All of it ------------------------------------------------------- */

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  gint64 now = g_get_monotonic_time ();
  if (job->progress != NULL && job->progress (job->user, done, total) != 0) {
    g_atomic_int_set (&job->stop, 1);
    return 1;
  }
  if (job->partial == NULL || now < job->next_partial || done == 0)
    return 0;
  struct dv_tally *tally = snapshot (job, (double) done / (double) total);
  job->partial (job->user, tally);
  dv_tally_unref (tally);
  gint64 end = g_get_monotonic_time ();
  job->next_partial = end + MAX (PARTIAL_US, 4 * (end - now));
  return 0;
}

/* Which chunks there are to decode; returns their accesses.  */
static uint64_t
plan (struct job *job)
{
  const struct dg_log *log = job->scene->data->log;
  uint64_t accesses = 0;
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  job->chunks = g_array_new (FALSE, FALSE, sizeof (size_t));
  if (dv_view_is_empty (&job->view))
    return 0;
  for (size_t i = 0; i < n; i++) {
    if (!dv_scene_chunk_matters (job->scene, i, &job->view))
      continue;
    g_array_append_val (job->chunks, i);
    accesses += (i + 1 < n ? chunks[i + 1].reads + chunks[i + 1].writes
                           : dg_log_summary (log)->accesses)
                - chunks[i].reads - chunks[i].writes;
  }
  return accesses;
}

static int
run_job (struct job *job, unsigned workers, struct dg_error *err)
{
  job->workers = g_new0 (struct worker, workers);
  for (unsigned w = 0; w < workers; w++)
    dv_run_counts_init (&job->workers[w].runs);
  int code = dv_work_run (job->chunks->len, workers, count_chunk, job,
                          note_progress, job, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    if (code < 0 && job->workers[w].error.code == code)
      *err = job->workers[w].error;
    dv_run_counts_fini (&job->workers[w].runs);
  }
  g_free (job->workers);
  return code;
}

struct dv_tally *
dv_tally_new (struct dv_scene *scene, const struct dv_view *view,
              dv_tally_partial_fn partial, dg_progress_fn progress,
              void *user, struct dg_error *err)
{
  struct job job = { .scene = scene, .view = *view, .partial = partial,
                     .progress = progress, .user = user };
  job.whole_x = view->x0 == 0 && view->x1 >= scene->layout.size;
  job.next_partial = g_get_monotonic_time () + PARTIAL_US;
  job.code = dv_code_sums_new (scene->data->log);
  uint64_t accesses = plan (&job);
  unsigned workers = dv_work_default_workers ();
  if (accesses > MANY_ACCESSES)
    workers = (workers + 1) / 2;
  struct dv_tally *tally = NULL;
  if (run_job (&job, workers, err) == 0)
    tally = snapshot (&job, 1);
  dv_code_sums_free (job.code);
  g_array_unref (job.chunks);
  return tally;
}
