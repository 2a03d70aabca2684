/* sharing_worker.c: what a worker counts by address, variable and thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <string.h>

#include <dg_record.h>

#include "base/error.h"

/* Keys in a worker's table.  */
#define WORKER_KEYS (32u << 10)
/* Cells hold 32 bits.  */
#define MOST_IN_CELLS ((uint64_t) 1 << 31)

void
sharing_worker_free (void *self, void *data)
{
  struct sharing_worker *worker = data;

  (void) self;
  dg_finder_free (worker->finder);
  sharing_counts_fini (&worker->counts);
  sharing_cells_fini (&worker->cells);
  sharing_block_ends_fini (&worker->ends);
  g_clear_pointer (&worker->wanted, g_hash_table_unref);
  g_free (worker);
}

void *
sharing_worker_new (void *self, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct sharing_worker *worker = g_new0 (struct sharing_worker, 1);

  worker->sharing = sharing;
  for (unsigned i = 0; i < SHARING_PAGES; i++)
    worker->recent[i].page = UINT64_MAX;
  sharing_cells_init (&worker->cells);
  sharing_block_ends_init (&worker->ends, sharing->log, sharing->symbols);
  if (sharing->variable != NULL)
    worker->wanted = g_hash_table_new (NULL, NULL);
  if (sharing->variables == NULL)
    return worker;
  worker->finder = dg_finder_new (sharing->variables, err);
  if (worker->finder == NULL) {
    sharing_worker_free (self, worker);
    return NULL;
  }
  worker->changes = dg_variables_changes (sharing->variables);
  worker->window = dg_owner_changes_window (worker->changes);
  dg_owner_changes_seek (worker->changes, 0, &worker->cursor);
  return worker;
}

/* ---- Counting ----------------------------------------------------------- */

/* Whether the user wants to know of a variable.  */
static bool
is_wanted (struct sharing_worker *worker, uint32_t variable)
{
  enum { YES = 1, NO = 2 };
  const char *wanted = worker->sharing->variable;
  gpointer key = GUINT_TO_POINTER (variable);
  unsigned answer;

  if (wanted == NULL)
    return true;
  answer = GPOINTER_TO_UINT (g_hash_table_lookup (worker->wanted, key));
  if (answer == 0) {
    const struct dg_named *named =
      dg_variables_named (worker->sharing->variables, variable);
    size_t n = strlen (wanted);

    answer = strncmp (named->name, wanted, n) == 0
                 && (named->name[n] == '\0' || named->name[n] == '.')
               ? YES : NO;
    g_hash_table_insert (worker->wanted, key, GUINT_TO_POINTER (answer));
  }
  return answer == YES;
}

/* Empties a worker's table.  */
static void
hand_over (struct sharing_worker *worker)
{
  struct sharing *sharing = worker->sharing;
  struct dg_packed_sums packed = { .n_runs = 0 };
  bool failed = sharing_counts_pack (&worker->counts, &packed) < 0;

  g_mutex_lock (&sharing->lock);
  sharing->sums.failed |= failed || worker->counts.failed;
  sharing_sums_take (&sharing->sums, &packed);
  g_mutex_unlock (&sharing->lock);
}

/* Whether an access is to the stack of the thread that makes it.  */
static inline bool
is_own (const struct sharing_worker *worker, const struct dg_access *access)
{
  return dg_thread_stack_is (&worker->own, access->thread, access->icount)
         && access->address - worker->own.low < worker->own.size;
}

/* Adds accesses of a variable to a worker's table.  */
static void
add (struct sharing_worker *worker, const struct dg_access *access,
     uint64_t reads, uint64_t writes)
{
  struct sharing *sharing = worker->sharing;
  uint32_t variable = dg_finder_variable (worker->finder, access);
  uint64_t key[] = { [SHARING_ADDRESS] = access->address,
                     [SHARING_VARIABLE] = variable,
                     [SHARING_THREAD] = access->thread,
                     [SHARING_INSTRUCTION] = 0 };
  struct dg_sum *entry;

  if (!is_wanted (worker, variable))
    return;
  if (sharing->by_instruction)
    key[SHARING_INSTRUCTION] =
      sharing->units == NULL
        ? access->instruction
        : dg_units_code (sharing->units, access->context, access->instruction,
                         access->icount);
  if (G_UNLIKELY (worker->counts.n >= WORKER_KEYS))
    hand_over (worker);
  entry = sharing_counts_find (&worker->counts, key);
  if (entry == NULL)
    return;
  /* Only who looks for an instruction needs to know when it was.  */
  entry->least =
    sharing->by_instruction ? MIN (entry->least, access->icount) : 0;
  entry->reads += reads;
  entry->writes += writes;
  entry->flag |= !is_own (worker, access);
}

/* A cell of memory in which something is about to change.  */
static void
take_cell (void *user, uint64_t address, uint32_t thread,
           const struct sharing_cell *cell)
{
  struct sharing_worker *worker = user;
  struct dg_access access = { .icount = worker->now, .address = address,
                              .thread = thread, .size = 1 };

  add (worker, &access, cell->counts[DG_ACC_READ],
       cell->counts[DG_ACC_WRITE]);
}

static void
take_all_cells (struct sharing_worker *worker)
{
  sharing_cells_gather_all (&worker->cells, take_cell, worker);
  worker->in_cells = 0;
}

void
sharing_worker_begin (struct sharing_worker *worker, uint64_t icount)
{
  unsigned window;

  if (worker->changes == NULL)
    return;
  window = dg_owner_changes_window (worker->changes);
  if (window == worker->window)
    return;
  worker->window = window;
  dg_owner_changes_seek (worker->changes, icount, &worker->cursor);
}

void
sharing_worker_end (struct sharing_worker *worker)
{
  if (worker->window != 0)
    take_all_cells (worker);
}

/* Variables end, up to a moment.  */
static __attribute__ ((noinline)) void
pass (struct sharing_worker *worker, uint64_t icount)
{
  uint64_t moment = worker->cursor.next, low, high;

  while (dg_owner_changes_next (worker->changes, &worker->cursor, icount, &low,
                                &high)) {
    /* They were there until just before.  */
    worker->now = MAX (worker->now, moment - (moment > 0));
    sharing_cells_gather (&worker->cells, low, high, take_cell, worker);
    moment = worker->cursor.next;
  }
}

/* Goes to the moment of an access.  */
static inline void
go_to (struct sharing_worker *worker, uint64_t icount)
{
  if (G_UNLIKELY (icount < worker->now)) {
    take_all_cells (worker);
    dg_owner_changes_seek (worker->changes, icount, &worker->cursor);
  } else if (G_UNLIKELY (icount >= worker->cursor.next)) {
    pass (worker, icount);
  }
  worker->now = icount;
}

void
sharing_worker_count (struct sharing_worker *worker,
                      const struct dg_access *access, bool is_stack)
{
  bool is_write = access->kind == DG_ACC_WRITE;

  go_to (worker, access->icount);
  worker->shared++;
  if (is_stack || worker->sharing->by_instruction) {
    add (worker, access, !is_write, is_write);
    return;
  }
  if (G_UNLIKELY (worker->cells.thread != access->thread))
    sharing_cells_set_thread (&worker->cells, access->thread);
  sharing_cells_count (&worker->cells, access->address, is_write);
}

void
sharing_worker_pause (struct sharing_worker *worker)
{
  if (worker->in_cells > MOST_IN_CELLS
      || sharing_cells_are_full (&worker->cells))
    take_all_cells (worker);
}

int
sharing_worker_merge (void *self, void *data, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct sharing_worker *worker = data;

  if (sharing->variables != NULL)
    take_all_cells (worker);
  hand_over (worker);
  sharing->accesses += worker->accesses;
  sharing->shared += worker->shared;
  return sharing->sums.failed ? dg_error_nomem (err) : 0;
}
