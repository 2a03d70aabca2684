/* indexing.h: making the index of a log in the background, for this time and,
   where its folder can be written, for the next.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_INDEXING_H
#define DV_INDEXING_H

#include "host/host.h"

struct dv_indexing *dv_indexing_new (struct dv_host *host);
void dv_indexing_free (struct dv_indexing *indexing);
/* Makes an index for the host's data if they lack one and it is worth it.  */
void dv_indexing_start (struct dv_indexing *indexing);
void dv_indexing_stop (struct dv_indexing *indexing);

#endif /* DV_INDEXING_H */
