/* arrow_shared.h: what streams of one log share, made when first needed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_SHARED_H
#define DG_ARROW_SHARED_H

#include "dg_analysis.h"

/* One more user; dg_arrow_shared_free is the other.  */
struct dg_arrow_shared *dg_arrow_shared_keep (struct dg_arrow_shared *shared);
const struct dg_log *
dg_arrow_shared_log (const struct dg_arrow_shared *shared);

/* Any thread; one makes it, others wait.  NULL and *err on failure; the next
   call tries again.  */
struct dg_symbols *dg_arrow_shared_symbols (struct dg_arrow_shared *shared,
                                            struct dg_error *err);
const struct dg_space *dg_arrow_shared_space (struct dg_arrow_shared *shared,
                                              dg_progress_fn progress,
                                              void *user,
                                              struct dg_error *err);
struct dg_variables *
dg_arrow_shared_variables (struct dg_arrow_shared *shared,
                           dg_progress_fn progress, void *user,
                           struct dg_error *err);
/* The index of the log, NULL if it has none.  */
struct dg_index *dg_arrow_shared_index (struct dg_arrow_shared *shared);

#endif /* DG_ARROW_SHARED_H */
