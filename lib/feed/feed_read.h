/* feed_read.h: the runs of a chunk, decoded some hundred at a time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FEED_READ_H
#define DG_FEED_READ_H

#include "feed_decoded.h"

/* One thread at a time.  */
struct dg_feed_reader;
/* needs_addresses: else those of a run may be NULL, if all of its accesses
   were made.  needs_contexts: else they may be DG_NONE.  */
struct dg_feed_reader *dg_feed_reader_new (const struct dg_log *log,
                                           bool needs_addresses,
                                           bool needs_contexts,
                                           struct dg_error *err);
void dg_feed_reader_free (struct dg_feed_reader *reader);

/* Begins with a chunk of dg_log_chunks.  takes_alike: runs of the same
   instructions in the same context may be given once, with their number.  */
int dg_feed_reader_open (struct dg_feed_reader *reader, size_t chunk,
                         bool takes_alike, struct dg_error *err);
/* What follows; valid until the next call: 1, 0 at the chunk's end, < 0.  */
int dg_feed_reader_next (struct dg_feed_reader *reader,
                         struct dg_decoded *decoded, struct dg_error *err);
/* Nothing more of this chunk.  */
void dg_feed_reader_close (struct dg_feed_reader *reader);

#endif /* DG_FEED_READ_H */
