/* invariants_records.c: threads, signals, events, ranges, modules and time
   of a log, and whether it has as much as it tells.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "invariants.h"

#include <inttypes.h>

#include "log/log.h"

/* ---- Threads ---- */

struct inv_thread *
invariants_thread_at (struct invariants *inv, uint64_t number)
{
  struct inv_thread *thread;

  number = MIN (number, UINT32_MAX);
  thread = g_hash_table_lookup (inv->threads, GUINT_TO_POINTER (number));
  if (thread == NULL) {
    thread = g_new0 (struct inv_thread, 1);
    thread->number = number;
    g_hash_table_insert (inv->threads, GUINT_TO_POINTER (number), thread);
  }
  return thread;
}

/* Is there such a thread now?  Logs that do not tell of threads may say
   anything.  */
static void
check_alive (struct invariants *inv, uint64_t number, const char *what)
{
  const struct inv_thread *thread = invariants_thread_at (inv, number);

  if (!inv->has_starts)
    return;
  if (!thread->is_started)
    invariants_find (inv, INV_THREAD,
                     "%s thread %" PRIu64 ", which has not started", what,
                     number);
  else if (thread->is_ended)
    invariants_find (inv, INV_THREAD, "%s thread %" PRIu64 ", which has ended",
                     what, number);
}

static void
start_thread (struct invariants *inv, const uint64_t *words)
{
  struct inv_thread *thread = invariants_thread_at (inv, words[0]);

  /* It may have ended since: a thread can begin to run long after it was
     made.  */
  if (words[1] != 0 && inv->has_starts
      && !invariants_thread_at (inv, words[1])->is_started)
    invariants_find (inv, INV_THREAD, "a thread is started by thread %" PRIu64
                     ", which has not started", words[1]);
  if (thread->is_started)
    invariants_find (inv, INV_THREAD,
                     "thread %" PRIu64 " starts a second time", words[0]);
  thread->is_started = true;
}

/* Whether a thread that has waited for another can have done so.  */
static void
take_join (struct invariants *inv, const uint64_t *words)
{
  check_alive (inv, words[0], "a join is by");
  if (inv->has_starts && !invariants_thread_at (inv, words[1])->is_ended)
    invariants_find (inv, INV_THREAD,
                     "thread %" PRIu64 " has joined thread %" PRIu64
                     ", which has not ended", words[0], words[1]);
}

static void
take_signal (struct invariants *inv, const uint64_t *words)
{
  struct inv_thread *thread = invariants_thread_at (inv, words[0]);

  check_alive (inv, words[0], "a signal is for");
  /* Anything may follow.  */
  thread->generation = 0;
  if (words[2] == 0)
    thread->handlers++;
  else if (thread->handlers == 0)
    invariants_find (inv, INV_SIGNAL,
                     "a signal handler returns in thread %" PRIu64
                     ", where none has begun",
                     words[0]);
  else
    thread->handlers--;
}

static void
take_stack (struct invariants *inv, const uint64_t *words)
{
  struct inv_thread *thread = invariants_thread_at (inv, words[0]);

  check_alive (inv, words[0], "a stack is that of");
  if (words[1] > words[2])
    invariants_find (inv, INV_STACK,
                     "the stack of thread %" PRIu64 " is from 0x%" PRIx64
                     " to 0x%" PRIx64,
                     words[0], words[1], words[2]);
  thread->stack_low = words[1];
  thread->stack_high = words[2];
}

/* True if it was one of the threads' records.  */
static bool
take_thread (struct invariants *inv, const struct dg_record *rec)
{
  const uint64_t *words = rec->words;

  switch (rec->type) {
  case DG_R_THREAD_START:
    start_thread (inv, words);
    break;
  case DG_R_THREAD_EXIT:
    check_alive (inv, words[0], "the end is that of");
    invariants_thread_at (inv, words[0])->is_ended = true;
    break;
  case DG_R_THREAD_SWITCH:
    check_alive (inv, words[0], "what follows is of");
    inv->thread = invariants_thread_at (inv, words[0]);
    break;
  case DG_R_THREAD_NAME:
    check_alive (inv, words[0], "a name is given to");
    break;
  case DG_R_THREAD_RUNS:
    check_alive (inv, words[0], "the first instruction is of");
    break;
  case DG_R_THREAD_JOIN:
    take_join (inv, words);
    break;
  case DG_R_MEET:
    check_alive (inv, words[2], "a barrier or a condition is waited for by");
    break;
  case DG_R_THREAD_LOCAL:
    check_alive (inv, words[0], "thread-local variables are those of");
    break;
  case DG_R_SIGNAL:
    take_signal (inv, words);
    break;
  case DG_R_STACK:
    take_stack (inv, words);
    break;
  default:
    return false;
  }
  return true;
}

/* ---- Pairs ---- */

/* A second thing of that name is one more.  */
static void
open_one (GHashTable *table, char *key)
{
  gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (table, key));

  g_hash_table_replace (table, key, GSIZE_TO_POINTER (n + 1));
}

/* False: there is none.  Takes the key.  */
static bool
close_one (GHashTable *table, char *key)
{
  gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (table, key));

  if (n > 1)
    g_hash_table_replace (table, key, GSIZE_TO_POINTER (n - 1));
  else
    g_hash_table_remove (table, key);
  if (n <= 1)
    g_free (key);
  return n > 0;
}

static char *
number_key (uint64_t number)
{
  return g_strdup_printf ("%" PRIx64, number);
}

static void
take_pair (struct invariants *inv, const struct dg_record *rec)
{
  const uint64_t *words = rec->words;

  switch (rec->type) {
  case DG_R_TRACK_RANGE:
    open_one (inv->ranges, number_key (words[0]));
    break;
  case DG_R_UNTRACK_RANGE:
    if (!close_one (inv->ranges, number_key (words[0])))
      invariants_find (inv, INV_RANGE, "no range is tracked at 0x%" PRIx64
                       " where one is untracked", words[0]);
    break;
  case DG_R_START_EVENT:
    open_one (inv->events, g_strdup (rec->strings[0]));
    break;
  case DG_R_END_EVENT:
    if (!close_one (inv->events, g_strdup (rec->strings[0])))
      invariants_find (inv, INV_EVENT,
                       "the event '%s' ends without having begun",
                       rec->strings[0]);
    break;
  case DG_R_TEXT_AVMA:
    open_one (inv->modules, number_key (words[0]));
    break;
  case DG_R_MODULE_UNLOAD:
    if (!close_one (inv->modules, number_key (words[0])))
      invariants_find (inv, INV_MODULE, "no module is loaded at 0x%" PRIx64
                       " where one is unloaded", words[0]);
    break;
  default:
    break;
  }
}

/* ---- All ---- */

void
invariants_records_take (struct invariants *inv, const struct dg_record *rec)
{
  if (take_thread (inv, rec))
    return;
  switch (rec->type) {
  case DG_R_WINDOW:
    /* Runs are missing.  */
    inv->generation++;
    break;
  case DG_R_CLOCK:
    if (rec->words[0] < inv->ns)
      invariants_find (inv, INV_TIME,
                       "the clock goes backwards from %" PRIu64 " to %" PRIu64
                       " ns",
                       inv->ns, rec->words[0]);
    inv->ns = rec->words[0];
    break;
  case DG_R_HEAP_ALLOC:
  case DG_R_HEAP_FREE:
    check_alive (inv, rec->words[1], "a heap call is by");
    break;
  default:
    take_pair (inv, rec);
  }
}

static void
compare (struct invariants *inv, const char *what, uint64_t told,
         uint64_t found)
{
  if (told != found)
    invariants_find (inv, INV_TOTALS,
                     "%s: the log says %" PRIu64 ", but it has %" PRIu64, what,
                     told, found);
}

void
invariants_records_end (struct invariants *inv)
{
  const struct dg_summary *summary = dg_log_summary (inv->log);
  uint64_t instructions = 0, reads = 0, writes = 0;
  size_t n;
  const struct dg_thread *threads = dg_log_threads (inv->log, &n);

  if (summary->complete == DG_COMPLETE_NO)
    invariants_find (inv, INV_WHOLE, "the log ends early");
  for (size_t i = 0; i < n; i++) {
    const struct inv_thread *thread =
      invariants_thread_at (inv, threads[i].number);
    char *name = g_strdup_printf ("instructions of thread %u",
                                  threads[i].number);

    compare (inv, name, threads[i].instructions, thread->instructions);
    instructions += thread->instructions;
    reads += thread->reads;
    writes += thread->writes;
    g_free (name);
  }
  compare (inv, "runs", summary->runs, inv->runs);
  compare (inv, "instructions", summary->instructions, instructions);
  compare (inv, "reads", summary->reads, reads);
  compare (inv, "writes", summary->writes, writes);
  compare (inv, "blocks", summary->bbdefs, inv->bbdefs);
  compare (inv, "contexts", summary->contexts, inv->contexts);
}
