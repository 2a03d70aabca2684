/* allocators.h: which functions allocate, by a file that the user wrote.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALLOCATORS_H
#define DG_ALLOCATORS_H

#include "libdatagrind.h"

/* A function that allocates.  Positions are those of arguments, from 0.  */
struct dg_allocator_entry {
  int32_t number;          /* of the count of elements; -1: it has none */
  int32_t size;            /* of the bytes (of an element); -1: it has none */
  int32_t address;         /* of where the address goes; -1: it is returned */
};

/* Read-only once made.  */
struct dg_allocators;

/* Those of C, C++ and Valgrind alone: path NULL.  Else also those of a file,
   which has a line "NAME NUMBER SIZE ADDRESS" for each; the rest of a line
   from '#' on, and empty lines, mean nothing.  A name that stands there twice
   has its last line.  NULL and *err, which names the file and the line:
   DG_ERR_IO, DG_ERR_INVALID.  */
struct dg_allocators *dg_allocators_new (const char *path,
                                         struct dg_error *err);
void dg_allocators_free (struct dg_allocators *allocators);

/* The entry of a function, by its demangled name, with or without a list of
   parameters and template arguments; NULL: it is no allocator.  */
const struct dg_allocator_entry *
dg_allocators_find (const struct dg_allocators *allocators,
                    const char *function);

#endif /* DG_ALLOCATORS_H */
