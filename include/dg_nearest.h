/* dg_nearest.h: what a mistyped name may have meant.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_NEAREST_H
#define LIBDATAGRIND_NEAREST_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gets all names that there are, and keeps the few that come next to the
   one that was asked for: parts of it, or some characters away; of C++ names
   the last part counts as well.  Any number of names, the same as often as
   one likes; some us each.  */
struct dg_nearest;
DG_API struct dg_nearest *dg_nearest_new (const char *asked,
                                          struct dg_error *err);
DG_API void dg_nearest_free (struct dg_nearest *nearest);
DG_API void dg_nearest_add (struct dg_nearest *nearest, const char *name);
/* For the end of a message: "; did you mean 'sort' or 'sorted'?", or, if none
   is near but there are few, "; there are 'a' and 'b'"; or "".  To be freed
   with free.  */
DG_API char *dg_nearest_hint (const struct dg_nearest *nearest);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_NEAREST_H */
