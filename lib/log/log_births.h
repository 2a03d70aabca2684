/* log_births.h: where the heap blocks of a log come from, whatever blocks it
   keeps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_BIRTHS_H
#define DG_LOG_BIRTHS_H

#include "libdatagrind.h"

/* A block that is the first with its stack, function, thread and so on: i from
   0, in their order; false after the last.  Not of a log with
   DG_BLOCKS_NONE.  */
struct dg_log_birth {
  struct dg_stack stack;
  uint64_t icount;
  uint8_t allocator;
};
bool dg_log_first_birth (const struct dg_log *log, size_t i,
                         struct dg_log_birth *birth);

#endif /* DG_LOG_BIRTHS_H */
