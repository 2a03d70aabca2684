/* pair_counts.c: counting the accesses of two logs.

   A task is a chunk of one of the logs.  Rows that a chunk shares with its
   neighbours are its own until it ends.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_counts.h"

#include <dg_record.h>
#include <math.h>

#include "model/log/items.h"
#include "model/log/refs.h"
#include "model/log/work.h"
#include "model/tally/code_sums.h"
#include "pair_find.h"

#define RUNS_AT_ONCE 4096

struct task {
  unsigned side;
  size_t chunk;
};

/* What one worker has of one log.  */
struct part {
  struct dv_pair_finder *finder;
  struct dv_tally_count *owners;
  struct dv_code_counts code;
};

struct worker {
  struct dg_error error;
  struct part parts[2];
  struct dv_pair_cell *first, *last;   /* rows at the edges of a chunk */
};

struct job {
  struct dv_pair_counts *counts;
  GArray *tasks;           /* struct task */
  struct worker *workers;
  struct dv_code_sums *sums[2];
  double x_scale, y_scale; /* pixels of a position, of a moment */
  GMutex lock;             /* guards rows that two chunks share */
  gint stop;               /* atomic */
  dg_progress_fn progress;
  void *user;
};

/* ---- Pixels --------------------------------------------------------- */

/* A chunk that is being counted.  */
struct chunk {
  struct job *job;
  struct worker *worker;
  struct part *part;
  unsigned side;
  uint32_t first, last;    /* rows that it can have accesses in */
  struct dv_pair_pace pace;
  /* The row of all accesses of the run; NULL: there are several.  */
  struct dv_pair_cell *row;
};

static uint32_t
row_at (const struct job *job, double moment)
{
  double row = floor ((moment - (double) job->counts->view.y0) * job->y_scale);
  return (uint32_t) CLAMP (row, 0, job->counts->height - 1);
}

static struct dv_pair_cell *
row_of (const struct chunk *chunk, uint32_t row)
{
  const struct dv_pair_counts *counts = chunk->job->counts;
  if (row <= chunk->first)
    return chunk->worker->first;
  if (row >= chunk->last)
    return chunk->worker->last;
  return counts->cells[chunk->side] + (size_t) row * counts->width;
}

/* The pixels [*low, *high] that units [from, to) own: as those of a scale (see
   scale.h).  */
static void
pixels_of (double from, double to, double scale, uint32_t n, uint32_t *low,
           uint32_t *high)
{
  double first = floor (from * scale);
  double last = scale < 1 ? floor ((to - 1) * scale) : ceil (to * scale) - 1;
  *low = (uint32_t) CLAMP (first, 0, n - 1);
  *high = (uint32_t) CLAMP (last, *low, n - 1);
}

/* Bytes [position, position + size) of an access at an icount.  */
static inline void
mark (struct chunk *chunk, uint64_t position, uint64_t size,
      const struct dg_access *access)
{
  const struct job *job = chunk->job;
  const struct dv_pair_counts *counts = job->counts;
  const struct dv_view *view = &counts->view;
  uint64_t low = MAX (position, view->x0) - view->x0;
  uint64_t high = MIN (position + size, view->x1) - view->x0;
  uint32_t x0, x1, y0, y1;
  if (chunk->row != NULL && job->x_scale < 1) {
    x0 = (uint32_t) ((double) low * job->x_scale);
    x1 = (uint32_t) ((double) (high - 1) * job->x_scale);
    x1 = MIN (x1, counts->width - 1);
    for (uint32_t x = x0; x <= x1; x++)
      chunk->row[x].count[access->kind]++;
    return;
  }
  double moment = dv_pair_pace_moment (&chunk->pace, access->icount)
                  - (double) view->y0;
  pixels_of ((double) low, (double) high, job->x_scale, counts->width, &x0,
             &x1);
  /* Pixels smaller than an instruction are all its own; larger ones have many
     of them.  */
  pixels_of (moment / chunk->pace.ratio, moment / chunk->pace.ratio + 1,
             job->y_scale * chunk->pace.ratio, counts->height, &y0, &y1);
  for (uint32_t y = y0; y <= y1; y++) {
    struct dv_pair_cell *row = row_of (chunk, y);
    for (uint32_t x = x0; x <= x1; x++)
      row[x].count[access->kind]++;
  }
}

/* ---- Accesses ------------------------------------------------------- */

static void
be_at (struct chunk *chunk, uint64_t icount)
{
  if (G_UNLIKELY (icount < chunk->pace.start || icount >= chunk->pace.end))
    chunk->pace = dv_pair_time_pace (&chunk->job->counts->pair->time,
                                     chunk->side, icount);
}

/* Whether it is in the view.  */
static inline bool
count_access (struct chunk *chunk, const struct dg_access *access)
{
  const struct dv_view *view = &chunk->job->counts->view;
  uint64_t position, room;
  if (chunk->row == NULL) {
    be_at (chunk, access->icount);
    double moment = dv_pair_pace_moment (&chunk->pace, access->icount);
    if (moment + chunk->pace.ratio <= (double) view->y0
        || moment >= (double) view->y1)
      return false;
  }
  uint32_t owner = dv_pair_find (chunk->part->finder, access->address,
                                 access->icount, &position, &room);
  uint64_t size = MIN (access->size, room);
  if (owner == DG_NONE || position >= view->x1 || position + size <= view->x0)
    return false;
  struct dv_tally_count *count = &chunk->part->owners[owner];
  if (access->kind == DG_ACC_READ) {
    count->reads++;
    count->read_bytes += access->size;
  } else {
    count->writes++;
    count->written_bytes += access->size;
  }
  mark (chunk, position, size, access);
  return true;
}

static void
hand_over (struct chunk *chunk, uint64_t icount)
{
  struct dv_code_counts *code = &chunk->part->code;
  if (!dv_code_sums_take (chunk->job->sums[chunk->side], code))
    dv_items_nomem (&chunk->worker->error);
  dv_code_counts_clear (code, icount);
}

/* Whether all of a run lies in one row, within the view.  */
static void
set_row (struct chunk *chunk, const struct dg_run *run)
{
  const struct job *job = chunk->job;
  const struct dv_view *view = &job->counts->view;
  uint64_t last = run->icount + run->n_instrs;
  chunk->row = NULL;
  be_at (chunk, run->icount);
  double from = dv_pair_pace_moment (&chunk->pace, run->icount);
  double to = dv_pair_pace_moment (&chunk->pace, last);
  if (last > chunk->pace.end || from < (double) view->y0
      || to > (double) view->y1 || chunk->pace.ratio * job->y_scale >= 1)
    return;
  uint32_t row = row_at (job, from);
  if (row == row_at (job, to))
    chunk->row = row_of (chunk, row);
}

/* Whole runs are counted at once: most are.  */
static void
count_code (struct chunk *chunk, const struct dg_run *run,
            const uint64_t in_view[4], bool is_whole)
{
  struct dv_code_counts *code = &chunk->part->code;
  if (is_whole && run->n_slots <= 256) {
    dv_code_counts_add (code, dv_code_key (run->context, DV_CODE_FIRST,
                                           run->n_slots), run->icount);
    return;
  }
  for (unsigned i = 0; i < MIN (run->n_slots, 256u); i++)
    if ((in_view[i / 64] >> i % 64 & 1) != 0)
      dv_code_counts_add (code, dv_code_key (run->context, DV_CODE_ONE, i),
                          run->icount);
}

static void
count_run (struct chunk *chunk, const struct dg_run *run)
{
  const struct dv_scene *scene =
    chunk->job->counts->pair->scenes[chunk->side];
  struct dv_code_counts *code = &chunk->part->code;
  if (scene->filter != NULL
      && !dg_filter_run (scene->filter, run->context, run->icount))
    return;
  if (!dv_code_counts_have_room (code, run->icount))
    hand_over (chunk, run->icount);
  if (!dv_code_counts_set_thread (code, run->thread)) {
    hand_over (chunk, run->icount);
    dv_code_counts_set_thread (code, run->thread);
  }
  set_row (chunk, run);
  uint64_t in_view[4] = { 0 };     /* by slot */
  unsigned n = 0, made = 0;
  for (unsigned i = 0; i < run->n_slots; i++) {
    struct dg_access access = dv_run_access (run, i);
    bool is_made = access.address != 0 && access.size != 0
                   && access.kind <= DG_ACC_WRITE;
    made += is_made;
    if (is_made
        && (scene->filter == NULL
            || dg_filter_access (scene->filter, &access))
        && count_access (chunk, &access)) {
      n++;
      if (i < 256)
        in_view[i / 64] |= (uint64_t) 1 << i % 64;
      else
        dv_code_counts_add (code, dv_code_key (run->context, DV_CODE_ONE, i),
                            run->icount);
    }
  }
  count_code (chunk, run, in_view, n == made && made == run->n_slots);
}

/* ---- Chunks --------------------------------------------------------- */

static int
read_chunk (struct chunk *chunk, size_t number)
{
  struct job *job = chunk->job;
  const struct dv_scene *scene = job->counts->pair->scenes[chunk->side];
  struct dg_error *err = &chunk->worker->error;
  struct dg_reader *reader =
    dg_reader_new (scene->data->log, number, number + 1, err);
  unsigned left = RUNS_AT_ONCE;
  struct dg_run run;
  int result;
  if (reader == NULL)
    return err->code;
  while ((result = dg_reader_run (reader, &run, err)) == 1) {
    if (run.n_slots > 0)
      count_run (chunk, &run);
    if (--left > 0)
      continue;
    left = RUNS_AT_ONCE;
    if (g_atomic_int_get (&job->stop)) {
      result = DG_ERR_CANCELLED;
      break;
    }
    if (err->code != DG_OK)
      break;
  }
  dg_reader_free (reader);
  return err->code != DG_OK ? err->code : result;
}

/* ---- Drafts --------------------------------------------------------- */

/* The index, if it knows what is to be seen.  */
static struct dg_index *
index_of (const struct dv_scene *scene)
{
  return scene->filter == NULL ? dv_data_index (scene->data) : NULL;
}

/* A line's accesses, evenly in all rows of the chunk.  */
static void
draw_line (struct chunk *chunk, const struct dg_line_count *line,
           uint64_t icount)
{
  const struct dv_pair_counts *counts = chunk->job->counts;
  uint64_t address = line->line * DG_LINE_BYTES, position, room;
  uint32_t rows = chunk->last - chunk->first + 1, owner = DG_NONE;
  for (uint64_t at = 0; at < DG_LINE_BYTES && owner == DG_NONE; at += 16)
    owner = dv_pair_find (chunk->part->finder, address + at, icount,
                          &position, &room);
  if (owner == DG_NONE || position < counts->view.x0
      || position >= counts->view.x1)
    return;
  uint32_t x = (uint32_t) ((double) (position - counts->view.x0)
                           * chunk->job->x_scale);
  const uint64_t n[2] = { line->reads, line->writes };
  for (uint32_t r = 0; r < rows; r++) {
    struct dv_pair_cell *cell = &row_of (chunk, chunk->first + r)[x];
    for (int kind = 0; kind < 2; kind++)
      cell->count[kind] += (uint32_t) (n[kind] * (r + 1) / rows
                                       - n[kind] * r / rows);
  }
}

/* false: it cannot be read, so the chunk is decoded.  */
static bool
draw_list (struct chunk *chunk, size_t number)
{
  const struct dv_scene *scene =
    chunk->job->counts->pair->scenes[chunk->side];
  struct dg_index *index = index_of (scene);
  struct dg_error err;
  if (index == NULL || number >= dg_index_lists (index, 0))
    return false;
  struct dg_index_span span = dg_index_span (index, 0, number);
  const struct dg_line_list *list = dg_index_borrow (index, 0, number, &err);
  if (list == NULL)
    return false;
  uint64_t middle =
    span.start_icount + (span.end_icount - span.start_icount) / 2;
  for (size_t i = 0; i < list->n; i++)
    draw_line (chunk, &list->counts[i], middle);
  dg_index_return (index, list);
  return true;
}

bool
dv_pair_counts_wants_draft (const struct dv_pair *pair,
                            const struct dv_view *view)
{
  for (unsigned s = 0; s < dv_pair_sides (pair); s++) {
    const struct dv_scene *scene = pair->scenes[s];
    struct dg_index *index = index_of (scene);
    uint64_t from = dv_pair_time_icount (&pair->time, s, view->y0), sum = 0;
    uint64_t to = dv_pair_time_icount (&pair->time, s, view->y1);
    for (size_t i = 0; index != NULL && i < dg_index_lists (index, 0); i++) {
      struct dg_index_span span = dg_index_span (index, 0, i);
      if (span.start_icount < to && span.end_icount > from)
        sum += span.accesses;
    }
    if (sum > dv_data_second (scene->data))
      return true;
  }
  return false;
}

/* ---- Chunks, all of one --------------------------------------------- */

static void
add_row (struct job *job, unsigned side, uint32_t number,
         struct dv_pair_cell *row)
{
  struct dv_pair_counts *counts = job->counts;
  struct dv_pair_cell *to =
    counts->cells[side] + (size_t) number * counts->width;
  for (uint32_t x = 0; x < counts->width; x++)
    for (int kind = 0; kind < 2; kind++) {
      to[x].count[kind] += row[x].count[kind];
      row[x].count[kind] = 0;
    }
}

static int
count_chunk (void *user, size_t number, unsigned worker)
{
  struct job *job = user;
  const struct task *task = &g_array_index (job->tasks, struct task, number);
  struct worker *self = &job->workers[worker];
  struct chunk chunk = { .job = job, .worker = self,
                         .part = &self->parts[task->side],
                         .side = task->side };
  const struct dv_pair *pair = job->counts->pair;
  uint64_t start, end;
  dv_data_chunk (pair->scenes[task->side]->data, task->chunk, &start, &end);
  be_at (&chunk, start);
  chunk.first = row_at (job, dv_pair_pace_moment (&chunk.pace, start));
  be_at (&chunk, end);
  chunk.last = end < start ? job->counts->height - 1
               : row_at (job, dv_pair_pace_moment (&chunk.pace, end));
  if (chunk.part->finder == NULL)
    chunk.part->finder = dv_pair_finder_new (pair, task->side);
  dv_code_counts_clear (&chunk.part->code, start);
  int code = job->counts->is_draft && draw_list (&chunk, task->chunk)
               ? 0 : read_chunk (&chunk, task->chunk);
  hand_over (&chunk, 0);
  g_mutex_lock (&job->lock);
  add_row (job, task->side, chunk.first, self->first);
  add_row (job, task->side, chunk.last, self->last);
  g_mutex_unlock (&job->lock);
  return code != 0 ? code : self->error.code;
}

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct job *job = user;
  if (job->progress == NULL || job->progress (job->user, done, total) == 0)
    return 0;
  g_atomic_int_set (&job->stop, 1);
  return 1;
}

/* ---- All ------------------------------------------------------------ */

static void
list_tasks (struct job *job)
{
  const struct dv_pair *pair = job->counts->pair;
  const struct dv_view *view = &job->counts->view;
  for (unsigned s = 0; s < dv_pair_sides (pair); s++) {
    const struct dv_scene *scene = pair->scenes[s];
    /* With all that the view has a part of.  */
    struct dv_view part = scene->full;
    size_t n;
    if (dv_view_is_empty (&scene->full))
      continue;
    part.y0 = dv_pair_time_icount (&pair->time, s, view->y0);
    part.y1 = dv_pair_time_icount (&pair->time, s, view->y1) + 1;
    part.y0 -= part.y0 > 0;
    dg_log_chunks (scene->data->log, &n);
    for (size_t i = 0; i < n; i++) {
      struct task task = { s, i };
      if (dv_scene_chunk_matters (scene, i, &part))
        g_array_append_val (job->tasks, task);
    }
  }
}

static void
workers_init (struct job *job, unsigned workers)
{
  const struct dv_pair_counts *counts = job->counts;
  job->workers = g_new0 (struct worker, workers);
  for (unsigned w = 0; w < workers; w++) {
    struct worker *self = &job->workers[w];
    self->first = g_new0 (struct dv_pair_cell, counts->width);
    self->last = g_new0 (struct dv_pair_cell, counts->width);
    for (unsigned s = 0; s < 2; s++) {
      self->parts[s].owners = g_new0 (struct dv_tally_count,
                                      counts->pair->axis.owners->len + 1);
      dv_code_counts_init (&self->parts[s].code);
    }
  }
}

/* Adds what they have by owner.  */
static void
workers_fini (struct job *job, unsigned workers)
{
  struct dv_pair_counts *counts = job->counts;
  for (unsigned w = 0; w < workers; w++) {
    struct worker *self = &job->workers[w];
    for (unsigned s = 0; s < 2; s++) {
      struct part *part = &self->parts[s];
      for (guint i = 0; i < counts->pair->axis.owners->len; i++)
        dv_tally_count_add (&counts->owners[s][i], &part->owners[i]);
      g_free (part->owners);
      dv_pair_finder_free (part->finder);
      dv_code_counts_fini (&part->code);
    }
    g_free (self->first);
    g_free (self->last);
  }
  g_free (job->workers);
}

static int
run_job (struct job *job, struct dg_error *err)
{
  unsigned workers = dv_work_default_workers ();
  workers = MAX (1, MIN (workers, job->tasks->len));
  workers_init (job, workers);
  int code = dv_work_run (job->tasks->len, workers, count_chunk, job,
                          note_progress, job, DG_ERR_CANCELLED);
  if (code == DG_ERR_CANCELLED)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  for (unsigned w = 0; w < workers; w++)
    if (code < 0 && job->workers[w].error.code == code)
      *err = job->workers[w].error;
  workers_fini (job, workers);
  return code;
}

static void
finish (struct dv_pair_counts *counts, struct job *job)
{
  size_t n = (size_t) counts->width * counts->height;
  for (unsigned s = 0; s < dv_pair_sides (counts->pair); s++) {
    if (!counts->is_draft)
      counts->tallies[s] = dv_tally_of_code (counts->pair->scenes[s],
                                             job->sums[s]);
    for (size_t i = 0; i < n; i++) {
      const uint32_t *count = counts->cells[s][i].count;
      counts->most[s] = MAX (counts->most[s],
                             (uint64_t) count[0] + count[1]);
    }
  }
}

/* ---- Life ----------------------------------------------------------- */

static void
counts_clear (void *memory)
{
  struct dv_pair_counts *counts = memory;
  for (unsigned s = 0; s < 2; s++) {
    g_free (counts->cells[s]);
    g_free (counts->owners[s]);
    dv_tally_unref (counts->tallies[s]);
  }
  dv_pair_unref (counts->pair);
}

DV_DEFINE_REFS (dv_pair_counts, counts_clear)

static bool
alloc (struct dv_pair_counts *counts, struct job *job)
{
  size_t n = (size_t) counts->width * counts->height;
  for (unsigned s = 0; s < 2; s++) {
    counts->owners[s] = g_new0 (struct dv_tally_count,
                                counts->pair->axis.owners->len + 1);
    if (s >= dv_pair_sides (counts->pair))
      continue;
    counts->cells[s] = g_try_new0 (struct dv_pair_cell, n);
    job->sums[s] = dv_code_sums_new (counts->pair->scenes[s]->data->log);
    if (counts->cells[s] == NULL || job->sums[s] == NULL)
      return false;
  }
  return true;
}

struct dv_pair_counts *
dv_pair_counts_new (struct dv_pair *pair, const struct dv_view *view,
                    uint32_t width, uint32_t height, bool is_draft,
                    dg_progress_fn progress, void *user,
                    struct dg_error *err)
{
  struct dv_pair_counts *counts =
    g_atomic_rc_box_new0 (struct dv_pair_counts);
  struct job job = { .counts = counts, .progress = progress, .user = user };
  counts->pair = dv_pair_ref (pair);
  counts->view = *view;
  counts->width = width;
  counts->height = height;
  counts->is_draft = is_draft;
  job.x_scale = width / (double) (view->x1 - view->x0);
  job.y_scale = height / (double) (view->y1 - view->y0);
  job.tasks = g_array_new (FALSE, FALSE, sizeof (struct task));
  g_mutex_init (&job.lock);
  int code = 0;
  if (!alloc (counts, &job)) {
    code = dv_items_nomem (err);
  } else {
    list_tasks (&job);
    code = run_job (&job, err);
  }
  if (code == 0)
    finish (counts, &job);
  dv_code_sums_free (job.sums[0]);
  dv_code_sums_free (job.sums[1]);
  g_mutex_clear (&job.lock);
  g_array_unref (job.tasks);
  if (code != 0)
    g_clear_pointer (&counts, dv_pair_counts_unref);
  return counts;
}
