/* time_places.h: which processor core a thread of a log has.

   The log does not say it.  A thread has a core for as long as it lives; when
   it has ended, a thread that begins later takes over the core, as a system
   would choose it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_PLACES_H
#define DG_TIME_PLACES_H

#include "base/table.h"
#include "libdatagrind.h"

/* Were there more threads at a time, some would share a core.  */
#define DG_TIME_PLACES_MAX 256

/* To be filled with the log; the rest is zero.  */
struct dg_time_places {
  const struct dg_log *log;
  struct dg_table free;    /* uint64_t: the icount at which the latest thread
                              of each core has ended */
};

/* Frees its table.  */
void dg_time_places_fini (struct dg_time_places *places);

/* The number of a thread's core; a number equal to the count of cores so far
   is that of a new core.  Call once for each thread, in the order of the
   threads' first runs.  UINT32_MAX: no memory.  */
uint32_t dg_time_places_take (struct dg_time_places *places, uint32_t thread);

#endif /* DG_TIME_PLACES_H */
