/* filter.h: what dg_filter can tell of a run, beside of single accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_H
#define DG_FILTER_H

#include "libdatagrind.h"

/* How many instructions of a run pass the events side.  */
enum dg_filter_share {
  DG_FILTER_NONE = 0,
  DG_FILTER_ALL,
  DG_FILTER_SOME           /* dg_filter_instruction says which */
};

/* Of n instructions of a context that a thread executed, the first of them at
   icount.  */
enum dg_filter_share dg_filter_share (const struct dg_filter *filter,
                                      uint32_t context, uint32_t thread,
                                      uint64_t icount, unsigned n);
/* The events side but for threads, for an instruction at this address.  Its
   stack is its own address and the call sites of the context.  */
bool dg_filter_instruction (const struct dg_filter *filter, uint32_t context,
                            uint64_t instruction, uint64_t icount);
/* The ranges side; has_ranges: whether it says anything at all.  */
bool dg_filter_has_ranges (const struct dg_filter *filter);

/* What the events side said last; all 0 at first.  Accesses in the order of
   the log ask it again only now and then.  */
struct dg_filter_cursor {
  bool is_set;
  uint32_t context, thread;
  uint64_t start, end; /* icounts for which it holds */
  enum dg_filter_share share;
};
/* As dg_filter_access.  */
bool dg_filter_next (const struct dg_filter *filter,
                     struct dg_filter_cursor *cursor,
                     const struct dg_access *access);

#endif /* DG_FILTER_H */
