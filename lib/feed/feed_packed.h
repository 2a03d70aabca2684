/* feed_packed.h: the runs of a chunk of an archive, decoded some hundred at a
   time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FEED_PACKED_H
#define DG_FEED_PACKED_H

#include "feed_decoded.h"

/* As the functions of feed_read.h.  takes_alike: runs that are alike may be
   given once.  */
struct dg_feed_packed;
struct dg_feed_packed *dg_feed_packed_new (const struct dg_log *log,
                                           bool needs_addresses,
                                           bool needs_contexts,
                                           struct dg_error *err);
void dg_feed_packed_free (struct dg_feed_packed *packed);
int dg_feed_packed_open (struct dg_feed_packed *packed, size_t chunk,
                         bool takes_alike, struct dg_error *err);
int dg_feed_packed_next (struct dg_feed_packed *packed,
                         struct dg_decoded *decoded, struct dg_error *err);
void dg_feed_packed_close (struct dg_feed_packed *packed);

#endif /* DG_FEED_PACKED_H */
