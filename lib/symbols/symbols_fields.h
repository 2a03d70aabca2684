/* symbols_fields.h: what lies at a byte of something of a type.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_FIELDS_H
#define DG_SYMBOLS_FIELDS_H

#include <elfutils/libdw.h>

#include "symbols_object.h"

/* What lies at a byte of something of that type, which has `total` bytes, or
   is one of an array of which that is all; 0: as large as its type says.
   False if the byte is outside.  */
bool dg_field_find (struct dg_object *object, struct dg_names *names,
                    const Dwarf_Die *type, uint64_t total, uint64_t offset,
                    uint32_t access_size, struct dg_field *out);
/* The type of the field that begins at a byte of such a thing; false if none
   does, or one of several: which of a union's, the byte does not tell.  */
bool dg_field_type (struct dg_object *object, const Dwarf_Die *type,
                    uint64_t total, uint64_t offset, Dwarf_Die *out);
/* As dg_field_find for an array of pointers or of a type, with bounds that
   do not come from debug information.  type NULL: pointers of `element`
   bytes.  */
struct dg_bounds {
  unsigned n;
  uint64_t count[DG_TYPE_DIMS];
};
bool dg_field_find_in (struct dg_object *object, struct dg_names *names,
                       const Dwarf_Die *type, const char *pointer,
                       uint64_t element, const struct dg_bounds *bounds,
                       uint64_t total, uint64_t offset, uint32_t access_size,
                       struct dg_field *out);

#endif /* DG_SYMBOLS_FIELDS_H */
