/* allocators_file.h: which functions allocate, by a file that the user wrote.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALLOCATORS_FILE_H
#define DG_ALLOCATORS_FILE_H

#include "libdatagrind.h"

/* A function that allocates.  Positions are those of arguments, from 0.  */
struct dg_allocator_entry {
  int32_t number;  /* of the count of elements; -1: it has none */
  int32_t size;    /* of the bytes (of an element); -1: it has none */
  int32_t address; /* of where the address goes; -1: it is returned */
};

/* The entry of a function, by its demangled name, with or without a list of
   parameters and template arguments; NULL: it is not an allocator.  */
const struct dg_allocator_entry *
dg_allocators_find (const struct dg_allocators *allocators,
                    const char *function);

#endif /* DG_ALLOCATORS_FILE_H */
