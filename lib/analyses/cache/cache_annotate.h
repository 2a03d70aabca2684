/* cache_annotate.h: source files with the figures of their lines beside them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_ANNOTATE_H
#define DG_CACHE_ANNOTATE_H

#include "cache_run.h"

/* Adds the sources of code whose misses cost at least `least` of all (0 to 1),
   the costliest file first, with some lines around each line that has
   figures.  The run's groups are by code, and taken.  */
int dg_cache_annotate (struct dg_cache_run *run, double least,
                       struct dg_report *report, struct dg_error *err);

#endif /* DG_CACHE_ANNOTATE_H */
