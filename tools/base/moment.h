/* moment.h: moments of a log, the values of --at and similar options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MOMENT_H
#define DG_MOMENT_H

#include "libdatagrind.h"

struct moment {
  uint64_t icount;         /* DG_NEVER: the end of the log */
  uint32_t order;          /* records with a lower order have happened; 0:
                              all up to and including icount */
};

/* Finds the moment of a text:
     end                   the end of the log
     N                     before instruction N (from 0); also 3k, 20M, 1G
     event:LABEL           the start of the first event LABEL
     event:LABEL#2         the second one, in the order of their starts
     event:LABEL:end       its end, also with #2; :start is the default
   A label that itself ends like this is tried as a whole first.  If there is
   no such moment, returns a message, to be freed; otherwise NULL.  */
char *moment_find (struct moment *moment, const struct dg_log *log,
                   const char *text);

/* Whether a record with this icount and order has happened at the moment;
   icount DG_NEVER: it has not.  */
static inline bool
moment_is_past (const struct moment *moment, uint64_t icount, uint32_t order)
{
  if (icount == DG_NEVER)
    return false;
  return moment->order != 0 ? order < moment->order
                            : icount <= moment->icount;
}

/* Whether a block was live at the moment.  */
static inline bool
moment_has_block (const struct moment *moment, struct dg_block block)
{
  return moment_is_past (moment, block.alloc_icount, block.alloc_order)
         && !moment_is_past (moment, block.free_icount, block.free_order);
}

#endif /* DG_MOMENT_H */
