/* symbols_heap.h: the type of heap blocks, by the code that allocates them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_HEAP_H
#define DG_SYMBOLS_HEAP_H

#include "libdatagrind.h"

enum dg_symbols_heap_answer {
  DG_HEAP_NOTHING = 0,     /* it cannot be told */
  DG_HEAP_OUTWARD,         /* the function gives memory without a type to its
                              caller, who may know */
  DG_HEAP_TYPE
};

/* A struct, union or class that fits blocks which a call site wants: one that
   a pointer leads to which the function there has at hand, and of which one,
   or several, take just the bytes.  The log has no values, so that this is a
   guess; where two such types fit, nothing is told.

   Pointers are looked at until one fits: what the function returns; all of its
   variables; what the fields of these point to; all variables of the source
   file.

   size: of all blocks, if they are equal; else 0, and `unit` is the greatest
   number by which all can be divided.  */
enum dg_symbols_heap_answer dg_symbols_heap_type (struct dg_symbols *symbols,
                                                  uint64_t site,
                                                  uint64_t icount,
                                                  uint64_t size, uint64_t unit,
                                                  const struct dg_type **type);

/* Whether the function there gives memory without a type to its caller.  */
bool dg_symbols_gives_memory (struct dg_symbols *symbols, uint64_t site,
                              uint64_t icount);

#endif /* DG_SYMBOLS_HEAP_H */
