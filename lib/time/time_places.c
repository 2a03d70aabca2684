/* time_places.c: which processor core a thread of a log has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_places.h"

#include <glib.h>

void
dg_time_places_fini (struct dg_time_places *places)
{
  dg_table_fini (&places->free);
}

/* The core of a thread that has ended by then, a new core, or, if there are
   too many, a shared one.  */
static uint32_t
find (struct dg_time_places *places, uint32_t thread, uint64_t start)
{
  const uint64_t *free = places->free.items;
  uint64_t *added;

  for (uint32_t i = 0; i < places->free.n; i++)
    if (free[i] <= start)
      return i;
  if (places->free.n == DG_TIME_PLACES_MAX)
    return thread % DG_TIME_PLACES_MAX;
  added = dg_table_add (&places->free, sizeof *added);
  if (added == NULL)
    return UINT32_MAX;
  *added = 0;
  return (uint32_t) (added - (uint64_t *) places->free.items);
}

uint32_t
dg_time_places_take (struct dg_time_places *places, uint32_t thread)
{
  const struct dg_thread *known = dg_log_thread (places->log, thread);
  uint32_t i = find (places, thread, known != NULL ? known->start_icount : 0);
  uint64_t *free = places->free.items;

  if (i != UINT32_MAX)
    free[i] = known != NULL ? MAX (free[i], known->end_icount) : DG_NEVER;
  return i;
}
