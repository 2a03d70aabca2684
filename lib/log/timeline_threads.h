/* timeline_threads.h: the threads of a log and what each of them did.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_THREADS_H
#define DG_TIMELINE_THREADS_H

#include "base/arena.h"
#include "format/decode.h"
#include "base/intern.h"
#include "base/table.h"

/* Made by dg_timeline_threads_init.  */
struct dg_timeline_threads {
  struct dg_table *threads;   /* struct dg_thread; the caller's */
  struct dg_table *syncs;     /* struct dg_sync; likewise */
  struct dg_arena *arena;     /* for names; the caller's */
  struct dg_table numbers;    /* uint64_t: of each of the threads */
  struct dg_intern by_number; /* those */
  uint32_t current;           /* number */
  size_t current_index;
  bool first_is_assumed; /* nothing has named thread 1 yet */
  struct dg_totals told; /* what threads have been credited with */
};

/* Thread 1 is current.  0 or DG_ERR_NOMEM.  */
int dg_timeline_threads_init (struct dg_timeline_threads *threads,
                              struct dg_table *table,
                              struct dg_table *syncs,
                              struct dg_arena *arena, uint64_t icount);

/* Takes a THREAD_*, STACK or MEET record: 0, DG_ERR_NOMEM or DG_ERR_DAMAGED.
   `totals` are those of the whole log up to here.  */
int dg_timeline_threads_apply (struct dg_timeline_threads *threads,
                               uint8_t type, const struct dg_fields *fields,
                               uint64_t icount, const struct dg_totals *totals,
                               uint64_t offset, struct dg_error *err);

/* Credits the current thread with what was done since the last time.  */
void dg_timeline_threads_credit (struct dg_timeline_threads *threads,
                                 const struct dg_totals *totals);

/* The end of the log: leaves only threads that the log speaks of.  */
void dg_timeline_threads_finish (struct dg_timeline_threads *threads,
                                 const struct dg_totals *totals);

/* Fills a table of uint32_t with the indices of threads, by number and index.
   0 or DG_ERR_NOMEM.  */
int dg_timeline_threads_order (const struct dg_table *threads,
                               struct dg_table *order);

void dg_timeline_threads_fini (struct dg_timeline_threads *threads);

#endif /* DG_TIMELINE_THREADS_H */
