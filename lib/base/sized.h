/* sized.h: structs of callers that may be of another version of the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SIZED_H
#define DG_SIZED_H

#include "libdatagrind.h"

/* Copies the options of a caller, which begin with their size, and fills what
   they lack with 0; all of it if `from` is NULL.  own begins with its size,
   too: n.  least: what the first version had.  DG_ERR_INVALID: it is smaller,
   or asks for something that this version does not know.  */
int dg_sized_take (void *own, size_t n, size_t least, const void *from,
                   struct dg_error *err);
/* The same; `last` is the last member that the first version had.  */
#define DG_SIZED_TAKE(own, last, from, err)                              \
  dg_sized_take (                                                        \
    (own), sizeof *(own),                                                \
    (size_t) ((const char *) (&(own)->last + 1) - (const char *) (own)), \
    (from), (err))

/* The other way: as much of a result as fits into the size that the caller
   has, the rest of that is 0.  */
void dg_sized_give (void *to, size_t size, const void *own, size_t n);

#endif /* DG_SIZED_H */
