/* cache_host.h: the caches of the machine that this runs on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_HOST_H
#define DG_CACHE_HOST_H

#include "cache_sim.h"

/* The shape of "I1", "D1", "L2", "L3" or "LL", the last one that there is;
   false if the system does not tell.  If the number of sets is not a power of
   two, as in some last levels, it has fewer sets of more lines.  */
bool dg_cache_host (const char *name, struct dg_cache_shape *shape);

/* Of L2 and L3: whether there is one that is not the last one.  */
bool dg_cache_host_has (const char *name);

#endif /* DG_CACHE_HOST_H */
