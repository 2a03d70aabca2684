/* shared_lines.c: the cache lines that more than one thread touches.

   Each worker notes for each line the thread that touched it, or that there
   were several; what workers noted is put together at the end, in any
   order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shared_lines.h"

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/progress.h"
#include "feed/feed.h"
#include "frames.h"
#include "base/ordered.h"
#include "base/shadow.h"
#include "base/table.h"
#include "log/log.h"

#include <stdlib.h>
#include <string.h>

/* Instead of a thread: several of them.  */
#define SEVERAL UINT16_MAX

struct page {
  uint64_t page;
  uint16_t
    thread[DG_SHARED_PAGE_LINES]; /* + 1; 0: none, but owners of stacks */
};

struct finding {
  const struct dg_log *log;
  struct dg_feed_plan plan;
  unsigned line_shift, page_shift;
  GPtrArray *all; /* struct dg_shadow of each worker, of struct page */
  struct dg_thread_stacks *stacks;
  struct dg_frames *frames; /* or NULL */
  struct dg_progress pace;
  size_t done, total;
};

struct state {
  struct finding *finding;
  struct dg_feeder *feeder;
  struct dg_shadow *pages; /* belongs to the finding */
  struct dg_thread_stack own;
  bool failed; /* no memory */
};

static void
pages_free (gpointer pages)
{
  dg_shadow_fini (pages);
  g_free (pages);
}

/* ---- Reading ---------------------------------------------------------- */

static void *
state_new (void *user, struct dg_error *err)
{
  struct finding *finding = user;
  struct state *state = g_try_new0 (struct state, 1);

  if (state == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  state->finding = finding;
  state->feeder = dg_feeder_new (&finding->plan, err);
  if (state->feeder == NULL) {
    g_free (state);
    return NULL;
  }
  state->pages = g_try_new (struct dg_shadow, 1);
  if (state->pages == NULL) {
    dg_feeder_free (state->feeder);
    g_free (state);
    dg_error_nomem (err);
    return NULL;
  }
  dg_shadow_init (state->pages, sizeof (struct page));
  g_ptr_array_add (finding->all, state->pages);
  return state;
}

static void
state_free (void *data)
{
  struct state *state = data;

  dg_feeder_free (state->feeder);
  g_free (state);
}

static inline void
touch (struct state *state, uint64_t address, uint16_t thread)
{
  struct page *p = dg_shadow_get (state->pages,
                                  address >> state->finding->page_shift);
  uint16_t *before;

  if (G_UNLIKELY (p == NULL)) {
    state->failed = true;
    return;
  }
  before = &p->thread[address >> state->finding->line_shift
                      & (DG_SHARED_PAGE_LINES - 1)];
  if (G_UNLIKELY (*before != thread))
    *before = *before == 0 ? thread : SEVERAL;
}

static void
take_run (struct state *state, const struct dg_run *run)
{
  uint64_t line = (uint64_t) 1 << state->finding->line_shift;
  uint16_t thread =
    run->thread < SEVERAL - 1 ? (uint16_t) (run->thread + 1) : SEVERAL;
  uint64_t own_low, own_size;

  if (G_UNLIKELY (!dg_thread_stack_is (&state->own, run->thread, run->icount)))
    dg_thread_stacks_find (state->finding->stacks, run->thread, run->icount,
                           &state->own);
  own_low = state->own.low;
  own_size = state->own.size;
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry];
    uint64_t last = address + slot->size - 1;

    if (address - own_low < own_size || address == 0)
      continue;
    touch (state, address, thread);
    if (G_LIKELY (((address ^ last) & -line) == 0) || last < address)
      continue;
    for (address = (address & -line) + line; address <= last;
         address += line) {
      touch (state, address, thread);
      if (address > UINT64_MAX - line)
        break;
    }
  }
}

static int
work (void *user, void *data, size_t job, void *result, struct dg_error *err)
{
  struct finding *finding = user;
  struct state *state = data;
  struct dg_frame_chunk **chunk = result;
  struct dg_batch batch;
  int code = dg_feeder_open (state->feeder, job, err);

  if (code < 0)
    return code;
  if (finding->frames != NULL && *chunk == NULL)
    if ((*chunk = dg_frame_chunk_new (finding->frames, err)) == NULL)
      return DG_ERR_NOMEM;
  if (*chunk != NULL)
    dg_frame_chunk_clear (*chunk);
  while ((code = dg_feeder_next (state->feeder, &batch, err)) > 0) {
    for (size_t i = 0; i < batch.n_runs; i++) {
      take_run (state, &batch.runs[i]);
      if (*chunk != NULL)
        dg_frame_chunk_run (*chunk, &batch.runs[i]);
    }
    if (state->failed)
      return dg_error_nomem (err);
  }
  return code;
}

static int
take (void *user, size_t job, void *result, struct dg_error *err)
{
  struct finding *finding = user;
  struct dg_frame_chunk **chunk = result;

  finding->done = job + 1;
  return *chunk != NULL ? dg_frames_take (finding->frames, job, *chunk, err)
                        : 0;
}

static void
result_fini (void *result)
{
  dg_frame_chunk_free (*(struct dg_frame_chunk **) result);
}

static int
pace (void *user, struct dg_error *err)
{
  struct finding *finding = user;

  return dg_progress_tell (&finding->pace, finding->done, finding->total,
                           err);
}

/* ---- Putting together ------------------------------------------------- */

static bool
join (struct dg_shadow *all, const struct dg_shadow *more)
{
  for (uint32_t i = 0; i < more->pages.n; i++) {
    const struct page *from = dg_shadow_at (more, i);
    struct page *to = dg_shadow_get (all, from->page);

    if (to == NULL)
      return false;
    for (unsigned k = 0; k < DG_SHARED_PAGE_LINES; k++)
      if (to->thread[k] != from->thread[k] && from->thread[k] != 0)
        to->thread[k] = to->thread[k] == 0 ? from->thread[k] : SEVERAL;
  }
  return true;
}

/* What is left of a stack was touched by others than its owner.  */
static uint64_t
shared_lines (const struct finding *finding, const struct page *page)
{
  uint64_t low = page->page << finding->page_shift;
  uint64_t last = low + ((uint64_t) 1 << finding->page_shift) - 1;
  bool is_stack = dg_thread_stacks_any (finding->stacks, low, last);
  uint64_t bits = 0;

  for (unsigned k = 0; k < DG_SHARED_PAGE_LINES; k++) {
    uint64_t line = low + ((uint64_t) k << finding->line_shift);
    uint64_t end = line + ((uint64_t) 1 << finding->line_shift) - 1;

    if (page->thread[k] == SEVERAL
        || (is_stack && page->thread[k] != 0
            && dg_thread_stacks_any (finding->stacks, line, end)))
      bits |= (uint64_t) 1 << k;
  }
  return bits;
}

/* false: no memory.  */
static bool
tell (struct dg_shared_lines *lines, const struct finding *finding,
      const struct dg_shadow *all)
{
  lines->shared = g_try_new (uint64_t, (size_t) all->pages.n + 1);
  for (uint32_t i = 0; lines->shared != NULL && i < all->pages.n; i++) {
    const struct page *page = dg_shadow_at (all, i);
    uint64_t shared = shared_lines (finding, page);
    uint32_t to;

    if (shared == 0)
      continue;
    to = dg_keys_add (&lines->pages, page->page);
    if (to == DG_NONE)
      return false;
    lines->shared[to] = shared;
    lines->n_lines += (size_t) __builtin_popcountll (shared);
  }
  return lines->shared != NULL;
}

static unsigned
shift_of (uint32_t line_size)
{
  return line_size >= 8 && line_size <= 4096
             && (line_size & (line_size - 1)) == 0
           ? (unsigned) __builtin_ctz (line_size)
           : 6;
}

int
dg_shared_lines_find (struct dg_shared_lines *lines, const struct dg_log *log,
                      struct dg_frames *frames, unsigned workers,
                      dg_progress_fn pace_fn, void *user, struct dg_error *err)
{
  struct finding finding = {.log = log,
                            .plan = {.log = log,
                                     .end_icount = DG_NEVER,
                                     .needs_addresses = true,
                                     .needs_contexts = true},
                            .frames = frames,
                            .pace = {pace_fn, user, 0}};
  struct dg_ordered ordered = {.workers = workers,
                               .result_size = sizeof (struct dg_frame_chunk *),
                               .user = &finding,
                               .state_new = state_new,
                               .state_free = state_free,
                               .work = work,
                               .take = take,
                               .result_fini = result_fini,
                               .pace = pace};
  int code = 0;

  memset (lines, 0, sizeof *lines);
  lines->line_shift = shift_of (dg_log_line_size (log));
  lines->page_shift = lines->line_shift + 6;
  if (dg_log_summary (log)->threads < 2)
    return 0;
  finding.line_shift = lines->line_shift;
  finding.page_shift = lines->page_shift;
  finding.all = g_ptr_array_new_with_free_func (pages_free);
  finding.stacks = dg_thread_stacks_new (log);
  dg_log_chunks (log, &ordered.jobs);
  finding.total = ordered.jobs;
  code = finding.stacks != NULL ? dg_ordered_run (&ordered, err)
                                : dg_error_nomem (err);
  if (code == 0 && finding.all->len > 0) {
    struct dg_shadow *all = g_ptr_array_index (finding.all, 0);

    for (guint i = 1; code == 0 && i < finding.all->len; i++)
      if (!join (all, g_ptr_array_index (finding.all, i)))
        code = dg_error_nomem (err);
    if (code == 0 && !tell (lines, &finding, all))
      code = dg_error_nomem (err);
  }
  if (code < 0)
    dg_shared_lines_fini (lines);
  dg_thread_stacks_free (finding.stacks);
  g_ptr_array_unref (finding.all);
  return code;
}

void
dg_shared_lines_fini (struct dg_shared_lines *lines)
{
  dg_keys_fini (&lines->pages);
  g_clear_pointer (&lines->shared, g_free);
}

bool
dg_shared_lines_any (const struct dg_shared_lines *lines, uint64_t low,
                     uint64_t high)
{
  uint64_t first = low >> lines->page_shift;
  uint64_t last = (high - 1) >> lines->page_shift;

  if (high <= low || lines->pages.n == 0)
    return false;
  if (last - first < lines->pages.mask) {
    for (uint64_t page = first; page <= last; page++)
      if (dg_keys_find (&lines->pages, page) != DG_NONE)
        return true;
    return false;
  }
  for (size_t i = 0; i <= lines->pages.mask; i++)
    if (lines->pages.slots[i].number != 0 && lines->pages.slots[i].key >= first
        && lines->pages.slots[i].key <= last)
      return true;
  return false;
}

/* ---- Stacks ----------------------------------------------------------- */

struct bytes {
  uint64_t low, high;
};

struct dg_thread_stacks {
  const struct dg_thread *threads;
  size_t n;
  const uint32_t *order; /* their indices, by number and index */
  struct bytes *bytes; /* of all, ascending, apart */
  size_t n_bytes;
};

DG_COMPARE_BY (compare_bytes, struct bytes, low)

/* The bytes of all stacks, those that overlap as one.  */
static void
list_bytes (struct dg_thread_stacks *stacks)
{
  struct bytes *all = stacks->bytes;
  size_t n = 0;

  for (size_t i = 0; i < stacks->n; i++)
    if (stacks->threads[i].stack_high > stacks->threads[i].stack_low)
      all[n++] = (struct bytes){stacks->threads[i].stack_low,
                                stacks->threads[i].stack_high};
  qsort (all, n, sizeof *all, compare_bytes);
  for (size_t i = 0; i < n; i++) {
    struct bytes *last = &all[stacks->n_bytes - (stacks->n_bytes > 0)];

    if (stacks->n_bytes > 0 && all[i].low <= last->high)
      last->high = MAX (last->high, all[i].high);
    else
      all[stacks->n_bytes++] = all[i];
  }
}

struct dg_thread_stacks *
dg_thread_stacks_new (const struct dg_log *log)
{
  struct dg_thread_stacks *stacks = g_try_new0 (struct dg_thread_stacks, 1);

  if (stacks == NULL)
    return NULL;
  stacks->threads = dg_log_threads (log, &stacks->n);
  stacks->order = log->contents.thread_order.items;
  stacks->bytes = g_try_new (struct bytes, stacks->n + 1);
  if (stacks->bytes == NULL) {
    dg_thread_stacks_free (stacks);
    return NULL;
  }
  list_bytes (stacks);
  return stacks;
}

void
dg_thread_stacks_free (struct dg_thread_stacks *stacks)
{
  if (stacks == NULL)
    return;
  g_free (stacks->bytes);
  g_free (stacks);
}

/* The first of the threads that had a number, or where it would be.  */
static size_t
first_life (const struct dg_thread_stacks *stacks, uint32_t number)
{
  return DG_BISECT (0, stacks->n, i,
                    stacks->threads[stacks->order[i]].number < number);
}

void
dg_thread_stacks_find (const struct dg_thread_stacks *stacks, uint32_t thread,
                       uint64_t icount, struct dg_thread_stack *out)
{
  *out = (struct dg_thread_stack){.thread = thread, .until = DG_NEVER};
  for (size_t i = first_life (stacks, thread); i < stacks->n; i++) {
    const struct dg_thread *t = &stacks->threads[stacks->order[i]];

    if (t->number != thread)
      return;
    if (t->start_icount > icount) {
      out->until = t->start_icount;
      return;
    }
    out->since = t->start_icount;
    out->low = t->stack_low;
    out->size =
      t->stack_high > t->stack_low ? t->stack_high - t->stack_low : 0;
  }
}

bool
dg_thread_stacks_any (const struct dg_thread_stacks *stacks, uint64_t low,
                      uint64_t last)
{
  const struct bytes *all = stacks->bytes;
  size_t from = DG_BISECT (0, stacks->n_bytes, i, all[i].high <= low);

  return from < stacks->n_bytes && all[from].low <= last;
}
