/* log_births.h: where the heap blocks of a log come from, whatever blocks it
   keeps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_BIRTHS_H
#define DG_LOG_BIRTHS_H

#include "libdatagrind.h"
#include "store.h"

/* A block that is the first with its stack, function, thread and so on: i from
   0, in their order; false after the last.  Not of a log with
   DG_BLOCKS_NONE.  `sizes` are those of all such blocks.  */
struct dg_log_birth {
  struct dg_stack stack;
  uint64_t icount, alignment;
  uint8_t allocator;
  struct dg_birth_sizes sizes;
};
bool dg_log_first_birth (const struct dg_log *log, size_t i,
                         struct dg_log_birth *birth);

/* The number of the birth of a block; and, for each number, the stack.  Of the
   blocks that the log has now: see block_window.h.  */
uint32_t dg_log_block_birth (const struct dg_log *log, size_t index);
size_t dg_log_n_births (const struct dg_log *log);
struct dg_stack dg_log_birth_stack (const struct dg_log *log, uint32_t birth);

#endif /* DG_LOG_BIRTHS_H */
