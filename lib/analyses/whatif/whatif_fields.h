/* whatif_fields.h: the fields of a type, and its layout after a change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_FIELDS_H
#define DG_WHATIF_FIELDS_H

#include "libdatagrind.h"
#include "whatif_changes.h"

/* The members of a type of `period` bytes: struct dg_whatif_field.  */
GArray *dg_whatif_fields_list (struct dg_symbols *symbols,
                               const struct dg_type *type, uint64_t period);

/* The layout that a target asks for elements of a type.  NULL and *err:
   DG_ERR_INVALID, such as for a field that the type has not; DG_ERR_NOMEM.  */
struct dg_whatif_layout *
dg_whatif_fields_layout (struct dg_symbols *symbols,
                         const struct dg_whatif_target *target,
                         const struct dg_type *type, uint64_t period,
                         struct dg_error *err);

#endif /* DG_WHATIF_FIELDS_H */
