/* threads.c: the threads of a log and what each of them did.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "threads.h"

#include <inttypes.h>
#include <string.h>

#include "error.h"

static struct dg_thread *
thread_at (struct dg_threads *threads, size_t index)
{
  return (struct dg_thread *) threads->threads->items + index;
}

/* The index of a thread, which is made if it is new; SIZE_MAX: no memory.  */
static size_t
find (struct dg_threads *threads, uint32_t number, uint64_t icount)
{
  gpointer key = GUINT_TO_POINTER (number);
  size_t index
    = GPOINTER_TO_SIZE (g_hash_table_lookup (threads->by_number, key));
  struct dg_thread *thread;

  if (index > 0)
    return index - 1;
  thread = dg_table_add (threads->threads, sizeof *thread);
  if (!thread)
    return SIZE_MAX;
  thread->number = number;
  thread->start_icount = icount;
  thread->end_icount = DG_NEVER;
  thread->name = "";
  index = threads->threads->n;
  g_hash_table_insert (threads->by_number, key, GSIZE_TO_POINTER (index));
  return index - 1;
}

int
dg_threads_init (struct dg_threads *threads, struct dg_table *table,
                 struct dg_arena *arena, uint64_t icount)
{
  memset (threads, 0, sizeof *threads);
  threads->threads = table;
  threads->arena = arena;
  threads->by_number = g_hash_table_new (NULL, NULL);
  threads->current = 1;
  threads->current_index = find (threads, 1, icount);
  threads->first_is_assumed = true;
  return threads->current_index == SIZE_MAX ? DG_ERR_NOMEM : 0;
}

void
dg_threads_credit (struct dg_threads *threads, const struct dg_totals *totals)
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

int
dg_threads_apply (struct dg_threads *threads, uint8_t type,
                  const struct dg_fields *fields, uint64_t icount,
                  const struct dg_totals *totals, uint64_t offset,
                  struct dg_error *err)
{
  uint64_t number = fields->words[0];
  struct dg_thread *thread;
  size_t index;

  if (number == 0 || number >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s names thread %" PRIu64, dg_record_name (type),
                        number);
  if (type == DG_R_THREAD_START && fields->words[1] >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "THREAD_START names thread %" PRIu64,
                        fields->words[1]);
  index = find (threads, number, icount);
  if (index == SIZE_MAX)
    return dg_error_nomem (err);
  if (number == 1)
    threads->first_is_assumed = false;
  thread = thread_at (threads, index);
  switch (type) {
  case DG_R_THREAD_SWITCH:
    dg_threads_credit (threads, totals);
    threads->current = number;
    threads->current_index = index;
    break;
  case DG_R_THREAD_START:
    thread->parent = fields->words[1];
    thread->os_tid = fields->words[2];
    break;
  case DG_R_THREAD_EXIT:
    thread->end_icount = icount;
    break;
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
dg_threads_finish (struct dg_threads *threads, const struct dg_totals *totals)
{
  struct dg_table *table = threads->threads;

  dg_threads_credit (threads, totals);
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

  return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

int
dg_threads_order (const struct dg_table *threads, struct dg_table *order)
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
dg_threads_fini (struct dg_threads *threads)
{
  g_clear_pointer (&threads->by_number, g_hash_table_destroy);
}
