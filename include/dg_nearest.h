/* dg_nearest.h: suggestions for mistyped names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_NEAREST_H
#define LIBDATAGRIND_NEAREST_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All existing names are added, and the few that are closest to the requested
   one are kept: those that contain it, or differ by some characters; of C++
   names, also the last part.  Any number of names, also repeated; some us
   each.  */
struct dg_nearest;
DG_API struct dg_nearest *dg_nearest_new (const char *asked,
                                          struct dg_error *err);
DG_API void dg_nearest_free (struct dg_nearest *nearest);
DG_API void dg_nearest_add (struct dg_nearest *nearest, const char *name);
/* The closest one, which belongs to nearest; NULL: none is close.  */
DG_API const char *dg_nearest_best (const struct dg_nearest *nearest);
/* For the end of a message: "; did you mean 'sort' or 'sorted'?"; if none is
   close but there are few names, "; there are 'a' and 'b'"; or "".  To be
   freed with free.  */
DG_API char *dg_nearest_hint (const struct dg_nearest *nearest);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_NEAREST_H */
