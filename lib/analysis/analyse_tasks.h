/* analyse_tasks.h: a pass with several workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSE_TASKS_H
#define DG_ANALYSE_TASKS_H

#include "analyse_work.h"

/* Does everything up to the end of all shards, and merges those of chunks.
   False: no thread could be started, and nothing has happened.  */
bool dg_pass_together (struct dg_pass *pass, struct dg_worker *workers,
                       unsigned n, int *code, struct dg_error *err);

#endif /* DG_ANALYSE_TASKS_H */
