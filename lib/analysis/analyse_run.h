/* analyse_run.h: a pass over the chunks of a log, from its first to
   its last.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_RUN_H
#define DG_ANALYSE_RUN_H

#include "analyse_pass.h"

/* Reads the log and feeds, ends and merges all shards, then workers.  */
int dg_pass_run (struct dg_pass *pass, struct dg_error *err);

#endif /* DG_ANALYSE_RUN_H */
