/* site_sums.h: adding up accesses by heap block, and blocks by what
   allocated them.

   Workers count in owners.h.

   Memory: 60 bytes for a site and a bit for a block.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SITE_SUMS_H
#define DV_SITE_SUMS_H

#include "owners.h"

/* Of all workers.  */
struct dv_site_sums;

/* NULL: there is no memory.  */
struct dv_site_sums *dv_site_sums_new (const struct dv_data *data);
void dv_site_sums_free (struct dv_site_sums *sums);
/* Takes what a worker has counted, without clearing that.  Any thread.  */
void dv_site_sums_take (struct dv_site_sums *sums,
                        const struct dv_owners *owners);
/* Sets a tally's sites and what is elsewhere, by its total.  Any thread.  */
void dv_site_sums_tell (struct dv_site_sums *sums, struct dv_tally *tally);

#endif /* DV_SITE_SUMS_H */
