/* tally_code.c: the code of a view, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_code.h"

#include "model/log/items.h"
#include "model/log/work.h"

/* So often, in kinds of runs, a worker looks whether it is to stop.  */
#define RUNS_AT_ONCE 4096

struct worker {
  struct dg_error error;
  struct dv_code_counts counts;
  struct dg_alike *alike;
  struct dg_reader *reader;    /* of a chunk that is partly in view; NULL:
                                  `alike` has the chunk */
  uint64_t left;               /* runs until sums of 32 bits may overflow */
};

struct job {
  const struct dg_log *log;
  struct dv_view view;
  const GArray *chunks;
  struct dv_code_sums *sums;
  struct worker *workers;
  dg_progress_fn progress;
  void *user;
  gint stop;                   /* atomic */
};

bool
dv_tally_code_is_apart (const struct dv_scene *scene,
                        const struct dv_view *view)
{
  return scene->filter == NULL && view->x0 == 0
         && view->x1 >= scene->layout.size;
}

/* ---- Reading a chunk -------------------------------------------------- */

static bool
is_whole (const struct job *job, size_t chunk)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (job->log, &n);
  uint64_t end = chunk + 1 < n ? chunks[chunk + 1].icount
                               : dg_log_summary (job->log)->last_icount;
  return chunks[chunk].icount >= job->view.y0 && end <= job->view.y1;
}

static int
begin (const struct job *job, struct worker *self, size_t chunk)
{
  if (!is_whole (job, chunk)) {
    self->reader = dg_reader_new (job->log, chunk, chunk + 1, &self->error);
    return self->reader != NULL ? 0 : self->error.code;
  }
  if (self->alike == NULL)
    self->alike = dg_alike_new (job->log, &self->error);
  return self->alike != NULL
           ? dg_alike_open (self->alike, chunk, &self->error)
           : self->error.code;
}

static inline int
next_runs (struct worker *self, struct dg_run *run, uint64_t *times)
{
  if (self->reader == NULL)
    return dg_alike_next (self->alike, run, times, &self->error);
  *times = 1;
  return dg_reader_run (self->reader, run, &self->error);
}

/* ---- Counting --------------------------------------------------------- */

/* Adds what was counted to the sums; it begins again at `icount`.  */
static void
hand_over (struct job *job, struct worker *self, uint64_t icount)
{
  if (!dv_code_sums_take (job->sums, &self->counts))
    dv_items_nomem (&self->error);
  dv_code_counts_clear (&self->counts, icount);
  self->left = UINT32_MAX;
}

static void
prepare (struct job *job, struct worker *self, const struct dg_run *run,
         uint64_t times)
{
  if (!dv_code_counts_have_room (&self->counts, run->icount)
      || self->left < times)
    hand_over (job, self, run->icount);
  self->left -= times;
  if (!dv_code_counts_set_thread (&self->counts, run->thread)) {
    hand_over (job, self, run->icount);
    dv_code_counts_set_thread (&self->counts, run->thread);
  }
}

/* Runs that count as a whole.  */
static void
count_whole (struct worker *self, const struct dg_run *run, uint64_t times)
{
  dv_code_counts_add_times (
    &self->counts, dv_code_key (run->context, DV_CODE_FIRST, run->n_slots),
    run->icount, (uint32_t) times);
  for (unsigned i = 0; run->addresses != NULL && i < run->n_slots; i++)
    if (run->addresses[run->bbdef->slots[i].entry] == 0)
      dv_code_counts_add_times (
        &self->counts, dv_code_key (run->context, DV_CODE_NOT, i),
        run->icount, (uint32_t) times);
}

static void
count_part (const struct job *job, struct worker *self,
            const struct dg_run *run)
{
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];
    uint64_t icount = run->icount + slot->iseq;
    if (icount >= job->view.y0 && icount < job->view.y1
        && run->addresses[slot->entry] != 0)
      dv_code_counts_add (&self->counts,
                          dv_code_key (run->context, DV_CODE_ONE, i),
                          run->icount);
  }
}

static int
count_runs (struct job *job, struct worker *self)
{
  struct dg_run run;
  uint64_t times;
  int result;
  unsigned left = RUNS_AT_ONCE;
  while ((result = next_runs (self, &run, &times)) == 1) {
    if (run.n_slots > 0) {
      prepare (job, self, &run, times);
      if (self->reader == NULL)
        count_whole (self, &run, times);
      else
        count_part (job, self, &run);
    }
    if (--left > 0)
      continue;
    left = RUNS_AT_ONCE;
    if (g_atomic_int_get (&job->stop))
      return DG_ERR_CANCELLED;
    if (self->error.code != DG_OK)
      break;
  }
  return result == 1 ? self->error.code : result;
}

static int
count_chunk (void *user, size_t task, unsigned worker)
{
  struct job *job = user;
  struct worker *self = &job->workers[worker];
  size_t chunk = g_array_index (job->chunks, size_t, task);
  int code = begin (job, self, chunk);
  /* The first run finds no room, and so begins.  */
  self->left = 0;
  if (code == 0)
    code = count_runs (job, self);
  g_clear_pointer (&self->reader, dg_reader_free);
  hand_over (job, self, 0);
  return code == 0 ? self->error.code : code;
}

/* ---- All of it -------------------------------------------------------- */

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  if (job->progress == NULL || job->progress (job->user, done, total) == 0)
    return 0;
  g_atomic_int_set (&job->stop, 1);
  return 1;
}

int
dv_tally_code_count (const struct dv_scene *scene, const struct dv_view *view,
                     const GArray *chunks, unsigned workers,
                     struct dv_code_sums *sums, dg_progress_fn progress,
                     void *user, struct dg_error *err)
{
  struct job job = { .log = scene->data->log, .view = *view, .chunks = chunks,
                     .sums = sums, .progress = progress, .user = user };
  workers = MAX (1, MIN (workers, chunks->len));
  job.workers = g_new0 (struct worker, workers);
  for (unsigned w = 0; w < workers; w++)
    dv_code_counts_init (&job.workers[w].counts);
  int code = dv_work_run (chunks->len, workers, count_chunk, &job,
                          note_progress, &job, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    struct worker *self = &job.workers[w];
    if (code < 0 && self->error.code == code)
      *err = self->error;
    dg_alike_free (self->alike);
    dv_code_counts_fini (&self->counts);
  }
  g_free (job.workers);
  return code;
}
