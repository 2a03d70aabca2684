/* symbols_debug.h: functions, inlined calls and lines of an address, from
   debug information.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_DEBUG_H
#define DG_SYMBOLS_DEBUG_H

#include <elfutils/libdw.h>

#include "symbols_object.h"

/* Fills function, file, line and inlined of the frames of
   an address from its debug information; returns how many, 0 without any.  */
size_t dg_debug_frames (struct dg_object *object, struct dg_names *names,
                        uint64_t address, struct dg_frame *out, size_t max);

/* The function over an address of the object, and then the calls that are
   inlined around it, outermost first; returns how many.  *pc receives the
   address as debug information has it.  */
size_t dg_debug_scopes (struct dg_object *object, uint64_t address,
                        Dwarf_Die *out, size_t max, uint64_t *pc);

/* The same for who asks for more of them than code; 0 also if that cannot be
   (dg_object_whole).  */
size_t dg_debug_scopes_whole (struct dg_object *object, uint64_t address,
                              Dwarf_Die *out, size_t max, uint64_t *pc);

/* The unit over an address of the object; false: there is none.  */
bool dg_debug_unit (struct dg_object *object, uint64_t address,
                    Dwarf_Die *out);

#endif /* DG_SYMBOLS_DEBUG_H */
