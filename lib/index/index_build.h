/* index_build.h: making the lists of a new index.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INDEX_BUILD_H
#define DG_INDEX_BUILD_H

#include "libdatagrind.h"

/* Makes the lists of all chunks from `first` on, by several threads (workers
   0: one per processor); `take` gets them on the calling thread, in order, as
   dg_lines_write makes them (n 0: empty), and ends everything when it fails.
   Progress is in bytes of the log.  */
typedef int (*dg_index_take_fn) (void *user, size_t chunk, const void *bytes,
                                 size_t n, struct dg_error *err);
int dg_index_scan (const struct dg_log *log, size_t first, unsigned workers,
                   dg_index_take_fn take, void *take_user,
                   dg_progress_fn progress, void *user,
                   struct dg_error *err);

#endif /* DG_INDEX_BUILD_H */
