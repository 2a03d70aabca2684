/* time_figures.h: the figures that users see of the counts of the time model.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_FIGURES_H
#define DG_TIME_FIGURES_H

#include "dg_analysis.h"
#include "time_core.h"

enum dg_time_figure {
  DG_TIME_FIGURE_CYCLES = 0, /* with those for new pages */
  DG_TIME_FIGURE_MEMORY,
  DG_TIME_FIGURE_BRANCH,
  DG_TIME_FIGURE_FETCH,
  DG_TIME_FIGURE_FORWARD,
  DG_TIME_FIGURE_PAGE,     /* cycles of the kernel for new pages */
  DG_TIME_FIGURE_INSTRUCTIONS,
  DG_TIME_FIGURE_CODE_MISSES,
  DG_TIME_FIGURE_L1_MISSES,
  DG_TIME_FIGURE_L2_MISSES,
  DG_TIME_FIGURE_L3_MISSES,
  DG_TIME_FIGURE_REMOTE_MISSES,
  DG_TIME_FIGURE_WALKS,
  DG_TIME_FIGURE_BRANCHES,
  DG_TIME_FIGURE_MISPREDICTED,
  DG_TIME_FIGURE_FORWARD_FAILS,
  DG_TIME_FIGURE_ALIASES,
  DG_TIME_FIGURE_FIRST_TOUCHES,
  DG_TIME_FIGURES
};

/* The column of each figure in tables.  */
extern const struct dg_column dg_time_columns[DG_TIME_FIGURES];

/* A figure of DG_TIME_COUNTS counts, of a machine that has executed them.  */
uint64_t dg_time_figure (const uint64_t *counts,
                         const struct dg_time_machine *machine,
                         enum dg_time_figure figure);

#endif /* DG_TIME_FIGURES_H */
