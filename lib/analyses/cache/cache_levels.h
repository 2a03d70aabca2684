/* cache_levels.h: which caches there are, as the options --I1, --D1 and so on
   say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_LEVELS_H
#define DG_CACHE_LEVELS_H

#include "cache_run.h"

/* Fills the shapes and names of `made`, by the options of dg_traffic.h: 0 or
   DG_ERR_INVALID.  */
int dg_cache_levels_make (const struct dg_setup *setup,
                          struct dg_cache_made *made, struct dg_error *err);

#endif /* DG_CACHE_LEVELS_H */
