/* massif_stacks.c: what Massif counts of stacks: each change of a stack
   pointer is memory that is taken or given back.

   Valgrind knows where the threads' stacks are, and on which it was last.
   When the stack pointer comes to another one, that change is none; neither
   is one by more than a large frame, which is taken for another stack, too.

   Chunks of runs are decoded by several threads; what they find is gone
   through in order, between the steps of the heap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/ordered.h"

#include <string.h>

/* Valgrind's --max-stackframe.  */
#define LARGE_FRAME 2000000

/* An instruction gave a stack pointer a value.  */
struct change {
  uint64_t icount, sp;
  uint32_t thread;
};

struct own {
  uint32_t thread;
  uint64_t sp;
  bool is_known;
};

struct dg_massif_stacks {
  GHashTable *threads;     /* number -> struct own */
  struct own *last;        /* that was looked up */
  const struct dg_thread *log_threads;
  size_t n_threads;
  const struct dg_thread *current;     /* whose stack Valgrind was on */
};

static struct dg_massif_stacks *
stacks_of (struct dg_massif_replay *replay)
{
  struct dg_massif_stacks *stacks = replay->stacks;

  if (stacks == NULL) {
    stacks = replay->stacks = g_new0 (struct dg_massif_stacks, 1);
    stacks->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    stacks->log_threads = dg_log_threads (replay->log, &stacks->n_threads);
    if (stacks->n_threads > 0)
      stacks->current = &stacks->log_threads[0];
  }
  return stacks;
}

void
dg_massif_stacks_free (struct dg_massif_stacks *stacks)
{
  if (stacks == NULL)
    return;
  g_hash_table_unref (stacks->threads);
  g_free (stacks);
}

static struct own *
own_of (struct dg_massif_stacks *stacks, uint32_t thread)
{
  struct own *own = stacks->last;

  if (own != NULL && own->thread == thread)
    return own;
  own = g_hash_table_lookup (stacks->threads, GUINT_TO_POINTER (thread));
  if (own == NULL) {
    own = g_new0 (struct own, 1);
    own->thread = thread;
    g_hash_table_insert (stacks->threads, GUINT_TO_POINTER (thread), own);
  }
  stacks->last = own;
  return own;
}

static bool
is_on (const struct dg_thread *thread, uint64_t sp)
{
  return thread != NULL && thread->stack_high != 0
         && sp >= thread->stack_low && sp <= thread->stack_high;
}

/* The stack that an address is on; of several that were there, the last.  */
static const struct dg_thread *
find_stack (const struct dg_massif_stacks *stacks, uint64_t sp,
            uint64_t icount)
{
  for (size_t i = stacks->n_threads; i > 0; i--) {
    const struct dg_thread *thread = &stacks->log_threads[i - 1];

    if (thread->start_icount <= icount && is_on (thread, sp))
      return thread;
  }
  return NULL;
}

/* ---- Changes ---------------------------------------------------------- */

/* So many bytes are taken, or given back.  */
static void
count (struct dg_massif_replay *replay, uint64_t taken, uint64_t given)
{
  struct dg_massif_snapshot *now = &replay->now.told;

  if (given > 0)
    dg_massif_maybe_peak (replay);
  /* A log that begins late may give back what it never took.  */
  given = MIN (given, now->stacks);
  if (!dg_massif_has_room (replay, taken))
    return;
  now->stacks += taken - given;
  dg_massif_move (replay, taken + given);
  dg_massif_maybe_normal (replay);
}

static void
move (struct dg_massif_replay *replay, uint64_t from, uint64_t to)
{
  if (to < from)
    count (replay, from - to, 0);
  else if (to > from)
    count (replay, 0, to - from);
}

/* Whether Valgrind takes it for a change from one stack to another.  */
static bool
is_switch (struct dg_massif_stacks *stacks, const struct change *change)
{
  const struct dg_thread *found;

  if (stacks->current != NULL
      && stacks->current->end_icount <= change->icount)
    stacks->current = NULL;
  if (is_on (stacks->current, change->sp))
    return false;
  found = find_stack (stacks, change->sp, change->icount);
  if (found == NULL || found == stacks->current)
    return false;
  stacks->current = found;
  return true;
}

static void
apply_change (struct dg_massif_replay *replay, struct dg_massif_stacks *stacks,
              const struct change *change)
{
  struct own *own = own_of (stacks, change->thread);
  uint64_t from = own->sp;
  uint64_t distance =
    change->sp > from ? change->sp - from : from - change->sp;
  bool was_known = own->is_known;

  own->sp = change->sp;
  own->is_known = true;
  replay->now.told.icount = change->icount;
  if (is_switch (stacks, change) || !was_known || distance > LARGE_FRAME)
    return;
  move (replay, from, change->sp);
}

void
dg_massif_stacks_apply (struct dg_massif_replay *replay,
                        const struct dg_stack_pointer *pointer)
{
  struct own *own = own_of (stacks_of (replay), pointer->thread);
  uint64_t from = own->sp;
  bool was_known = own->is_known;

  own->sp = pointer->sp;
  own->is_known = true;
  if (pointer->what == DG_SP_MOVED && was_known)
    move (replay, from, pointer->sp);
}

/* ---- Runs ------------------------------------------------------------- */

struct reading {
  struct dg_massif_replay *replay;
  struct dg_massif_stacks *stacks;
  uint64_t n_taken;        /* chunks */
};

static int
add_run (struct dg_table *changes, const struct dg_run *run)
{
  for (unsigned i = 0; i < run->n_sps; i++) {
    const struct dg_sp_entry *entry = &run->bbdef->sps[i];
    uint64_t sp = run->addresses[entry->entry];
    struct change *change;

    if (sp == 0)
      continue;
    change = dg_table_add (changes, sizeof *change);
    if (change == NULL)
      return DG_ERR_NOMEM;
    *change = (struct change){run->icount + entry->iseq, sp, run->thread};
  }
  return 0;
}

/* The changes of a chunk.  */
static int
work (void *user, void *state, size_t job, void *result, struct dg_error *err)
{
  const struct reading *reading = user;
  struct dg_table *changes = result;
  struct dg_reader *reader =
    dg_reader_new (reading->replay->log, job, job + 1, err);
  struct dg_run run;
  int more = reader != NULL ? 1 : DG_ERR_NOMEM;

  changes->n = 0;
  while (more > 0) {
    more = dg_reader_run (reader, &run, err);
    if (more > 0 && add_run (changes, &run) < 0)
      more = dg_error_nomem (err);
  }
  dg_reader_free (reader);
  return more;
}

static int
take (void *user, size_t job, void *result, struct dg_error *err)
{
  struct reading *reading = user;
  const struct dg_table *changes = result;
  struct dg_massif_replay *replay = reading->replay;
  const struct change *change = changes->items;

  for (size_t i = 0; i < changes->n; i++, change++) {
    int code = dg_massif_walk (replay, change->icount);

    if (code == DG_ERR_NOMEM)
      return dg_error_nomem (err);
    if (code == DG_ERR_CANCELLED)
      return dg_progress_cancelled (err);
    if (code < 0)
      return code;
    if (replay->next_moment < replay->options->n_at)
      dg_massif_take_moments (replay, change->icount);
    apply_change (replay, reading->stacks, change);
  }
  reading->n_taken++;
  replay->done += DG_MASSIF_CHUNK_STEPS;
  return 0;
}

static void
fini (void *result)
{
  dg_table_fini (result);
}

static int
pace (void *user, struct dg_error *err)
{
  struct reading *reading = user;
  int code = dg_massif_pace (reading->replay, reading->replay->at);

  return code < 0 ? dg_progress_cancelled (err) : 0;
}

int
dg_massif_stacks_run (struct dg_massif_replay *replay)
{
  struct reading reading = {.replay = replay, .stacks = stacks_of (replay)};
  struct dg_ordered ordered = {.workers = replay->options->workers,
                               .result_size = sizeof (struct dg_table),
                               .user = &reading,
                               .work = work,
                               .take = take,
                               .result_fini = fini,
                               .pace = pace};

  dg_log_chunks (replay->log, &ordered.jobs);
  return dg_ordered_run (&ordered, replay->err);
}
