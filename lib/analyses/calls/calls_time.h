/* calls_time.h: what the runs of each thread take, by the time model: cycles
   and misses, for the calls of a thread and for call paths.

   Memory: for each thread 128 KiB if instructions are told apart, else less
   than 1 KiB, and what the time model needs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_TIME_H
#define DG_CALLS_TIME_H

#include "calls_stack.h"
#include "calls_tree.h"
#include "time/time_meter.h"

struct calls_time;
/* Those of one thread of the program.  */
struct calls_time_thread;

/* meter, and tree (or NULL), which gets the figures of its paths, outlive it.
   NULL: no memory.  */
struct calls_time *calls_time_new (struct dg_time_meter *meter,
                                   struct calls_tree *tree,
                                   struct dg_error *err);
void calls_time_free (struct calls_time *time);

struct calls_time_thread *calls_time_thread_new (struct calls_time *time,
                                                 struct dg_error *err);
void calls_time_thread_free (struct calls_time_thread *thread);

/* Feeds a run of the thread to its stack, with what the run takes.  All
   threads in the order of the log.  0 or DG_ERR_NOMEM.  */
int calls_time_feed (struct calls_time_thread *thread,
                     struct calls_stack *stack, const struct dg_run *run,
                     struct dg_error *err);

#endif /* DG_CALLS_TIME_H */
