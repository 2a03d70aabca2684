/* variables_assigned.h: the pointer that an allocation is assigned to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VARIABLES_ASSIGNED_H
#define DG_VARIABLES_ASSIGNED_H

#include "libdatagrind.h"

/* Which blocks begin behind calls, and what they do with registers.  For any
   thread.  */
struct dg_assigned;
struct dg_assigned *dg_assigned_new (const struct dg_log *log,
                                     struct dg_symbols *symbols);
void dg_assigned_free (struct dg_assigned *assigned);

/* What the variable or field points to that receives the result of the call
   at a call site; NULL if that is not to be seen.  */
const struct dg_type *dg_assigned_type (struct dg_assigned *assigned,
                                        uint64_t site, uint64_t icount);

#endif /* DG_VARIABLES_ASSIGNED_H */
