/* symbols_trim.h: as much of separate debug information as a log can ask for.

   A distribution's debug file tells of a whole library, of which a program
   executes little.  Units (DW_TAG_compile_unit) of which nothing was executed
   or accessed, and that no other one refers to, are left out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_TRIM_H
#define DG_SYMBOLS_TRIM_H

#include "symbols_image.h"
#include "symbols_object.h"

/* Which units are needed; NULL: this cannot be told, so all are.  Addresses
   are the object's own, ascending.  Under its lock.  */
struct dg_trim *dg_trim_new (struct dg_object *object,
                             const GArray *code,    /* uint64_t */
                             const GArray *lines,   /* likewise, where lines
                                                       of 64 bytes begin */
                             const GArray *types);  /* Dwarf_Die */
void dg_trim_free (struct dg_trim *trim);

/* Clears what is not needed of the image of the debug file.  */
void dg_trim_debug (const struct dg_trim *trim,
                    struct dg_symbols_image *image);
/* Clears code of the module that is neither executed nor of a unit that is
   needed; trim may be NULL.  */
void dg_trim_code (const struct dg_trim *trim, const GArray *code,
                   struct dg_symbols_image *image);

#endif /* DG_SYMBOLS_TRIM_H */
