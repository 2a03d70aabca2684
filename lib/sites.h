/* sites.h: the place in a program that wants memory, among those that hand it
   on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SITES_H
#define DG_SITES_H

#include <glib.h>

#include "allocators.h"

/* The innermost frame of a stack that is no allocator, or else the innermost
   of all, and the code address that it is at.  Without symbols, a frame of
   which nothing is known.  Of an empty stack, the same and address 0.  */
void dg_sites_find (const struct dg_allocators *allocators,
                    struct dg_symbols *symbols, const struct dg_stack *stack,
                    uint64_t icount, struct dg_frame *out, uint64_t *address);

/* Appends "function", or else "0x1234": the offset in the frame's module, or
   the address; `nothing` if that is 0.  */
void dg_sites_function (GString *text, const struct dg_frame *frame,
                        uint64_t address, const char *nothing);

/* The same, and " (file.c:12)", or else " (module)", as far as is known.  */
void dg_sites_name (GString *text, const struct dg_frame *frame,
                    uint64_t address, const char *nothing);

/* The last part of a path.  */
const char *dg_sites_base (const char *path);

#endif /* DG_SITES_H */
