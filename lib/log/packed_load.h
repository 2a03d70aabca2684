/* packed_load.h: dg_log_load for archives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_LOAD_H
#define DG_PACKED_LOAD_H

#include "format/position.h"
#include "log.h"
#include "timeline.h"

typedef int (*dg_packed_pace_fn) (void *user, uint64_t done,
                                  struct dg_error *err);

/* What dg_log_load does for an archive, from opening it to its last record;
   or, if the log has a `packed` already, from the chunk behind those.
   *position and *moment, where the timeline has come to in its own count,
   then go on from what they were.  0, or as dg_log_load; after TRUNCATED and
   DAMAGED, err->offset is where the file is good up to.  */
int dg_packed_load (struct dg_log *log, unsigned workers,
                    struct dg_timeline *timeline,
                    struct dg_position *position, uint64_t *moment,
                    dg_packed_pace_fn pace, void *user, struct dg_error *err);

#endif /* DG_PACKED_LOAD_H */
