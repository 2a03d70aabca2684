/* tally.c: adding up the accesses of a view.

   A task is one chunk, which a worker counts in tables of its own and then
   adds to the sums of all, so that these are all that grows with the view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally.h"

#include <dg_record.h>

#include "code_sums.h"
#include "place_sums.h"
#include "tally_code.h"
#include "tally_contention.h"
#include "site_sums.h"
#include "model/log/work.h"
#include "model/log/refs.h"

/* Between two partial results.  */
#define PARTIAL_US (350 * 1000)
/* Call paths in the last partial result.  Panels hold several of these at a
   time, which for millions of paths took more memory than all the rest.  */
#define MOST_PARTIAL_PATHS (1u << 20)
/* So often, in runs, a worker looks whether it is to stop.  */
#define RUNS_AT_ONCE 4096
/* Of the work, as it is shown: what counting code beforehand takes; all.  */
#define CODE_PARTS 1
#define ALL_PARTS  16
/* Where so many accesses are decoded, half of the processors are left to
   others, such as the picture.  */
#define MANY_ACCESSES ((uint64_t) 200 * 1000 * 1000)

struct worker {
  struct dg_error error;
  struct dv_code_counts runs;
  struct dv_sheets sheets;
  struct dv_owners owners;
  uint64_t left;               /* accesses until the tables may overflow */
};

struct job {
  struct dv_scene *scene;
  struct dv_view view;
  GArray *chunks;              /* size_t: those that are decoded */
  /* Of any run: how many accesses it has, how many sheets they touch, and
     the bytes of the largest.  */
  uint32_t run_slots, run_sheets, largest;
  struct worker *workers;
  struct dv_code_sums *code;   /* of what was gone through with addresses */
  /* While all code is counted before that, it and its share of the work; then
     a tally whose arrays of code all others have, too.  NULL: none.  */
  struct dv_code_sums *early;
  double early_done;
  struct dv_tally *ready;
  struct dv_place_sums *places;
  struct dv_site_sums *sites;
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
                       tally->pages, tally->lines, tally->shares,
                       tally->sites };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i] != NULL)
      g_array_unref (arrays[i]);
  dv_scene_unref (tally->scene);
}

DV_DEFINE_REFS (dv_tally, tally_clear)

static void
share_code (const struct dv_tally *ready, struct dv_tally *tally)
{
  GArray *const from[] = { ready->contexts, ready->threads, ready->code };
  GArray **to[] = { &tally->contexts, &tally->threads, &tally->code };
  for (guint i = 0; i < G_N_ELEMENTS (to); i++) {
    g_array_unref (*to[i]);
    *to[i] = g_array_ref (from[i]);
  }
  tally->code_total = ready->code_total;
  tally->code_done = 1;
}

static void
tell_code (struct job *job, struct dv_tally *tally)
{
  tally->total = dv_code_sums_total (job->code);
  if (job->ready != NULL) {
    share_code (job->ready, tally);
    return;
  }
  dv_code_sums_tell (job->early != NULL ? job->early : job->code, tally);
  tally->code_done = job->early != NULL ? job->early_done : tally->done;
}

/* With empty tables.  */
static struct dv_tally *
tally_new (struct dv_scene *scene, const struct dv_view *view)
{
  struct dv_tally *tally = g_atomic_rc_box_new0 (struct dv_tally);
  tally->scene = dv_scene_ref (scene);
  tally->view = *view;
  GArray **arrays[] = { &tally->contexts, &tally->threads, &tally->code,
                        &tally->pages, &tally->lines, &tally->shares,
                        &tally->sites };
  static const guint sizes[] = {
    sizeof (struct dv_tally_context), sizeof (struct dv_tally_thread),
    sizeof (struct dv_tally_code), sizeof (struct dv_tally_place),
    sizeof (struct dv_tally_place), sizeof (struct dv_tally_share),
    sizeof (struct dv_tally_site)
  };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_array_new (FALSE, FALSE, sizes[i]);
  return tally;
}

struct dv_tally *
dv_tally_of_code (struct dv_scene *scene, struct dv_code_sums *sums)
{
  struct dv_tally *tally = tally_new (scene, &scene->full);
  dv_code_sums_tell (sums, tally);
  tally->total = tally->code_total;
  tally->done = tally->code_done = 1;
  return tally;
}

/* Of what has been added up by now; NULL: there is no memory.  */
static struct dv_tally *
snapshot (struct job *job, double done)
{
  struct dv_tally *tally = tally_new (job->scene, &job->view);
  tally->done = done;
  tell_code (job, tally);
  bool is_good = dv_place_sums_tell (job->places, tally);
  dv_site_sums_tell (job->sites, tally);
  if (done < 1)
    dv_tally_judge_nothing (tally);
  if (!is_good)
    g_clear_pointer (&tally, dv_tally_unref);
  return tally;
}

/* ---- Counting a chunk ------------------------------------------------ */

/* Adds what a worker has counted to the sums; it begins again with a run at
   `icount`.  Where there is no memory, it has its error and goes on until it
   looks whether to stop.  */
static void
hand_over (struct job *job, struct worker *self, uint64_t icount)
{
  if (!dv_code_sums_take (job->code, &self->runs)
      || !dv_place_sums_take (job->places, &self->sheets))
    dv_items_nomem (&self->error);
  dv_site_sums_take (job->sites, &self->owners);
  dv_code_counts_clear (&self->runs, icount);
  dv_sheets_clear (&self->sheets, icount);
  dv_owners_clear (&self->owners, icount);
  self->left = UINT32_MAX / job->largest;
}

/* Moments of a worker's tables are 32 bits, and so are their sums of
   bytes.  */
static bool
has_room (const struct job *job, const struct worker *self,
          const struct dg_run *run)
{
  return dv_code_counts_have_room (&self->runs, run->icount)
         && self->left >= job->run_slots
         && dv_sheets_have_room (&self->sheets)
         && dv_owners_have_room (&self->owners);
}

/* What every access needs, as a copy on the stack: the compiler must not
   think that counting could change it.  */
struct lens {
  unsigned sheet_shift, line_shift;
  uint32_t line_mask, owner_mask;
  bool by_thread;
};

/* Counts an access that is in the view, but for its run.  Most lie in one
   line.  */
static inline __attribute__ ((always_inline)) void
count_place (struct lens lens, struct worker *self, uint64_t address,
             uint64_t size, unsigned kind, uint64_t icount)
{
  struct dv_sheets *sheets = &self->sheets;
  struct dv_sheet_recent *sheet
    = dv_sheets_look (sheets, address >> lens.sheet_shift);
  uint64_t packed = 1 | size << 32;
  uint64_t offset = address & (((uint64_t) 1 << lens.line_shift) - 1);
  unsigned line = (unsigned) (address >> lens.line_shift) & lens.line_mask;
  dv_owners_count (&self->owners, sheets, sheet, lens.owner_mask, address,
                   packed, kind, icount);
  if (G_UNLIKELY (sheet->cells == NULL
                  || offset + size > (uint64_t) 1 << lens.line_shift)) {
    dv_sheets_count_any (sheets, address, (uint32_t) size, kind, icount);
    return;
  }
  dv_sheet_cell_add (&sheet->cells[line], packed, kind,
                     1 + (uint32_t) (icount - sheets->base));
  if (lens.by_thread) {
    uint64_t bits = dv_sheet_bits (lens.line_shift, offset, size);
    struct dv_sheet_bytes *bytes = &sheets->sheets[sheet->index].bytes[line];
    bytes->touched |= bits;
    if (kind == DG_ACC_WRITE)
      bytes->written |= bits;
  }
}

/* A run of which not everything may count.  */
static void
count_carefully (const struct job *job, struct lens lens,
                 struct worker *self, const struct dg_run *run)
{
  const struct dg_filter *filter = job->scene->filter;
  if (filter != NULL && !dg_filter_run (filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    if (access.address == 0 || access.size == 0
        || access.icount < job->view.y0 || access.icount >= job->view.y1
        || !dv_sheets_in_view (&self->sheets, access.address, access.size)
        || (filter != NULL && !dg_filter_access (filter, &access)))
      continue;
    dv_code_counts_add (
      &self->runs, dv_code_key (run->context, DV_CODE_ONE, i), run->icount);
    count_place (lens, self, access.address, access.size, access.kind,
                 access.icount);
  }
}

/* A run that counts as a whole.  */
static inline void
count_whole (struct lens lens, struct worker *self, const struct dg_run *run)
{
  const struct dg_slot *slots = run->bbdef->slots;
  unsigned n = run->n_slots;
  dv_code_counts_add (
    &self->runs, dv_code_key (run->context, DV_CODE_FIRST, n), run->icount);
  for (unsigned i = 0; i < n; i++) {
    struct dg_slot slot = slots[i];
    uint64_t address = run->addresses[slot.entry];
    if (G_UNLIKELY (address == 0 || slot.size == 0))
      dv_code_counts_add (&self->runs,
                          dv_code_key (run->context, DV_CODE_NOT, i),
                          run->icount);
    else
      count_place (lens, self, address, slot.size, slot.kind,
                   run->icount + slot.iseq);
  }
}

/* What must be done before a run can be counted.  */
static inline void
prepare (struct job *job, struct worker *self, const struct dg_run *run)
{
  if (G_UNLIKELY (!has_room (job, self, run)))
    hand_over (job, self, run->icount);
  self->left -= run->n_slots;
  if (G_UNLIKELY (run->thread != self->runs.thread)) {
    if (!dv_code_counts_set_thread (&self->runs, run->thread)) {
      hand_over (job, self, run->icount);
      dv_code_counts_set_thread (&self->runs, run->thread);
    }
    if (self->sheets.by_thread)
      dv_sheets_set_thread (&self->sheets, run->thread);
  }
  if (G_UNLIKELY (run->icount >= self->owners.next_icount)
      && !dv_owners_begin (&self->owners, &self->sheets, run->icount))
    hand_over (job, self, run->icount);
}

static inline void
count_run (struct job *job, struct lens lens, struct worker *self,
           const struct dg_run *run)
{
  uint64_t end = run->icount + run->n_instrs;
  if (run->n_slots == 0 || end <= job->view.y0)
    return;
  prepare (job, self, run);
  if (self->sheets.whole_x && job->scene->filter == NULL
      && run->icount >= job->view.y0 && end <= job->view.y1)
    count_whole (lens, self, run);
  else
    count_carefully (job, lens, self, run);
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
  const struct lens lens = {
    self->sheets.sheet_shift, self->sheets.line_shift,
    self->sheets.line_mask, self->owners.mask, self->sheets.by_thread
  };
  struct dg_run run;
  int result;
  unsigned left = RUNS_AT_ONCE;
  /* The first run finds no room, and so begins again.  */
  self->left = 0;
  while ((result = dg_reader_run (reader, &run, &self->error)) == 1) {
    if (run.icount >= job->view.y1) {
      result = 0;
      break;
    }
    count_run (job, lens, self, &run);
    if (--left > 0)
      continue;
    left = RUNS_AT_ONCE;
    if (g_atomic_int_get (&job->stop)) {
      result = DG_ERR_CANCELLED;
      break;
    }
    if (self->error.code != DG_OK)
      break;
  }
  dg_reader_free (reader);
  hand_over (job, self, 0);
  return self->error.code != DG_OK ? self->error.code : result;
}

/* ---- All of it ------------------------------------------------------- */

/* Shows what there is of it, if that is due.  */
static void
show_partial (struct job *job, double done)
{
  gint64 now = g_get_monotonic_time ();
  if (job->partial == NULL || now < job->next_partial)
    return;
  struct dv_tally *tally = snapshot (job, done);
  if (tally != NULL) {
    job->partial (job->user, tally);
    if (tally->contexts->len > MOST_PARTIAL_PATHS)
      job->partial = NULL;
  }
  dv_tally_unref (tally);
  gint64 end = g_get_monotonic_time ();
  job->next_partial = end + MAX (PARTIAL_US, 4 * (end - now));
}

static int
tell_progress (struct job *job, uint64_t done, uint64_t total)
{
  if (job->progress == NULL || job->progress (job->user, done, total) == 0)
    return 0;
  g_atomic_int_set (&job->stop, 1);
  return 1;
}

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  uint64_t before = job->ready != NULL ? CODE_PARTS : 0;
  if (tell_progress (job, before * total + (ALL_PARTS - before) * done,
                     ALL_PARTS * total) != 0)
    return 1;
  if (done > 0)
    show_partial (job, (double) done / (double) total);
  return 0;
}

static int
note_code_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  if (tell_progress (job, CODE_PARTS * done, ALL_PARTS * total) != 0)
    return 1;
  job->early_done = (double) done / (double) total;
  if (done > 0)
    show_partial (job, 0);
  return 0;
}

/* When all is counted, and only verdicts are missing.  */
static int
note_more_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  (void) done;
  return job->progress != NULL && job->progress (job->user, total, total) != 0;
}

static struct dv_tally *
finish (struct job *job, unsigned workers, struct dg_error *err)
{
  struct dv_tally *tally = snapshot (job, 1);
  if (tally == NULL) {
    dv_items_nomem (err);
    return NULL;
  }
  int code = dv_tally_judge (tally, job->chunks, workers, note_more_progress,
                             job, DG_ERR_CANCELLED, err);
  if (code == 0)
    return tally;
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  dv_tally_unref (tally);
  return NULL;
}

/* i with its lowest `bits` bits in the opposite order.  */
static size_t
mirror (size_t i, unsigned bits)
{
  size_t mirrored = 0;
  for (unsigned k = 0; k < bits; k++)
    mirrored |= (i >> k & 1) << (bits - 1 - k);
  return mirrored;
}

/* Which chunks there are to decode: the first, that in the middle, those
   between these, and so on.  So partial sums are of chunks that are as far
   from each other as they can be, and soon look like the whole.  Returns their
   accesses.  */
static uint64_t
plan (struct job *job)
{
  const struct dg_log *log = job->scene->data->log;
  uint64_t accesses = 0;
  size_t n;
  unsigned bits = 0;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  while (n >> bits != 0)
    bits++;
  job->chunks = g_array_new (FALSE, FALSE, sizeof (size_t));
  for (size_t i = 0; i >> bits == 0 && !dv_view_is_empty (&job->view); i++) {
    size_t chunk = mirror (i, bits);
    if (chunk >= n || !dv_scene_chunk_matters (job->scene, chunk, &job->view))
      continue;
    g_array_append_val (job->chunks, chunk);
    accesses += (chunk + 1 < n
                   ? chunks[chunk + 1].reads + chunks[chunk + 1].writes
                   : dg_log_summary (log)->accesses)
                - chunks[chunk].reads - chunks[chunk].writes;
  }
  return accesses;
}

/* What the tables of a worker must have room for.  */
static void
measure_blocks (struct job *job)
{
  const struct dv_data *data = job->scene->data;
  uint64_t n = dg_log_summary (data->log)->bbdefs;
  unsigned shift = dv_sheet_shift (data);
  job->largest = 1;
  for (uint32_t i = 0; i < n; i++) {
    const struct dg_bbdef *block = dg_log_bbdef (data->log, i);
    uint32_t sheets = 0;
    for (unsigned k = 0; k < block->n_slots; k++) {
      sheets += (block->slots[k].size >> shift) + 2;
      job->largest = MAX (job->largest, block->slots[k].size);
    }
    job->run_slots = MAX (job->run_slots, block->n_slots);
    job->run_sheets = MAX (job->run_sheets, sheets);
  }
}

static bool
worker_init (struct worker *worker, const struct job *job, unsigned workers)
{
  dv_code_counts_init (&worker->runs);
  if (!dv_sheets_init (&worker->sheets, job->scene, &job->view,
                       job->run_sheets, workers)
      || !dv_owners_init (&worker->owners, job->scene->data, job->run_slots,
                          workers))
    return false;
  dv_owners_set_new (&worker->owners, &worker->sheets);
  return true;
}

static void
worker_fini (struct worker *worker)
{
  dv_code_counts_fini (&worker->runs);
  dv_sheets_fini (&worker->sheets);
  dv_owners_fini (&worker->owners);
}

/* Of more than one chunk, code is counted before.  */
static int
run_early (struct job *job, unsigned workers, struct dg_error *err)
{
  if (job->chunks->len < 2 || job->partial == NULL
      || !dv_tally_code_is_apart (job->scene, &job->view))
    return 0;
  job->early = dv_code_sums_new (job->scene->data->log);
  if (job->early == NULL)
    return dv_items_nomem (err);
  int code = dv_tally_code_count (job->scene, &job->view, job->chunks, workers,
                                  job->early, note_code_progress, job, err);
  if (code < 0)
    return code;
  job->early_done = 1;
  job->ready = snapshot (job, 0);
  g_clear_pointer (&job->early, dv_code_sums_free);
  if (job->ready == NULL)
    return dv_items_nomem (err);
  if (job->partial != NULL)
    job->partial (job->user, job->ready);
  return 0;
}

static int
run_job (struct job *job, unsigned workers, struct dg_error *err)
{
  workers = MAX (1, MIN (workers, job->chunks->len));
  measure_blocks (job);
  job->workers = g_new0 (struct worker, workers);
  int code = 0;
  for (unsigned w = 0; w < workers && code == 0; w++)
    if (!worker_init (&job->workers[w], job, workers))
      code = dv_items_nomem (err);
  if (code == 0)
    code = dv_work_run (job->chunks->len, workers, count_chunk, job,
                        note_progress, job, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++) {
    if (code < 0 && job->workers[w].error.code == code)
      *err = job->workers[w].error;
    worker_fini (&job->workers[w]);
  }
  g_free (job->workers);
  return code;
}

struct dv_tally *
dv_tally_new (struct dv_scene *scene, const struct dv_view *view,
              unsigned workers, dv_tally_partial_fn partial,
              dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct job job = { .scene = scene, .view = *view, .partial = partial,
                     .progress = progress, .user = user };
  job.next_partial = g_get_monotonic_time () + PARTIAL_US;
  job.code = dv_code_sums_new (scene->data->log);
  job.places = dv_place_sums_new (scene);
  job.sites = dv_site_sums_new (scene->data);
  uint64_t accesses = plan (&job);
  unsigned early_workers = workers;
  if (workers == 0) {
    workers = early_workers = dv_work_default_workers ();
    if (accesses > MANY_ACCESSES)
      workers = (workers + 1) / 2;
  }
  struct dv_tally *tally = NULL;
  if (job.code == NULL || job.places == NULL || job.sites == NULL)
    dv_items_nomem (err);
  else if (run_early (&job, early_workers, err) == 0
           && run_job (&job, workers, err) == 0)
    tally = finish (&job, workers, err);
  dv_code_sums_free (job.code);
  dv_code_sums_free (job.early);
  dv_tally_unref (job.ready);
  dv_place_sums_free (job.places);
  dv_site_sums_free (job.sites);
  g_array_unref (job.chunks);
  return tally;
}
