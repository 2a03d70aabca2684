/* symbols_types.h: types by what describes them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_TYPES_H
#define DG_SYMBOLS_TYPES_H

#include <elfutils/libdw.h>

#include "symbols_object.h"

/* A type by what describes it, which it remembers.  Not under a lock.  */
const struct dg_type *dg_type_of_die (struct dg_symbols *symbols,
                                      struct dg_object *object,
                                      const Dwarf_Die *die);

/* Where the object defines it; false: it does not.  */
bool dg_type_in (const struct dg_type *type, const struct dg_object *object,
                 Dwarf_Die *out);

#endif /* DG_SYMBOLS_TYPES_H */
