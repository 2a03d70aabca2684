/* sites.h: the place in a program that wants memory, for the files of the
   library that name it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SITES_PRIVATE_H
#define DG_SITES_PRIVATE_H

#include <glib.h>

#include "allocators_file.h"
#include "libdatagrind.h"

/* The first of dg_site_frames.  Of an empty stack, a frame of which nothing is
   known, and address 0.  */
void dg_sites_find (const struct dg_site_options *how,
                    const struct dg_stack *stack, uint64_t icount,
                    bool is_call, struct dg_site_frame *out);

/* Appends "function", or else "0x1234": the offset in the frame's module, or
   the address; `nothing` if that is 0.  */
void dg_sites_function (GString *text, const struct dg_frame *frame,
                        uint64_t address, const char *nothing);

/* The same, and " (file.c:12)", or else " (module)", as far as is known.  */
void dg_sites_name (GString *text, const struct dg_site_frame *site,
                    const char *nothing);
/* The text of dg_site_where.  */
void dg_sites_where (GString *text, const struct dg_site_frame *site);

/* "pages from f (file.c:12)": who wanted what nothing else tells of, behind
   those that only pass it on; to be freed.  The mapping has a stack.  */
char *dg_sites_pages (const struct dg_site_options *how,
                      const struct dg_mapping *mapping);

#endif /* DG_SITES_PRIVATE_H */
