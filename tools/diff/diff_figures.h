/* diff_figures.h: the figures of reports, before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_FIGURES_H
#define DG_DIFF_FIGURES_H

#include "diff_items.h"

struct diff_options {
  double least;            /* smaller relative changes are not shown */
  GArray *limits;          /* struct diff_limit; what breaks them is noted */
};

/* All of them for programs, those that changed for people.  */
void diff_figures (const struct diff_logs *logs,
                   const struct diff_options *options, struct dg_report *out);

#endif /* DG_DIFF_FIGURES_H */
