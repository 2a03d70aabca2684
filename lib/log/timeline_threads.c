/* timeline_threads.c: the timeline of threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline_threads.h"

#include <inttypes.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"

static struct dg_thread *
thread_at (struct dg_timeline_threads *threads, size_t index)
{
  return (struct dg_thread *) threads->threads->items + index;
}

/* The index of a thread, which is made if it is new; SIZE_MAX: no memory.  */
static size_t
find (struct dg_timeline_threads *threads, uint64_t number, uint64_t icount)
{
  struct dg_thread *thread;
  uint32_t index;

  if (dg_intern_add (&threads->by_number, &threads->numbers, &number,
                     sizeof number, &index)
      < 0)
    return SIZE_MAX;
  if (index < threads->threads->n)
    return index;
  thread = dg_table_add (threads->threads, sizeof *thread);
  if (!thread)
    return SIZE_MAX;
  thread->number = number;
  thread->start_icount = icount;
  thread->end_icount = DG_NEVER;
  thread->name = "";
  return index;
}

int
dg_timeline_threads_init (struct dg_timeline_threads *threads,
                          struct dg_table *table, struct dg_table *syncs,
                          struct dg_arena *arena, uint64_t icount)
{
  memset (threads, 0, sizeof *threads);
  threads->threads = table;
  threads->syncs = syncs;
  threads->arena = arena;
  threads->current = 1;
  threads->current_index = find (threads, 1, icount);
  threads->first_is_assumed = true;
  return threads->current_index == SIZE_MAX ? DG_ERR_NOMEM : 0;
}

void
dg_timeline_threads_credit (struct dg_timeline_threads *threads,
                            const struct dg_totals *totals)
{
  struct dg_thread *thread = thread_at (threads, threads->current_index);
  uint64_t reads = totals->reads - threads->told.reads;

  thread->instructions += totals->instructions - threads->told.instructions;
  thread->reads += reads;
  thread->writes += totals->slots - threads->told.slots - reads;
  if (totals->runs > threads->told.runs && thread->number == 1)
    threads->first_is_assumed = false;
  threads->told = *totals;
}

/* ---- What orders them ---- */

static int
add_sync (struct dg_timeline_threads *threads,
             const struct dg_sync *sync, struct dg_error *err)
{
  struct dg_sync *to = dg_table_add (threads->syncs, sizeof *to);

  if (!to)
    return dg_error_nomem (err);
  *to = *sync;
  return 0;
}

static int
bad_thread (uint8_t type, uint64_t number, uint64_t offset,
            struct dg_error *err)
{
  return dg_error_at (err, DG_ERR_DAMAGED, offset, "%s names thread %" PRIu64,
                      dg_record_name (type), number);
}

/* Records that make no thread known: RUNS, JOIN and MEET.  */
static int
apply_order (struct dg_timeline_threads *threads, uint8_t type,
             const struct dg_fields *fields, uint64_t icount, uint64_t offset,
             struct dg_error *err)
{
  const uint64_t *words = fields->words;
  uint64_t number = words[type == DG_R_MEET ? 2 : 0];
  struct dg_sync sync = {.icount = icount, .thread = number};
  uint32_t index;

  if (number == 0 || number >= DG_NONE)
    return bad_thread (type, number, offset, err);
  if (type == DG_R_THREAD_RUNS) {
    if (dg_intern_find (&threads->by_number, &threads->numbers, &number,
                        sizeof number, &index))
      thread_at (threads, index)->os_tid = words[1];
    return 0;
  }
  if (type == DG_R_THREAD_JOIN) {
    if (words[1] == 0 || words[1] >= DG_NONE)
      return bad_thread (type, words[1], offset, err);
    sync.kind = DG_SYNC_JOIN;
    sync.other = words[1];
  } else {
    if (words[1] > 1)
      return dg_error_at (err, DG_ERR_DAMAGED, offset,
                          "MEET has step %" PRIu64, words[1]);
    sync.kind = words[1] == 0 ? DG_SYNC_RELEASE : DG_SYNC_ACQUIRE;
    sync.count = MIN (words[4], UINT32_MAX);
    sync.number = words[5];
  }
  return add_sync (threads, &sync, err);
}

/* Its parent, if that is known, may be gone by now.  */
static int
start_thread (struct dg_timeline_threads *threads, struct dg_thread *thread,
              const uint64_t *words, uint64_t icount, struct dg_error *err)
{
  const struct dg_sync sync = {.icount = icount,
                               .thread = words[1],
                               .other = words[0],
                               .kind = DG_SYNC_CREATE};

  thread->parent = words[1];
  thread->os_tid = words[2];
  return add_sync (threads, &sync, err);
}

static int
end_thread (struct dg_timeline_threads *threads, struct dg_thread *thread,
            uint64_t icount, struct dg_error *err)
{
  const struct dg_sync sync = {
    .icount = icount, .thread = thread->number, .kind = DG_SYNC_EXIT};

  thread->end_icount = icount;
  return add_sync (threads, &sync, err);
}

int
dg_timeline_threads_apply (struct dg_timeline_threads *threads, uint8_t type,
                           const struct dg_fields *fields, uint64_t icount,
                           const struct dg_totals *totals, uint64_t offset,
                           struct dg_error *err)
{
  uint64_t number = fields->words[0];
  struct dg_thread *thread;
  size_t index;

  if (type == DG_R_THREAD_RUNS || type == DG_R_THREAD_JOIN
      || type == DG_R_MEET)
    return apply_order (threads, type, fields, icount, offset, err);
  if (number == 0 || number >= DG_NONE)
    return bad_thread (type, number, offset, err);
  if (type == DG_R_THREAD_START && fields->words[1] >= DG_NONE)
    return bad_thread (type, fields->words[1], offset, err);
  index = find (threads, number, icount);
  if (index == SIZE_MAX)
    return dg_error_nomem (err);
  if (number == 1)
    threads->first_is_assumed = false;
  thread = thread_at (threads, index);
  switch (type) {
  case DG_R_THREAD_SWITCH:
    dg_timeline_threads_credit (threads, totals);
    threads->current = number;
    threads->current_index = index;
    break;
  case DG_R_THREAD_START:
    return start_thread (threads, thread, fields->words, icount, err);
  case DG_R_THREAD_EXIT:
    return end_thread (threads, thread, icount, err);
  case DG_R_THREAD_NAME:
    thread->name = dg_arena_string (threads->arena, fields->strings[0]);
    if (!thread->name) {
      thread->name = "";
      return dg_error_nomem (err);
    }
    break;
  default:
    thread->stack_low = fields->words[1];
    thread->stack_high = fields->words[2];
    break;
  }
  return 0;
}

void
dg_timeline_threads_finish (struct dg_timeline_threads *threads,
                            const struct dg_totals *totals)
{
  struct dg_table *table = threads->threads;

  dg_timeline_threads_credit (threads, totals);
  /* The log of a forked child need not know its parent's main thread.  */
  if (threads->first_is_assumed && table->n > 1) {
    table->n--;
    memmove (table->items, thread_at (threads, 1),
             table->n * sizeof (struct dg_thread));
  }
}

static int
compare_threads (const void *a, const void *b, void *user)
{
  const struct dg_thread *threads = user;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  uint32_t m = threads[x].number, n = threads[y].number;

  return DG_COMPARE (m, n) ?: DG_COMPARE (x, y);
}

int
dg_timeline_threads_order (const struct dg_table *threads,
                           struct dg_table *order)
{
  uint32_t *items;

  order->n = 0;
  if (threads->n == 0)
    return 0;
  if (dg_table_reserve (order, sizeof *items, threads->n) < 0)
    return DG_ERR_NOMEM;
  items = order->items;
  for (size_t i = 0; i < threads->n; i++)
    items[i] = i;
  order->n = threads->n;
  qsort_r (items, order->n, sizeof *items, compare_threads, threads->items);
  return 0;
}

void
dg_timeline_threads_fini (struct dg_timeline_threads *threads)
{
  dg_intern_fini (&threads->by_number);
  dg_table_fini (&threads->numbers);
}
