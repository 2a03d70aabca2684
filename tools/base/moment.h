/* moment.h: a moment of a log, as --at and the like name it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MOMENT_H
#define DG_MOMENT_H

#include "libdatagrind.h"

struct moment {
  uint64_t icount;         /* DG_NEVER: the end of the log */
  uint32_t order;          /* what has a lower one has happened; 0: what
                              happened up to icount, and at it, has */
};

/* Finds the moment that a text names:
     end                   when everything has happened that the log tells
     N                     before instruction N (from 0); also 3k, 20M, 1G
     event:LABEL           when the first event LABEL started
     event:LABEL#2         the second one, in the order of their starts
     event:LABEL:end       when it ended, also with #2; :start says the rule
   A label that has such an end itself is found by all of its text.  If there
   is no such moment, returns what to tell of it, to be freed; else NULL.  */
char *moment_find (struct moment *moment, const struct dg_log *log,
                   const char *text);

/* Whether something of a timeline, at this icount and with this order, has
   happened by then; icount DG_NEVER: it never does.  */
static inline bool
moment_is_past (const struct moment *moment, uint64_t icount, uint32_t order)
{
  if (icount == DG_NEVER)
    return false;
  return moment->order != 0 ? order < moment->order
                            : icount <= moment->icount;
}

/* Whether a block was there then.  */
static inline bool
moment_has_block (const struct moment *moment, struct dg_block block)
{
  return moment_is_past (moment, block.alloc_icount, block.alloc_order)
         && !moment_is_past (moment, block.free_icount, block.free_order);
}

#endif /* DG_MOMENT_H */
