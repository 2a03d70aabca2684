/* tally_contention.c: how threads share the lines of a tally.

   Which lines could be shared is known once all is added up; only their
   accesses are looked at again, which takes little more than decoding.  The
   verdict is that of `dg sharing --false', from the same code.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_contention.h"

#include <libdatagrind.h>
#include <dg_record.h>

/* Lines that stand together.  */
#define LINES  64
#define RECENT 256
/* Spots that are kept: 40 bytes each.  */
#define MOST_SPOTS (2u << 20)

struct page {
  uint64_t number;         /* line / LINES */
  uint64_t lines;          /* bit for each that is looked at; 0: free */
};

struct worker {
  struct dg_error error;
  struct dg_contention *sums;
  struct page recent[RECENT];
  uint64_t since, until;   /* of the latest thread's phase */
  uint32_t thread, phase;
};

struct job {
  struct dv_tally *tally;
  const GArray *chunks;
  struct dg_phases *phases;
  struct page *slots;      /* pages by number */
  uint32_t mask;
  struct worker *workers;
  unsigned line_shift;
};

/* ---- Lines ------------------------------------------------------------ */

static struct page *
probe (const struct job *job, uint64_t number)
{
  uint32_t i = (uint32_t) (number * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    struct page *slot = &job->slots[i & job->mask];
    if (slot->lines == 0 || slot->number == number)
      return slot;
  }
}

/* The lines of the tally that could be shared: 1, or 0 if there are none, or
   DG_ERR_NOMEM.  */
static int
list_lines (struct job *job, struct dg_error *err)
{
  const GArray *lines = job->tally->lines;
  size_t n = 0;
  job->mask = 63;
  while (job->mask / 2 < lines->len)
    job->mask = job->mask * 2 + 1;
  job->slots = g_try_new0 (struct page, (size_t) job->mask + 1);
  if (job->slots == NULL)
    return dv_items_nomem (err);
  for (guint i = 0; i < lines->len; i++) {
    const struct dv_tally_place *place
      = &g_array_index (lines, struct dv_tally_place, i);
    uint64_t line = place->address >> job->line_shift;
    if (place->sharing == DV_SHARING_NONE)
      continue;
    struct page *page = probe (job, line / LINES);
    page->number = line / LINES;
    page->lines |= (uint64_t) 1 << line % LINES;
    n++;
  }
  return n > 0;
}

static inline bool
is_wanted (const struct job *job, struct worker *self, uint64_t line)
{
  struct page *recent = &self->recent[line / LINES % RECENT];
  if (G_UNLIKELY (recent->number != line / LINES)) {
    recent->lines = probe (job, line / LINES)->lines;
    recent->number = line / LINES;
  }
  return recent->lines >> line % LINES & 1;
}

/* ---- Accesses --------------------------------------------------------- */

static int
count_line (const struct job *job, struct worker *self,
            const struct dg_access *access, uint64_t line, uint64_t first,
            uint64_t last)
{
  unsigned scale = job->line_shift > 6 ? job->line_shift - 6 : 0;
  if (self->thread != access->thread || access->icount < self->since
      || access->icount >= self->until) {
    self->thread = access->thread;
    self->phase = dg_phases_at (job->phases, access->thread, access->icount,
                                &self->since, &self->until);
  }
  struct dg_spot spot = {
    .line = line, .thread = access->thread, .phase = self->phase,
    .first = (uint8_t) (first >> scale), .last = (uint8_t) (last >> scale),
    .reads = access->kind != DG_ACC_WRITE,
    .writes = access->kind == DG_ACC_WRITE
  };
  return dg_contention_add (self->sums, &spot);
}

static int
count_access (const struct job *job, struct worker *self,
              const struct dg_access *access)
{
  uint64_t size = (uint64_t) 1 << job->line_shift;
  uint64_t address = access->address, left = access->size;
  int code = 0;
  while (left > 0 && code == 0) {
    uint64_t first = address & (size - 1), n = MIN (left, size - first);
    if (is_wanted (job, self, address >> job->line_shift))
      code = count_line (job, self, access, address >> job->line_shift, first,
                         first + n - 1);
    if (address > UINT64_MAX - n)
      break;
    address += n;
    left -= n;
  }
  return code;
}

/* Whether a byte of the access is in the view, which may end amid a line.  Of
   a page, which is the unit of the axis, all is there or nothing.  */
static bool
is_in_view (const struct job *job, const struct dg_access *access)
{
  const struct dv_layout *layout = &job->tally->scene->layout;
  const struct dv_view *view = &job->tally->view;
  unsigned shift = job->tally->scene->data->page_shift;
  uint64_t first = access->address, size = (uint64_t) 1 << shift;
  uint64_t end = first + MIN (access->size - 1, UINT64_MAX - first);
  if (view->x0 == 0 && view->x1 >= layout->size)
    return true;
  for (uint64_t page = first >> shift; page <= end >> shift; page++)
    if (dv_layout_has_part (layout, MAX (first, page << shift),
                            MIN (end, (page << shift) + (size - 1)), view->x0,
                            view->x1))
      return true;
  return false;
}

static int
count_run (const struct job *job, struct worker *self,
           const struct dg_run *run)
{
  const struct dg_filter *filter = job->tally->scene->filter;
  const struct dv_view *view = &job->tally->view;
  int code = 0;
  if (filter != NULL && !dg_filter_run (filter, run->context, run->icount))
    return 0;
  for (unsigned i = 0; i < run->n_slots && code == 0; i++) {
    uint64_t address = run->addresses[run->bbdef->slots[i].entry];
    uint64_t last = address + run->bbdef->slots[i].size - 1;
    if (address == 0
        || (!is_wanted (job, self, address >> job->line_shift)
            && address >> job->line_shift == last >> job->line_shift))
      continue;
    struct dg_access access = dv_run_access (run, i);
    if (access.size == 0 || access.icount < view->y0
        || access.icount >= view->y1
        || (filter != NULL && !dg_filter_access (filter, &access))
        || !is_in_view (job, &access))
      continue;
    code = count_access (job, self, &access);
  }
  return code;
}

static int
count_chunk (void *user, size_t task, unsigned worker)
{
  struct job *job = user;
  struct worker *self = &job->workers[worker];
  size_t chunk = g_array_index (job->chunks, size_t, task);
  struct dg_reader *reader = dg_reader_new (job->tally->scene->data->log,
                                            chunk, chunk + 1, &self->error);
  struct dg_run run;
  int code;
  if (reader == NULL)
    return self->error.code;
  while ((code = dg_reader_run (reader, &run, &self->error)) == 1) {
    if (run.icount >= job->tally->view.y1) {
      code = 0;
      break;
    }
    if (run.icount + run.n_instrs > job->tally->view.y0
        && count_run (job, self, &run) < 0) {
      code = dv_items_nomem (&self->error);
      break;
    }
  }
  dg_reader_free (reader);
  return code;
}

/* ---- Verdicts --------------------------------------------------------- */

static enum dv_sharing
sharing_of (enum dg_line_kind kind)
{
  switch (kind) {
  case DG_LINE_TRUE:
    return DV_SHARING_TRUE;
  case DG_LINE_FALSE:
    return DV_SHARING_FALSE;
  case DG_LINE_MIXED:
    return DV_SHARING_MIXED;
  default:
    return DV_SHARING_NONE;
  }
}

static void
set_sharing (struct job *job, const struct dg_contention *sums)
{
  GArray *lines = job->tally->lines, *shares = job->tally->shares;
  guint kept = 0;
  for (guint i = 0; i < lines->len; i++) {
    struct dv_tally_place *place
      = &g_array_index (lines, struct dv_tally_place, i);
    const struct dg_line_verdict *verdict
      = dg_contention_verdict (sums, place->address >> job->line_shift);
    if (place->sharing == DV_SHARING_NONE)
      continue;
    place->sharing = DV_SHARING_NONE;
    if (verdict == NULL)
      continue;
    place->sharing = sharing_of (verdict->kind);
    place->false_share = verdict->false_accesses
                         / (double) (verdict->reads + verdict->writes);
  }
  for (guint i = 0; i < shares->len; i++) {
    struct dv_tally_share share
      = g_array_index (shares, struct dv_tally_share, i);
    const struct dg_line_verdict *verdict
      = dg_contention_verdict (sums, share.line >> job->line_shift);
    if (verdict != NULL && verdict->kind != DG_LINE_QUIET)
      g_array_index (shares, struct dv_tally_share, kept++) = share;
  }
  g_array_set_size (shares, kept);
}

void
dv_tally_judge_nothing (struct dv_tally *tally)
{
  for (guint i = 0; i < tally->lines->len; i++)
    g_array_index (tally->lines, struct dv_tally_place, i).sharing
      = DV_SHARING_NONE;
  g_array_set_size (tally->shares, 0);
}

/* Puts together what workers have counted, in the first one's sums.  */
static int
judge (struct job *job, unsigned workers, struct dg_error *err)
{
  struct dg_contention *sums = job->workers[0].sums;
  for (unsigned w = 1; w < workers; w++)
    if (dg_contention_join (sums, job->workers[w].sums) < 0)
      return dv_items_nomem (err);
  if (dg_contention_judge (sums, job->phases, err) < 0)
    return DG_ERR_NOMEM;
  set_sharing (job, sums);
  return 0;
}

static int
run_job (struct job *job, unsigned workers, dv_progress_fn progress,
         void *user, int stopped, struct dg_error *err)
{
  int code = 0;
  workers = MAX (1, MIN (workers, job->chunks->len));
  job->workers = g_try_new0 (struct worker, workers);
  if (job->workers == NULL)
    return dv_items_nomem (err);
  for (unsigned w = 0; w < workers; w++) {
    job->workers[w].sums = dg_contention_new (MOST_SPOTS);
    if (job->workers[w].sums == NULL)
      code = dv_items_nomem (err);
    for (unsigned i = 0; i < RECENT; i++)
      job->workers[w].recent[i].number = UINT64_MAX;
  }
  if (code == 0) {
    code = dv_work_run (job->chunks->len, workers, count_chunk, job, progress,
                        user, stopped);
    for (unsigned w = 0; w < workers && code < 0; w++)
      if (job->workers[w].error.code == code)
        *err = job->workers[w].error;
  }
  if (code == 0)
    code = judge (job, workers, err);
  for (unsigned w = 0; w < workers; w++)
    dg_contention_free (job->workers[w].sums);
  g_free (job->workers);
  return code;
}

int
dv_tally_judge (struct dv_tally *tally, const GArray *chunks,
                unsigned workers, dv_progress_fn progress, void *user,
                int stopped, struct dg_error *err)
{
  struct job job = { .tally = tally, .chunks = chunks,
                     .line_shift = tally->scene->data->line_shift };
  int code = 0;
  if (tally->shares->len > 0)
    code = list_lines (&job, err);
  if (code > 0) {
    job.phases = dg_phases_new (tally->scene->data->log, err);
    code = job.phases == NULL ? DG_ERR_NOMEM
                              : run_job (&job, workers, progress, user,
                                         stopped, err);
    dg_phases_free (job.phases);
  }
  g_free (job.slots);
  return code;
}
