/* symbols_locals.h: the variables in the frame of a function.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_LOCALS_H
#define DG_SYMBOLS_LOCALS_H

#include "libdatagrind.h"

/* A variable or parameter in memory.  Strings are interned.  */
struct dg_local {
  int64_t low;             /* its first byte, from the canonical frame address
                              of the function */
  uint64_t size;
  const char *function;    /* whose it is: that of an inlined call, perhaps */
  const char *name;
  const struct dg_type *type;  /* or NULL */
  const char *type_name;
  const char *file;
  uint32_t line;
};

/* A function may align its frame.  Then what is more than `limit` bytes below
   the canonical frame address is by so much lower as that, minus `above`, is
   more than a multiple of `align`.  Or, if size is not 0, only so many bytes
   that begin `above` below it, and they are by so much higher as is missing to
   such a multiple.  */
struct dg_local_align {
  uint64_t align;          /* a power of two; 0: it does not */
  int64_t above, limit;
  int64_t size;
};

/* Those that debug information knows at a code address, by place; where two
   have the same bytes, the one of the innermost scope.  *function receives the
   name of the function, NULL if it is not known.  Returns their number; *out
   is to be freed with free.  Takes some microseconds; locks by itself.  */
size_t dg_symbols_locals (struct dg_symbols *symbols, uint64_t pc,
                          uint64_t icount, const char **function,
                          struct dg_local **out,
                          struct dg_local_align *align);

#endif /* DG_SYMBOLS_LOCALS_H */
