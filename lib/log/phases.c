/* phases.c: the phases of threads, and their order.

   What orders threads is passed over once, in its order, with a vector
   clock for each thread: how many phases of each other one are over for sure.
   Only whole phases are given away, so that phases may be as long as one
   likes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include <dg_record.h>

#include "vector_clocks.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/table.h"

/* Phases of a thread that are told apart; of those that follow, in each
   doubling, half as many.  */
#define SINGLE 64
#define MOST_NODES (1u << 20)
#define MOST_STEPS ((uint64_t) 1 << 28)

struct phase {
  uint64_t icount;         /* it begins */
  struct dg_vector *seen;  /* what has happened by then */
};

struct thread {
  struct dg_table phases;  /* struct phase: at least one */
  struct dg_vector *seen;  /* what has happened by now */
  struct dg_vector *end;   /* what has happened when it ended */
  uint32_t cuts;           /* where phases could have ended so far */
};

/* What threads give to, and take.  */
struct sync {
  struct dg_vector *given;
  uint32_t taken;
};

struct dg_phases {
  struct dg_clocks clocks;
  uint32_t *numbers;       /* of threads, ascending */
  struct thread *threads;  /* the same */
  size_t n_threads;
  enum dg_phases_known known;
};

struct pass {
  struct dg_phases *phases;
  uint64_t *numbers; /* of syncs, ascending */
  struct sync *syncs;
  size_t n_syncs;
};

/* ---- Numbers ------------------------------------------------------------ */

/* The threads and syncs that there are, each once.  */
static bool
list_numbers (struct pass *pass, const struct dg_sync *syncs, size_t n)
{
  struct dg_phases *phases = pass->phases;
  size_t threads = 0, numbers = 0;

  phases->numbers = g_try_new (uint32_t, 2 * n + 1);
  pass->numbers = g_try_new (uint64_t, n + 1);
  if (phases->numbers == NULL || pass->numbers == NULL)
    return false;
  for (size_t i = 0; i < n; i++) {
    if (syncs[i].thread != 0)
      phases->numbers[threads++] = syncs[i].thread;
    if (syncs[i].other != 0)
      phases->numbers[threads++] = syncs[i].other;
    if (syncs[i].kind >= DG_SYNC_RELEASE)
      pass->numbers[numbers++] = syncs[i].number;
  }
  qsort (phases->numbers, threads, sizeof *phases->numbers, dg_compare_u32);
  qsort (pass->numbers, numbers, sizeof *pass->numbers, dg_compare_u64);
  phases->n_threads = DG_UNIQUE (phases->numbers, threads);
  pass->n_syncs = DG_UNIQUE (pass->numbers, numbers);
  phases->threads = g_try_new0 (struct thread, phases->n_threads + 1);
  pass->syncs = g_try_new0 (struct sync, pass->n_syncs + 1);
  return phases->threads != NULL && pass->syncs != NULL;
}

/* NULL: there is none.  */
static struct thread *
thread_of (const struct dg_phases *phases, uint32_t number, uint32_t *index)
{
  const uint32_t *at =
    phases->n_threads == 0
      ? NULL
      : bsearch (&number, phases->numbers, phases->n_threads,
                 sizeof *phases->numbers, dg_compare_u32);

  if (at == NULL)
    return NULL;
  *index = (uint32_t) (at - phases->numbers);
  return &phases->threads[*index];
}

/* ---- Phases ------------------------------------------------------------- */

static struct phase *
last_phase (const struct thread *thread)
{
  return (struct phase *) thread->phases.items + thread->phases.n - 1;
}

static bool
begin_phase (struct dg_phases *phases, struct thread *thread, uint64_t icount)
{
  struct phase *phase = dg_table_add (&thread->phases, sizeof *phase);

  if (phase == NULL) {
    phases->clocks.failed = true;
    return false;
  }
  *phase = (struct phase){ icount, dg_vector_ref (thread->seen) };
  return true;
}

/* Whether a phase ends at this place, where one could.  Which do is a matter
   of their number in the thread alone.  */
static bool
cuts (struct thread *thread)
{
  uint32_t n = thread->cuts++, every = 1;

  while (n / SINGLE >= every)
    every *= 2;
  return n % every == 0;
}

/* Gives what the thread has done up to here: all of its phases that are over,
   which the one up to here is from now on, if it may end.  To be freed by
   dg_vector_unref.  */
static struct dg_vector *
give (struct dg_phases *phases, uint32_t index, uint64_t icount, bool is_end)
{
  struct thread *thread = &phases->threads[index];
  uint32_t over = (uint32_t) thread->phases.n - 1;

  /* Of a phase that begins here nothing has been done.  */
  if (last_phase (thread)->icount != icount
      && (cuts (thread) || is_end)
      && begin_phase (phases, thread, icount))
    over++;
  return dg_vector_set (&phases->clocks, dg_vector_ref (thread->seen), index,
                        over);
}

/* What is in a clock has happened for the thread from here on.  */
static void
take (struct dg_phases *phases, uint32_t index, uint64_t icount,
      struct dg_vector *given)
{
  struct thread *thread = &phases->threads[index];
  struct phase *last = last_phase (thread);
  struct dg_vector *before = dg_vector_ref (thread->seen);

  thread->seen = dg_vector_join (&phases->clocks, thread->seen, given);
  if (thread->seen != before) {
    if (last->icount == icount) {
      dg_vector_unref (&phases->clocks, last->seen, phases->clocks.levels);
      last->seen = dg_vector_ref (thread->seen);
    } else if (cuts (thread)) {
      begin_phase (phases, thread, icount);
    }
  }
  dg_vector_unref (&phases->clocks, before, phases->clocks.levels);
}

/* ---- Syncs -------------------------------------------------------------- */

static void
pass_create (struct dg_phases *phases, const struct dg_sync *sync)
{
  uint32_t parent, child;
  struct dg_vector *given;

  if (thread_of (phases, sync->thread, &parent) == NULL
      || thread_of (phases, sync->other, &child) == NULL)
    return;
  given = give (phases, parent, sync->icount, false);
  take (phases, child, sync->icount, given);
  dg_vector_unref (&phases->clocks, given, phases->clocks.levels);
}

static void
pass_exit (struct dg_phases *phases, const struct dg_sync *sync)
{
  uint32_t index;
  struct thread *thread = thread_of (phases, sync->thread, &index);

  if (thread == NULL)
    return;
  dg_vector_unref (&phases->clocks, thread->end, phases->clocks.levels);
  thread->end = give (phases, index, sync->icount, true);
}

static void
pass_sync (struct pass *pass, const struct dg_sync *at)
{
  struct dg_phases *phases = pass->phases;
  unsigned levels = phases->clocks.levels;
  const uint64_t *number = bsearch (&at->number, pass->numbers, pass->n_syncs,
                                    sizeof *pass->numbers, dg_compare_u64);
  struct sync *sync = &pass->syncs[number - pass->numbers];
  struct dg_vector *given;
  uint32_t index;

  thread_of (phases, at->thread, &index);
  if (at->kind == DG_SYNC_RELEASE) {
    given = give (phases, index, at->icount, false);
    sync->given = dg_vector_join (&phases->clocks, sync->given, given);
    dg_vector_unref (&phases->clocks, given, levels);
    return;
  }
  take (phases, index, at->icount, sync->given);
  if (++sync->taken == at->count) {
    dg_vector_unref (&phases->clocks, sync->given, levels);
    sync->given = NULL;
  }
}

static void
pass_one (struct pass *pass, const struct dg_sync *sync)
{
  struct dg_phases *phases = pass->phases;
  uint32_t joined, index;

  switch (sync->kind) {
  case DG_SYNC_CREATE:
    pass_create (phases, sync);
    break;
  case DG_SYNC_EXIT:
    pass_exit (phases, sync);
    break;
  case DG_SYNC_JOIN:
    thread_of (phases, sync->thread, &index);
    thread_of (phases, sync->other, &joined);
    take (phases, index, sync->icount, phases->threads[joined].end);
    break;
  default:
    pass_sync (pass, sync);
  }
  if (sync->kind >= DG_SYNC_JOIN && phases->known == DG_PHASES_CREATED)
    phases->known = DG_PHASES_ALL;
}

/* ---- Making ------------------------------------------------------------- */

static void
pass_fini (struct pass *pass)
{
  for (size_t i = 0; pass->syncs != NULL && i < pass->n_syncs; i++)
    dg_vector_unref (&pass->phases->clocks, pass->syncs[i].given,
                     pass->phases->clocks.levels);
  g_free (pass->syncs);
  g_free (pass->numbers);
}

void
dg_phases_free (struct dg_phases *phases)
{
  unsigned levels;

  if (phases == NULL)
    return;
  levels = phases->clocks.levels;
  for (size_t i = 0; phases->threads != NULL && i < phases->n_threads; i++) {
    struct thread *thread = &phases->threads[i];
    struct phase *phase = thread->phases.items;

    for (size_t k = 0; k < thread->phases.n; k++)
      dg_vector_unref (&phases->clocks, phase[k].seen, levels);
    dg_vector_unref (&phases->clocks, thread->seen, levels);
    dg_vector_unref (&phases->clocks, thread->end, levels);
    dg_table_fini (&thread->phases);
  }
  g_free (phases->threads);
  g_free (phases->numbers);
  g_free (phases);
}

struct dg_phases *
dg_phases_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_phases *phases = g_try_new0 (struct dg_phases, 1);
  struct pass pass = { .phases = phases };
  const struct dg_process *process = dg_log_process (log);
  size_t n;
  const struct dg_sync *syncs = dg_log_syncs (log, &n);
  bool is_done;

  if (phases == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  phases->known =
    process != NULL && (process->flags & DG_PROCESS_ORDER) != 0
      ? DG_PHASES_CREATED : DG_PHASES_STARTS;
  is_done = list_numbers (&pass, syncs, n);
  dg_clocks_init (&phases->clocks, phases->n_threads, MOST_NODES, MOST_STEPS);
  for (size_t i = 0; is_done && i < phases->n_threads; i++)
    is_done = begin_phase (phases, &phases->threads[i], 0);
  for (size_t i = 0; is_done && i < n; i++) {
    pass_one (&pass, &syncs[i]);
    is_done = !phases->clocks.failed;
  }
  pass_fini (&pass);
  if (phases->clocks.is_short)
    phases->known = DG_PHASES_TOO_MANY;
  if (is_done)
    return phases;
  dg_phases_free (phases);
  dg_error_nomem (err);
  return NULL;
}

/* ---- Asking ------------------------------------------------------------- */

uint32_t
dg_phases_at (const struct dg_phases *phases, uint32_t number, uint64_t icount,
              uint64_t *since, uint64_t *until)
{
  uint32_t index;
  const struct thread *thread = thread_of (phases, number, &index);
  const struct phase *phase;
  size_t low;

  *since = 0;
  *until = UINT64_MAX;
  if (thread == NULL)
    return 0;
  phase = thread->phases.items;
  low = DG_BISECT (1, thread->phases.n, i, phase[i].icount <= icount) - 1;
  *since = phase[low].icount;
  if (low + 1 < thread->phases.n)
    *until = phase[low + 1].icount;
  return (uint32_t) low;
}

bool
dg_phases_are_ordered (const struct dg_phases *phases, uint32_t thread_a,
                       uint32_t a, uint32_t thread_b, uint32_t b)
{
  uint32_t first, second;
  const struct thread *thread;

  if (thread_of (phases, thread_a, &first) == NULL)
    return false;
  thread = thread_of (phases, thread_b, &second);
  if (thread == NULL || b >= thread->phases.n)
    return false;
  return dg_vector_get (&phases->clocks,
                        ((struct phase *) thread->phases.items)[b].seen,
                        first) > a;
}

enum dg_phases_known
dg_phases_known (const struct dg_phases *phases)
{
  return phases->known;
}
